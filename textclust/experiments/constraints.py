"""What links bring, as they grow in number (Basu 2005, figures 4.7 to 4.12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust.estimators.constrained import HMRFKMeans
from textclust.experiments.collections import NEWS
from textclust.experiments.halves import nmi_of_halves, terms_and_classes
from textclust.experiments.table import Table
from textclust.geometry.affine import Array, Matrix
from textclust.progress import track
from textclust.supervision.constraints import Constraints

__all__ = ["run"]

COLLECTIONS = tuple(f"3-news-{family}-100" for family in NEWS)
COUNTS = (0, 50, 100, 200, 500, 1000)
DISTORTIONS = ("cosine", "kl")
_THESIS: dict[str, Any] = {
    "weight": 1.0,
    "init": "neighbourhoods",
    "n_init": 1,
    "entailed": True,
    "refine": False,
}
_VARIANTS: dict[str, dict[str, Any]] = {
    "thesis, I-C": _THESIS,
    "thesis, I": {**_THESIS, "use_constraints": "init"},
    "thesis, none": {**_THESIS, "init": "perturbed", "use_constraints": "init"},
    "default, I-C": {},
    "default, I": {"use_constraints": "init"},
    "default, robust": {"robust": True},
}
_COMPARED = "default, I-C"


def run(runs: int) -> Table:
    """Mean NMI on the half without links, for each variant and number of links."""
    settings = [(name, d) for name in COLLECTIONS for d in DISTORTIONS]
    rows = [
        row
        for name, distortion in track(settings, "collections", len(settings))
        for row in _rows(name, distortion, runs)
    ]
    return Table(
        "NMI on the half without links, by the number of links in the other half",
        ("collection", "distortion", "variant", *map(str, COUNTS)),
        rows,
        (
            "I-C: links for start and assignment; I: for the start alone; none: for nothing",
            "thesis: weight 1, entailed links, start 4.4.3, one run; plain term frequencies",
            "default: HMRFKMeans as it comes; damped term frequencies",
            "gain: I-C less no links on the same halves, and its standard error",
        ),
    )


def _rows(name: str, distortion: str, runs: int) -> list[tuple[Any, ...]]:
    table = []
    for variant, settings in _VARIANTS.items():
        X, truth = terms_and_classes(name, sublinear_tf=variant.startswith("default"))
        found = [_scores(X, truth, distortion, settings, count, runs) for count in COUNTS]
        table.append((name, distortion, variant, *(f"{each.mean():.3f}" for each in found)))
        if variant == _COMPARED:
            table.append((name, distortion, "default, gain", *(_gain(e, found[0]) for e in found)))
    return table


def _gain(with_links: Array, without: Array) -> str:
    gains = with_links - without
    error = gains.std(ddof=1) / np.sqrt(len(gains))
    return f"{gains.mean():+.3f} ± {error:.3f}"


def _scores(
    X: Matrix, truth: Array, distortion: str, settings: dict[str, Any], count: int, runs: int
) -> Array:
    """NMI on the half that is asked, one for each run and way round."""
    k = len(set(truth.tolist()))

    def fit(links: Constraints, state: int) -> Array:
        model = HMRFKMeans(k, distortion=distortion, random_state=state, **settings)
        return model.fit(X, constraints=links).labels_

    return nmi_of_halves(truth, count, runs, fit)[:, 0]
