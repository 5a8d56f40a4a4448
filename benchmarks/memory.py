"""Memory over the size of the matrix: a million documents, and ten thousand clusters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmarks import resident
from benchmarks.measuring import Result
from benchmarks.problems import Problem, planted, unstarted
from benchmarks.sections import Scale, Section, yes_or_no
from benchmarks.synthetic import Planted
from benchmarks.workers import Contest, Contestant, Work
from textclust.experiments.table import Table

__all__ = ["million", "million_in_ten_thousand", "ten_thousand"]

_MILLION, _FEWER = Planted(1_000_000, 60_000, 100, 60), Planted(50_000, 60_000, 100, 60)
_MANY, _LESS = Planted(200_000, 60_000, 10_000, 60), Planted(5_000, 10_000, 500, 60)
_BOTH, _LITTLE = Planted(1_000_000, 60_000, 10_000, 60), Planted(10_000, 20_000, 1_000, 60)
_ITERATIONS = 3
_LIMIT = 3_600.0  # seconds for one run,
_LONGER = 4 * _LIMIT  # and for the longest
_ALLOWED = 2.2  # times the matrix
_HEADER = ("", "matrix MB", "peak MB", "peak / matrix", "seconds", "objective", "NMI")
_NOTE = "The peak is all that the process holds, the matrix and Python itself included."


def few_iterations(problem: Problem) -> Work:
    import textclust as tc

    model = tc.SphericalKMeans(
        problem.k, init=problem.centres, max_iter=problem.iterations, refine=False
    )
    return lambda: model.fit(problem.X).labels_


def defaults(problem: Problem) -> Work:
    import textclust as tc

    model = tc.SphericalKMeans(problem.k, random_state=0)
    return lambda: model.fit(problem.X).labels_


def without_refinement(problem: Problem) -> Work:
    import textclust as tc

    model = tc.SphericalKMeans(problem.k, random_state=0, refine=False)
    return lambda: model.fit(problem.X).labels_


def judge(problem: Problem, labels: Any) -> dict[str, Any]:
    """The peak of the whole process beside the matrix, and agreement with what was planted."""
    peak = resident.peak()
    from benchmarks.peers import objective
    from textclust.metrics import nmi

    X = problem.X
    matrix = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    return {
        "peak": peak,
        "matrix": matrix,
        "nmi": nmi(problem.truth, labels),
        "objective": objective(X, labels),
    }


def million(scale: Scale) -> Section:
    """One run each, in a process of its own; float32 values and int32 indices."""
    plan = _FEWER if scale.quick else _MILLION
    given = Contestant(
        f"SphericalKMeans, given centres, {_ITERATIONS} iterations", few_iterations, limit=_LIMIT
    )
    default = Contestant(f"SphericalKMeans({plan.k})", defaults, limit=_LIMIT)
    results = [
        *_once(given, Contest(partial(planted, plan, _ITERATIONS, "float32"), judge)),
        *_once(default, Contest(partial(unstarted, plan, plan.k, "float32"), judge)),
    ]
    title = f"Memory: {plan.n:,} documents, {plan.terms} non-zeros each, k = {plan.k}"
    checks = [] if scale.quick else [_within(results)]  # Python itself outweighs a small matrix
    return Section("memory", [], [_table(title, results, checks)])


def ten_thousand(scale: Scale) -> Section:
    """A default fit with as many clusters as a large collection has topics."""
    plan = _LESS if scale.quick else _MANY
    contest = Contest(partial(unstarted, plan, plan.k, "float32"), judge)
    results = _once(Contestant(f"SphericalKMeans({plan.k:,})", defaults, limit=_LIMIT), contest)
    title = f"Clusters by the thousand: {plan.n:,} documents, k = {plan.k:,}"
    about = f"{plan.terms} non-zeros each, {plan.d:,} terms."
    return Section("ten-thousand", [], [_table(title, results, [about])])


def million_in_ten_thousand(scale: Scale) -> Section:
    """Both at once: prototypes have to be sparse."""
    plan = _LITTLE if scale.quick else _BOTH
    contest = Contest(partial(unstarted, plan, plan.k, "float32"), judge)
    name = f"SphericalKMeans({plan.k:,}"
    results = [
        *_once(Contestant(f"{name}, refine=False)", without_refinement, limit=_LONGER), contest),
        *_once(Contestant(f"{name})", defaults, limit=_LONGER), contest),
    ]
    title = f"Clusters by the thousand: {plan.n:,} documents, k = {plan.k:,}"
    about = f"{plan.terms} non-zeros each, {plan.d:,} terms."
    return Section("million-ten-thousand", [], [_table(title, results, [about])])


def _once(contestant: Contestant, contest: Contest) -> list[Result]:
    return contest.among([contestant], 1, contestant.limit or _LIMIT)


def _within(results: Sequence[Result]) -> str:
    shares = [r.verdict["peak"] / r.verdict["matrix"] for r in results if r.runs]
    holds = len(shares) == len(results) and max(shares) <= _ALLOWED
    return f"At most {_ALLOWED} times the matrix: {yes_or_no(holds)}."


def _table(title: str, results: Sequence[Result], notes: Sequence[str]) -> Table:
    return Table(title, _HEADER, [_row(result) for result in results], (*notes, _NOTE))


def _row(result: Result) -> tuple[str, ...]:
    if not result.runs:
        return (result.name, *("–",) * 3, result.failure, "–", "–")
    seen = result.verdict
    sizes = (f"{seen[key] / 1e6:.0f}" for key in ("matrix", "peak"))
    return (
        result.name,
        *sizes,
        f"{seen['peak'] / seen['matrix']:.2f}",
        f"{result.seconds:.1f}",
        f"{seen['objective']:.2f}",
        f"{seen['nmi']:.3f}",
    )
