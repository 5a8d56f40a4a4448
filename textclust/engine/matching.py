"""Which cluster of one clustering is which of another."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Labels

__all__ = ["matched"]


def matched(labels: Labels, reference: Labels, k: int, classes: int) -> Labels:
    """An order of the k clusters in which most documents bear the label of the reference.

    A reference below 0 says nothing. Clusters without a counterpart come, the largest first,
    after the clusters that are classes where there is room, else in the place of a class.
    """
    from scipy.optimize import linear_sum_assignment

    labelled = reference >= 0
    both = np.bincount(labels[labelled] * k + reference[labelled], minlength=k * k).reshape(k, k)
    own, other = linear_sum_assignment(both, maximize=True)
    met = both[own, other] > 0
    place = np.empty(k, dtype=np.intp)
    place[own[met]] = other[met]
    free = sorted(set(range(k)) - set(other[met].tolist()), key=lambda h: (h < classes, h))
    sizes = np.bincount(labels, minlength=k)
    left = sorted(own[~met].tolist(), key=lambda h: -sizes[h])
    place[left] = free
    return np.argsort(place)
