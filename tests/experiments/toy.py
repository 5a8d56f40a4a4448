"""A small experiment whose figures are known, for the tests of the runner."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from textclust.experiments.declared import Experiment, grid


def unit(case, run):
    """Two folds for each number of links; `diary`, where it is given, lists every call."""
    if "diary" in case:
        with Path(case["diary"]).open("a", encoding="utf-8") as diary:
            diary.write(f"{case['variant']} {run}\n")
    if case.get("stops_at") == run:
        _wait_for(Path(case["after"]), "good")
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(60)
    for links in (0, 10):
        for fold in (0, 1):
            bonus = 0.1 if case["variant"] == "good" else 0.0
            yield {"links": links, "NMI": 0.5 + bonus * links / 10 + run / 100 + fold / 10}


def _wait_for(file, word):
    """Return when a file is there and has a word in it."""
    deadline = time.monotonic() + 60
    while not (file.exists() and word in file.read_text(encoding="utf-8")):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def toy(**changes):
    """The experiment, with some of it changed."""
    parts = {
        "name": "toy-fig-1",
        "title": "NMI by the number of links",
        "source": "Nobody 2005, figure 1",
        "unit": unit,
        "cases": grid(variant=("good", "plain")),
        "runs": 3,
        "axes": ("variant", "links"),
        "x": "links",
        "lines": "variant",
        "gain_over": ("links", 0),
        "gain_of": ("good",),
        "paper": {("good", 10): 0.75},
    }
    return Experiment(**{**parts, **changes})
