"""Threads for work that lets go of the interpreter: one pool for the process, never spinning."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import pairwise
from threading import Lock
from typing import Any

__all__ = ["at_most", "available", "beside", "blas_on_one", "share", "thread_count"]

_SET_BY = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

_pool: ThreadPoolExecutor | None = None
_lock = Lock()
_inside = 0  # blocks in which BLAS has one thread,
_limited: Any = None  # and what gives it the others back
_most: ContextVar[int | None] = ContextVar("textclust_threads", default=None)
_shared: ContextVar[bool] = ContextVar("textclust_shared", default=False)


def available() -> int:
    """How many processors this process may use, or fewer inside `at_most`."""
    return min(_processors(), _most.get() or _processors())


@contextmanager
def at_most(count: int) -> Iterator[None]:
    """Whatever sets no number of threads of its own takes at most this many inside the block."""
    token = _most.set(count)
    try:
        yield
    finally:
        _most.reset(token)


def thread_count(n_jobs: int | None) -> int:
    """The threads that `n_jobs` stands for: None and -1 are all, -2 all but one."""
    if n_jobs is not None and n_jobs > 0:
        return n_jobs
    return max(1, available() + 1 + (-1 if n_jobs is None else n_jobs))


def share(work: Callable[[int, int], None], cuts: Iterable[int], threads: int) -> None:
    """Call work(begin, end) for each stretch between two cuts, on that many threads.

    Work that is shared out already does not share out its own: it would wait for threads that wait
    for it.
    """
    parts = deque((int(begin), int(end)) for begin, end in pairwise(cuts) if begin < end)
    count = 0 if _shared.get() else min(threads, len(parts)) - 1

    def take() -> None:
        token = _shared.set(_shared.get() or count > 0)
        try:
            while parts:
                try:
                    begin, end = parts.popleft()
                except IndexError:
                    return
                work(begin, end)
        finally:
            _shared.reset(token)

    others = [_threads().submit(take) for _ in range(count)]
    try:
        take()
    finally:
        for other in others:
            other.result()


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[None]:
    """Do the work on another thread during the block, which is left when both have ended."""
    other = _threads().submit(work)
    try:
        yield
    finally:
        try:
            wait([other])
        except KeyboardInterrupt:
            wait([other])
            raise
    other.result()


@contextmanager
def blas_on_one() -> Iterator[None]:
    """BLAS has one thread inside the block: its others wait by spinning, on the cores of ours.

    A number of threads that the environment sets stays. Blocks may be inside one another and on
    several threads; the last to be left gives BLAS its threads back.
    """
    global _inside, _limited
    if any(name in os.environ for name in _SET_BY):
        yield
        return
    with _lock:
        if _inside == 0:
            _limited = _blas().limit(limits=1, user_api="blas")
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limited.restore_original_limits()


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _threads() -> ThreadPoolExecutor:
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(_processors(), thread_name_prefix="textclust")
    return _pool


def _forget() -> None:
    """A child process has the pool but not its threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
