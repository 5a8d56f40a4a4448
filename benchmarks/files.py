"""From files to labels.csv in a cold process: what somebody at a terminal waits for."""

from __future__ import annotations

import csv
import hashlib
import sys
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.cold import ColdProcess
from benchmarks.measuring import Result, race, tell
from benchmarks.problems import newsgroups_are_here
from benchmarks.sections import Column, Scale, Section, agree, comparison, headline
from textclust import corpora
from textclust.experiments.table import Table

__all__ = ["measure"]

_TEXTCLUST = str(Path(sys.executable).with_name("textclust"))
_SCRIPT = str(Path(__file__).with_name("with_scikit_learn.py"))
_SCRIPTED = "scikit-learn, default n_init"
_PLAIN = "the same with report and model, without extras"
# The command line as it is where the extra `fast` is not installed.
_WITHOUT_EXTRAS = (
    "import sys; sys.modules['isal'] = None; from textclust.cli.main import main; main()"
)

_CPU: Column = lambda result: f"{result.cpu:.3f}"  # noqa: E731
_PEAK: Column = lambda result: f"{result.peak / 1e6:.0f}"  # noqa: E731


def measure(scale: Scale) -> Section:
    """The archive of 20 Newsgroups, the embedded sample, and --help."""
    with TemporaryDirectory() as folder:
        small = _small(Path(folder), scale)
        if scale.quick or not newsgroups_are_here():
            tell("  20 Newsgroups from its archive: left out")
            return Section("files", [], [small])
        title = "20 Newsgroups, from the archive to labels.csv"
        tell(f"  {title}")
        results = race(_on_newsgroups(Path(folder)), scale.repeats)
    columns: dict[str, Column] = {
        "CPU seconds": _CPU,
        "NMI": lambda result: f"{result.verdict['nmi']:.3f}",
        "peak MB": _PEAK,
    }
    checks = f"Same labels with and without the native core: {_same(results)}."
    script = "scikit-learn is benchmarks/with_scikit_learn.py; the peak is the whole process's."
    table = comparison(title, results, columns, [checks, script])
    (plain,) = (result for result in results if result.name == _PLAIN)
    lines = [
        headline(title, results, _SCRIPTED),
        headline(f"{title}, report and model, without extras", [plain, *results], _SCRIPTED),
    ]
    return Section("files", lines, [table, small])


def _on_newsgroups(folder: Path) -> list[ColdProcess]:
    archive = str(corpora.path("20newsgroups"))
    out, target = folder / "out", folder / "labels.csv"
    ours = [_TEXTCLUST, "cluster", archive, "--k", "20", "--out"]
    labels, everything = [*ours, str(out / "labels.csv")], [*ours, str(out)]
    plain = [sys.executable, "-c", _WITHOUT_EXTRAS, *everything[1:]]
    theirs = [sys.executable, _SCRIPT, archive, str(target)]
    of_ours, of_theirs = partial(judge, out / "labels.csv"), partial(judge, target)
    off = {"TEXTCLUST_NATIVE": "0"}
    return [
        ColdProcess("textclust cluster", labels, of_ours, essential=True),
        ColdProcess("textclust cluster, no native core", labels, of_ours, environment=off),
        ColdProcess("the same with report and model", everything, of_ours, essential=True),
        ColdProcess(_PLAIN, plain, of_ours, essential=True),
        ColdProcess(_SCRIPTED, theirs, of_theirs, essential=True),
        ColdProcess("scikit-learn, n_init=10", [*theirs, "10"], of_theirs),
    ]


def judge(labels: Path) -> dict[str, Any]:
    """Agreement with the folders the posts lie in."""
    from textclust.metrics import nmi

    with labels.open(newline="", encoding="utf-8") as file:
        rows = [
            (PurePosixPath(row["id"]).parent.name, row["cluster"]) for row in csv.DictReader(file)
        ]
    truth, clusters = zip(*rows, strict=True)
    digest = hashlib.sha256(",".join(clusters).encode()).hexdigest()
    return {"nmi": nmi(truth, clusters), "digest": digest}


def _same(results: list[Result]) -> str:
    return agree(results, [result.name for result in results[:2]])


def _small(folder: Path, scale: Scale) -> Table:
    """What a first try costs."""
    sample, out = str(corpora.path("newsgroups")), str(folder / "sample")
    commands = {
        "textclust --help": ["--help"],
        "textclust cluster SAMPLE --k 3": ["cluster", sample, "--k", "3"],
        "the same with --out": ["cluster", sample, "--k", "3", "--out", out],
    }
    if scale.quick:
        del commands["the same with --out"]
    title = "Cold starts"
    tell(f"  {title}")
    runners = [ColdProcess(name, [_TEXTCLUST, *words]) for name, words in commands.items()]
    rows = [
        (r.name, len(r.runs), f"{r.seconds:.3f}", _CPU(r), _PEAK(r))
        if r.runs
        else (r.name, 0, r.failure, "–", "–")
        for r in race(runners, scale.repeats)
    ]
    return Table(title, ("", "runs", "seconds", "CPU seconds", "peak MB"), rows)
