"""Counting natively, in threads: one reads on while the others count batches of texts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from mmap import mmap
from typing import Any, TypeVar

import numpy as np

from textclust.text.tally import Array, Part, Tally
from textclust.threads import thread_count

__all__ = ["scan_terms"]

S = TypeVar("S")
T = TypeVar("T")

_BATCH = 1 << 20  # characters
_MOST = 8  # threads: their tables have to be made one in the end


def scan_terms(
    texts: Iterable[str], new_table: Callable[[], Any], n_jobs: int | None = None
) -> Tally:
    """Count the terms of each text with native tables, as many as are at work at a time."""
    idle = [new_table()]

    def count(batch: list[str]) -> tuple[Any, Part]:
        try:
            table = idle.pop()
        except IndexError:
            table = new_table()
        part = Part(*map(_set_apart, table.count(batch)))
        idle.append(table)
        return table, part

    counted = list(_in_threads(count, _batches(texts), min(_MOST, thread_count(n_jobs))))
    return _one_tally(counted, idle)


def _one_tally(counted: list[tuple[Any, Part]], tables: list[Any]) -> Tally:
    """All parts by the numbers of the largest table, which takes in the terms of the others."""
    largest = max(tables, key=len)
    numbers = {
        id(table): np.asarray(largest.absorb(table)) for table in tables if table is not largest
    }
    for table, part in counted:
        if table is not largest:
            part.renumber(numbers[id(table)])

    def spelled(chosen: Array) -> list[str]:
        return largest.spelled(np.ascontiguousarray(chosen, dtype=np.int64))

    parts = deque(part for _, part in counted)
    return Tally(parts, np.asarray(largest.frequencies()), spelled)


def _set_apart(values: Any) -> Array:
    """A copy in memory of its own, which the system gets back as soon as it is not needed."""
    try:
        memory = mmap(-1, max(1, len(values) * values.itemsize))
    except OSError:  # systems allow only so many
        return np.array(values)
    copy = np.frombuffer(memory, dtype=values.typecode, count=len(values))
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
