"""The rows of one CSR matrix as the compiled core reads them, and threads to share the work."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from textclust import native
from textclust.geometry.affine import AffineForm, Array, Labels, Matrix, PackedSlopes
from textclust.geometry.packing import Packed, Packer, Rows, TermSplit, by_term, csr_parts
from textclust.geometry.screening import LARGEST, ROUNDING, RowMeasures
from textclust.threads import available, share

__all__ = ["ADD", "FETCH", "NativeRows", "padded", "plainly"]

_PARTS = 3  # for each thread, so that a slow one does not hold up the rest
_WORTH_SHARING = 0.5  # milliseconds: waking a thread takes a tenth of one
# What things take on one processor, in milliseconds, about; for the decision to share them.
ADD, _COPY, FETCH = 1.2e-7, 7e-7, 3e-6


class NativeRows:
    """Rows of one CSR matrix, bound to the compiled core."""

    def __init__(self, X: Matrix, threads: int | None = None) -> None:
        self.core, self.sums = native.module("assignment"), native.module("sums")
        indices = X.indices.astype(np.int32, copy=False)
        self.csr: Rows = (X.indptr.astype(np.int64, copy=False), indices, X.data)
        self.shape = X.shape
        self.entries = X.nnz / X.shape[0]  # of a row, on average
        self.threads = available() if threads is None else threads
        self._packer = Packer(self.core, indices, X.shape[1], self.share)
        self._by_term: tuple[Matrix, tuple[Array, Array, Array]] | None = None
        self._divided: tuple[TermSplit | None, Rows, Rows | None] | None = None

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        """What each of some rows costs in the cluster named for it."""
        found, clusters = np.empty(len(rows)), labels.astype(np.int32)
        wanted, slopes = rows.astype(np.int64, copy=False), self.bound_sums(form.slopes)
        plain = plainly(form)

        def cost(begin: int, end: int) -> None:
            self.sums.costs_at(*self.csr, wanted, clusters, begin, end, slopes, *plain, found)

        self.share(cost, len(rows), len(rows) * self.entries * FETCH)
        return found

    def pack_slopes(self, slopes: Matrix) -> PackedSlopes:
        """These slopes for a form that is asked about next."""
        self._by_term = None  # of the slopes before
        return PackedSlopes(*self._packer.pack(slopes, "ready"))

    def bound_sums(self, sums: Matrix) -> Any:
        """Sums or slopes as the core reads them, and changes those that are float64."""
        if sp.issparse(sums):
            return self.sums.Sums(csr=csr_parts(sums))
        return self.sums.Sums(np.ascontiguousarray(sums.T, dtype=np.float64))

    def packed(self, form: AffineForm, clusters: Labels | None = None) -> Packed:
        """The slopes of a form, of all its clusters or of some."""
        packed = form.packed
        if not isinstance(packed, Packed):
            packed = self._packer.pack(form.slopes, "in passing")[1]
        return packed if clusters is None else packed.of(self.core, clusters)

    def bound_slopes(self, packed: Packed) -> Any:
        """Packed slopes with the rows of this matrix, as the core reads them."""
        if self._divided is None or self._divided[0] is not packed.split:
            divided = None if packed.split is None else packed.split.divide(self._light)
            self._divided = (packed.split, *(divided or (self._light, None)))
        _, rows, rest = self._divided
        return self.core.Slopes(rows, packed.tiles, packed.k, rest, packed.postings)

    def room(self, k: int) -> int:
        """How many clusters the core looks at where it is asked for so many."""
        tiles, width = self.core.tiling(max(k, 1))
        return int(tiles * width)

    def tabulated(self, form: AffineForm, rows: Labels) -> Array:
        """What some rows cost in every cluster, in float64."""
        plain, wanted = plainly(form), rows.astype(np.int64, copy=False)
        found = np.empty((len(rows), len(form.offsets)))
        is_sparse = sp.issparse(form.slopes)
        slopes = self._terms_of(form.slopes) if is_sparse else (by_term(form.slopes),)
        table = self.sums.table if is_sparse else self.core.table

        def tabulate(begin: int, end: int) -> None:
            table(*self.csr, wanted, begin, end, *slopes, *plain, found)

        self.share(tabulate, len(rows), found.size * self.entries * 2 * ADD)
        return found

    def _terms_of(self, slopes: Matrix) -> tuple[Array, Array, Array]:
        """CSR slopes term by term; those asked for last are kept."""
        if self._by_term is None or self._by_term[0] is not slopes:
            self._by_term = None  # before there are others
            self._by_term = (slopes, csr_parts(slopes.T.tocsr()))
        return self._by_term[1]

    @cached_property
    def _light(self) -> Rows:
        """The rows with values in single precision."""
        ends, columns, values = self.csr
        with np.errstate(over="ignore"):  # rows with such values are never settled
            return ends, columns, values.astype(np.float32, copy=False)

    @cached_property
    def measures(self) -> RowMeasures:
        """For each row what the error of its scores depends on."""
        squares, totals = np.empty((2, self.shape[0]))

        def measure(begin: int, end: int) -> None:
            self.core.measure(self.csr[0], self.csr[2], begin, end, squares, totals)

        self.share(measure, self.shape[0], len(self.csr[1]) * _COPY)
        np.sqrt(squares, out=squares)
        for measures in (squares, totals):
            measures[~(totals < LARGEST)] = np.inf
        roundings = np.diff(self.csr[0]).astype(np.float32)  # exact: powers of two times few digits
        roundings += 9.0
        roundings *= ROUNDING
        return RowMeasures(squares, totals, roundings)

    @cached_property
    def term_parts(self) -> Array:
        """Where to cut the terms so that each part has about as many entries."""
        sample = self.csr[1][:: max(1, len(self.csr[1]) // 10_000)]
        cuts = np.quantile(sample, np.linspace(0, 1, self.threads + 1)).astype(np.intp)
        cuts[0], cuts[-1] = 0, self.shape[1]
        return np.unique(cuts)

    def share(
        self,
        work: Callable[[int, int], None],
        size: int,
        duration: float,
        cuts: Callable[[], Array] | None = None,
    ) -> None:
        """Do the work in parts on all threads, or at once where that is as quick.

        Without `cuts` all parts have the same size.
        """
        if size == 0:
            return
        if self.threads == 1 or duration < _WORTH_SHARING:
            work(0, size)
        else:
            even = np.arange(self.parts + 1) * size // self.parts
            share(work, even if cuts is None else cuts(), self.threads)

    @property
    def parts(self) -> int:
        """Into how many parts work is cut that is shared."""
        return self.threads * _PARTS


def padded(form: AffineForm, packed: Packed, clusters: Labels | None = None) -> Array:
    """Scales and offsets as long as the tiles are."""
    found = np.zeros((2, packed.tiles.shape[0] * packed.tiles.shape[2]), dtype=np.float32)
    found[1] = np.inf
    chosen = slice(None) if clusters is None else clusters
    with np.errstate(over="ignore"):  # then no row is settled
        found[0, : packed.k] = 1.0 if form.scales is None else form.scales[chosen]
        found[1, : packed.k] = form.offsets[chosen]
    return found


def plainly(form: AffineForm) -> tuple[Array, Array]:
    """Scales and offsets, as the core reads them."""
    scales = np.ones(len(form.offsets)) if form.scales is None else form.scales
    return (
        np.ascontiguousarray(scales, dtype=np.float64),
        np.ascontiguousarray(form.offsets, dtype=np.float64),
    )
