"""Distortions: distance, prototype and cluster energy in one object each."""

from __future__ import annotations

from textclust.errors import InputError
from textclust.geometry.affine import AffineForm as AffineForm
from textclust.geometry.clusterwise_cosine import ClusterwiseCosine
from textclust.geometry.clusterwise_divergence import ClusterwiseIDivergence, ClusterwiseKL
from textclust.geometry.cosine import Cosine
from textclust.geometry.distortion import Distortion as Distortion
from textclust.geometry.divergence import KL, IDivergence
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.learned_space import LearnedSpace
from textclust.geometry.mahalanobis import Mahalanobis
from textclust.geometry.offset import Offset
from textclust.geometry.von_mises_fisher import VonMisesFisher
from textclust.geometry.weighted import WeightedEuclidean
from textclust.geometry.weighted_cosine import WeightedCosine
from textclust.geometry.weighted_divergence import WeightedIDivergence, WeightedKL

__all__ = ["DISTORTIONS", "LEARNED", "AffineForm", "Distortion", "get"]

DISTORTIONS = {kind.name: kind for kind in (Euclidean, Cosine, KL, IDivergence)}
LEARNED = {  # have weights or maps that somebody must have learned
    kind.name: kind
    for kind in (
        ClusterwiseCosine,
        ClusterwiseIDivergence,
        ClusterwiseKL,
        LearnedSpace,
        Mahalanobis,
        LearnedSpace,
        Offset,
        VonMisesFisher,
        WeightedCosine,
        WeightedEuclidean,
        WeightedIDivergence,
        WeightedKL,
    )
}


def get(distortion: str | Distortion) -> Distortion:
    """The distortion of this name; a distortion passes through."""
    if isinstance(distortion, Distortion):
        return distortion
    if distortion not in DISTORTIONS:
        known = ", ".join(DISTORTIONS)
        raise InputError(f"distortion must be one of {known}; got {distortion!r}")
    return DISTORTIONS[distortion]()
