"""Cost curves: how the time of a default fit grows with n, non-zeros, k and links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from benchmarks.default_links import hmrf, spherical
from benchmarks.measuring import Result, power, tell
from benchmarks.problems import Problem, unstarted
from benchmarks.sections import Scale, Section
from benchmarks.sizes import Entry, race_between
from benchmarks.synthetic import Planted
from benchmarks.workers import Contestant
from textclust.experiments.table import Table

__all__ = ["measure"]

_BASE = Planted(n=20_000, d=20_000, k=50, terms=50)
_GRIDS = {
    "n": (10_000, 20_000, 40_000, 80_000, 160_000),
    "terms": (12, 25, 50, 100, 200),
    "k": (25, 50, 100, 200, 400),
    "links": (1_000, 4_000, 16_000, 64_000, 256_000),
}
_BRIEF_BASE = Planted(n=2_000, d=3_000, k=20, terms=40)
_BRIEF_GRIDS = {"n": (1_000, 2_000, 4_000), "k": (10, 20, 40), "links": (100, 1_000)}
_NAMES = {"n": "documents", "terms": "non-zeros a row", "k": "clusters", "links": "random links"}


def measure(scale: Scale) -> Section:
    """One size at a time, the others fixed; links with HMRFKMeans, the rest SphericalKMeans."""
    base, grids = (_BRIEF_BASE, _BRIEF_GRIDS) if scale.quick else (_BASE, _GRIDS)
    curves = {size: _curve(base, size, grid, scale.repeats) for size, grid in grids.items()}
    rows = [
        _row(size, value, result)
        for size, grid in grids.items()
        for value, result in zip(grid, curves[size], strict=True)
    ]
    fixed = (
        f"Planted clusters, n = {base.n:,}, d = {base.d:,}, k = {base.k}, {base.terms} non-zeros a "
        "row but for the size that grows; SphericalKMeans, and HMRFKMeans for links, with their "
        "defaults. The values of a size take turns."
    )
    header = ("size", "value", "runs", "seconds", "objective", "iterations", "peak MB")
    powers = (_power(size, grids[size], curves[size]) for size in grids)
    title = "Cost curves: a default fit, one size at a time"
    return Section("curves", [], [Table(title, header, rows, (fixed, *powers))])


def linked(plan: Planted, count: int) -> Problem:
    """A planted matrix with so many links as its clusters have them."""
    return unstarted(plan, plan.k).linked(count)


def _curve(base: Planted, size: str, grid: Sequence[int], repeats: int) -> list[Result]:
    tell(f"  {_NAMES[size]}")
    return race_between([_entry(base, size, value) for value in grid], repeats)


def _entry(base: Planted, size: str, value: int) -> Entry:
    name = f"{value:,} {_NAMES[size]}"
    if size == "links":
        return Contestant(name, hmrf), partial(linked, base, value)
    sizes: Mapping[str, int] = {size: value}
    plan = replace(base, **sizes)
    return Contestant(name, spherical), partial(unstarted, plan, plan.k)


def _row(size: str, value: int, result: Result) -> tuple[str, ...]:
    if not result.runs:
        return (_NAMES[size], f"{value:,}", "0", result.failure, *("–",) * 3)
    seen = result.verdict
    return (
        _NAMES[size],
        f"{value:,}",
        str(len(result.runs)),
        f"{result.seconds:.3f}",
        f"{seen['objective']:.2f}",
        str(seen["iterations"]),
        f"{result.peak / 1e6:.0f}",
    )


def _power(size: str, grid: Sequence[int], results: Sequence[Result]) -> str:
    """The exponent that fits the whole curve."""
    ended = [(value, r.seconds) for value, r in zip(grid, results, strict=True) if r.runs]
    if len(ended) < 2:
        return f"Too few runs ended to say how time grows with the {_NAMES[size]}."
    found = power(*zip(*ended, strict=True))
    return (
        f"Time grows with the {_NAMES[size]} to the power {found.exponent:.2f} by least squares, "
        f"which misses no point by more than a factor of {found.miss:.2f}."
    )
