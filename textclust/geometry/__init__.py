"""Distortions: distance, prototype and cluster energy in one object each.

`DISTORTIONS` is the one list of those that can be chosen by name, `LEARNED` of those whose weights
or maps somebody must have learned. Nothing heavy is imported before one of them is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textclust.errors import InputError
from textclust.registry import Registry, load

if TYPE_CHECKING:
    from textclust.geometry.affine import AffineForm as AffineForm
    from textclust.geometry.cosine import Cosine as Cosine
    from textclust.geometry.distortion import Distortion as Distortion
    from textclust.geometry.divergence import KL as KL
    from textclust.geometry.divergence import IDivergence as IDivergence
    from textclust.geometry.euclidean import Euclidean as Euclidean
    from textclust.geometry.itakura_saito import ItakuraSaito as ItakuraSaito

__all__ = [
    "DISTORTIONS",
    "KERNELS",
    "KL",
    "LEARNED",
    "AffineForm",
    "Cosine",
    "Declared",
    "Distortion",
    "Euclidean",
    "IDivergence",
    "ItakuraSaito",
    "distortion_class",
    "floors",
    "get",
]


@dataclass(frozen=True)
class Declared:
    """What is to be known of a distortion before it is imported."""

    place: str
    floor: float | None = None  # what its smoothing anneals to, where it smooths documents


DISTORTIONS = Registry(
    "distortion",
    {
        "euclidean": Declared("textclust.geometry.euclidean:Euclidean"),
        "cosine": Declared("textclust.geometry.cosine:Cosine"),
        "kl": Declared("textclust.geometry.divergence:KL", floor=0.01),
        "i-divergence": Declared("textclust.geometry.divergence:IDivergence", floor=0.01),
        "itakura-saito": Declared("textclust.geometry.itakura_saito:ItakuraSaito", floor=1.0),
    },
)
LEARNED = Registry(
    "learned distortion",
    {
        "clusterwise cosine": "textclust.geometry.clusterwise_cosine:ClusterwiseCosine",
        "clusterwise i-divergence": (
            "textclust.geometry.clusterwise_divergence:ClusterwiseIDivergence"
        ),
        "clusterwise kl": "textclust.geometry.clusterwise_divergence:ClusterwiseKL",
        "learned space": "textclust.geometry.learned_space:LearnedSpace",
        "mahalanobis": "textclust.geometry.mahalanobis:Mahalanobis",
        "offset": "textclust.geometry.offset:Offset",
        "with label model": "textclust.geometry.with_label_model:WithLabelModel",
        "von Mises-Fisher": "textclust.geometry.von_mises_fisher:VonMisesFisher",
        "weighted cosine": "textclust.geometry.weighted_cosine:WeightedCosine",
        "weighted euclidean": "textclust.geometry.weighted:WeightedEuclidean",
        "weighted i-divergence": "textclust.geometry.weighted_divergence:WeightedIDivergence",
        "weighted kl": "textclust.geometry.weighted_divergence:WeightedKL",
    },
)
KERNELS = ("linear", "rbf", "polynomial", "cosine")  # functions of two documents
_PUBLIC = {
    "AffineForm": "textclust.geometry.affine:AffineForm",
    "Cosine": DISTORTIONS["cosine"].place,
    "Distortion": "textclust.geometry.distortion:Distortion",
    "Euclidean": DISTORTIONS["euclidean"].place,
    "IDivergence": DISTORTIONS["i-divergence"].place,
    "ItakuraSaito": DISTORTIONS["itakura-saito"].place,
    "KL": DISTORTIONS["kl"].place,
}


def __getattr__(name: str) -> object:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return load(_PUBLIC[name])


def distortion_class(name: str) -> type[Distortion]:
    """The class of a distortion, learned or not."""
    found: type[Distortion] = load(
        DISTORTIONS[name].place if name in DISTORTIONS else LEARNED[name]
    )
    return found


def get(distortion: str | Distortion, smoothing: float | None = None) -> Distortion:
    """The distortion of this name; a distortion passes through.

    With `smoothing`, one that smooths documents anneals down to it and not to its usual floor.
    """
    from textclust.geometry.distortion import Distortion

    if smoothing is not None:
        return _smoothed_by(distortion, smoothing)
    if isinstance(distortion, Distortion):
        return distortion
    if distortion not in DISTORTIONS:
        known = ", ".join(DISTORTIONS)
        raise InputError(f"distortion must be one of {known}; got {distortion!r}")
    return distortion_class(distortion)()


def floors() -> dict[str, float]:
    """The distortions that smooth documents, and what their smoothing anneals to."""
    return {name: each.floor for name, each in DISTORTIONS.items() if each.floor is not None}


def _smoothed_by(distortion: str | Distortion, smoothing: float) -> Distortion:
    from textclust.geometry.smoothed import Smoothed

    found = get(distortion)
    if not isinstance(found, Smoothed):
        those = ", ".join(floors())
        raise InputError(f"smoothing is for the distortions {those}; got {found.name}")
    start = max(found.smoothing, smoothing) if smoothing > 0 else smoothing
    return replace(found, smoothing=start, floor=smoothing)
