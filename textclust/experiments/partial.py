"""Partial background knowledge on tables of numbers (Gao, Tan and Cheng 2005, Table 2).

In each run one point in a hundred is labelled and one feature in ten is shared, both drawn
at random. Shuttle is a sample of 4,916 points of its two largest classes, with outliers a hundred
times as far as all others. So each feature is cut off at its first and last percent and brought
to the range from 0 to 1. The paper says nothing of that, of its R, which is here a quarter of the
mean squared distance from the centre, nor of how near a labelled point must be: any is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from textclust import metrics
from textclust.background.labelled import Background
from textclust.background.labellers import NearestNeighbourLabeller
from textclust.experiments import uci
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.geometry.affine import Array, Labels
from textclust.methods.kmeans import KMeansRecipe
from textclust.methods.semifuzzy import SemiFuzzyRecipe
from textclust.methods.semihard import SemiHardRecipe

__all__ = ["EXPERIMENTS"]

_LABELLED, _SHARED, _R = 0.01, 0.1, 0.25
_SHUTTLE = 4916
_OUTLIERS = 1  # percent of the values of a feature, at each end
_ANYWHERE = 1e9
PAPER = {
    "waveform21": (0.4534, 0.4186, 0.4700, 0.4706),
    "shuttle": (0.2054, 0.1617, 0.2168, 0.2316),
}


def unit(case: Case, run: int) -> Iterator[Row]:
    """The error rates of every method on one draw of points and features."""
    X, y = _points(case["data"])
    rng = np.random.default_rng(run)
    rows = rng.permutation(len(y))[: _SHUTTLE if case["data"] == "shuttle" else None]
    old, new = np.split(rows, [round(_LABELLED * len(rows))])
    d = X.shape[1]
    shared = np.sort(rng.choice(d, max(1, round(_SHARED * d)), replace=False))
    features = [str(column) for column in range(d)]
    background = Background(X[np.ix_(old, shared)], y[old], [features[i] for i in shared])
    for method, labels in _labels(background, X[new], features, shared, int(y.max()) + 1, run):
        yield {"method": method, "error rate": metrics.error_rate(y[new], labels)}


@lru_cache(maxsize=1)
def _points(name: str) -> tuple[Array, Labels]:
    data = uci.read(name)
    if name == "shuttle":
        largest = [kind for kind, _ in Counter(data.y.tolist()).most_common(2)]
        data = data.at(np.flatnonzero(np.isin(data.y, largest)))
    least, most = np.percentile(data.X, [_OUTLIERS, 100 - _OUTLIERS], axis=0)
    _, classes = np.unique(data.y, return_inverse=True)
    return (data.X.clip(least, most) - least) / (most - least), classes


def _labels(
    background: Background, points: Array, features: list[str], shared: Labels, k: int, state: int
) -> Iterator[tuple[str, Labels]]:
    price = _R * float(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean())
    given: dict[str, Any] = {"distortion": "euclidean", "random_state": state}
    nearest = NearestNeighbourLabeller(delta=_ANYWHERE)
    paper = {**given, "labeller": nearest, "init": "confident", "R": price, "refine": False}
    plain = KMeansRecipe(k, init="k-means++", n_init=1, refine=False, **given)
    known = (points, None, background, features)
    yield "SemiHard", SemiHardRecipe(k, **paper).solve(*known).labels
    yield "SemiFuzzy", SemiFuzzyRecipe(k, **paper).solve(*known).labels
    yield "k-means", plain.solve(points).labels
    alone = nearest.fit(background.X, background.y).predict_proba(points[:, shared])
    yield "nearest neighbour", alone.argmax(axis=1)
    yield "default SemiHard", SemiHardRecipe(k, **given).solve(*known).labels


_PRINTED = ("SemiHard", "SemiFuzzy", "k-means", "nearest neighbour")
EXPERIMENTS = (
    Experiment(
        name="gao2005-table-2",
        also=("partial",),
        title=f"Error rates with {_LABELLED:.0%} of the points labelled and {_SHARED:.0%} of the"
        " features shared",
        source="Gao et al. 2005, table 2",
        unit=unit,
        cases=grid(data=PAPER),
        runs=20,
        axes=("data", "method"),
        x="data",
        lines="method",
        across="method",
        measures=("error rate",),
        paper={
            (data, method): number
            for data, numbers in PAPER.items()
            for method, number in zip(_PRINTED, numbers, strict=True)
        },
        notes=("SemiHard and SemiFuzzy as published; Web and Physiological are not to be had",),
    ),
)
