"""Do the names of clusters say what people call the same documents?

Collections with named classes are clustered into as many clusters, and into the classes themselves;
a cluster is called right where its name has a word that people have for the class that most of its
documents are of (`names_of_classes`, written down before). The names that were made of the plain
terms of the centroid are the baseline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.named_collections import named_collection
from textclust.experiments.names_of_classes import NAMES_OF_CLASSES
from textclust.experiments.plain_names import plain_names
from textclust.geometry.affine import Labels
from textclust.result.cards import cards_of
from textclust.result.forms import root
from textclust.result.naming import Naming
from textclust.result.terms import weigh_terms
from textclust.result.wording import Extent, Wording
from textclust.text.corpus import Corpus
from textclust.text.stopwords import stop_word_set
from textclust.text.termspace import TermSpace

__all__ = ["EXPERIMENTS", "is_said", "names_before_and_now", "unit"]

CHOSEN_ON = ("20-newsgroups-100", "20newsgroups", "3-news-different-1000", "3-news-similar-1000")
REPORTED = ("3-news-related-1000", "newsgroups", "classic4", "debian", "reuters-8")
_ENDS = "didn doesn isn aren don ve ll re"
_SIGNS = "edu com org www http html nbsp quot lt gt"
_SAYING = "mr mrs ms said say says writes wrote article subject lines"
LEFT_OVER = frozenset(f"{_ENDS} {_SIGNS} {_SAYING}".split(" "))
MEASURES = ("named", "named first", "leftovers", "doubled", "as now")
EVERYTHING = Extent(1 << 60, 1 << 30, 0, 1 << 30, 1 << 60)


def unit(case: Case, run: int) -> Iterator[Row]:
    """How many clusters are called what people call them, before and now."""
    name, stops = case["collection"], case["stop words"]
    table = NAMES_OF_CLASSES[name]
    made = names_before_and_now(name, case["clusters"], stops == "none")
    for kind, names in made.items():
        called = [is_said(each, table[label]) for each, label in names]
        yield {
            "names": kind,
            "named": float(np.mean([any(said) for said in called])),
            "named first": float(np.mean([said[0] for said in called])),
            "leftovers": float(np.mean([_has_leftovers(each) for each, _ in names])),
            "doubled": float(np.mean([_is_doubled(each) for each, _ in names])),
            "as now": float(np.mean(list(map(_shared, names, made["now"])))),
        }


def names_before_and_now(
    collection: str, clusters: str, every_word: bool = False
) -> dict[str, list[tuple[str, str]]]:
    """The names of each cluster of every kind, with the class of most of its documents."""
    corpus = _corpus(collection, None if every_word else "english")
    known = np.array(corpus.documents.labels)
    classes, truth = np.unique(known, return_inverse=True)
    labels, k = truth, len(classes)
    if clusters == "found":
        labels = _found(corpus, k)
    of_cluster = [str(classes[np.bincount(truth[labels == h]).argmax()]) for h in range(k)]
    weights, vocabulary = weigh_terms(corpus.X, labels, k), corpus.vectorizer.readable_terms()
    excerpts = [card.excerpt for card in cards_of(corpus.documents)]
    read = {
        "now": Wording.of(excerpts, labels, k),
        "all excerpts": Wording.of(excerpts, labels, k, EVERYTHING),
        "whole texts": Wording.of(named_collection(collection).texts, labels, k, EVERYTHING),
    }
    made = {
        "before": plain_names(weights, vocabulary),
        **{kind: Naming(weights.evidence, vocabulary, each).names() for kind, each in read.items()},
    }
    return {kind: list(zip(names, of_cluster, strict=True)) for kind, names in made.items()}


def is_said(name: str, words: str) -> list[bool]:
    """Of each part of a name, whether one of the words, in any form, is in it."""
    wanted = [_roots(each) for each in words.split(", ")]
    return [any(_within(each, _roots(part)) for each in wanted) for part in name.split(", ")]


@lru_cache(maxsize=2)
def _corpus(collection: str, stop_words: str | None) -> Corpus:
    space = TermSpace(sublinear_tf=True, stop_words=stop_words)
    return Corpus.read(named_collection(collection).reading(), space)


def _found(corpus: Corpus, k: int) -> Labels:
    from textclust.methods.kmeans import KMeansSolver

    return KMeansSolver(k, distortion="cosine", random_state=0).solve(corpus.X).labels


def _shared(one: tuple[str, str], other: tuple[str, str]) -> float:
    """Which share of the parts of a name, capitals aside, another has too."""
    parts, others = ({part.lower() for part in each[0].split(", ")} for each in (one, other))
    return len(parts & others) / len(parts)


def _roots(text: str) -> list[str]:
    return [root(word) for word in re.findall(r"\w+", text)]


def _within(part: list[str], whole: list[str]) -> bool:
    starts = range(len(whole) - len(part) + 1)
    return any(whole[start : start + len(part)] == part for start in starts)


def _has_leftovers(name: str) -> bool:
    """True where a part of a name is a number, a stop word, or what is left of something else."""
    parts = [part.lower() for part in name.split(", ")]
    stops = stop_word_set("english") | LEFT_OVER
    return any(part in stops or not re.search(r"[^\W\d_]", part) for part in parts)


def _is_doubled(name: str) -> bool:
    """True where two parts of a name have the same stem."""
    from nltk.stem.snowball import SnowballStemmer

    stem = SnowballStemmer("english").stem
    parts = [{stem(word) for word in re.findall(r"\w+", part)} for part in name.split(", ")]
    return any(one & other for i, one in enumerate(parts) for other in parts[:i])


EXPERIMENTS = (
    Experiment(
        name="names",
        title="Clusters whose name says what people call them, with plain terms and now",
        source="",
        unit=unit,
        cases=(
            *grid(
                collection=(*CHOSEN_ON, *REPORTED),
                clusters=("found", "classes"),
                **{"stop words": ("known",)},
            ),
            *grid(
                collection=("20-newsgroups-100", "classic4", "debian"),
                clusters=("classes",),
                **{"stop words": ("none",)},
            ),
        ),
        runs=1,
        axes=("collection", "clusters", "stop words", "names"),
        x="clusters",
        lines="names",
        measures=MEASURES,
        shown=("named", "named first", "leftovers"),
        baseline="before",
        notes=(
            "named: the share of clusters with a word for their class in the name; named first: as "
            "the first of its parts",
            "leftovers: the share of names with a number, a stop word, or a part of an address or "
            "of a word; doubled: with two forms of one word",
            "all excerpts, whole texts: capitals and phrases from more than is read usually",
            "as now: which share of the parts of these names those made now have too",
            f"how terms are weighed was chosen on {', '.join(CHOSEN_ON)}; all else is a report",
            "stop words none: as in a language whose stop words are not known",
            "classes: the clusters are the classes themselves; found: as many clusters by the "
            "default method",
        ),
    ),
)
