"""How near the truth `select_k` comes, with and without links."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust.experiments.datasets import dataset
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import links_between
from textclust.selection.choice import select_k

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
LINKS = (0, 100)
_MOST = {False: 12, True: 30}  # clusters looked at, where there are few and where there are many
_LINKED = 300  # documents that pairs are drawn from


def unit(case: Case, run: int) -> Iterator[Row]:
    """The number chosen among 2 to 12, or to 30, and how many times too large or small it is."""
    X, truth = dataset(case["collection"], damped=True)
    true = len(np.unique(truth))
    rng = np.random.default_rng(run)
    some = rng.choice(len(truth), min(len(truth), _LINKED), replace=False)
    links = links_between(truth, some, case["links"], rng)
    numbers = range(2, _MOST[case["collection"] in MANY] + 1)
    found = select_k(X, numbers, links, random_state=run)
    yield {"true": true, "k": found.k, "factor": max(found.k / true, true / found.k)}


EXPERIMENTS = (
    Experiment(
        name="select-k",
        title="The number of clusters chosen, beside the number of classes",
        source="",
        unit=unit,
        cases=(
            *grid(collection=FEW, links=LINKS),
            *grid(collection=MANY, links=LINKS),
        ),
        runs=5,
        axes=("collection", "links"),
        x="collection",
        lines="links",
        across="links",
        measures=("true", "k", "factor"),
        shown=("true", "k", "factor"),
        notes=(
            "2 to 12 clusters are looked at, 2 to 30 for the collections of 20 newsgroups",
            "links are drawn at random; they take no part in clustering",
            "factor: how many times too many or too few, 1 where it is right",
        ),
    ),
)
