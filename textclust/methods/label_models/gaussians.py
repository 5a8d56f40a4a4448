"""Gaussians with one covariance in the latent space: from the seeds alone, and by EM."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.calibration import probabilities
from textclust.methods.label_models.documents import Documents, balanced, memberships
from textclust.methods.label_models.neighbours import spread

__all__ = ["latent_gaussians", "linear_discriminant"]

_ITERATIONS = 10
_BY_ALL, _BY_SEEDS = 0.1, 0.5  # how far the covariance is shrunk to a multiple of the identity


def linear_discriminant(documents: Documents, y: Labels) -> Array:
    """Fisher's discriminant of the seeds alone, every class counting the same."""
    shares = memberships(y, documents.k) * balanced(y)[:, None]
    return _scores(documents, shares, _second_moments(documents, balanced(y)), _BY_SEEDS)


def latent_gaussians(documents: Documents, y: Labels) -> Array:
    """EM from what spreads from the seeds, which keep their class."""
    seeded, known = memberships(y, documents.k), y >= 0
    moments = _second_moments(documents, np.ones(len(y)))
    shares = spread(documents, y)
    for _ in range(_ITERATIONS):
        shares[known] = seeded[known]
        scores = _scores(documents, shares, moments, _BY_ALL)
        shares = probabilities(scores)
    return scores


def _second_moments(documents: Documents, counts: Array) -> Array:
    """The sum of z z' over documents, each as often as it counts."""
    rows = np.flatnonzero(counts)
    Z = documents.latent[rows].astype(np.float64)
    return np.asarray((Z.T * (counts * documents.weights)[rows]) @ Z)


def _scores(documents: Documents, shares: Array, moments: Array, shrunk: float) -> Array:
    """Log-densities of every class but for what all classes have in common."""
    Z = documents.latent
    shares = shares * documents.weights[:, None]
    masses = shares.sum(axis=0) + 1e-9
    means = shares.astype(Z.dtype).T @ Z / masses[:, None]
    total, d = masses.sum(), Z.shape[1]
    scatter = (moments - (means.T * masses) @ means) / total
    scale = max(float(np.trace(scatter)) / d, 1e-12)
    covariance = (1.0 - shrunk) * scatter + shrunk * scale * np.eye(d)
    slopes = np.linalg.solve(covariance, means.T)
    offsets = np.log(masses / total) - 0.5 * (means.T * slopes).sum(axis=0)
    return np.asarray(Z @ slopes.astype(Z.dtype) + offsets.astype(Z.dtype))
