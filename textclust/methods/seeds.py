"""Seeds: documents whose cluster is known beforehand (Basu 2005, 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Labels
from textclust.methods.problem import Unary

__all__ = ["Seeds"]


@dataclass(frozen=True)
class Seeds:
    """Rows and their clusters."""

    documents: Labels  # ascending
    labels: Labels

    @classmethod
    def of(cls, y: Any, n: int, k: int) -> Self:
        """The seeds in a label for each of n documents, -1 for unknown; None has none.

        Labels that are cluster numbers already, below k, stay so; others are numbered in
        their order.
        """
        given = np.full(n, -1) if y is None else _whole(y, n)
        documents = np.flatnonzero(given >= 0)
        found, numbers = np.unique(given[documents], return_inverse=True)
        if len(found) > k:
            raise InputError(
                f"{len(found)} classes among the seeds, but n_clusters={k}; ask for more clusters"
            )
        if len(found) == 0 or found[-1] < k:
            return cls(documents, given[documents])
        return cls(documents, numbers.astype(np.intp))

    def __len__(self) -> int:
        return len(self.documents)

    def clamps(self, k: int) -> Unary | None:
        """U that leaves each seed its own cluster alone: 0 there, infinite elsewhere."""
        if not len(self):
            return None
        costs = np.full((len(self), k), np.inf)
        costs[np.arange(len(self)), self.labels] = 0.0
        return Unary(self.documents, costs)


def _whole(y: Any, n: int) -> Labels:
    given = np.asarray(y)
    if given.shape != (n,):
        raise InputError(f"y must have one label for each of {n} documents; got {given.shape}")
    if given.dtype.kind not in "iuf" or not (given == np.floor(given)).all():
        raise InputError(
            "Unknown label type: y must hold whole numbers, the class of each seed and -1 elsewhere"
        )
    if given.min(initial=0) < -1:
        raise InputError(f"y holds {given.min():g}; classes count from 0, and -1 is unknown")
    if not (given < np.iinfo(np.intp).max).all():
        raise InputError("y holds a number too large for a class; number the classes from 0")
    return given.astype(np.intp)
