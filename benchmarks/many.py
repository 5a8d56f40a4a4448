"""Many clusters: how the time of a default fit grows with k."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from benchmarks.links import fits
from benchmarks.measuring import Result
from benchmarks.peers import judge
from benchmarks.problems import Problem, unstarted
from benchmarks.sections import Column, Headline, Scale, Section, agree, comparison, headline
from benchmarks.synthetic import Planted
from benchmarks.workers import Contest, Contestant, Work

__all__ = ["measure", "spherical"]

_PLAN = Planted(60_000, 30_000, 300, 60)
_COUNTS = (100, 300, 1000)
_BRIEF_PLAN, _BRIEF_COUNTS = Planted(5_000, 5_000, 30, 60), (10, 30, 100)
_LIMIT = 900.0  # seconds for one run

_COLUMNS: dict[str, Column] = {
    "CPU seconds": lambda result: f"{result.cpu:.1f}",
    "objective": lambda result: f"{result.verdict['objective']:.2f}",
    "NMI": lambda result: f"{result.verdict['nmi']:.3f}",
    "iterations": lambda result: str(result.verdict["iterations"]),
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


def spherical(problem: Problem, k: int, **options: Any) -> Work:
    import textclust as tc

    return fits(tc.SphericalKMeans(k, random_state=0, **options), problem.X)


def measure(scale: Scale) -> Section:
    """One matrix in few clusters and in many, by default and without refinement."""
    plan, counts = (_BRIEF_PLAN, _BRIEF_COUNTS) if scale.quick else (_PLAN, _COUNTS)
    contest = Contest(partial(unstarted, plan, plan.k), judge)
    default = contest.among([*_defaults(counts), _alone(counts[0])], scale.repeats, _LIMIT)
    plain = contest.among(list(_unrefined(counts)), scale.repeats, _LIMIT)
    size = f"{plan.n:,} x {plan.d:,}"
    title = f"Many clusters: {size}, default SphericalKMeans"
    made = (
        f"Synthetic: {plan.terms} non-zeros a row, Zipf-like frequencies, {plan.k} planted "
        "clusters, float64."
    )
    same = agree(default, [_name(counts[0]), _alone(counts[0]).name])
    tables = [
        comparison(title, default, _COLUMNS, [made, f"Same labels with one thread: {same}."]),
        comparison(f"Many clusters: {size}, refine=False", plain, _COLUMNS, [made]),
    ]
    return Section("many", [_grows(title, default, counts), _grows(title, plain, counts)], tables)


def _grows(title: str, results: Sequence[Result], counts: Sequence[int]) -> Headline:
    """The time with most clusters over that with fewest."""
    (most,) = (r for r in results if r.name.startswith(_name(counts[-1])))
    what = title if most.name == _name(counts[-1]) else f"{title} with refine=False"
    return headline(f"{what}, over {_name(counts[0])}", results, most.name)


def _name(k: int) -> str:
    return f"k = {k:,}"


def _defaults(counts: Sequence[int]) -> Iterator[Contestant]:
    for k in counts:
        yield Contestant(_name(k), partial(spherical, k=k), essential=True, limit=_LIMIT)


def _unrefined(counts: Sequence[int]) -> Iterator[Contestant]:
    for k in counts:
        prepare = partial(spherical, k=k, refine=False)
        name = f"{_name(k)}, refine=False"
        yield Contestant(name, prepare, essential=True, limit=_LIMIT)


def _alone(k: int) -> Contestant:
    return Contestant(f"{_name(k)}, 1 thread", partial(spherical, k=k, n_jobs=1), limit=_LIMIT)
