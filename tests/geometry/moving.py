"""What every distortion promises of documents that move from one cluster to another."""

from __future__ import annotations

import numpy as np

from textclust.geometry.assignment import moments
from textclust.geometry.energies import joining_costs, optimum


def check_a_move_costs_what_joining_and_leaving_cost(distortion, X, k, seed):
    n, rng = X.shape[0], np.random.default_rng(seed)
    labels, weights = rng.integers(k, size=n), rng.uniform(0.1, 3.0, n)
    clusters = moments(X, labels, weights, k)

    costs = joining_costs(distortion, X, weights, labels, clusters)

    energies = np.where(clusters.masses > 0, optimum(distortion, *clusters).energies, 0.0)
    expected = distortion.joined(X, weights, *clusters) - energies
    every = np.arange(n)
    without = distortion.joined(X, -weights, *clusters)[every, labels]
    expected[every, labels] = energies[labels] - without
    np.testing.assert_allclose(costs, expected, atol=1e-7)
