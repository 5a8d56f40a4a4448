"""What every distortion promises of documents that move from one cluster to another."""

from __future__ import annotations

import numpy as np

from textclust.geometry.assignment import moments
from textclust.geometry.energies import move_costs


def check_a_move_costs_what_joining_and_leaving_cost(distortion, X, k, seed):
    n, rng = X.shape[0], np.random.default_rng(seed)
    labels, weights = rng.integers(k, size=n), rng.uniform(0.1, 3.0, n)
    clusters = moments(X, labels, weights, k)

    moved = move_costs(distortion, X, weights, labels, clusters)

    without = distortion.joined(X, -weights, *clusters)[np.arange(n), labels]
    np.testing.assert_allclose(moved.joined, distortion.joined(X, weights, *clusters), atol=1e-7)
    np.testing.assert_allclose(moved.left, without, atol=1e-7)
