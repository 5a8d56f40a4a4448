"""Kernels: what 10,000 documents take without a table of all pairs, in time and in memory."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks.links import fits
from benchmarks.peers import judge
from benchmarks.problems import Problem, require_newsgroups, sample
from benchmarks.sections import Column, Scale, Section, comparison
from benchmarks.workers import Contest, Contestant, Work

__all__ = ["measure"]

_EACH, _FEW_EACH = 500, 50  # posts of each group, and for the quick run
_LANDMARKS = 500


def spherical(problem: Problem) -> Work:
    import textclust as tc

    return fits(tc.SphericalKMeans(problem.k, random_state=0), problem.X)


def kernel(problem: Problem, **options: Any) -> Work:
    import textclust as tc

    return fits(tc.SSKernelKMeans(problem.k, random_state=0, **options), problem.X)


CONTESTANTS = (
    Contestant("SphericalKMeans", spherical, essential=True),
    Contestant(
        "SSKernelKMeans, nearest neighbours", partial(kernel, kernel="neighbours"), essential=True
    ),
    Contestant(
        f"SSKernelKMeans, rbf, {_LANDMARKS} landmarks",
        partial(kernel, n_landmarks=_LANDMARKS),
        essential=True,
    ),
)
_COLUMNS: dict[str, Column] = {
    "CPU seconds": lambda result: f"{result.cpu:.1f}",
    "NMI": lambda result: f"{result.verdict['nmi']:.3f}",
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


def measure(scale: Scale) -> Section:
    """Posts of all groups through the graph of nearest neighbours, and through landmarks."""
    require_newsgroups()
    each = _FEW_EACH if scale.quick else _EACH
    results = Contest(partial(sample, each, 1), judge).among(CONTESTANTS, scale.repeats)
    title = f"Kernels: {20 * each:,} posts, k = 20"
    return Section("kernels", [], [comparison(title, results, _COLUMNS)])
