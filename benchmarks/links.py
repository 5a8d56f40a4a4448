"""Links between documents: what they cost an iteration, and beside a peer that takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.measuring import Result
from benchmarks.peers import OWN_START, SAME_START, Sorted, active_semi_supervised, judge
from benchmarks.problems import Problem, newsgroups, require_newsgroups, sample
from benchmarks.sections import Column, Scale, Section, comparison, headline, yes_or_no
from benchmarks.workers import Contest, Contestant, Work

__all__ = ["fits", "measure"]

_ITERATIONS = 20
_LINKS = 10_000  # between all posts
_EACH, _FEW_EACH = 150, 30  # posts of each group, and for the quick run
_GROUPS = 20
_PATIENCE = 60.0  # seconds, with the peer that goes over all pairs of documents
_PEER = "active-semi-supervised-clustering"


def many_links() -> Problem:
    """All posts, with links between some of them."""
    return newsgroups(_ITERATIONS).linked(_LINKS)


def few_posts(each: int) -> Problem:
    """Some posts of each group, with as many links."""
    return sample(each, _ITERATIONS).linked(each * _GROUPS)


def spherical(problem: Problem) -> Work:
    import textclust as tc

    return fits(tc.SphericalKMeans(problem.k, **_given(problem)), problem.X)


def hmrf(problem: Problem) -> Work:
    import textclust as tc

    model = tc.HMRFKMeans(problem.k, inference="icm", **_given(problem))
    return fits(model, problem.X, constraints=_constraints(problem))


def from_neighbourhoods(problem: Problem, method: str, **options: Any) -> Work:
    """From the largest neighbourhoods, which is where the peer's PCKMeans begins."""
    import textclust as tc

    model = getattr(tc, method)(
        problem.k,
        init="largest",
        n_init=1,
        max_iter=problem.iterations,
        tol=0.0,
        refine=False,  # the peer has no such search
        random_state=0,
        **options,
    )
    return fits(model, problem.X, constraints=_constraints(problem))


def _given(problem: Problem) -> dict[str, Any]:
    return {
        "init": problem.centres,
        "max_iter": problem.iterations,
        "tol": 0.0,
        "refine": False,
        "random_state": 0,
    }


def _constraints(problem: Problem) -> Any:
    import textclust as tc

    return tc.Constraints(problem.must_link, problem.cannot_link)


def fits(model: Any, X: Any, **links: Any) -> Work:
    def work() -> Sorted:
        model.fit(X, **links)
        return Sorted(model.labels_, model.n_iter_)

    return work


WITHOUT = Contestant("SphericalKMeans", spherical, SAME_START, essential=True)
WITH = Contestant(f"HMRFKMeans, ICM, {_LINKS:,} links", hmrf, SAME_START, essential=True)
OURS = Contestant(
    "textclust HMRFKMeans",
    partial(from_neighbourhoods, method="HMRFKMeans"),
    "the largest neighbourhoods, its own price",
    essential=True,
)
EUCLIDEAN = Contestant(
    "textclust PCKMeans",
    # The peer halves squared distances, and lists what its links entail.
    partial(from_neighbourhoods, method="PCKMeans", weight=2.0, entailed=True),
    "the largest neighbourhoods, the same price",
)
THEIRS = Contestant(
    f"{_PEER}, PCKMeans",
    active_semi_supervised,
    "the largest neighbourhoods",
    _PEER,
    essential=True,
)
LEARNING = Contestant(
    f"{_PEER}, MPCKMeans",
    partial(active_semi_supervised, method="MPCKMeans"),
    OWN_START,
    _PEER,
    limit=_PATIENCE,
)

_COLUMNS: dict[str, Column] = {
    "CPU seconds": lambda result: f"{result.cpu:.4f}",
    "NMI": lambda result: f"{result.verdict['nmi']:.3f}",
    "links broken": lambda result: f"{result.verdict['broken']:,}",
    "iterations": lambda result: str(result.verdict["iterations"] or "–"),
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


def measure(scale: Scale) -> Section:
    """What links cost, and what a peer takes for them."""
    require_newsgroups()
    parts = [_price_of_links(scale), _beside_the_peer(scale)]
    headlines = [line for part in parts for line in part.headlines]
    return Section("links", headlines, [table for part in parts for table in part.tables])


def _price_of_links(scale: Scale) -> Section:
    results = Contest(many_links, judge).among((WITHOUT, WITH), scale.repeats)
    title = f"Links: an iteration with {_LINKS:,} random links and without, 20 Newsgroups, k = 20"
    note = f"A run of at most {_ITERATIONS} iterations, divided by them; its setting up included."
    single = [per_iteration(result) for result in results]
    table = comparison(title, single, _COLUMNS, [note])
    what = "20 Newsgroups, an iteration of SphericalKMeans"
    return Section("", [headline(what, single, WITH.name)], [table])


def _beside_the_peer(scale: Scale) -> Section:
    each = _FEW_EACH if scale.quick else _EACH
    contestants = (OURS, EUCLIDEAN, THEIRS, LEARNING)
    results = Contest(partial(few_posts, each), judge).among(contestants, scale.repeats)
    count = f"{each * _GROUPS:,}"
    title = f"Links: {count} posts, {count} random links, k = 20, at most {_ITERATIONS} iterations"
    notes = [
        f"{each} posts of each group, in the words that one in a hundred of the posts has: a "
        "sparse matrix for textclust, the same as an array for the peer.",
        *(f"{_no_worse(results, each.name)}." for each in (OURS, EUCLIDEAN)),
    ]
    line = headline(title, results, THEIRS.name, _no_worse(results, OURS.name))
    return Section("", [line], [comparison(title, results, _COLUMNS, notes)])


def per_iteration(result: Result) -> Result:
    """The same runs, each divided by the iterations that it took."""
    counts = [run.verdict["iterations"] for run in result.runs]
    runs = [
        replace(run, seconds=run.seconds / count, cpu=run.cpu / count)
        for run, count in zip(result.runs, counts, strict=True)
    ]
    return Result(result.name, result.given, runs, result.failure)


def _no_worse(results: Sequence[Result], ours: str) -> str:
    """Whether our labels agree with the classes at least as well as the peer's."""
    found = {result.name: result.verdict["nmi"] for result in results if result.runs}
    if not {ours, THEIRS.name} <= set(found):
        return f"NMI of {ours} not compared"
    return f"NMI of {ours} no worse: {yes_or_no(found[ours] >= found[THEIRS.name])}"
