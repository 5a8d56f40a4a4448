"""Constraints, a learned metric, and both: Basu, Bilenko and Mooney 2003, figures 2 to 5.

The paper has ten folds and fifty runs; here the points are halved in each run, the links
come from one half and the other is measured, and then the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from textclust import metrics
from textclust.estimators.constrained import PCKMeans
from textclust.estimators.kmeans import KMeans
from textclust.estimators.metric import MKMeans, MPCKMeans
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import halves
from textclust.experiments.uci import Data, read
from textclust.geometry.affine import Array, Labels
from textclust.supervision.constraints import Constraints

__all__ = ["EXPERIMENTS"]

TABLES: dict[str, tuple[tuple[str, ...] | None, float]] = {  # classes, and the share sampled
    "iris": (None, 1.0),
    "wine": (None, 1.0),
    "pendigits": (("3", "8", "9"), 0.2),
    "letter": (("I", "J", "L"), 0.2),
}
LINKS = (0, 50, 100, 200, 400)
_STARTS: dict[str, dict[str, Any]] = {"paper": {"init": "largest", "n_init": 1}, "default": {}}


_METHODS: dict[str, Any] = {
    "PC": PCKMeans,
    "PC, auto": partial(PCKMeans, weight="auto"),
    "M": MKMeans,
    "MPC": MPCKMeans,
    "MPC, local": partial(MPCKMeans, metric="local"),
}


def unit(case: Case, run: int) -> Iterator[Row]:
    """Pairwise F on the half of the points that the links are not from, either way round."""
    classes, share = TABLES[case["points"]]
    data = read(case["points"], classes)
    for count in LINKS:
        rng = np.random.default_rng(run)
        points = data.sample(share, rng) if share < 1 else data
        for known, asked in halves(len(points.y), rng):
            links = _linked(points, known, count, rng)
            for method, labels in _labels(points, links, _STARTS[case["start"]], run):
                score = metrics.pairwise_f1(points.y[asked], labels[asked])
                yield {"links": count, "method": method, "pairwise F": score}


def _linked(data: Data, rows: Labels, count: int, rng: np.random.Generator) -> Constraints:
    """Random pairs of these points, linked as their classes say."""
    pairs = np.empty((count, 2), dtype=np.intp)
    for pair in pairs:
        pair[:] = rng.choice(rows, 2, replace=False)
    same = data.y[pairs[:, 0]] == data.y[pairs[:, 1]]
    return Constraints(pairs[same], pairs[~same])


def _labels(
    data: Data, links: Constraints, settings: dict[str, Any], state: int
) -> Iterator[tuple[str, Array]]:
    k = len(np.unique(data.y))
    yield "KMeans", KMeans(k, random_state=state).fit(data.X).labels_
    for name, method in _METHODS.items():
        model = method(k, **settings, random_state=state)
        yield name, model.fit(data.X, constraints=links).labels_


EXPERIMENTS = (
    Experiment(
        name="mpckmeans",
        title="Pairwise F on the unlinked half, as links grow in number",
        source="Basu et al. 2003, figures 2 to 5",
        unit=unit,
        cases=grid(points=TABLES, start=_STARTS),
        runs=5,
        axes=("points", "start", "links", "method"),
        x="links",
        lines="method",
        across="method",
        measures=("pairwise F",),
        notes=(
            "paper: clusters start at the largest neighbourhoods, one try; default: the lowest "
            "energy of several starts; KMeans always has the default",
            "PC: a link weighs 1, as in the paper, next to nothing where distances are large; auto "
            "weighs it by the scatter of the points",
            "M: links bear on its start alone",
        ),
    ),
)
