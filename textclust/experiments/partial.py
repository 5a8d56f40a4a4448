"""Partial background knowledge on tables of numbers (Gao, Tan and Cheng 2005, Table 2).

In each run one point in a hundred is labelled and one feature in ten is shared, both drawn
at random. Shuttle is a sample of 4,916 points of its two largest classes. The features are
brought to the range from 0 to 1; the paper says neither that nor its R, which is here three
tenths of the mean squared distance from the centre.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from textclust import metrics
from textclust.background.labelled import Background
from textclust.background.labellers import NearestNeighbourLabeller
from textclust.experiments import uci
from textclust.experiments.table import Table
from textclust.geometry.affine import Array, Labels
from textclust.methods.kmeans import KMeansRecipe
from textclust.methods.semifuzzy import SemiFuzzyRecipe
from textclust.methods.semihard import SemiHardRecipe
from textclust.progress import track

__all__ = ["run"]

_LABELLED, _SHARED, _R = 0.01, 0.1, 0.3
_SHUTTLE = 4916
PAPER = {
    "waveform21": (0.4534, 0.4186, 0.4700, 0.4706),
    "shuttle": (0.2054, 0.1617, 0.2168, 0.2316),
}


def run(runs: int) -> Table:
    """Mean error rates over so many draws of points and features, beside those of the paper."""
    rows: list[tuple[Any, ...]] = []
    for name, printed in track(PAPER.items(), "data sets", len(PAPER)):
        X, y = _points(name)
        scores = [_scores(X, y, name, state) for state in range(runs)]
        means, errors = np.mean(scores, axis=0), np.std(scores, axis=0) / np.sqrt(runs)
        cells = [f"{mean:.3f} ± {error:.3f}" for mean, error in zip(means, errors, strict=True)]
        rows += [(name, *cells), ("the paper", *(f"{score:.4f}" for score in printed), "")]
    return Table(
        f"Error rates with {_LABELLED:.0%} of the points labelled and {_SHARED:.0%} of the"
        " features shared",
        ("data", "SemiHard", "SemiFuzzy", "k-means", "nearest neighbour", "default SemiHard"),
        rows,
        ("± is the standard error over the draws; SemiHard and SemiFuzzy as published",),
    )


def _points(name: str) -> tuple[Array, Labels]:
    data = uci.read(name)
    if name == "shuttle":
        largest = [kind for kind, _ in Counter(data.y.tolist()).most_common(2)]
        data = data.at(np.flatnonzero(np.isin(data.y, largest)))
    least, most = data.X.min(axis=0), data.X.max(axis=0)
    return (data.X - least) / (most - least), np.unique(data.y, return_inverse=True)[1]


def _scores(X: Array, y: Labels, name: str, state: int) -> list[float]:
    rng = np.random.default_rng(state)
    rows = rng.permutation(len(y))[: _SHUTTLE if name == "shuttle" else None]
    old, new = np.split(rows, [round(_LABELLED * len(rows))])
    d, k = X.shape[1], int(y.max()) + 1
    shared = np.sort(rng.choice(d, max(1, round(_SHARED * d)), replace=False))
    features = [str(column) for column in range(d)]
    background = Background(X[np.ix_(old, shared)], y[old], [features[i] for i in shared])
    points, truth = X[new], y[new]
    price = _R * float(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean())
    given: dict[str, Any] = {"distortion": "euclidean", "random_state": state}
    paper = {**given, "labeller": "nearest", "init": "confident", "R": price, "refine": False}
    plain = KMeansRecipe(k, init="k-means++", n_init=1, refine=False, **given)
    nearest = NearestNeighbourLabeller().fit(background.X, background.y)
    known = (points, None, background, features)
    found = [
        SemiHardRecipe(k, **paper).solve(*known).labels,
        SemiFuzzyRecipe(k, **paper).solve(*known).labels,
        plain.solve(points).labels,
        nearest.predict_proba(points[:, shared]).argmax(axis=1),
        SemiHardRecipe(k, **given).solve(*known).labels,
    ]
    return [metrics.error_rate(truth, labels) for labels in found]
