"""A busy machine: a fit in a fresh process while another process keeps one core busy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

from benchmarks import resident
from benchmarks.measuring import NoResultError, Run, race
from benchmarks.problems import newsgroups, require_newsgroups, sample
from benchmarks.sections import Column, Scale, Section, agree, comparison, headline

__all__ = ["FreshFit", "busy_core", "default_environment", "measure"]

_FEW_EACH = 50  # posts of each group, for the quick run
_K = 20

_COLUMNS: dict[str, Column] = {
    "CPU seconds": lambda result: f"{result.cpu:.3f}",
    "objective": lambda result: f"{result.verdict['objective']:.2f}",
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


@dataclass(frozen=True)
class FreshFit:
    """A process that fits once and reports; beside it a busy one, or none.

    `each` is how many posts of each group it fits, all of them without it.
    """

    name: str
    busy: bool
    each: int | None = None
    given: str = ""
    essential: bool = True

    def run(self, limit: float) -> Run:
        """Start it, wait for its report, and end the busy process."""
        command = [sys.executable, "-m", "benchmarks.busy", str(self.each or 0)]
        with busy_core() if self.busy else nullcontext():
            try:
                done = subprocess.run(  # noqa: S603 - our own
                    command,
                    env=default_environment(os.environ),
                    capture_output=True,
                    text=True,
                    timeout=limit,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise NoResultError(f"did not finish in {limit:.0f} s") from None
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [""])[-1]
            raise NoResultError(f"ended with code {done.returncode}: {last[:160]}")
        return Run(**json.loads(done.stdout))


@contextmanager
def busy_core() -> Iterator[int]:
    """A process that does nothing but count, for as long as the block lasts; its id."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def default_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without any number of threads."""
    return {key: word for key, word in environment.items() if not key.endswith("_NUM_THREADS")}


def measure(scale: Scale) -> Section:
    """20 Newsgroups on a quiet machine and on a busy one, in turns."""
    require_newsgroups()
    each = _FEW_EACH if scale.quick else None
    runners = [FreshFit("quiet", False, each), FreshFit("one core busy", True, each)]
    results = race(runners, scale.repeats)
    posts = "20 Newsgroups" if each is None else f"{20 * each:,} posts"
    title = f"Busy: SphericalKMeans({_K}).fit, {posts}, another process on one core"
    notes = [
        f"A fresh process for each fit, of {os.cpu_count()} cores, with no number of threads set; "
        "importing and loading are not timed.",
        f"Same labels: {agree(results, [runner.name for runner in runners])}.",
    ]
    table = comparison(title, results, _COLUMNS, notes)
    return Section("busy", [headline(title, results, runners[1].name)], [table])


def fit_once(each: int | None) -> dict[str, Any]:
    """What a fresh process reports of its fit."""
    import textclust as tc
    from benchmarks.peers import Sorted, judge

    problem = newsgroups(1) if each is None else sample(each, 1)
    model = tc.SphericalKMeans(_K, random_state=0)
    base = resident.begin_anew()
    started, worked = perf_counter(), process_time()
    model.fit(problem.X)
    seconds, cpu = perf_counter() - started, process_time() - worked
    peak = resident.peak() - base
    verdict = judge(problem, Sorted(model.labels_, model.n_iter_))
    return {"seconds": seconds, "cpu": cpu, "peak": peak, "verdict": verdict}


if __name__ == "__main__":
    print(json.dumps(fit_once(int(sys.argv[1]) or None)))
