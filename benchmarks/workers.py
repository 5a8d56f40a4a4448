"""A contestant in a process of its own, with its data loaded, that runs on request.

So one that hangs can be cut off, one that crashes harms nobody, and the peak of memory
is its own, over what the process holds with data and libraries in place.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from benchmarks import resident
from benchmarks.environment import is_installed, refusal
from benchmarks.measuring import LIMIT, NoResultError, Result, Run, race

__all__ = ["Contest", "Contestant", "Work"]

Work = Callable[[], Any]

_GRACE = 5.0  # seconds to leave in


@dataclass(frozen=True)
class Contestant:
    """Who runs: `prepare` imports and sets up; what it returns is timed.

    `given` says from which start and to which stop, `distribution` what pip calls it; an
    essential one is run in every round, however long it takes; `limit` cuts off a run.
    """

    name: str
    prepare: Callable[[Any], Work]
    given: str = ""
    distribution: str = "textclust"
    essential: bool = False
    limit: float = LIMIT


@dataclass(frozen=True)
class Contest:
    """The same data for all: `load` makes them, `judge` makes of a result what is reported."""

    load: Callable[[], Any]
    judge: Callable[[Any, Any], dict[str, Any]]

    def among(
        self, contestants: Sequence[Contestant], repeats: int, limit: float = LIMIT
    ) -> list[Result]:
        """Race them."""
        workers = [_Worker(contestant, self) for contestant in contestants]
        try:
            for worker in workers:
                worker.await_readiness()
            return race(workers, repeats, limit)
        finally:
            for worker in workers:
                worker.end()


class _Worker:
    """The near end of the pipe."""

    def __init__(self, contestant: Contestant, contest: Contest) -> None:
        self.name, self.given = contestant.name, contestant.given
        self.essential, self._limit = contestant.essential, contestant.limit
        self._refusal = ""
        context = multiprocessing.get_context("spawn")
        self._pipe, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(far, contestant, contest))
        self._process.start()
        far.close()

    def await_readiness(self) -> None:
        """Wait until data and libraries are loaded, or the contestant has refused."""
        self._refusal = self._answer(LIMIT)

    def run(self, limit: float) -> Run:
        """One run, cut off at the limit, or at its own if that is less."""
        if self._refusal:
            raise NoResultError(self._refusal)
        with suppress(OSError):
            self._pipe.send(True)
        answer = self._answer(min(limit, self._limit))
        if isinstance(answer, str):
            raise NoResultError(answer)
        return answer

    def end(self) -> None:
        """Leave no process behind, nor any that the contestant has started."""
        with suppress(OSError):
            self._pipe.send(False)
        self._process.join(_GRACE)
        self._cut_off()

    def _cut_off(self) -> None:
        if self._process.is_alive():
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()  # where it has not come as far as to lead a group
        self._process.join()

    def _answer(self, limit: float) -> Any:
        if not self._pipe.poll(limit):
            self._cut_off()
            return f"did not finish in {limit:.0f} s"
        try:
            return self._pipe.recv()
        except EOFError:
            self._process.join()
            return f"its process ended with code {self._process.exitcode}"


def _serve(pipe: Any, contestant: Contestant, contest: Contest) -> None:
    """The far end: prepare once, then run whenever asked."""
    os.setsid()
    _be_quiet()
    try:
        if not is_installed(contestant.distribution):
            return pipe.send(refusal(contestant.distribution))
        data = contest.load()
        work = contestant.prepare(data)
        pipe.send("")
        while pipe.recv():
            pipe.send(_timed(work, lambda result: contest.judge(data, result)))
    except EOFError:
        pass  # nobody asks any more
    except ImportError as error:
        pipe.send(f"does not import: {_in_one_line(error)}")
    except Exception as error:
        pipe.send(f"fails: {_in_one_line(error)}")


def _timed(work: Work, judge: Callable[[Any], dict[str, Any]]) -> Run:
    base = resident.begin_anew()
    started, busy = time.perf_counter(), time.process_time()
    result = work()
    seconds, cpu = time.perf_counter() - started, time.process_time() - busy
    return Run(seconds, cpu, resident.peak() - base, judge(result))


def _be_quiet() -> None:
    """What libraries print is not part of the answer."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _in_one_line(error: Exception) -> str:
    message = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {message}"[:160]
