"""Which cluster of one clustering is which of another."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Labels

__all__ = ["matched"]


def matched(labels: Labels, reference: Labels, k: int) -> Labels:
    """An order of the k clusters in which most documents bear the label of the reference.

    Clusters that the reference has no counterpart for come last, the largest first.
    """
    from scipy.optimize import linear_sum_assignment

    width = max(k, int(reference.max()) + 1)
    both = np.bincount(labels * width + reference, minlength=k * width).reshape(k, width)
    own, other = linear_sum_assignment(both, maximize=True)
    place = np.empty(k, dtype=np.intp)
    met = both[own, other] > 0
    sizes = both.sum(axis=1)
    place[own[met]] = other[met]
    free = sorted(set(range(k)) - set(other[met].tolist()))
    left = sorted(own[~met].tolist(), key=lambda h: -sizes[h])
    place[left] = free[: len(left)]
    return np.argsort(place)
