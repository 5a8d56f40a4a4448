"""k-means from the same start for the same number of iterations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from benchmarks import problems
from benchmarks.measuring import Result
from benchmarks.peers import DENSE, LLOYD, OURS, QUICK, REFINED, SPARSE, judge
from benchmarks.problems import Problem, embedded, planted, require_newsgroups
from benchmarks.sections import (
    Column,
    Headline,
    Scale,
    Section,
    agree,
    comparison,
    headline,
    yes_or_no,
)
from benchmarks.synthetic import Embedded, Planted
from benchmarks.workers import Contest, Contestant

__all__ = ["BRIEF", "FULL", "measure"]

_TO_THE_STOP = 300


@dataclass(frozen=True)
class _Event:
    """A problem, and who takes part."""

    title: str
    load: Callable[[], Problem]
    contestants: Sequence[Contestant]
    about: str
    needs_newsgroups: bool = False
    is_headline: bool = True


_WITH_REFINEMENT = (*REFINED, replace(OURS[0], name="textclust, refine=False"), LLOYD)
_NEWSGROUPS = "the posts of 20 Newsgroups as TextVectorizer(min_df=3) sees them"
_SEARCH = "Refined is what a user gets; the peer and refine=False stop without that search."
FULL = {
    "N": _Event(
        "N: 20 Newsgroups, k = 20, 20 iterations",
        partial(problems.newsgroups, 20),
        SPARSE,
        f"19,993 x 44,429 with 1.4 million non-zeros: {_NEWSGROUPS}, float64.",
        needs_newsgroups=True,
    ),
    "B": _Event(
        "B: 200,000 x 60,000, k = 100, 3 iterations",
        partial(planted, Planted(200_000, 60_000, 100, 91), 3),
        SPARSE,
        "Synthetic: 91 non-zeros a row, Zipf-like frequencies, 100 planted clusters, float64.",
    ),
    "C": _Event(
        "C: 20,000 x 20,000, k = 500, to the stop",
        partial(planted, Planted(20_000, 20_000, 500, 50), _TO_THE_STOP),
        SPARSE,
        "Synthetic: 50 non-zeros a row, Zipf-like frequencies, 500 planted clusters, float64.",
    ),
    "D": _Event(
        "D: 2,000 posts in 100 dense dimensions, k = 20, 20 iterations",
        partial(problems.latent, 20),
        DENSE,
        "For peers that take no sparse matrix: 100 posts of each group after a truncated SVD.",
        needs_newsgroups=True,
        is_headline=False,
    ),
    "refined": _Event(
        "Refined: 20,000 x 20,000, k = 500, 8 iterations",
        partial(planted, Planted(20_000, 20_000, 500, 50), 8),
        _WITH_REFINEMENT,
        f"The matrix of C. {_SEARCH}",
    ),
    "dense": _Event(
        "Dense: 20,000 x 384 in float32, k = 50, 20 iterations",
        partial(embedded, Embedded(20_000, 384, 50), 20),
        (*OURS, *REFINED, LLOYD),
        f"Synthetic: unit rows with planted clusters, as embeddings have. {_SEARCH}",
    ),
}
BRIEF = {
    "N": _Event(
        "N: 20 Newsgroups, k = 20, 10 iterations",
        partial(problems.newsgroups, 10),
        QUICK,
        f"19,993 x 44,429: {_NEWSGROUPS}.",
        needs_newsgroups=True,
    ),
    "C": _Event(
        "A small C: 5,000 x 5,000, k = 125, to the stop",
        partial(planted, Planted(5_000, 5_000, 125, 50), _TO_THE_STOP),
        QUICK,
        "Synthetic: 50 non-zeros a row, Zipf-like frequencies, 125 planted clusters.",
    ),
    "refined": _Event(
        "Refined: 5,000 x 5,000, k = 125, 8 iterations",
        partial(planted, Planted(5_000, 5_000, 125, 50), 8),
        _WITH_REFINEMENT,
        f"The matrix of the small C. {_SEARCH}",
    ),
    "dense": _Event(
        "Dense: 5,000 x 384 in float32, k = 50, 20 iterations",
        partial(embedded, Embedded(5_000, 384, 50), 20),
        (*OURS, *REFINED, LLOYD),
        f"Synthetic: unit rows with planted clusters, as embeddings have. {_SEARCH}",
    ),
}

_COLUMNS: dict[str, Column] = {
    "objective": lambda result: f"{result.verdict['objective']:.2f}",
    "NMI": lambda result: f"{result.verdict['nmi']:.3f}",
    "iterations": lambda result: str(result.verdict["iterations"] or "–"),
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


def measure(name: str, scale: Scale) -> Section:
    """One problem, every peer."""
    event = ({**FULL, **BRIEF} if scale.quick else FULL)[name]
    if event.needs_newsgroups:
        require_newsgroups()
    results = Contest(event.load, judge).among(event.contestants, scale.repeats)
    table = comparison(event.title, results, _COLUMNS, [event.about, *_checks(results)])
    return Section(name, _headlines(event.title, results) if event.is_headline else [], [table])


def _headlines(title: str, results: Sequence[Result]) -> list[Headline]:
    """The peer beside what a user gets, with and without refinement where both take part."""
    (theirs,) = (result for result in results if result.name == LLOYD.name)
    return [
        headline(
            title if ours is results[0] else f"{title}, refined",
            [ours, theirs],
            LLOYD.name,
            _objectives(ours, theirs),
        )
        for ours in results
        if ours.name in (OURS[0].name, REFINED[0].name)
    ]


def _checks(results: Sequence[Result]) -> list[str]:
    """What the numbers must show, and what else is worth knowing."""
    by_name = {result.name: result for result in results}
    trios = [names for names in map(_names, (OURS, REFINED)) if set(names) <= set(by_name)]
    remarks = [
        f"{result.name}: {result.verdict['remark']}."
        for result in results
        if result.runs and result.verdict["remark"]
    ]
    return [
        *(_same_labels(results, *names) for names in trios),
        *(f"{_objectives(by_name[whole], by_name[LLOYD.name])}." for whole, _, _ in trios),
        *remarks,
    ]


def _names(contestants: Sequence[Contestant]) -> tuple[str, str, str]:
    whole, single, readable = (contestant.name for contestant in contestants)
    return whole, single, readable


def _same_labels(results: Sequence[Result], whole: str, single: str, readable: str) -> str:
    return (
        f"{whole}: same labels with one thread and with all: {agree(results, (whole, single))}; "
        f"with and without the native core: {agree(results, (single, readable))}."
    )


def _objectives(ours: Result, theirs: Result) -> str:
    """Whether ours is no worse than that of the peer with the same start, but for rounding."""
    if not ours.runs or not theirs.runs:
        return f"Objective of {ours.name} not compared"
    least, most = ours.verdict["objective"], theirs.verdict["objective"] * (1 + 1e-9)
    return f"Objective of {ours.name} no worse: {yes_or_no(least <= most)}"
