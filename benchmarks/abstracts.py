"""157,000 abstracts at the command line: many clusters beside few, each from a cold process.

The environment variable TEXTCLUST_ABSTRACTS names a table with a column `text`. Without it the
texts are made once: words drawn from those of 20 Newsgroups and classic4. A topic is the words of
some documents of one class; a text draws from its topic, from a second one, and from all words.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.cold import ColdProcess
from benchmarks.measuring import race
from benchmarks.problems import MissingDataError, kept
from benchmarks.sections import Column, Scale, Section, comparison, headline

__all__ = ["Abstracts", "measure"]

_TEXTCLUST = str(Path(sys.executable).with_name("textclust"))
_REAL = "TEXTCLUST_ABSTRACTS"
_COUNTS, _BRIEF_COUNTS = (20, 1000), (5, 50)
_SIZE, _BRIEF_SIZE = 157_000, 3_000
_TOPICS, _BRIEF_TOPICS = 2_000, 100
_DOCUMENTS = 5  # of a topic
_WORDS = 100  # of a text, on average
_SECOND, _ANY = 0.15, 0.35  # of the words: from a second topic, from all documents
_LIMIT = 1_800.0  # seconds for one run
_WORD = re.compile(r"[A-Za-z]+")

_COLUMNS: dict[str, Column] = {
    "CPU seconds": lambda result: f"{result.cpu:.1f}",
    "objective reported": lambda result: f"{result.verdict['objective']:.1f}",
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


@dataclass(frozen=True)
class Abstracts:
    """So many texts on so many topics, from documents of known classes; the same every time."""

    size: int
    topics: int

    def texts(self, documents: Sequence[str], classes: Sequence[str]) -> Iterator[str]:
        """The texts, one after the other."""
        rng = np.random.default_rng(0)
        words = [_WORD.findall(text) for text in documents]
        filled = np.array([place for place, found in enumerate(words) if found])
        known = np.asarray(classes)[filled]
        topics = [self._topic(rng, filled, known, words) for _ in range(self.topics)]
        every = np.array([word for place in filled for word in words[place]], dtype=object)
        for _ in range(self.size):
            own, second = rng.integers(self.topics, size=2)
            chance = rng.random(max(1, rng.poisson(_WORDS)))
            place = rng.random(len(chance))
            sources = (topics[own], topics[second], every)
            source = (chance < _SECOND + _ANY).astype(int) + (chance < _ANY)
            yield " ".join(
                sources[kind][int(at * len(sources[kind]))]
                for kind, at in zip(source.tolist(), place.tolist(), strict=True)
            )

    def _topic(self, rng: Any, filled: Any, known: Any, words: Sequence[list[str]]) -> list[str]:
        """The words of some documents of the class of one drawn at random."""
        same = filled[known == known[rng.integers(len(filled))]]
        chosen = rng.choice(same, min(_DOCUMENTS, len(same)), replace=False)
        return [word for place in chosen for word in words[place]]


def measure(scale: Scale) -> Section:
    """The same table in few clusters and in many, labels written."""
    made = Abstracts(_BRIEF_SIZE, _BRIEF_TOPICS) if scale.quick else Abstracts(_SIZE, _TOPICS)
    table, about = _table(made)
    counts = _BRIEF_COUNTS if scale.quick else _COUNTS
    with TemporaryDirectory() as folder:
        runners = [_runner(table, Path(folder) / str(k), k) for k in counts]
        results = race(runners, scale.repeats, _LIMIT)
    title = f"Abstracts: textclust cluster TABLE -k {counts[-1]:,} over -k {counts[0]}"
    whole = "Labels, report and model are written; the peak is the whole process's."
    shown = comparison(title, results, _COLUMNS, [about, whole])
    return Section("abstracts", [headline(title, results, runners[-1].name)], [shown])


def _runner(table: Path, out: Path, k: int) -> ColdProcess:
    command = [_TEXTCLUST, "cluster", str(table), "-k", str(k), "--out", str(out)]
    return ColdProcess(f"-k {k:,}", command, partial(judge, out), essential=True)


def judge(out: Path) -> dict[str, Any]:
    """The objective that the run reports."""
    report = json.loads((out / "clusters.json").read_text(encoding="utf-8"))
    return {"objective": report["objective"]}


def _table(made: Abstracts) -> tuple[Path, str]:
    """The table to cluster, and what it is."""
    named = os.environ.get(_REAL)
    if named:
        if not Path(named).exists():
            raise MissingDataError(f"{_REAL} names {named}, which does not exist")
        return Path(named), f"The table {Path(named).name}, which {_REAL} names."
    folder = kept(f"abstracts-{made.size}-{made.topics}", partial(_write, made=made))
    about = (
        f"A stand-in for a collection of abstracts: {made.size:,} texts of about {_WORDS} words "
        f"on {made.topics:,} topics, drawn from the words of 20 Newsgroups and classic4; "
        f"{_REAL} names a real table instead."
    )
    return folder / "abstracts.jsonl", about


def _write(folder: Path, made: Abstracts) -> None:
    from textclust import corpora
    from textclust.experiments.collections import classes, collection

    names = ("20newsgroups", "classic4")
    if any(corpora.find(name) is None for name in names):
        raise MissingDataError(f"the words of {' and '.join(names)} are not on this machine")
    found = [collection(name) for name in names]
    texts = [text for each in found for text in each.texts]
    known = [label for each in found for label in classes(each)]
    with (folder / "abstracts.jsonl").open("w", encoding="utf-8") as file:
        for number, text in enumerate(made.texts(texts, known)):
            file.write(json.dumps({"id": f"{number:06}", "text": text}) + "\n")
