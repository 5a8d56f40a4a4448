"""What learning the weights of terms brings on text (Basu 2005, 7.1)."""

from __future__ import annotations

from typing import Any

from textclust.estimators.constrained import HMRFKMeans
from textclust.experiments.collections import NEWS
from textclust.experiments.halves import nmi_of_halves, terms_and_classes
from textclust.experiments.table import Table
from textclust.geometry.affine import Array, Matrix
from textclust.progress import track
from textclust.supervision.constraints import Constraints

__all__ = ["run"]

COLLECTIONS = tuple(f"3-news-{family}-100" for family in NEWS)
COUNTS = (0, 100, 500)
DISTORTIONS = ("cosine", "kl")


def run(runs: int) -> Table:
    """Mean NMI on the half without links, with even weights and with learned ones."""
    settings = [(name, count) for name in COLLECTIONS for count in COUNTS]
    rows = [_row(*setting, runs) for setting in track(settings, "settings", len(settings))]
    columns = [f"{d}{learned}" for d in DISTORTIONS for learned in ("", ", learned")]
    return Table(
        "NMI on the half without links, with even weights of terms and with learned ones",
        ("collection", "links", *columns),
        rows,
        ("HMRFKMeans as it comes, without and with learn=True; damped term frequencies",),
    )


def _row(name: str, count: int, runs: int) -> tuple[Any, ...]:
    X, truth = terms_and_classes(name, sublinear_tf=True)
    cells = [
        f"{_score(X, truth, count, runs, distortion=distortion, learn=learn):.3f}"
        for distortion in DISTORTIONS
        for learn in (False, True)
    ]
    return (name, count, *cells)


def _score(X: Matrix, truth: Array, count: int, runs: int, **settings: Any) -> float:
    k = len(set(truth.tolist()))

    def fit(links: Constraints, state: int) -> Array:
        model = HMRFKMeans(k, random_state=state, **settings)
        return model.fit(X, constraints=links).labels_

    return float(nmi_of_halves(truth, count, runs, fit)[:, 0].mean())
