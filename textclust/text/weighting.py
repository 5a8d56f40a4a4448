"""From counts to weights: tf * idf, every row scaled to length one, a block at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

__all__ = ["weigh"]

Floats = npt.NDArray[np.floating]
Ends = npt.NDArray[np.integer]  # where rows begin and end among the entries

_BLOCK = 1 << 17  # entries, so that they stay in the cache from step to step


def weigh(
    counts: sp.csr_array, idf: Floats, *, sublinear_tf: bool = False, binary: bool = False
) -> None:
    """Turn the counts of a CSR matrix into weights, in place."""
    idf = idf.astype(counts.dtype)
    if binary:
        counts.data[:] = 1
    for ends in _blocks(counts.indptr):
        entries = slice(ends[0], ends[-1])
        block = counts.data[entries]
        if sublinear_tf and not binary:
            np.log2(block, out=block)
            block += 1
        block *= idf[counts.indices[entries]]
        _to_unit_length(block, ends - ends[0])
    if not idf.all():
        counts.eliminate_zeros()


def _blocks(indptr: Ends) -> Iterator[Ends]:
    """Where rows begin and end, for some rows that are about a block, and for the next."""
    firsts = np.searchsorted(indptr, np.arange(0, indptr[-1], _BLOCK))
    for first, last in pairwise([*firsts, len(indptr) - 1]):
        if first < last:
            yield indptr[first : last + 1]


def _to_unit_length(data: Floats, ends: Ends) -> None:
    """Scale rows in place; `ends` has the beginning of the first row too."""
    sizes = np.diff(ends)
    filled = sizes > 0
    squares = np.square(data, dtype=np.float64)
    lengths = np.sqrt(np.add.reduceat(squares, ends[:-1][filled]))
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    data *= np.repeat(inverse.astype(data.dtype), sizes[filled])
