"""From the archive of 20 Newsgroups to a matrix: what the compiled cleaner of plain files earns."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path

import scipy.sparse as sp

from benchmarks import problems
from benchmarks.sections import Column, Scale, Section, agree, comparison, headline
from benchmarks.texts import digest
from benchmarks.workers import Contest, Contestant

__all__ = ["measure"]


def archive() -> Path:
    from textclust import corpora

    return corpora.path("20newsgroups")


def textclust(source: Path, without: tuple[str, ...] = ()) -> partial[sp.csr_array]:
    return partial(read_and_count, source, without)


def read_and_count(source: Path, without: tuple[str, ...]) -> sp.csr_array:
    """The matrix of an archive, some modules of the core left out."""
    from textclust import native
    from textclust.text.reading import open_documents
    from textclust.text.termspace import TermSpace

    with native.without(*without) if without else nullcontext():
        return TermSpace().fit_transform(open_documents(source))


def judge(source: Path, X: sp.csr_array) -> dict[str, str]:
    """What identifies a matrix."""
    return {"digest": digest(X)}


CONTESTANTS = (
    Contestant("textclust", textclust, essential=True),
    Contestant("no native cleaner", partial(textclust, without=("cleaning",)), essential=True),
)
_COLUMNS: dict[str, Column] = {
    "CPU seconds": lambda result: f"{result.cpu:.3f}",
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


def measure(scale: Scale) -> Section:
    """The archive with its mail cleaned by the core, and in Python."""
    problems.require_newsgroups()
    results = Contest(archive, judge).among(CONTESTANTS, scale.repeats)
    names = [contestant.name for contestant in CONTESTANTS]
    title = "Archive to matrix, 20 Newsgroups"
    table = comparison(title, results, _COLUMNS, [f"Same matrix: {agree(results, names)}."])
    return Section("reading", [headline(title, results, names[1])], [table])
