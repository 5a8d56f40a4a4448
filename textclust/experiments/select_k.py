"""How near the truth `select_k` comes, with and without links."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust.experiments.collections import classes, collection
from textclust.experiments.datasets import dataset
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import links_between
from textclust.geometry.affine import Array, Matrix
from textclust.model_selection.choice import select_k
from textclust.text.termspace import TermSpace

__all__ = ["EXPERIMENTS"]

FEW = (
    "newsgroups",
    "3-news-different-100",
    "3-news-related-100",
    "3-news-similar-100",
    "3-news-different-1000",
    "3-news-related-1000",
    "3-news-similar-1000",
    "classic3-subset",
    "classic4",
)
MANY = ("20-newsgroups-100", "20newsgroups")
DRAWN = {  # newsgroups drawn at random in each run, and posts of each
    "2 groups of 200": (2, 200),
    "4 groups of 300": (4, 300),
    "5 groups of 100": (5, 100),
    "5 groups of 500": (5, 500),
    "7 groups of 300": (7, 300),
    "10 groups of 300": (10, 300),
}
LINKS = (0, 100)
_BEYOND = range(2, 31)  # where the default range would end at the number of classes
_LINKED = 300  # documents that pairs are drawn from


def unit(case: Case, run: int) -> Iterator[Row]:
    """The number chosen, and how many times too large or small it is."""
    name = case["collection"]
    X, truth = _drawn(*DRAWN[name], run) if name in DRAWN else dataset(name, damped=True)
    true = len(np.unique(truth))
    rng = np.random.default_rng(run)
    some = rng.choice(len(truth), min(len(truth), _LINKED), replace=False)
    links = links_between(truth, some, case["links"], rng)
    found = select_k(X, _BEYOND if name in MANY else None, links, random_state=run)
    yield {"true": true, "k": found.k, "factor": max(found.k / true, true / found.k)}


def _drawn(groups: int, posts: int, run: int) -> tuple[Matrix, Array]:
    """So many posts of so many newsgroups, both drawn at random."""
    documents, rng = collection("20newsgroups"), np.random.default_rng(run)
    kinds = np.array(classes(documents))
    rows = np.concatenate(
        [
            rng.choice(np.flatnonzero(kinds == kind), posts, replace=False)
            for kind in rng.choice(np.unique(kinds), groups, replace=False)
        ]
    )
    X = TermSpace(sublinear_tf=True).fit_transform([documents.texts[row] for row in rows])
    return X, np.unique(kinds[rows], return_inverse=True)[1]


EXPERIMENTS = (
    Experiment(
        name="select-k",
        title="The number of clusters chosen, beside the number of classes",
        source="",
        unit=unit,
        cases=(
            *grid(collection=FEW, links=LINKS),
            *grid(collection=MANY, links=LINKS),
            *grid(collection=tuple(DRAWN), links=LINKS),
        ),
        runs=5,
        axes=("collection", "links"),
        x="collection",
        lines="links",
        across="links",
        measures=("true", "k", "factor"),
        shown=("true", "k", "factor"),
        notes=(
            "2 to 20 clusters are looked at, 2 to 30 for the collections of 20 newsgroups",
            "the groups of the last rows are newsgroups drawn at random in each run",
            "links are drawn at random; they take no part in clustering",
            "factor: how many times too many or too few, 1 where it is right",
        ),
    ),
)
