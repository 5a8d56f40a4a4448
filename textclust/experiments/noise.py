"""What wrong answers do, and what a robust mode saves (Basu 2005, 8.2)."""

from __future__ import annotations

from typing import Any

from textclust.estimators.constrained import HMRFKMeans
from textclust.experiments.collections import NEWS
from textclust.experiments.halves import nmi_of_halves, terms_and_classes
from textclust.experiments.table import Table
from textclust.geometry.affine import Array
from textclust.progress import track
from textclust.supervision.constraints import Constraints

__all__ = ["run"]

COLLECTIONS = tuple(f"3-news-{family}-100" for family in NEWS)
COUNTS = (200, 500, 1000)
WRONG = (0.0, 0.1, 0.2, 0.3)
_VARIANTS: dict[str, dict[str, Any]] = {
    "entailed": {"entailed": True},
    "default": {},
    "robust": {"robust": True},
}


def run(runs: int) -> Table:
    """Mean NMI on either half, as more of the answers are wrong."""
    rows = [
        row
        for name in track(COLLECTIONS, "collections", len(COLLECTIONS))
        for count in COUNTS
        for row in _rows(name, count, runs)
    ]
    return Table(
        "NMI on the half without links (and on the one with them), by the share of wrong answers",
        ("collection", "links", "variant", *(f"{share:.0%}" for share in WRONG)),
        rows,
        (
            "entailed: with all that follows from the links, as in the thesis",
            "robust: links that all others speak against count less or not at all",
        ),
    )


def _rows(name: str, count: int, runs: int) -> list[tuple[Any, ...]]:
    X, truth = terms_and_classes(name, sublinear_tf=True)
    k = len(set(truth.tolist()))
    table = []
    for variant, settings in _VARIANTS.items():

        def fit(links: Constraints, state: int, settings: dict[str, Any] = settings) -> Array:
            model = HMRFKMeans(k, random_state=state, **settings)
            return model.fit(X, constraints=links).labels_

        means = [nmi_of_halves(truth, count, runs, fit, wrong).mean(axis=0) for wrong in WRONG]
        cells = [f"{asked:.3f} ({told:.2f})" for asked, told in means]
        table.append((name, count, variant, *cells))
    return table
