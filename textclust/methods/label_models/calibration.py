"""From scores to probabilities that are as sure as they should be."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array

__all__ = ["UNTRIED", "log_probabilities", "probabilities", "temperature"]

UNTRIED = 0.7  # accuracy where no seed could be held out
_ROWS = 500  # that the mean is taken of
_HALVINGS = 16
_RANGE = 12.0  # of the logarithm of a temperature, to both sides
_LEAST, _MOST = 1.2, 0.97  # confidence: so many times chance, and no more than this


def log_probabilities(scores: Array) -> Array:
    """The logarithm of exp(score) / sum of exp(scores), row by row."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def probabilities(scores: Array) -> Array:
    """exp(score) / sum of exp(scores), row by row."""
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))


def temperature(scores: Array, confidence: float) -> float:
    """What scores are to be divided by for the probability of the best class to be this on average.

    The mean confidence of a calibrated model is its accuracy.
    """
    rows = scores[:: max(1, len(scores) // _ROWS)]
    wanted = min(max(confidence, _LEAST / scores.shape[1]), _MOST)
    low, high = -_RANGE, _RANGE
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        surer = probabilities(rows / np.exp(middle)).max(axis=1).mean() > wanted
        low, high = (middle, high) if surer else (low, middle)
    return float(np.exp((low + high) / 2))
