"""What each start, and the first-variation search after it, brings (Basu 2005, 4.5.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust import metrics
from textclust.estimators.kmeans import SphericalKMeans
from textclust.experiments.collections import NEWS_COLLECTIONS, classes, collection
from textclust.experiments.table import Table
from textclust.progress import track
from textclust.text.termspace import TermSpace

__all__ = ["run"]

_STARTS = ("perturbed", "farthest", "k-means++", "lsa")


def run(runs: int) -> Table:
    """NMI and energy of spherical k-means from each start, one try for the drawn ones."""
    rows = [
        row
        for name in track(NEWS_COLLECTIONS, "collections", len(NEWS_COLLECTIONS))
        for row in _rows(name, runs)
    ]
    return Table(
        "Spherical k-means from each start, without and with the first-variation search",
        ("collection", "start", "NMI", "energy", "NMI, refined", "energy, refined"),
        rows,
        (
            "perturbed, farthest, k-means++: one draw a run, as in the papers",
            "lsa: as many tries in each latent space as the default makes",
        ),
    )


def _rows(name: str, runs: int) -> list[tuple[Any, ...]]:
    documents = collection(name)
    X = TermSpace(sublinear_tf=True).fit_transform(documents.texts)
    truth = classes(documents)
    k = len(set(truth))
    table = []
    for start in _STARTS:
        cells: list[str] = []
        for refine in (False, True):
            fits = [_fit(X, k, start, refine, state) for state in range(runs)]
            nmi = np.mean([metrics.nmi(truth, fit.labels_) for fit in fits])
            cells += [f"{nmi:.3f}", f"{np.mean([fit.objective_ for fit in fits]):.2f}"]
        table.append((name, start, *cells))
    return table


def _fit(X: Any, k: int, start: str, refine: bool, state: int) -> SphericalKMeans:
    tries = "auto" if start == "lsa" else 1
    model = SphericalKMeans(k, init=start, n_init=tries, refine=refine, random_state=state)
    return model.fit(X)
