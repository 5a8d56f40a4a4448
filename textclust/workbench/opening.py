"""The first line of a journal: what was opened and how, and the state that it leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from textclust.errors import InputError
from textclust.methods.choice import Run
from textclust.pipeline import selection_for
from textclust.result.clustering import Clustering
from textclust.sources import SupervisionSource
from textclust.supervision.links import KINDS, Link
from textclust.workbench.collection import Collection
from textclust.workbench.refitting import first_fit, refit
from textclust.workbench.state import State

__all__ = ["first_state", "opening", "require_same"]


def opening(
    collection: Collection,
    k: int | str,
    random_state: int,
    seeds: Mapping[str, str] | None = None,
    links: Sequence[Link[str]] | None = None,
    earlier: Clustering | None = None,
) -> dict[str, object]:
    """The line for a collection, k or "auto", and what was given on opening.

    `earlier` is a clustering of the same documents to go on from.
    """
    background = collection.background
    if earlier is not None:
        outcome, ids = earlier.outcome, [card.id for card in earlier.cards]
        seeds = {ids[row]: outcome.classes[h] for row, h in outcome.given_seeds.items()}
        links = [link.named(ids) for link in outcome.given_links]
    return {
        "action": "open",
        "documents": len(collection),
        "sha256": collection.sha256,
        "terms": collection.terms_sha256,
        "k": k,
        "random_state": random_state,
        "seeds": dict(seeds or {}),
        "links": [[link.left, link.right, link.kind] for link in links or ()],
        "background": None if background is None else len(background),
        "clusters": None if earlier is None else _clusters(collection, earlier),
    }


def require_same(collection: Collection, line: Mapping[str, object], where: str) -> None:
    """Raise an InputError where a journal was begun with other documents."""
    if line.get("action") != "open":
        raise InputError(f"{where}: the first line does not say what was opened; is it a journal?")
    background = None if collection.background is None else len(collection.background)
    if line.get("background") != background:
        raise InputError(f"{where}: was begun with other older documents; give the same background")
    if line.get("sha256") == collection.sha256:
        if line.get("terms") != collection.terms_sha256:
            raise InputError(
                f"{where}: was begun with other terms of the same documents; give the same options "
                "for language, stemming, n-grams and rare terms"
            )
        return
    before, now = line.get("documents"), len(collection)
    many = f"{before} documents then, {now} now" if before != now else "a text or an id differs"
    raise InputError(
        f"{where}: the collection is not the one that the journal was begun with ({many}), or is "
        "read in another way; begin a new project with the seeds and constraints of this one"
    )


def first_state(collection: Collection, line: Mapping[str, Any]) -> State:
    """What is found before a person says anything."""
    seeds, links = line["seeds"], [Link(*link) for link in line["links"]]
    if any(link.kind not in KINDS for link in links):
        raise InputError("the first line of the journal has a link of an unknown kind; mend it")
    given = SupervisionSource(
        seeds=seeds or None, constraints=links or None, background=collection.background
    )
    if line.get("clusters") is not None:
        return _gone_on(collection, line, links)
    run = Run.of(given.kinds, line["k"], random_state=line["random_state"])
    supervision = given.resolve(collection.corpus.documents, run.k, collection.corpus)
    selection = selection_for(run, collection.X, supervision)
    if selection is not None:
        run = run.with_k(selection.k)
    return first_fit(collection, run, supervision, line["random_state"])


def _clusters(collection: Collection, earlier: Clustering) -> dict[str, object]:
    """The clusters of an earlier run: the place of each document's, and names of classes.

    What fits nowhere is in the nearest cluster here, where a person may discard it.
    """
    labels = earlier.placement.labels.tolist()
    place = dict(zip((card.id for card in earlier.cards), labels, strict=True))
    missing = [name for name in collection.documents.ids if name not in place]
    if missing or len(place) != len(collection):
        what = f"no document {missing[0]!r:.80} in it" if missing else "it has further documents"
        raise InputError(f"the earlier run was of other documents ({what}); open the collection")
    labels = [place[name] for name in collection.documents.ids]
    return {"labels": labels, "names": earlier.known_names}


def _gone_on(collection: Collection, line: Mapping[str, Any], links: Sequence[Link[str]]) -> State:
    """The clusters of an earlier run, with the seeds and links it was made with."""
    labels = np.array(line["clusters"]["labels"], dtype=np.intp)
    state = State.begin(labels, labels, line["clusters"]["names"])
    rows = collection.rows
    state = replace(
        state,
        random_state=line["random_state"],
        seeds={rows[name]: int(state.labels[rows[name]]) for name in line["seeds"]},
        links=tuple(Link(rows[e.left], rows[e.right], e.kind) for e in links),
    )
    return replace(state, fit=refit(collection, replace(state, held=state.labels)))
