"""The documents of a clustering, those added to it too, clustered once more from what it keeps."""

from __future__ import annotations

import numpy as np

from textclust.comparison.continuing import earlier_clustering, going_on
from textclust.errors import InputError
from textclust.methods.choice import Run
from textclust.pipeline import cluster_corpus
from textclust.result.cards import Card
from textclust.result.clustering import Clustering
from textclust.result.wanted import Wanted
from textclust.sources import SupervisionSource
from textclust.supervision.background.labelled import Background
from textclust.supervision.constraints import Constraints
from textclust.text.catalogue import Catalogue, Entry
from textclust.text.corpus import Corpus

__all__ = ["refit"]


def refit(
    clustering: Clustering, random_state: int | None = 0, *, stability: bool | None = None
) -> Clustering:
    """Cluster all documents of a clustering anew, as a run that goes on from it.

    The documents that its clusters were made from are the background, so that these stay what they
    are, as far as the documents that were added bear it out; there are new clusters as needed.
    Seeds and links count as they did. `changes` says what became of each cluster.

    Parameters
    ----------
    clustering : Clustering
    random_state : int or None, default=0
    stability : bool or None
        As under `textclust.cluster`; None is as it was asked for of the clustering.

    Notes
    -----
    No text is read: terms weigh what they did, and those that nobody counted are not there. With
    the texts at hand, ``textclust.cluster(..., previous=clustering)`` counts anew.

    Examples
    --------
    >>> import textclust as tc
    >>> docs = tc.read_documents(tc.corpora.path("newsgroups"))
    >>> r = tc.cluster(docs.select([i for i in range(225) if docs.labels[i] < "s"]), k=2)
    >>> more = r.extended(docs)
    >>> tc.refit(more).k
    3
    """
    _refuse(clustering)
    outcome, names = clustering.outcome, clustering.lasting_names
    corpus = _corpus(clustering)
    known = SupervisionSource(
        seeds={
            clustering.cards[row].id: outcome.classes[h] for row, h in outcome.given_seeds.items()
        }
        or None,
        constraints=Constraints.from_links(outcome.given_links) if outcome.given_links else None,
        background=_background(clustering, names),
        seeds_from="the seeds of the clustering",
        constraints_from="the links of the clustering",
        seed_words=None if outcome.words is None else dict(outcome.words.words),
        seed_words_from="the seed words of the clustering",
    )
    run = Run.of(known.kinds, "auto", None, None, random_state, {})
    settings = clustering.settings
    wanted = Wanted(
        settings.get("levels"),
        settings.get("outliers") or False,
        settings.get("by"),
        settings.get("stability", False) if stability is None else stability,
    )
    found = cluster_corpus(corpus, known, run, wanted=wanted)
    return going_on(found, clustering)


def _refuse(clustering: Clustering) -> None:
    reason = None
    if clustering.whole is not None:
        reason = "it keeps only some of its documents"
    elif clustering.beside is not None:
        reason = "it keeps none of the vectors that count beside the terms"
    elif clustering.settings.get("groups"):
        reason = "its documents were clustered in groups"
    if reason is not None:
        raise InputError(
            f"this clustering cannot be made anew from what it keeps: {reason}; cluster the "
            "documents with previous="
        )
    earlier_clustering(clustering)


def _corpus(clustering: Clustering) -> Corpus:
    """The documents with their terms, as they were counted."""
    n = len(clustering.cards)
    known = np.ones(n) if clustering.known is None else clustering.known
    return Corpus(_catalogue(clustering), clustering.texts, clustering.vectorizer, known)


def _catalogue(clustering: Clustering) -> Catalogue:
    cards, n = clustering.cards, len(clustering.cards)
    digests = [b""] * n
    if clustering.digests is not None:
        digests = [digest.tobytes() for digest in clustering.digests]
    collection = clustering.settings.get("collection", {})
    labels = [card.truth for card in cards]
    return Catalogue(
        ids=[card.id for card in cards],
        labels=labels if any(label is not None for label in labels) else None,
        entries=[_entry(*pair) for pair in zip(cards, digests, strict=True)],
        rows=list(range(n)),
        provenance={
            name: collection[name]
            for name in ("source", "cleaning", "columns")
            if name in collection
        },
        keys=clustering.keys,
    )


def _entry(card: Card, digest: bytes) -> Entry:
    return Entry(card.title, card.excerpt, digest, card.date)


def _background(clustering: Clustering, names: list[str]) -> Background:
    """The documents that the clusters were made from, each cluster a class."""
    labels = clustering.labels[: clustering.n_fitted]
    placed = np.flatnonzero(labels >= 0)
    terms = list(clustering.vectorizer.vocabulary_)
    classes = [names[h] for h in labels[placed].tolist()]
    return Background(clustering.texts[placed], classes, terms, order=names)
