"""The ratio of inter-cluster to intra-cluster distance: documents and clusters, no classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from textclust.csr import sound
from textclust.errors import InputError
from textclust.measures.codes import Codes, Labels, codes_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["inter_intra_ratio"]

Array = NDArray[np.float64]
Sums = tuple[float, float]  # of distances: over all pairs, and over those that share a cluster
Count = TypeVar("Count", int, Codes)


def inter_intra_ratio(
    X: ArrayLike | csr_array, predicted: Labels, distance: str = "cosine"
) -> float:
    """How far apart documents of different clusters are, beside those of the same one.

    The mean distance of the pairs in different clusters over the mean distance of the pairs
    that share one. An internal measure: it needs no classes. Near 1 the clusters are no
    better than chance; well separated ones are far above it. It is infinite where all documents
    of every cluster are the same. Basu 2005, section 2.4, names "the ratio of the average
    inter-cluster to intra-cluster distance (the lower the better)"; that remark fits the inverse,
    so the ratio here is the one named, and higher is better. "Average" is taken over pairs.

    X has a row for each document, sparse or dense. `distance` is "cosine", one less the cosine,
    where a document without terms is at 1 from all; "sqeuclidean" or "euclidean". The first
    two are added up from sums over the clusters, in time that grows with the non-zeros; the last
    takes every pair, in blocks.

    >>> X = [[1.0, 0.0], [1.0, 0.0], [0.8, 0.6], [0.0, 1.0]]
    >>> round(inter_intra_ratio(X, [0, 0, 0, 1]), 2)  # (1 + 1 + 0.4) / 3 over (0 + 0.2 + 0.2) / 3
    6.0
    """
    clusters = codes_of(predicted, "predicted")
    if distance not in _DISTANCES:
        raise InputError(f"distance must be one of {', '.join(_DISTANCES)}; got {distance!r}")
    rows = _table(X, clusters.size, distance != "cosine")
    sizes = np.bincount(clusters)
    pairs, inside = _pairs(clusters.size), int(_pairs(sizes).sum())
    if sizes.size == 1 or not inside:
        raise InputError(
            f"{clusters.size} documents in {sizes.size} clusters: inter_intra_ratio needs two "
            "clusters, and two documents in one of them"
        )
    every, within = _SUMS[distance](rows, clusters, sizes)
    between, within = (every - within) / (pairs - inside), within / inside
    nothing = _rounding(rows, distance)
    if within <= nothing:
        return float("inf") if between > nothing else 1.0
    return between / within


def _cosine(rows: csr_array, clusters: Codes, sizes: Codes) -> Sums:
    """1 - <x, y> over pairs, from the sums of unit rows."""
    from scipy.sparse import diags_array

    lengths = np.sqrt(_squares(rows))
    over = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    unit, own = diags_array(over) @ rows, np.count_nonzero(lengths)
    alike = (_squares(_members(clusters) @ unit).sum() - own) / 2
    all_alike = (np.square(unit.sum(axis=0)).sum() - own) / 2
    return float(_pairs(clusters.size) - all_alike), float(_pairs(sizes).sum() - alike)


def _squared(rows: csr_array, clusters: Codes, sizes: Codes) -> Sums:
    """|x - y|^2 over pairs of m rows is m sum |x|^2 - |sum x|^2."""
    own = _squares(rows)
    within = sizes @ np.bincount(clusters, weights=own) - _squares(_members(clusters) @ rows).sum()
    return float(len(own) * own.sum() - np.square(rows.sum(axis=0)).sum()), float(within)


def _euclidean(rows: csr_array, clusters: Codes, sizes: Codes) -> Sums:
    from sklearn.metrics import pairwise_distances_chunked

    def added(block: Array, start: int) -> Array:
        same = clusters[start : start + len(block), None] == clusters
        return np.c_[block.sum(axis=1), np.where(same, block, 0.0).sum(axis=1)]

    blocks = pairwise_distances_chunked(rows, metric="euclidean", reduce_func=added)
    every, within = sum(block.sum(axis=0) for block in blocks) / 2
    return float(every), float(within)


_SUMS = {"cosine": _cosine, "sqeuclidean": _squared, "euclidean": _euclidean}
_DISTANCES = tuple(_SUMS)


def _rounding(rows: csr_array, distance: str) -> float:
    """A mean distance that may be none at all."""
    if distance == "cosine":
        return 1e-12
    square = float(_squares(rows).mean())
    return 1e-12 * square if distance == "sqeuclidean" else 1e-7 * float(np.sqrt(square))


def _pairs(n: Count) -> Count:
    return n * (n - 1) // 2


def _members(clusters: Codes) -> csr_array:
    """k x n, with 1 where a document is in a cluster."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(clusters.size), (clusters, np.arange(clusters.size))))


def _squares(rows: csr_array) -> Array:
    """|x|^2 of every row."""
    return rows.multiply(rows).sum(axis=1)


def _table(X: ArrayLike | csr_array, n: int, centred: bool) -> csr_array:
    """Rows as a sparse table; dense ones may be centred, which makes their sums exact."""
    from scipy.sparse import csr_array, issparse

    rows: csr_array = sound(X) if issparse(X) else np.asarray(X, dtype=np.float64)
    values = rows.data if issparse(rows) else rows
    if rows.ndim != 2 or rows.shape[0] != n or not np.isfinite(values).all():
        raise InputError(
            f"X must be a table of finite numbers, a row for each of {n} labels; "
            f"got shape {rows.shape}"
        )
    if centred and not issparse(rows):
        rows = rows - rows.mean(axis=0)
    return csr_array(rows, dtype=np.float64)
