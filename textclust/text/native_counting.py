"""Counting terms with the compiled core: one thread reads while others count batches of texts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from mmap import mmap
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from textclust.text.term_counts import Part, TermCounts
from textclust.threads import thread_count

if TYPE_CHECKING:
    from array import array

__all__ = ["TermTable", "count_natively"]

S = TypeVar("S")
T = TypeVar("T")
Integer = TypeVar("Integer", np.int32, np.int64)

_BATCH = 1 << 20  # characters
_MOST = 8  # threads: their tables have to be made one in the end


class TermTable(Protocol):
    """A table of `native.tokens`, which numbers the terms as they come."""

    def __len__(self) -> int: ...

    def count(self, texts: list[str]) -> tuple[array[int], array[int], array[int]]:
        """Where the entries of each text end, and the term and the count of each entry."""
        ...

    def frequencies(self) -> array[int]:
        """In how many texts each term occurs."""
        ...

    def spelled(self, numbers: npt.NDArray[np.int64]) -> list[str]:
        """The terms of these numbers."""
        ...

    def absorb(self, other: Self) -> array[int]:
        """Take in the terms of another table; the numbers they have in this one."""
        ...


def count_natively(
    texts: Iterable[str], new_table: Callable[[], TermTable], n_jobs: int | None = None
) -> TermCounts:
    """Count the terms of each text with native tables, as many as are at work at a time."""
    idle = [new_table()]

    def count(batch: list[str]) -> tuple[TermTable, Part]:
        try:
            table = idle.pop()
        except IndexError:
            table = new_table()
        ends, terms, counts = table.count(batch)
        part = Part(
            _set_apart(ends, np.int64), _set_apart(terms, np.int32), _set_apart(counts, np.int32)
        )
        idle.append(table)
        return table, part

    counted = list(_in_threads(count, _batches(texts), min(_MOST, thread_count(n_jobs))))
    return _merged(counted, idle)


def _merged(counted: list[tuple[TermTable, Part]], tables: list[TermTable]) -> TermCounts:
    """All parts by the numbers of the largest table, which takes in the terms of the others."""
    largest = max(tables, key=len)
    numbers = {
        id(table): np.asarray(largest.absorb(table)) for table in tables if table is not largest
    }
    for table, part in counted:
        if table is not largest:
            part.renumber(numbers[id(table)])

    def spelled(chosen: npt.NDArray[np.integer]) -> list[str]:
        return largest.spelled(np.ascontiguousarray(chosen, dtype=np.int64))

    parts = deque(part for _, part in counted)
    return TermCounts(parts, np.asarray(largest.frequencies()), spelled)


def _set_apart(values: array[int], dtype: type[Integer]) -> npt.NDArray[Integer]:
    """A copy in memory of its own, which the system gets back as soon as it is not needed."""
    try:
        memory = mmap(-1, max(1, len(values) * values.itemsize))
    except OSError:  # systems allow only so many
        return np.array(values, dtype=dtype)
    copy = np.frombuffer(memory, dtype=dtype, count=len(values))
    copy[:] = values
    return copy


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _in_threads(work: Callable[[S], T], items: Iterable[S], threads: int) -> Iterator[T]:
    """The results in order; only so many items are held as keep the threads busy."""
    items = iter(items)
    opening = list(islice(items, 2))
    if threads == 1 or len(opening) < 2:
        yield from map(work, chain(opening, items))
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[T]] = deque()
    try:
        for item in chain(opening, items):
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
