"""Prices that can be added up, and the cheapest of several labellings."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.supervision.couplings import Couplings

__all__ = ["best_of", "payable"]

_ROUNDING = 1e-12  # of the energies that are compared


def payable(costs: Array, couplings: Couplings) -> Array:
    """The costs with a forbidden cluster at a price that no link makes worth paying.

    A document that is forbidden every cluster may take any.
    """
    finite = np.isfinite(costs)
    if finite.all():
        return costs
    costs = np.where(finite, costs, -np.inf)
    largest = np.maximum(costs.max(axis=1), np.where(finite.any(axis=1), -np.inf, 0.0))
    beyond = largest + 2 * couplings.max_link_influence + np.maximum(np.abs(largest), 1.0)
    return np.where(finite, costs, beyond[:, None])


def best_of(costs: Array, couplings: Couplings, labellings: Iterable[Labels]) -> Labels:
    """The labelling whose costs plus V are least; the first of those equal but for rounding."""
    first, *others = labellings
    best, least = first, couplings.energy(costs, first)
    for labels in others:
        energy = couplings.energy(costs, labels)
        if energy < least - _ROUNDING * abs(least):
            best, least = labels, energy
    return best
