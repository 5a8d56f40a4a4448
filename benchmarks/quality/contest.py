"""One tool on one collection: the same texts for all, each run a process of its own."""

from __future__ import annotations

import csv
import json
import statistics
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.cold import ColdProcess
from benchmarks.measuring import NoResultError, Run, tell
from benchmarks.quality.contestants import Contestant
from benchmarks.quality.ledger import Outcome
from textclust.experiments.collections import classes, collection
from textclust.metrics import nmi

__all__ = ["COLLECTIONS", "judge", "measure"]

COLLECTIONS = (
    "newsgroups",
    "classic4",
    "3-news-related-1000",
    "3-news-similar-1000",
    "20newsgroups",
)
_LIMIT = 3600.0  # seconds for one run


def measure(name: str, contestant: Contestant) -> Outcome:
    """Run it with as many random states as it says, and look at the labels."""
    tell(f"{name}: {contestant.name}")
    today = date.today().isoformat()
    reason = contestant.environment.prepare()
    if reason:
        tell(f"  {reason}")
        return Outcome(name, contestant.name, today, failure=reason)
    with TemporaryDirectory() as folder:
        texts, truth = Path(folder) / "texts.jsonl", classes(collection(name))
        _write(name, texts)
        runs: list[Run] = []
        for seed in range(contestant.seeds):
            labels = Path(folder) / f"labels-{seed}.csv"
            command = contestant.command(texts, len(set(truth)), seed, labels)
            try:
                run = ColdProcess(contestant.name, command, partial(judge, labels, truth))
                runs.append(run.run(_LIMIT))
            except NoResultError as failure:
                tell(f"  {failure}")
                return Outcome(name, contestant.name, today, failure=str(failure))
            tell(f"  NMI {runs[-1].verdict['nmi']:.3f}, {runs[-1].seconds:.1f} s")
    return Outcome(
        name,
        contestant.name,
        today,
        tuple(run.verdict["nmi"] for run in runs),
        tuple(run.verdict["clusters"] for run in runs),
        statistics.median(run.seconds for run in runs),
        statistics.median(run.cpu for run in runs),
        max(run.peak for run in runs) / 1e6,
        contestant.environment.megabytes(),
    )


def _write(name: str, path: Path) -> None:
    """The texts without what headers say of their class; their numbers are the ids."""
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(collection(name).texts):
            file.write(json.dumps({"id": str(number), "text": text}) + "\n")


def judge(labels: Path, truth: list[str]) -> dict[str, Any]:
    """Agreement with the classes; documents that a tool leaves out are a cluster of their own."""
    with labels.open(newline="", encoding="utf-8") as file:
        cluster_of = {int(row["id"]): row["cluster"] for row in csv.DictReader(file)}
    found = np.array([cluster_of.get(number, "-1") for number in range(len(truth))])
    return {"nmi": nmi(truth, found), "clusters": len(set(found.tolist()) - {"-1"})}
