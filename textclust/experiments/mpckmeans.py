"""Constraints, a learned metric, and both: Basu, Bilenko and Mooney 2003, figures 2 to 5.

The paper has ten folds and fifty runs; here the points are halved in each run, the links
come from one half and the other is measured, and then the other way round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust import metrics
from textclust.estimators.constrained import PCKMeans
from textclust.estimators.kmeans import KMeans
from textclust.estimators.metric import MKMeans, MPCKMeans
from textclust.experiments.table import Table
from textclust.experiments.uci import Data, read
from textclust.geometry.affine import Labels
from textclust.progress import track
from textclust.supervision.constraints import Constraints

__all__ = ["run"]

TABLES: dict[str, tuple[tuple[str, ...] | None, float]] = {  # classes, and the share sampled
    "iris": (None, 1.0),
    "wine": (None, 1.0),
    "pendigits": (("3", "8", "9"), 0.2),
    "letter": (("I", "J", "L"), 0.2),
}
LINKS = (0, 50, 100, 200, 400)
_STARTS: dict[str, dict[str, Any]] = {"paper": {"init": "largest", "n_init": 1}, "default": {}}


def run(runs: int) -> Table:
    """Mean pairwise F on the half of the points that the links are not from."""
    rows = [row for name in track(TABLES, "tables", len(TABLES)) for row in _rows(name, runs)]
    return Table(
        "Pairwise F on the unlinked half, as links grow in number",
        ("points", "start", "links", "KMeans", "PC", "PC, auto", "M", "MPC", "MPC, local"),
        rows,
        (
            "paper: clusters start at the largest neighbourhoods, one try; default: the lowest "
            "energy of several starts; KMeans always has the default",
            "PC: a link weighs 1, as in the paper, next to nothing where distances are large; auto "
            "weighs it by the scatter of the points",
            "M: links bear on its start alone",
        ),
    )


def _rows(name: str, runs: int) -> list[tuple[Any, ...]]:
    table = []
    for start, settings in _STARTS.items():
        for links in LINKS:
            scores = [
                score for state in range(runs) for score in _run(name, links, settings, state)
            ]
            table.append((name, start, links, *(f"{mean:.3f}" for mean in np.mean(scores, axis=0))))
    return table


def _run(name: str, links: int, settings: dict[str, Any], state: int) -> list[list[float]]:
    """The scores of every method, on either half."""
    classes, share = TABLES[name]
    rng = np.random.default_rng(state)
    data = read(name, classes)
    if share < 1:
        data = data.sample(share, rng)
    halves = np.array_split(rng.permutation(len(data.y)), 2)
    both = ((halves[0], halves[1]), (halves[1], halves[0]))
    return [
        _scores(data, _linked(data, known, links, rng), asked, settings, state)
        for known, asked in both
    ]


def _linked(data: Data, rows: Labels, count: int, rng: np.random.Generator) -> Constraints:
    """Random pairs of these points, linked as their classes say."""
    pairs = np.empty((count, 2), dtype=np.intp)
    for pair in pairs:
        pair[:] = rng.choice(rows, 2, replace=False)
    same = data.y[pairs[:, 0]] == data.y[pairs[:, 1]]
    return Constraints(pairs[same], pairs[~same])


def _scores(
    data: Data, links: Constraints, asked: Labels, settings: dict[str, Any], state: int
) -> list[float]:
    k = len(np.unique(data.y))
    found = [KMeans(k, random_state=state).fit(data.X)]
    for method in (
        PCKMeans(k, **settings, random_state=state),
        PCKMeans(k, weight="auto", **settings, random_state=state),
        MKMeans(k, **settings, random_state=state),
        MPCKMeans(k, **settings, random_state=state),
        MPCKMeans(k, metric="local", **settings, random_state=state),
    ):
        found.append(method.fit(data.X, constraints=links))
    return [metrics.pairwise_f1(data.y[asked], model.labels_[asked]) for model in found]
