"""How often clusters that carry the name of a class are right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textclust.geometry.affine import Labels

__all__ = ["error_as_named"]


def error_as_named(truth: Labels, labels: Labels, classes: Sequence[int]) -> float:
    """The share of documents in a cluster of another class than their own.

    `classes` has the class of each cluster, -1 for a new one. New clusters are matched one to one,
    as fits best, with the classes that no cluster is named with; documents of those that are left
    over are wrong.
    """
    from scipy.optimize import linear_sum_assignment

    counts = np.zeros((len(classes), int(max(truth.max(), *classes)) + 1), dtype=np.intp)
    np.add.at(counts, (labels, truth), 1)
    of_cluster = np.asarray(classes)
    named = np.flatnonzero(of_cluster >= 0)
    new = np.flatnonzero(of_cluster < 0)
    open_classes = np.setdiff1d(np.arange(counts.shape[1]), of_cluster)
    right = counts[named, of_cluster[named]].sum()
    between = counts[np.ix_(new, open_classes)]
    right += between[linear_sum_assignment(between, maximize=True)].sum()
    return float(1 - right / len(truth))
