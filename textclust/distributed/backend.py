"""The assignment backend of rows that lie with workers.

Workers find the best clusters of their rows as one machine would, and answer with what moved; sums
of clusters are on a grid, so that it does not matter where they are added up. Rows that are asked
for by number, those that supervision bears on, come to this machine once and are asked here. So
labels are the same to the last one however many workers there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TypeVar

import numpy as np
import scipy.sparse as sp

from textclust.distributed.asking import ask
from textclust.distributed.matrix import PartitionedMatrix
from textclust.distributed.part import Found, assigned, costs_at, moved_sums, single_moves
from textclust.distributed.sent import OnWorkers, Slopes, without_slopes
from textclust.geometry.affine import AffineForm, Array, Labels, Matrix, PackedSlopes
from textclust.geometry.assignment import (
    Assignment,
    AssignmentBackend,
    Clusters,
    Movable,
    MovingBackend,
    SingleMoves,
    make_backend,
)
from textclust.geometry.optimum import ClusterOptimum
from textclust.geometry.rows import squared_norms
from textclust.geometry.table import CostTable

__all__ = ["PartitionedBackend"]

T = TypeVar("T")

_NUMBERS = count()  # of answers, so that a worker knows which one another builds on
_SUMS = 8  # at most of those that come here to be added up
_MOVED = 1 << 13  # rows brought here at a time, to be moved one after the other
_FEW = 1 << 15  # rows that this machine has answers for sooner than it can ask


@dataclass(frozen=True, eq=False)
class _Numbered(Assignment):
    """An assignment that the workers know by its number."""

    number: int = -1


@dataclass(frozen=True, eq=False)
class _NumberedMoves(SingleMoves):
    number: int = -1


class PartitionedBackend:
    """Rows with the workers of a Dask cluster."""

    def __init__(self, X: PartitionedMatrix, grid: float) -> None:
        self.X, self.grid = X, grid
        self._asked: tuple[Labels, AssignmentBackend] | None = None

    def of(self, rows: Labels) -> MovingBackend:
        if len(rows) <= _FEW:
            return make_backend(self.X[rows], grid=self.grid)
        return PartitionedBackend(self.X.of(rows), self.grid)

    def assign(
        self, form: AffineForm, previous: Assignment | None = None, changed: Array | None = None
    ) -> Assignment:
        last = previous if isinstance(previous, _Numbered) and changed is not None else None
        number, before = next(_NUMBERS), None if last is None else last.number
        each = (without_slopes(form), number, before, changed)
        answers: list[Found] = self._ask(assigned, form, [each] * len(self.X.parts))
        labels = np.empty(self.X.shape[0], dtype=np.intp) if last is None else last.labels.copy()
        for part, found in zip(self.X.split(labels), answers, strict=True):
            part[slice(None) if found.rows is None else found.rows] = found.labels
        return _Numbered(labels, number)

    def table(self, form: AffineForm, rows: Labels) -> CostTable:
        return self._here(rows).table(form, np.arange(len(rows)))

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        order = np.argsort(rows, kind="stable")
        shares = self.X.shares(rows[order])
        wanted = np.split(labels[order], np.cumsum([len(share) for share in shares])[:-1])
        bare = without_slopes(form)
        given = [(bare, *each) for each in zip(shares, wanted, strict=True)]
        found = np.empty(len(rows))
        found[order] = np.concatenate(self._ask(costs_at, form, given))
        return found

    def single_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        previous: SingleMoves | Assignment | None = None,
        changed: Array | None = None,
    ) -> SingleMoves:
        last = previous if isinstance(previous, _NumberedMoves) and changed is not None else None
        number, before = next(_NUMBERS), None if last is None else last.number
        bare = best._replace(form=without_slopes(best.form))
        columns = (rows.labels.astype(np.int32), *rows[1:])
        shares = zip(*map(self.X.split, columns), strict=True)
        given = [(bare, Movable(*share), number, before, changed) for share in shares]
        answers: list[SingleMoves] = self._ask(single_moves, best.form, given)
        firsts = self.X.offsets[:-1]
        return _NumberedMoves(
            np.concatenate([a.rows + first for a, first in zip(answers, firsts, strict=True)]),
            np.concatenate([answer.targets for answer in answers]),
            np.concatenate([answer.gains for answer in answers]),
            number,
        )

    def move_in_turn(
        self,
        moves: SingleMoves,
        rows: Movable,
        clusters: Clusters,
        noise: float,
        images: Matrix | None = None,
    ) -> float:
        total = 0.0
        for begin in range(0, len(moves.rows), _MOVED):
            moved = moves.rows[begin : begin + _MOVED]
            some = Movable(*(part[moved] for part in rows))
            places = SingleMoves(
                np.arange(len(moved)),
                moves.targets[begin : begin + _MOVED],
                moves.gains[begin : begin + _MOVED],
            )
            here = make_backend(self.X[moved], 1, grid=self.grid)
            total += here.move_in_turn(places, some, clusters, noise, images)
            rows.labels[moved] = some.labels
        return total

    def shift(
        self,
        sums: Array,
        rows: Labels | None,
        sources: Labels | None,
        targets: Labels,
        weights: Array,
    ) -> None:
        if not self.grid:
            self._shift_here(sums, rows, sources, targets, weights)
            return
        cuts = self.X.offsets if rows is None else np.searchsorted(rows, self.X.offsets)
        shares: Sequence[Labels | None] = [None] * len(self.X.parts)
        if rows is not None:
            shares = self.X.shares(rows)
        given = []
        for share, begin, end in zip(shares, cuts[:-1], cuts[1:], strict=True):
            of = None if sources is None else sources[begin:end]
            movement = (share, of, targets[begin:end], weights[begin:end])
            given.append((*movement, len(sums), self.grid))
        moved = ask(self.X.client, moved_sums, self.X.parts, given, most=_SUMS)
        for found in moved:
            if sp.issparse(found):
                entries = found.tocoo()
                sums[entries.row, entries.col] += entries.data
            else:
                sums += found

    def pack_slopes(self, slopes: Array) -> PackedSlopes:
        return PackedSlopes(squared_norms(slopes), _sent(slopes))

    def _shift_here(
        self,
        sums: Array,
        rows: Labels | None,
        sources: Labels | None,
        targets: Labels,
        weights: Array,
    ) -> None:
        """The same where digits depend on the order of the additions: part after part."""
        if rows is not None:
            make_backend(self.X[rows], 1).shift(sums, None, sources, targets, weights)
            return
        for part, begin, end in zip(
            self.X.here(), self.X.offsets[:-1], self.X.offsets[1:], strict=True
        ):
            some = slice(begin, end)
            of = None if sources is None else sources[some]
            make_backend(part, 1).shift(sums, None, of, targets[some], weights[some])

    def _ask(
        self, of_part: Callable[..., T], form: AffineForm, given: Sequence[tuple[object, ...]]
    ) -> list[T]:
        packed = form.packed
        shared = packed if isinstance(packed, OnWorkers) else _sent(form.slopes)
        return ask(self.X.client, of_part, self.X.parts, given, shared)

    def _here(self, rows: Labels) -> AssignmentBackend:
        """Some ascending rows on this machine; those asked for last stay."""
        if self._asked is None or not np.array_equal(self._asked[0], rows):
            self._asked = rows, make_backend(self.X[rows])
        return self._asked[1]


def _sent(slopes: Array) -> OnWorkers:
    return OnWorkers(partial(Slopes.of, slopes))
