"""Dask beside one machine: the same labels, and what an iteration costs with more workers."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from time import perf_counter, sleep
from typing import Any

import numpy as np

from benchmarks.internet import Collection, Constants, Machines, forecast
from benchmarks.measuring import NoResultError, Result
from benchmarks.peers import Sorted, judge
from benchmarks.problems import Problem, planted, unstarted
from benchmarks.sections import Column, Scale, Section, agree, comparison, headline
from benchmarks.synthetic import Planted
from benchmarks.workers import Contest, Contestant, Work
from textclust.experiments.table import Table

__all__ = ["measure"]

_PLAN, _BRIEF_PLAN = Planted(200_000, 30_000, 100, 60), Planted(3_000, 2_000, 20, 40)
_ITERATIONS = 5
_WORKERS = (1, 2, 4)
_PARTS = 8
_LIMIT = 600.0  # seconds for one run
_QUESTIONS = 30
_MEGABYTE = 1 << 20
_SENT = 64  # megabytes
_TASKS = 64
_ALONE = "one machine, 1 thread"

_COLUMNS: dict[str, Column] = {
    "CPU seconds here": lambda result: f"{result.cpu:.2f}",
    "objective": lambda result: f"{result.verdict['objective']:.2f}",
    "iterations": lambda result: str(result.verdict["iterations"]),
    "peak MB here": lambda result: f"{result.peak / 1e6:.0f}",
}


def measure(scale: Scale) -> Section:
    """From given centres, by default, and with a worker that is killed on the way."""
    plan = _BRIEF_PLAN if scale.quick else _PLAN
    given = _raced(plan, partial(planted, plan, _ITERATIONS), _given, scale.repeats)
    default = _raced(plan, partial(unstarted, plan, plan.k), _default, scale.repeats, killed=True)
    size = f"{plan.n:,} x {plan.d:,}, {plan.terms} non-zeros a row, k = {plan.k}"
    cores = f"Of {os.cpu_count()} cores; workers are processes of one thread, {_PARTS} parts."
    tables = [
        comparison(
            f"Past one machine: {size}, {_ITERATIONS} iterations",
            given,
            _COLUMNS,
            [f"refine=False, from given centres. {cores}", _same(given)],
        ),
        comparison(
            f"Past one machine: {size}, default SphericalKMeans",
            default,
            _COLUMNS,
            ["Peak and processor's seconds are those of the driver alone.", _same(default)],
        ),
        *_constants(plan, given),
    ]
    title = f"Dask: {size}, {_ITERATIONS} iterations"
    return Section("past-one-machine", [headline(title, given, _name(_WORKERS[1]))], tables)


def _raced(plan: Planted, load: Any, make: Any, repeats: int, killed: bool = False) -> list[Result]:
    here = Contestant("one machine", partial(_here, make=make), essential=True, limit=_LIMIT)
    alone = replace(here, name=_ALONE, prepare=partial(_here, make=make, n_jobs=1))
    there = [_on_workers(plan, make, count) for count in _WORKERS]
    if killed:
        lost = _on_workers(plan, make, _WORKERS[1], killed=True)
        there.append(replace(lost, name=f"{lost.name}, one of them killed"))
    return Contest(load, judge).among([here, alone, *there], repeats, _LIMIT)


def _on_workers(plan: Planted, make: Any, count: int, killed: bool = False) -> Contestant:
    prepare = partial(_there, plan=plan, make=make, count=count, killed=killed)
    return Contestant(
        _name(count), prepare, distribution="distributed", essential=True, limit=_LIMIT
    )


def _name(count: int) -> str:
    return f"{count} worker{'s' if count > 1 else ''}"


def _given(problem: Problem, **options: Any) -> Any:
    import textclust as tc

    return tc.SphericalKMeans(
        problem.k,
        init=problem.centres,
        max_iter=problem.iterations,
        tol=0.0,
        refine=False,
        **options,
    )


def _default(problem: Problem, **options: Any) -> Any:
    import textclust as tc

    return tc.SphericalKMeans(problem.k, random_state=0, **options)


def _here(problem: Problem, make: Any, **options: Any) -> Work:
    return partial(_fitted, make(problem, **options), problem.X)


def _fitted(model: Any, X: Any) -> Sorted:
    model.fit(X)
    return Sorted(model.labels_, model.n_iter_)


def _there(problem: Problem, plan: Planted, make: Any, count: int, killed: bool) -> Work:
    cluster, client = started(count)
    X = parted(client, plan)
    model = make(problem)
    problem = replace(problem, X=None)  # the workers have the rows

    def work() -> Sorted:
        if killed:
            threading.Thread(target=_kill_one, args=(cluster,), daemon=True).start()
        return _fitted(model, X)

    return work


def started(count: int) -> tuple[Any, Any]:
    """So many workers of one thread each, and their client."""
    from distributed import Client, LocalCluster

    dask: Any = LocalCluster
    cluster = dask(
        n_workers=count, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    )
    client: Any = Client
    return cluster, client(cluster)


def parted(client: Any, plan: Planted) -> Any:
    """The matrix of a plan, in parts that the workers load."""
    from textclust.distributed import PartitionedMatrix

    cuts = np.linspace(0, plan.n, _PARTS + 1).astype(int).tolist()
    parts = [client.submit(_stretch, plan, *pair, pure=False) for pair in pairwise(cuts)]
    return PartitionedMatrix.from_futures(client, parts)


def _stretch(plan: Planted, begin: int, end: int) -> Any:
    return unstarted(plan, plan.k).X[begin:end]


def _kill_one(cluster: Any) -> None:
    """Kill a worker amid its work; Dask starts another in its place."""
    sleep(1.0)
    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)


def _same(results: Sequence[Result]) -> str:
    names = [result.name for result in results]
    return f"Same labels on one machine and on all numbers of workers: {agree(results, names)}."


def _constants(plan: Planted, given: Sequence[Result]) -> list[Table]:
    """What docs/internet-scale.md reckons with, and how that fits the runs here."""
    alone = next(result for result in given if result.name == _ALONE)
    if not alone.runs:
        raise NoResultError("one machine did not end")
    cluster, client = started(2)
    with cluster, client:
        question, many = _asking(client, 1), _asking(client, _TASKS)
        sent = _sending(client)
    products = plan.n * plan.terms * plan.k * _ITERATIONS
    found = Constants(
        alone.seconds / products,
        _laying_out(plan),
        question,
        (many - question) / (_TASKS - 1),
        sent,
    )
    named = {
        "product of a non-zero with a cluster, on one core": found.product,
        "slope laid out for the rows of a part": found.layout,
        "question to a worker and its answer": found.question,
        "part more that a question goes to": found.task,
        "byte to a worker": found.byte,
    }
    rows = [(name, f"{seconds:.2e}") for name, seconds in named.items()]
    note = "A product is a run above on one thread, over its products."
    title = "Constants of the model of internet-scale.md"
    return [Table(title, ("a", "seconds"), rows, (note,)), _checked(plan, found, given)]


def _checked(plan: Planted, constants: Constants, given: Sequence[Result]) -> Table:
    """The model beside what was measured."""
    of = Collection("", plan.n, plan.d, plan.terms, plan.k, plan.k)
    cores, rows = os.cpu_count() or 1, []
    for count in _WORKERS:
        (measured,) = (r for r in given if r.name == _name(count))
        found = forecast(constants, of, Machines(min(count, cores), 1, _PARTS // min(count, cores)))
        seconds = measured.seconds / _ITERATIONS if measured.runs else float("nan")
        rows.append((_name(count), f"{seconds:.2f}", f"{found.seconds:.2f}"))
    note = "The run above, divided by its iterations; workers beyond the cores add nothing."
    header = ("", "measured s", "model s")
    return Table("The model of internet-scale.md beside an iteration here", header, rows, (note,))


def _asking(client: Any, tasks: int) -> float:
    """Seconds until workers have answered so many questions that need no work."""
    began = perf_counter()
    for number in range(_QUESTIONS):
        client.gather([client.submit(abs, task - number, pure=False) for task in range(tasks)])
    return (perf_counter() - began) / _QUESTIONS


def _sending(client: Any) -> float:
    """Seconds that a byte takes to a worker."""
    data = np.zeros(_SENT * _MEGABYTE, dtype=np.uint8)
    began = perf_counter()
    client.scatter(data, workers=[next(iter(client.scheduler_info()["workers"]))], hash=False)
    return (perf_counter() - began) / len(data)


def _laying_out(plan: Planted) -> float:
    """Seconds that it takes to lay out a slope."""
    from textclust.geometry.assignment import make_backend

    backend = make_backend(unstarted(plan, plan.k).X[:1_000], 1)
    slopes = np.asfortranarray(np.ones((plan.k, plan.d)))
    backend.pack_slopes(slopes)
    began = perf_counter()
    backend.pack_slopes(slopes)
    return (perf_counter() - began) / slopes.size
