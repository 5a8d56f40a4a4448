"""Seeds, wrong seeds and missing seeds in ten folds (Basu 2005, figures 3.3 to 3.13).

A run is one fold: a tenth of the documents is set aside, seeds come from the others, everything
is clustered together, and NMI is taken on the tenth. Ten runs are the ten folds of one split.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from textclust import metrics
from textclust.estimators.base import BaseClusterer
from textclust.estimators.hard import COPKMeans
from textclust.estimators.kmeans import KMeans
from textclust.estimators.seeded import ConstrainedKMeans, SeededKMeans
from textclust.experiments import peers
from textclust.experiments.datasets import TABLES, dataset
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import fold_of_run
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.supervision.constraints import Constraints

__all__ = ["EXPERIMENTS"]


class Point(NamedTuple):
    """A point of a curve: the share of seeds, of wrong ones, and how many classes have none."""

    seeded: float
    wrong: float = 0.0
    unseeded: int = 0


_TENTHS = tuple(tenth / 10 for tenth in range(11))
_CURVES: dict[str, tuple[Point, ...]] = {
    "seed fraction": tuple(Point(share) for share in _TENTHS),
    "noise fraction": tuple(Point(0.5, wrong=share) for share in _TENTHS[:-1]),
    "unseeded classes": tuple(Point(0.1, unseeded=count) for count in range(0, 21, 2)),
}
_PLACES: dict[str, Callable[[Point], float]] = {
    "seed fraction": lambda point: point.seeded,
    "noise fraction": lambda point: point.wrong,
    "unseeded classes": lambda point: point.unseeded,
}
_METHODS: dict[str, Callable[..., BaseClusterer]] = {
    "KMeans": partial(KMeans, as_published=True),
    "COP-KMeans": partial(COPKMeans, as_published=True),
    "Seeded-KMeans": partial(SeededKMeans, as_published=True),
    "Constrained-KMeans": partial(ConstrainedKMeans, as_published=True),
    "default SeededKMeans": SeededKMeans,
}
_SCIKIT_LEARN = "scikit-learn KMeans"
_UNSUPERVISED = ("KMeans", _SCIKIT_LEARN)


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI on the test tenth and the objective, at every point of one curve."""
    method, along = case["method"], case["along"]
    X, truth = dataset(case["collection"], damped=method.startswith("default"))
    train, test = fold_of_run(len(truth), run)
    scores: dict[str, float] = {}
    for point in _CURVES[along]:
        if not (scores and method in _UNSUPERVISED):
            y = _seeds(truth, train, point, np.random.default_rng((run, 1)))
            labels, objective = _fit(X, int(truth.max()) + 1, y, case, run)
            scores = {"NMI": metrics.nmi(truth[test], labels[test]), "objective": objective}
        yield {along: _PLACES[along](point), **scores}


def _seeds(truth: Array, train: Labels, point: Point, rng: np.random.Generator) -> Array:
    """The classes of some documents, some turned into another, and -1 elsewhere."""
    k = int(truth.max()) + 1
    without = rng.permutation(k)[: point.unseeded]
    seeds = train[: round(point.seeded * len(train))]
    seeds = seeds[~np.isin(truth[seeds], without)]
    y = np.full(len(truth), -1)
    y[seeds] = truth[seeds]
    mistaken = seeds[rng.random(len(seeds)) < point.wrong]
    y[mistaken] = (truth[mistaken] + rng.integers(1, k, len(mistaken))) % k
    return y


def _fit(X: Matrix, k: int, y: Array, case: Case, run: int) -> tuple[Array, float]:
    """Labels and objective; a class that has no seeds is a cluster that has none."""
    if case["method"] == _SCIKIT_LEARN:
        return peers.scikit_learn_kmeans(X, k, run)
    distortion = "euclidean" if case["collection"] in TABLES else "cosine"
    model = _METHODS[case["method"]](k, distortion=distortion, random_state=run)
    links = case["method"] == "COP-KMeans"
    model.fit(X, **({"constraints": Constraints.from_labels(y)} if links else {"y": y}))
    return model.labels_, model.objective_


