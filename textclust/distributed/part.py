"""Some rows of a matrix on a worker, and what was found of them last."""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from textclust.distributed.sent import Slopes
from textclust.geometry.affine import AffineForm, Array, Labels, Matrix
from textclust.geometry.assignment import (
    Assignment,
    AssignmentBackend,
    Movable,
    SingleMoves,
    make_backend,
)
from textclust.geometry.grid import exact_sums
from textclust.geometry.optimum import ClusterOptimum

__all__ = ["Found", "Part", "assigned", "costs_at", "moved_sums", "single_moves"]

Answer = TypeVar("Answer")

_FULL = 4  # entries of a table for each that moves, at most


class Found(NamedTuple):
    """The labels of some rows of a part; of all others they are those of the time before."""

    rows: Labels | None  # None is all of them
    labels: Array


class Part:
    """Rows on one worker.

    What was found of them last makes the next answer cheaper. It stays here, and is not sent along
    where the rows are sent elsewhere; without it the answer is the same.
    """

    def __init__(self, rows: Matrix) -> None:
        self.rows = rows
        self._forget()

    def __getstate__(self) -> Matrix:
        return self.rows

    def __setstate__(self, rows: Matrix) -> None:
        self.rows = rows
        self._forget()

    def __sizeof__(self) -> int:
        return int(self.rows.data.nbytes + self.rows.indices.nbytes + self.rows.indptr.nbytes)

    def _forget(self) -> None:
        self.assignment, self.moves = _Last[Assignment](), _Last[SingleMoves]()
        self.lock = Lock()  # Dask may begin a task anew before it has given up the first try

    @cached_property
    def backend(self) -> AssignmentBackend:
        """These rows on one thread: the worker has others for other parts."""
        return make_backend(self.rows, 1)


class _Last(Generic[Answer]):
    """The last answer of a kind, and its number."""

    def __init__(self) -> None:
        self._number = -1
        self._answer: Answer | None = None

    def of(self, number: int | None) -> Answer | None:
        """The answer, if it is that of this number."""
        return self._answer if number is not None and number == self._number else None

    def keep(self, number: int, answer: Answer) -> None:
        self._number, self._answer = number, answer


def assigned(
    part: Part,
    slopes: Slopes,
    form: AffineForm,
    number: int,
    before: int | None,
    changed: Array | None,
) -> Found:
    """The cheapest cluster of every row of a part, or of those where it is another than before."""
    with part.lock:
        last = part.assignment.of(before)
        since = None if last is None else changed
        found = part.backend.assign(slopes.form(form), last, since)
        part.assignment.keep(number, found)
    labels = found.labels.astype(np.int32)
    if last is None:
        return Found(None, labels)
    moved = np.flatnonzero(found.labels != last.labels)
    return Found(moved, labels[moved])


def single_moves(
    part: Part,
    slopes: Slopes,
    best: ClusterOptimum,
    rows: Movable,
    number: int,
    before: int | None,
    changed: Array | None,
) -> SingleMoves:
    """The best moves of the rows of a part that can take more than their least off the energy."""
    with part.lock:
        last = part.moves.of(before)
        since = None if last is None else changed
        rows = rows._replace(labels=rows.labels.astype(np.intp))
        found = part.backend.single_moves(slopes.optimum(best), rows, last, since)
        part.moves.keep(number, found)
    return SingleMoves(found.rows, found.targets, found.gains)


def costs_at(part: Part, slopes: Slopes, form: AffineForm, rows: Labels, labels: Labels) -> Array:
    """What each of some rows of a part costs in the cluster named for it."""
    return part.backend.costs_at(slopes.form(form), rows, labels)


def moved_sums(
    part: Part,
    rows: Labels | None,
    sources: Labels | None,
    targets: Labels,
    weights: Array,
    k: int,
    grid: float,
) -> Matrix:
    """What rows of a part take to the sums of their targets from those of their sources.

    CSR; a table where so much moves that this is sooner.
    """
    X = part.rows if rows is None else part.rows[rows]
    if X.nnz * _FULL > k * X.shape[1]:
        sums = np.zeros((X.shape[1], k)).T
        make_backend(X, 1, grid=grid).shift(sums, None, sources, targets, weights)
        return sums
    moved = exact_sums(X, targets, weights, k, grid)
    return moved if sources is None else moved - exact_sums(X, sources, weights, k, grid)
