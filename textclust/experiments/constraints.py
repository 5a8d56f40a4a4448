"""What links bring, as they grow in number (Basu 2005, figures 4.4 to 4.13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from textclust import metrics
from textclust.estimators.constrained import HMRFKMeans
from textclust.experiments import peers
from textclust.experiments.collections import NEWS
from textclust.experiments.datasets import dataset
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import halves, links_between
from textclust.geometry.affine import Array, Matrix
from textclust.supervision.constraints import Constraints

__all__ = ["EXPERIMENTS"]

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
_INFERENCES = {f"thesis, {name}": {**_THESIS, "inference": name} for name in ("icm", "bp", "lp")}
_SCIKIT_LEARN = "scikit-learn KMeans"
_PEERS = peers.assc_methods("PCKMeans")


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI on the half without links, for each number of links, either way round.

    The same run has the same halves whatever the variant and the number of links.
    """
    variant = case["variant"]
    X, truth = dataset(case["collection"], damped=variant.startswith("default"))
    for count in COUNTS:
        rng = np.random.default_rng(run)
        for told, asked in halves(len(truth), rng):
            links = links_between(truth, told, count, rng)
            labels = _labels(X, len(np.unique(truth)), case, links, run)
            if labels is not None:
                yield {"links": count, "NMI": metrics.nmi(truth[asked], labels[asked])}


def _labels(X: Matrix, k: int, case: Case, links: Constraints, run: int) -> Array | None:
    variant = case["variant"]
    if variant == _SCIKIT_LEARN:
        return peers.scikit_learn_kmeans(X, k, run)
    if variant in _PEERS:
        return peers.assc(variant, X, k, links, run)
    settings = {**_VARIANTS, **_INFERENCES}[variant]
    model = HMRFKMeans(k, distortion=case["distortion"], random_state=run, **settings)
    return model.fit(X, constraints=links).labels_


def _experiment(
    name: str,
    title: str,
    source: str,
    cases: tuple[Case, ...],
    axes: tuple[str, ...] = ("collection", "distortion", "variant", "links"),
    **more: Any,
) -> Experiment:
    return Experiment(
        name=name,
        title=f"NMI on the half without links, by the number of links in the other half{title}",
        source=source,
        unit=unit,
        cases=cases,
        runs=20,
        axes=axes,
        x="links",
        lines="variant",
        gain_over=("links", 0),
        gain_of=("default, I-C",),
        notes=(
            "I-C: links for start and assignment; I: for the start alone; none: for nothing",
            "thesis: weight 1, entailed links, start 4.4.3, one run; plain term frequencies",
            "default: HMRFKMeans as it comes; damped term frequencies",
            "gain: I-C less no links on the same halves, and its standard error",
        ),
        **more,
    )


EXPERIMENTS = (
    _experiment(
        "constraints",
        "",
        "Basu 2005, figures 4.7 to 4.12",
        grid(collection=COLLECTIONS, distortion=DISTORTIONS, variant=_VARIANTS),
    ),
)
