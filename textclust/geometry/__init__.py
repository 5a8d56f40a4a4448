"""Distortions: distance, prototype and cluster energy in one object each."""

from __future__ import annotations

from dataclasses import replace

from textclust.errors import InputError
from textclust.geometry.affine import AffineForm as AffineForm
from textclust.geometry.clusterwise_cosine import ClusterwiseCosine
from textclust.geometry.clusterwise_divergence import ClusterwiseIDivergence, ClusterwiseKL
from textclust.geometry.cosine import Cosine
from textclust.geometry.distortion import Distortion as Distortion
from textclust.geometry.divergence import KL, IDivergence
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.itakura_saito import ItakuraSaito
from textclust.geometry.learned_space import LearnedSpace
from textclust.geometry.mahalanobis import Mahalanobis
from textclust.geometry.offset import Offset
from textclust.geometry.smoothed import Smoothed
from textclust.geometry.von_mises_fisher import VonMisesFisher
from textclust.geometry.weighted import WeightedEuclidean
from textclust.geometry.weighted_cosine import WeightedCosine
from textclust.geometry.weighted_divergence import WeightedIDivergence, WeightedKL

__all__ = [
    "DISTORTIONS",
    "KL",
    "LEARNED",
    "AffineForm",
    "Cosine",
    "Distortion",
    "Euclidean",
    "IDivergence",
    "ItakuraSaito",
    "get",
]

DISTORTIONS = {kind.name: kind for kind in (Euclidean, Cosine, KL, IDivergence, ItakuraSaito)}
LEARNED = {  # have weights or maps that somebody must have learned
    kind.name: kind
    for kind in (
        ClusterwiseCosine,
        ClusterwiseIDivergence,
        ClusterwiseKL,
        LearnedSpace,
        Mahalanobis,
        Offset,
        VonMisesFisher,
        WeightedCosine,
        WeightedEuclidean,
        WeightedIDivergence,
        WeightedKL,
    )
}


def get(distortion: str | Distortion, smoothing: float | None = None) -> Distortion:
    """The distortion of this name; a distortion passes through.

    With `smoothing`, one that smooths documents anneals down to it and not to its usual floor.
    """
    if smoothing is not None:
        return _smoothed_by(distortion, smoothing)
    if isinstance(distortion, Distortion):
        return distortion
    if distortion not in DISTORTIONS:
        known = ", ".join(DISTORTIONS)
        raise InputError(f"distortion must be one of {known}; got {distortion!r}")
    return DISTORTIONS[distortion]()


def _smoothed_by(distortion: str | Distortion, smoothing: float) -> Distortion:
    found = get(distortion)
    if not isinstance(found, Smoothed):
        those = [name for name, kind in DISTORTIONS.items() if issubclass(kind, Smoothed)]
        raise InputError(f"smoothing is for the distortions {', '.join(those)}; got {found.name}")
    start = max(found.smoothing, smoothing) if smoothing > 0 else smoothing
    return replace(found, smoothing=start, floor=smoothing)
