"""Sums of the rows of clusters, without a copy of all rows in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels
from textclust.threads import share

__all__ = ["add_dense_rows", "dense_step", "members"]

_TOGETHER = 16  # blocks of rows whose sums are held at a time
_ENTRIES = 1 << 18  # of a block: 2 MB in float64


def add_dense_rows(
    X: Array,
    sums: Array,
    rows: Labels | None,
    sources: Labels | None,
    targets: Labels,
    weights: Array,
    threads: int = 1,
) -> None:
    """Move weighted rows of a dense matrix from the sums of some clusters to those of others.

    A block of rows at a time, so that their values in double precision stay in the cache. What
    blocks add up to is added in their order, whatever the threads.
    """
    k, n, step = len(sums), len(targets), dense_step(X)
    added: dict[int, list[Array]] = {}

    def add(begin: int, end: int) -> None:
        some = slice(begin, end)
        values = X[some if rows is None else rows[some]].astype(np.float64, copy=False)
        added[begin] = [members(targets[some], weights[some], k) @ values]
        if sources is not None:
            added[begin].append(members(sources[some], -weights[some], k) @ values)

    for begin in range(0, n, step * _TOGETHER):
        end = min(n, begin + step * _TOGETHER)
        share(add, [*range(begin, end, step), end], threads)
        for place in sorted(added):
            for part in added.pop(place):
                sums += part


def dense_step(X: Array) -> int:
    """How many rows of a dense matrix to hold in double precision at a time."""
    return max(1, _ENTRIES // max(X.shape[1], 1))


def members(labels: Labels, weights: Array, k: int) -> Any:
    """Which rows are in which of k clusters, with their weights."""
    n = len(labels)
    return sp.csc_array((weights, labels, np.arange(n + 1)), shape=(k, n))
