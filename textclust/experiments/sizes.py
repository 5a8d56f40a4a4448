"""What a bound on the sizes of clusters does, on classes of equal and of unequal sizes.

The bound is a share of what clusters have on average. Where classes are equal it tells the truth,
up to the whole; where they are not, it does so only up to the smallest of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust import metrics
from textclust.estimators.kmeans import SphericalKMeans
from textclust.experiments.collections import NEWS
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import terms_and_classes
from textclust.geometry.affine import Array, Labels

__all__ = ["EXPERIMENTS", "SHARES", "unequal", "unit"]

COLLECTIONS = (*(f"3-news-{family}-100" for family in NEWS), "20-newsgroups-100")
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_FEWEST = 0.2  # of the largest class: what the smallest has where they are unequal


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI, and the share of clusters below the bound, for each bound."""
    X, truth = terms_and_classes(case["collection"], sublinear_tf=True)
    rows = np.arange(len(truth))
    if case["classes"] == "unequal":
        rows = unequal(truth, np.random.default_rng(run))
    k = len(np.unique(truth))
    for share in SHARES:
        least = int(share * len(rows) / k)
        model = SphericalKMeans(k, min_size=least or None, random_state=run).fit(X[rows])
        sizes = np.bincount(model.labels_, minlength=k)
        yield {
            "min_size": share,
            "NMI": metrics.nmi(truth[rows], model.labels_),
            "too small": float((sizes < least).mean()),
        }


def unequal(truth: Array, rng: np.random.Generator) -> Labels:
    """Rows of which the classes, in random order, have from all of their documents to a fifth."""
    labels = rng.permutation(np.unique(truth))
    shares = np.linspace(1.0, _FEWEST, len(labels))
    drawn = [
        rng.permutation(np.flatnonzero(truth == label))[: round(share * (truth == label).sum())]
        for label, share in zip(labels, shares, strict=True)
    ]
    return np.sort(np.concatenate(drawn))


EXPERIMENTS = (
    Experiment(
        name="sizes",
        title="NMI by the least size that clusters are asked to have",
        source="",
        unit=unit,
        cases=grid(collection=COLLECTIONS, classes=("equal", "unequal")),
        runs=10,
        axes=("collection", "classes", "min_size"),
        x="min_size",
        lines="classes",
        measures=("NMI", "too small"),
        shown=("NMI",),
        notes=(
            "min_size: as a share of the mean size of a cluster; 0 is no bound",
            "unequal: classes in random order have from all of their 100 documents to a fifth",
        ),
    ),
)
