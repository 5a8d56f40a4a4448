"""The weights of a logarithmic opinion pool, by maximum likelihood on held-out seeds.

    log p(h | i) = sum_m w_m log p_m(h | i) + const,  w >= 0

Stacking (Wolpert 1992) with a Gaussian prior on the shares of the weights, for where there are few
seeds.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.calibration import log_probabilities

__all__ = ["stacked_weights"]


def stacked_weights(
    opinions: dict[str, Array], y: Labels, prior: dict[str, float], strength: float
) -> dict[str, float]:
    """The weights that maximise the likelihood of these labels, every class counting the same.

    First all by one factor, how sure the models may be together, then each by its own; the prior
    is of their shares.
    """
    from scipy.optimize import minimize, minimize_scalar

    tables = np.stack([opinions[name] for name in prior])  # m x n x k
    rows, shares = np.arange(len(y)), np.array(list(prior.values()))
    said = tables[:, rows, y]  # m x n
    counts = 1.0 / np.bincount(y)[y]
    counts *= len(y) / counts.sum()

    def surprise(logarithm: float) -> float:
        logs = log_probabilities(np.tensordot(np.exp(logarithm) * shares, tables, axes=1))
        return float(-counts @ logs[rows, y] + 0.5 * logarithm**2)

    scale = np.exp(minimize_scalar(surprise, bounds=(-3.0, 3.0), method="bounded").x)

    def loss(weights: Array) -> tuple[float, Array]:
        logs = log_probabilities(np.tensordot(weights, tables, axes=1))
        away = weights / scale - shares
        value = -counts @ logs[rows, y] + strength * (away**2).sum()
        expected = (np.exp(logs) * tables).sum(axis=2)
        return float(value), -(said - expected) @ counts + 2.0 * strength * away / scale

    start = scale * shares
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * len(start))
    return dict(zip(prior, found.x.tolist(), strict=True))