def _figure(number: str, collection: str, measure: str, along: str, **more: Any) -> Experiment:
    comparable = ("KMeans", "COP-KMeans", "Seeded-KMeans", "Constrained-KMeans")
    methods = comparable if measure == "objective" else (*_METHODS, _SCIKIT_LEARN)
    return Experiment(
        name=f"basu2005-fig-{number}",
        title=f"{measure[0].upper()}{measure[1:]} on {collection} by {along}",
        source=f"Basu 2005, figure {number}",
        unit=unit,
        cases=grid(collection=[collection], along=[along], method=methods),
        runs=10,
        axes=("collection", "method", along),
        x=along,
        lines="method",
        measures=("NMI", "objective"),
        shown=(measure,),
        notes=(
            "NMI on the tenth that is set aside; the objective of all, as a sum of distances: the "
            "thesis has the sum of similarities, which is the same upside down",
            "default SeededKMeans: the lowest energy of several starts, damped term frequencies; "
            "the others: one run from the start of the thesis, plain term frequencies",
            "scikit-learn on the same matrix, best of ten starts, one above 5,000 documents",
        ),
        **more,
    )


_LARGE, _SMALL = "20newsgroups", "20-newsgroups-100"
_BETTER = (
    "The semi-supervised methods are above KMeans, Constrained at least as good as Seeded, and COP "
    "behind them where its random start tells."
)
EXPERIMENTS = (
    _figure(
        "3.3",
        _LARGE,
        "NMI",
        "seed fraction",
        says=_BETTER,
        differs="The same order, but for COP, which from four tenths on is above Seeded-KMeans. "
        "The default is best without seeds.",
    ),
    _figure(
        "3.4",
        _LARGE,
        "objective",
        "seed fraction",
        says="With more seeds the objective of Constrained and COP gets worse, that of Seeded does "
        "not: the classes are not what k-means would choose.",
        differs="The same.",
    ),
    _figure(
        "3.5",
        _SMALL,
        "NMI",
        "seed fraction",
        says=_BETTER + " Seeded is well above COP.",
        differs="The same order. The default start reaches without seeds what Seeded-KMeans "
        "reaches with a fifth of the labels.",
    ),
    _figure(
        "3.6",
        _SMALL,
        "objective",
        "seed fraction",
        says="Seeds lead to a good optimum of the objective.",
        differs="So it is for Seeded-KMeans; Constrained and COP find a better one than KMeans "
        "too, but pay for every seed that lies badly, as the thesis says of larger collections.",
    ),
    _figure(
        "3.7",
        "yahoo-news",
        "NMI",
        "seed fraction",
        says=_BETTER,
        differs="The same order. The default is best without seeds only: its lower energy is not "
        "what these categories, of very unequal size, are after.",
    ),
    _figure(
        "3.8",
        "yahoo-news",
        "objective",
        "seed fraction",
        says="As in figure 3.4: constraints that the objective does not like make it worse.",
        differs="The same: Constrained and COP get worse with every seed, Seeded does not.",
    ),
    _figure(
        "3.9",
        "iris",
        "NMI",
        "seed fraction",
        says=_BETTER,
        differs="Constrained and COP gain with seeds, as there; Seeded-KMeans does not, for "
        "k-means has hardly more than one optimum here.",
    ),
    _figure(
        "3.10",
        "3-news-similar-1000",
        "NMI",
        "seed fraction",
        says="Seeds bring much where classes are hard to tell apart.",
        differs="The same. The default is ahead without seeds and behind the published methods "
        "with them: here lower energy and these groups part ways.",
    ),
    _figure(
        "3.11",
        "3-news-different-1000",
        "NMI",
        "seed fraction",
        says="Where classes are easy to tell apart seeds bring little: KMeans finds them.",
        differs="The same.",
    ),
    _figure(
        "3.12",
        _LARGE,
        "NMI",
        "unseeded classes",
        says="NMI does not fall much as more of the classes have no seeds; seed fraction 0.1.",
        differs="It falls by a little for every class without seeds, down to that of KMeans; with "
        "seeds for half of the classes it has lost a half of what seeds bring. The default keeps "
        "more of it, for its starts find classes without seeds.",
    ),
    _figure(
        "3.13",
        _SMALL,
        "NMI",
        "noise fraction",
        says="With more wrong seeds Constrained and COP fall behind Seeded, which can leave them; "
        "seed fraction 0.5.",
        differs="The same, from three tenths of wrong seeds on; the default, which looks for "
        "starts beside the seeds, is hurt least.",
    ),
)
