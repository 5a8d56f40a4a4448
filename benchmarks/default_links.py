"""Links and a default fit: beside one without them, and up to a million cannot-links."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.peers import Sorted, judge
from benchmarks.problems import Problem, newsgroups, require_newsgroups, sample, unstarted
from benchmarks.sections import Column, Scale, Section, agree, comparison, headline
from benchmarks.sizes import race_between
from benchmarks.synthetic import Planted
from benchmarks.workers import Contest, Contestant, Work

__all__ = ["cannot_links", "default_links", "hmrf", "spherical"]

_LINKS, _FEW_LINKS = 10_000, 1_000
_FEW_EACH = 50  # posts of each group, for the quick run
_PLANS = (Planted(60_000, 30_000, 100, 60), Planted(60_000, 30_000, 100, 12))
_COUNTS = (10_000, 100_000, 1_000_000)
_BRIEF_PLANS = (Planted(6_000, 5_000, 20, 60), Planted(6_000, 5_000, 20, 12))
_BRIEF_COUNTS = (1_000, 10_000)
_SPARK = "generalized-kmeans-clustering"

_COLUMNS: dict[str, Column] = {
    "CPU seconds": lambda result: f"{result.cpu:.2f}",
    "objective": lambda result: f"{result.verdict['objective']:.2f}",
    "NMI": lambda result: f"{result.verdict['nmi']:.3f}",
    "links broken": lambda result: f"{result.verdict['broken']:,}",
    "iterations": lambda result: str(result.verdict["iterations"]),
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


def spherical(problem: Problem) -> Work:
    import textclust as tc

    return partial(_fitted, tc.SphericalKMeans(problem.k, random_state=0), problem.X)


def hmrf(problem: Problem, native: bool = True, **options: Any) -> Work:
    import textclust as tc

    model = tc.HMRFKMeans(problem.k, random_state=0, **options)
    links = tc.Constraints(problem.must_link, problem.cannot_link)
    return partial(_fitted, model, problem.X, native, constraints=links)


def _fitted(model: Any, X: Any, native: bool = True, **links: Any) -> Sorted:
    from textclust.native import without

    with nullcontext() if native else without():
        model.fit(X, **links)
    return Sorted(model.labels_, model.n_iter_)


def spark(problem: Problem) -> Work:
    """Written for Spark in Scala, without a Python distribution: it is named, never run."""
    raise ImportError("no Python interface is known")


WITHOUT = Contestant("SphericalKMeans", spherical, essential=True)
WITH = Contestant("HMRFKMeans", hmrf, essential=True)
_SINGLE = Contestant("HMRFKMeans, 1 thread", partial(hmrf, n_jobs=1))
_READABLE = Contestant("HMRFKMeans, no native core", partial(hmrf, n_jobs=1, native=False))


def linked_posts(each: int | None, count: int) -> Problem:
    """All posts, or so many of each group, with random links."""
    return (newsgroups(1) if each is None else sample(each, 1)).linked(count)


def default_links(scale: Scale) -> Section:
    """20 Newsgroups with random links as its classes have them, and without."""
    require_newsgroups()
    each, count = (_FEW_EACH, _FEW_LINKS) if scale.quick else (None, _LINKS)
    contest = Contest(partial(linked_posts, each, count), judge)
    results = contest.among((WITHOUT, WITH, _SINGLE, _READABLE), scale.repeats)
    posts = "20 Newsgroups" if each is None else f"{20 * each:,} posts"
    title = f"Default links: {posts}, {count:,} random links, k = 20"
    checks = (
        f"Same labels with one thread and with all: {agree(results, (WITH.name, _SINGLE.name))}; "
        f"with and without the native core: {agree(results, (_SINGLE.name, _READABLE.name))}."
    )
    table = comparison(title, results, _COLUMNS, ["All with their defaults.", checks])
    return Section("default-links", [headline(title, results, WITH.name)], [table])


def far_apart(plan: Planted, count: int) -> Problem:
    """A planted matrix with so many cannot-links."""
    return unstarted(plan, plan.k).apart(count)


def cannot_links(scale: Scale) -> Section:
    """The largest setting in which PCCC was published, with the defaults of textclust."""
    plans, counts = (_BRIEF_PLANS, _BRIEF_COUNTS) if scale.quick else (_PLANS, _COUNTS)
    parts = [_apart(plan, counts, scale.repeats) for plan in plans]
    headlines = [line for part in parts for line in part.headlines]
    return Section("cannot-links", headlines, [table for part in parts for table in part.tables])


def _apart(plan: Planted, counts: Sequence[int], repeats: int) -> Section:
    most = partial(far_apart, plan, counts[-1])
    linked = [(_with(count), partial(far_apart, plan, count)) for count in counts[:-1]]
    largest = replace(_with(counts[-1]), essential=True)
    peer = Contestant(_SPARK, spark, distribution=_SPARK)
    *results, absent = race_between(
        [(WITHOUT, most), *linked, (largest, most), (peer, most)], repeats
    )
    title = (
        f"Cannot-links: {plan.n:,} x {plan.d:,}, {plan.terms} non-zeros a row, k = {plan.k}, "
        "defaults"
    )
    notes = [
        f"Synthetic: {plan.k} planted clusters; random pairs of rows of two clusters. "
        f"SphericalKMeans is given no links; those it breaks are of the {counts[-1]:,}.",
        "Long rows are sorted almost without error, and links hardly matter; short rows are not.",
        "The setting is that of Baumann and Hochbaum, PCCC (arXiv 2212.14437), which is not "
        "measured: it is no Python distribution, and needs the commercial solver Gurobi.",
    ]
    table = comparison(title, [*results, absent], _COLUMNS, notes)
    return Section("", [headline(title, results, largest.name)], [table])


def _with(count: int) -> Contestant:
    return Contestant(f"HMRFKMeans, {count:,} cannot-links", hmrf)
