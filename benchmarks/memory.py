"""A million documents: how much memory clustering them takes, over the size of their matrix."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks import resident
from benchmarks.measuring import Result
from benchmarks.problems import Problem, planted
from benchmarks.sections import Scale, Section, yes_or_no
from benchmarks.synthetic import Planted
from benchmarks.workers import Contest, Contestant, Work
from textclust.experiments.table import Table

__all__ = ["measure"]

_MILLION = Planted(1_000_000, 60_000, 100, 60)
_FEWER = Planted(50_000, 60_000, 100, 60)
_ITERATIONS = 3
_LIMIT = 1_800.0  # seconds; nothing is timed for its own sake here
_ALLOWED = 2.0  # times the matrix


def few_iterations(problem: Problem) -> Work:
    import textclust as tc

    model = tc.SphericalKMeans(
        problem.k, init=problem.centres, max_iter=problem.iterations, refine=False
    )
    return lambda: model.fit(problem.X).labels_


def defaults(problem: Problem) -> Work:
    import textclust as tc

    model = tc.KMeans(problem.k, distortion="cosine", random_state=0)
    return lambda: model.fit(problem.X).labels_


def judge(problem: Problem, labels: Any) -> dict[str, Any]:
    """The peak of the whole process beside the matrix, and agreement with what was planted."""
    peak = resident.peak()
    from textclust.metrics import nmi

    X = problem.X
    matrix = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    return {"peak": peak, "matrix": matrix, "nmi": nmi(problem.truth, labels)}


CONTESTANTS = (
    Contestant(f"SphericalKMeans, given centres, {_ITERATIONS} iterations", few_iterations),
    Contestant('KMeans(100, distortion="cosine")', defaults),
)


def measure(scale: Scale) -> Section:
    """One run each, in a process of its own; float32 values and int32 indices."""
    plan = _FEWER if scale.quick else _MILLION
    contest = Contest(partial(planted, plan, _ITERATIONS, "float32"), judge)
    results = [result for each in CONTESTANTS for result in contest.among([each], 1, _LIMIT)]
    title = f"Memory: {plan.n:,} documents, {plan.terms} non-zeros each, k = {plan.k}"
    header = ("", "matrix MB", "peak MB", "peak / matrix", "at most 2", "seconds", "NMI")
    note = "The peak is all that the process holds, the matrix and Python itself included."
    return Section("memory", [], [Table(title, header, [_row(r) for r in results], (note,))])


def _row(result: Result) -> tuple[str, ...]:
    if not result.runs:
        return (result.name, *("–",) * 4, result.failure, "–")
    seen = result.verdict
    share = seen["peak"] / seen["matrix"]
    sizes = (f"{seen[key] / 1e6:.0f}" for key in ("matrix", "peak"))
    return (
        result.name,
        *sizes,
        f"{share:.2f}",
        yes_or_no(share <= _ALLOWED),
        f"{result.seconds:.1f}",
        f"{seen['nmi']:.3f}",
    )
