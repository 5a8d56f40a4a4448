"""Seeds, and wrong seeds, on 20-Newsgroups-100 (Basu 2005, figures 3.5 and 3.13).

A tenth of the documents is the test set of each run; seeds come from the rest. The first
rows vary the share of it that is seeded, the others the share of wrong labels among seeds
of half of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust import metrics
from textclust.estimators.hard import COPKMeans
from textclust.estimators.kmeans import SphericalKMeans
from textclust.estimators.seeded import ConstrainedKMeans, SeededKMeans
from textclust.experiments.halves import terms_and_classes
from textclust.experiments.table import Table
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.progress import track
from textclust.supervision.constraints import Constraints

__all__ = ["run"]

COLLECTION = "20-newsgroups-100"
SEEDED = (0.0, 0.1, 0.3, 0.5, 1.0)
WRONG = (0.0, 0.1, 0.3, 0.5)
_THESIS: dict[str, Any] = {"distortion": "cosine", "n_init": 1, "refine": False}


def run(runs: int) -> Table:
    """Mean NMI on the test tenth, of each method as the thesis has it and by default."""
    settings = [(seeded, 0.0) for seeded in SEEDED] + [(0.5, wrong) for wrong in WRONG[1:]]
    X, truth = terms_and_classes(COLLECTION, sublinear_tf=True)
    rows = [
        (
            f"{seeded:.0%}",
            f"{wrong:.0%}",
            *(f"{score:.3f}" for score in _means(X, truth, seeded, wrong, runs)),
        )
        for seeded, wrong in track(settings, "shares", len(settings))
    ]
    return Table(
        f"NMI on the test tenth of {COLLECTION}, by the share of seeds and of wrong ones",
        (
            "seeded",
            "wrong",
            "SP-KMeans",
            "COP",
            "Seeded",
            "Constrained",
            "default Seeded",
            "default Constrained",
        ),
        rows,
        (
            "the first four: one run from the start of the thesis, COP from random documents",
            "default: the lowest energy of several starts; both with damped term frequencies",
        ),
    )


def _means(X: Matrix, truth: Array, seeded: float, wrong: float, runs: int) -> Array:
    scores = [_scores(X, truth, seeded, wrong, state) for state in range(runs)]
    return np.asarray(np.mean(scores, axis=0))


def _scores(X: Matrix, truth: Array, seeded: float, wrong: float, state: int) -> list[float]:
    rng = np.random.default_rng(state)
    order = rng.permutation(len(truth))
    test, rest = order[: len(truth) // 10], order[len(truth) // 10 :]
    y = _labels(truth, rest[: int(seeded * len(rest))], wrong, rng)
    k = len(set(truth.tolist()))
    found = [
        SphericalKMeans(k, init="perturbed", n_init=1, refine=False, random_state=state).fit(X),
        COPKMeans(k, init="random", random_state=state, **_THESIS).fit(
            X, constraints=Constraints.from_labels(y)
        ),
        *(
            kind(k, init="seeds", random_state=state, **_THESIS).fit(X, y)
            for kind in (SeededKMeans, ConstrainedKMeans)
        ),
        *(
            kind(k, distortion="cosine", random_state=state).fit(X, y)
            for kind in (SeededKMeans, ConstrainedKMeans)
        ),
    ]
    return [metrics.nmi(truth[test], model.labels_[test]) for model in found]


def _labels(truth: Array, seeds: Labels, wrong: float, rng: np.random.Generator) -> Array:
    """The classes of the seeds, some of them turned into another, and -1 elsewhere."""
    y, k = np.full(len(truth), -1), int(truth.max()) + 1
    y[seeds] = truth[seeds]
    mistaken = seeds[rng.random(len(seeds)) < wrong]
    y[mistaken] = (truth[mistaken] + rng.integers(1, k, len(mistaken))) % k
    return y
