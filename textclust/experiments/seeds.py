"""Seeds, and wrong seeds, on 20-Newsgroups-100 (Basu 2005, figures 3.5 and 3.13).

A tenth of the documents is the test set of each run; seeds come from the rest. The first
rows vary the share of it that is seeded, the others the share of wrong labels among seeds
of half of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from textclust import metrics
from textclust.estimators.base import BaseClusterer
from textclust.estimators.hard import COPKMeans
from textclust.estimators.kmeans import SphericalKMeans
from textclust.estimators.seeded import ConstrainedKMeans, SeededKMeans
from textclust.experiments.declared import Case, Experiment, Row
from textclust.experiments.halves import terms_and_classes
from textclust.geometry.affine import Array, Labels
from textclust.supervision.constraints import Constraints

__all__ = ["EXPERIMENTS"]

COLLECTION = "20-newsgroups-100"
SEEDED = (0.0, 0.1, 0.3, 0.5, 1.0)
WRONG = (0.0, 0.1, 0.3, 0.5)
_METHODS: dict[str, Callable[..., BaseClusterer]] = {
    "SP-KMeans": partial(SphericalKMeans, as_published=True),
    "COP": partial(COPKMeans, as_published=True),
    "Seeded": partial(SeededKMeans, as_published=True),
    "Constrained": partial(ConstrainedKMeans, as_published=True),
    "default Seeded": SeededKMeans,
    "default Constrained": ConstrainedKMeans,
}


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI on the test tenth, of each method as the thesis has it and by default."""
    X, truth = terms_and_classes(COLLECTION, sublinear_tf=True)
    rng = np.random.default_rng(run)
    order = rng.permutation(len(truth))
    test, rest = order[: len(truth) // 10], order[len(truth) // 10 :]
    y = _labels(truth, rest[: int(case["seeded"] * len(rest))], case["wrong"], rng)
    for name, method in _METHODS.items():
        model = method(len(set(truth.tolist()))).set_params(random_state=run)
        known = {"constraints": Constraints.from_labels(y)} if name == "COP" else {"y": y}
        labels = model.fit(X, **known).labels_
        yield {"method": name, "NMI": metrics.nmi(truth[test], labels[test])}


def _labels(truth: Array, seeds: Labels, wrong: float, rng: np.random.Generator) -> Array:
    """The classes of the seeds, some of them turned into another, and -1 elsewhere."""
    y, k = np.full(len(truth), -1), int(truth.max()) + 1
    y[seeds] = truth[seeds]
    mistaken = seeds[rng.random(len(seeds)) < wrong]
    y[mistaken] = (truth[mistaken] + rng.integers(1, k, len(mistaken))) % k
    return y


EXPERIMENTS = (
    Experiment(
        name="seeds",
        title=f"NMI on the test tenth of {COLLECTION}, by the share of seeds and of wrong ones",
        source="Basu 2005, figures 3.5 and 3.13",
        unit=unit,
        cases=(
            *({"seeded": seeded, "wrong": 0.0} for seeded in SEEDED),
            *({"seeded": 0.5, "wrong": wrong} for wrong in WRONG[1:]),
        ),
        runs=5,
        axes=("seeded", "wrong", "method"),
        x="seeded",
        lines="method",
        across="method",
        notes=(
            "the first four: one run from the start of the thesis, COP from random documents",
            "default: the lowest energy of several starts; both with damped term frequencies",
        ),
    ),
)
