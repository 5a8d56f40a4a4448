"""How the time of an iteration grows with n, with the non-zeros of a row and with k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from benchmarks.measuring import Result, power, tell
from benchmarks.peers import LLOYD, OURS, judge
from benchmarks.problems import planted
from benchmarks.sections import Scale, Section, ratio
from benchmarks.synthetic import Planted
from benchmarks.workers import Contest
from textclust.experiments.table import Table

__all__ = ["measure"]

_ITERATIONS = 3
_BASE = Planted(n=25_000, d=20_000, k=50, terms=50)
_GRIDS = {
    "n": (12_500, 25_000, 50_000, 100_000),
    "terms": (25, 50, 100, 200),
    "k": (25, 50, 100, 200, 400),
}
_BRIEF_BASE = Planted(n=5_000, d=5_000, k=20, terms=40)
_BRIEF_GRIDS = {"n": (5_000, 10_000), "k": (20, 40)}
_NAMES = {"n": "documents", "terms": "non-zeros a row", "k": "clusters"}


def measure(scale: Scale) -> Section:
    """Double one size at a time, the others fixed."""
    base, grids = (_BRIEF_BASE, _BRIEF_GRIDS) if scale.quick else (_BASE, _GRIDS)
    plans = {replace(base, **{size: value}) for size, grid in grids.items() for value in grid}
    results = {plan: _race(plan, scale.repeats) for plan in sorted(plans, key=_bulk)}
    rows, exponents = [], []
    for size, grid in grids.items():
        line = [(value, results[replace(base, **{size: value})]) for value in grid]
        rows += [_row(size, value, pair) for value, pair in line]
        exponents.append(_exponents(size, line))
    title = "Scaling: one size doubled at a time"
    fixed = (
        f"Planted clusters, n = {base.n:,}, d = {base.d:,}, k = {base.k}, {base.terms} non-zeros "
        f"a row but for the size that grows; a run of {_ITERATIONS} iterations divided by them."
    )
    header = ("size", "value", "textclust s", "scikit-learn lloyd s", "times as long")
    return Section("scaling", [], [Table(title, header, rows, (fixed, *exponents))])


def _bulk(plan: Planted) -> int:
    return plan.n * plan.terms * plan.k


def _race(plan: Planted, repeats: int) -> Sequence[Result]:
    tell(f"  n = {plan.n:,}, k = {plan.k}, {plan.terms} non-zeros a row")
    contestants = (OURS[0], replace(LLOYD, essential=False))  # no headline compares them
    return Contest(partial(planted, plan, _ITERATIONS), judge).among(contestants, repeats)


def _row(size: str, value: int, pair: Sequence[Result]) -> tuple[str, ...]:
    seconds = (f"{r.seconds / _ITERATIONS:.4f}" if r.runs else r.failure for r in pair)
    return (_NAMES[size], f"{value:,}", *seconds, ratio(pair[1], pair[0]) if pair[1].runs else "–")


def _exponents(size: str, line: Sequence[tuple[int, Sequence[Result]]]) -> str:
    """The powers of the size that the times grow with, by least squares."""
    powers = []
    for place in range(2):
        ended = [(value, pair[place].seconds) for value, pair in line if pair[place].runs]
        powers.append(f"{power(*zip(*ended, strict=True)).exponent:.2f}" if len(ended) > 1 else "–")
    return f"Time grows with the {_NAMES[size]} to the power {powers[0]}; scikit-learn {powers[1]}."
