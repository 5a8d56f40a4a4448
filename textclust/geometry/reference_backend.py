"""The reference of what rows can be asked, in numpy and scipy."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import (
    AffineForm,
    Array,
    Labels,
    Matrix,
    PackedSlopes,
    as_table,
    costs,
)
from textclust.geometry.assignment import (
    Assignment,
    Clusters,
    Movable,
    SingleMoves,
    table_blocks,
)
from textclust.geometry.dense_sums import add_dense_rows, members
from textclust.geometry.grid import exact_sums
from textclust.geometry.optimum import ClusterOptimum, best_moves
from textclust.geometry.sparse_sums import row_entries, squares_of
from textclust.geometry.table import CostTable

__all__ = ["ReferenceBackend"]


class ReferenceBackend:
    """The reference."""

    def __init__(self, X: Matrix, grid: float = 0.0) -> None:
        self.X, self.grid = X, grid

    def of(self, rows: Labels) -> ReferenceBackend:
        return ReferenceBackend(self.X[rows], self.grid)

    def assign(
        self, form: AffineForm, previous: Assignment | None = None, changed: Array | None = None
    ) -> Assignment:
        labels = np.empty(self.X.shape[0], dtype=np.intp)
        for rows in table_blocks(len(labels), len(form.offsets)):
            labels[rows] = costs(self.X[rows], form).argmin(axis=1)
        return Assignment(labels)

    def table(self, form: AffineForm, rows: Labels) -> CostTable:
        def exact(chosen: Labels) -> Array:
            return costs(self.X[rows[chosen]], form)

        return CostTable.of_rows((len(rows), len(form.offsets)), exact)

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        found = np.empty(len(rows))
        for part in table_blocks(len(rows), len(form.offsets)):
            table = costs(self.X[rows[part]], form)
            found[part] = table[np.arange(len(table)), labels[part]]
        return found

    def single_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        previous: SingleMoves | Assignment | None = None,
        changed: Array | None = None,
    ) -> SingleMoves:
        targets, gains = np.empty(len(rows.labels), dtype=np.intp), np.empty(len(rows.labels))
        for block in table_blocks(len(gains), len(best.energies)):
            labels, weights, squares, _ = (part[block] for part in rows)
            products = -costs(self.X[block], best.products)
            moves = best_moves(best, products, labels, weights, squares)
            targets[block], gains[block] = moves
        found = np.flatnonzero((rows.weights > 0) & (gains > rows.least))
        return SingleMoves(found, targets[found], gains[found])

    def move_in_turn(
        self,
        moves: SingleMoves,
        rows: Movable,
        clusters: Clusters,
        noise: float,
        images: Matrix | None = None,
    ) -> float:
        adding, total = self if images is None else ReferenceBackend(images), 0.0
        sums = clusters.with_room(self.X, moves, rows).sums
        for i, target in zip(moves.rows.tolist(), moves.targets.tolist(), strict=True):
            source, weight, square = int(rows.labels[i]), float(rows.weights[i]), rows.squares[i]
            left = clusters.growth.masses[source] - weight
            if clusters.sizes[source] == 1 or left < clusters.floor:
                continue
            here, there = (self._product(i, sums, h) for h in (source, target))
            gain = clusters.energy(source) - clusters.energy(source, here, -weight, square)
            gain -= clusters.energy(target, there, weight, square) - clusters.energy(target)
            if not gain > noise:
                continue
            adding._move_row(i, weight, sums, source, target)
            clusters.add(source, here, -weight, square, -1)
            clusters.add(target, there, weight, square, 1)
            rows.labels[i] = target
            total += gain
        return total

    def _move_row(self, i: int, weight: float, sums: Matrix, source: int, target: int) -> None:
        """Take a weighted row out of one sum and into another."""
        values, terms = self._row(i)
        values = weight * values
        if self.grid:
            values = np.rint(values / self.grid) * self.grid
        for h, sign in ((source, -1.0), (target, 1.0)):
            entries, places = row_entries(sums, h, terms)
            entries[places] += sign * values

    def _product(self, i: int, sums: Matrix, h: int) -> float:
        """<x_i, S_h> in the order of the stored entries."""
        values, terms = self._row(i)
        entries, places = row_entries(sums, h, terms)
        products = values * entries[places]
        return float(np.add.accumulate(products)[-1]) if len(products) else 0.0

    def _row(self, i: int) -> tuple[Array, Array]:
        """The values of a row in double precision, and their terms."""
        if not sp.issparse(self.X):
            return self.X[i].astype(np.float64), np.arange(self.X.shape[1])
        part = slice(self.X.indptr[i], self.X.indptr[i + 1])
        return self.X.data[part].astype(np.float64), self.X.indices[part]

    def shift(
        self,
        sums: Array,
        rows: Labels | None,
        sources: Labels | None,
        targets: Labels,
        weights: Array,
    ) -> None:
        if not sp.issparse(self.X):
            add_dense_rows(self.X, sums, rows, sources, targets, weights)
            return
        X = self.X if rows is None else self.X[rows]
        for labels, sign in ((targets, 1.0), (sources, -1.0)):
            if labels is not None and self.grid:
                moved = exact_sums(X, labels, sign * weights, len(sums), self.grid)
                sums += as_table(moved)
            elif labels is not None:
                sums += _sums(X, labels, sign * weights, len(sums))

    def pack_slopes(self, slopes: Matrix) -> PackedSlopes:
        return PackedSlopes(squares_of(slopes))


def _sums(X: Matrix, labels: Labels, weights: Array, k: int) -> Array:
    return as_table(members(labels, weights, k).tocsr() @ X)
