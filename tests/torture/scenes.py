"""A folder with results, commands that write to it, harm amid them, and what must be there then.

The old results are there or the new ones, nothing of the user's has gone, and the next run clears
what was left.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from textclust.cli.main import run as run_here

import textclust as tc
from tests.cli.conftest import TEXTS
from tests.cli.running import read_rows, write_files
from tests.cli.test_add import LATER
from tests.torture.children import Child, Ended, command, run
from tests.torture.trials import Trial
from tests.writing.steps import at_step, interrupt, listing
from textclust.writing import recover

FIRST = ("cluster", "texts", "-k", 2, "--out", "out")
COMMANDS: dict[str, tuple[object, ...]] = {
    "cluster": ("cluster", "texts", "-k", 3, "--out", "out"),
    "cluster, kept": ("cluster", "texts", "-k", 3, "--out", "out", "--keep"),
    "one file": ("cluster", "texts", "-k", 3, "--out", "out/labels.csv"),
    "add": ("add", "out", "later"),
    "rename": ("rename", "out", 0, "a name of mine"),
    "ask": ("ask", "texts", "-k", 3, "--queries", 12, "--oracle", "folders", "--answers", "a.csv"),
}
MINE = {"out/mine.txt": "mine\n", "mine.csv": "id,label\nbread/1,x\n"}
GIVEN = "left,right,kind\nbread/1,moon/1,cannot-link\n"
FOLDER = re.compile(rb'"folder": "[^"]*"')
Files = dict[str, bytes | None]


@dataclass(frozen=True)
class Work:
    """A command, what is there before it and after it, its steps and its seconds."""

    arguments: tuple[object, ...]
    old: Files
    new: Files
    steps: int
    seconds: float


@cache
def before() -> Path:
    """A folder with texts, results, answers, and files of the user's; not to be changed."""
    place = Path(tempfile.mkdtemp(prefix="textclust-torture-before-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    write_files(place / "texts", TEXTS)
    write_files(place / "later", LATER)
    ended = run(place, *FIRST)
    assert ended.code == 0, ended.err
    write_files(place, {**MINE, "a.csv": GIVEN})
    return place


@cache
def work(name: str) -> Work:
    """A command that was run without harm."""
    with tempfile.TemporaryDirectory(prefix="textclust-torture-") as at:
        place = fresh(Path(at) / "place")
        steps, seconds = measured(place, COMMANDS[name])
        return Work(COMMANDS[name], written(before()), written(place), steps, seconds)


def fresh(place: Path) -> Path:
    shutil.copytree(before(), place, dirs_exist_ok=True)
    return place


def measured(place: Path, arguments: tuple[object, ...]) -> tuple[int, float]:
    """How many steps of `tests.writing.steps` a command takes, and how many seconds."""

    def count() -> None:
        begun = time.monotonic()
        with at_step(pytest.MonkeyPatch(), -1, interrupt, after=False) as numbers:
            code = run_here([str(each) for each in arguments])
        print(f"\n{len(numbers)} {time.monotonic() - begun}", flush=True)
        os._exit(code)

    ended = Child(count, place).wait()
    require_success(ended)
    steps, seconds = ended.out.split()[-2:]
    return int(steps), float(seconds)


def require_success(ended: Ended) -> None:
    assert ended.code == 0, ended


def written(place: Path) -> Files:
    """Everything there but the history, whose folders are named by the time.

    Where a command was given is left out of its record.
    """
    return {
        name: data and FOLDER.sub(b"", data) if name == "out/run.json" else data
        for name, data in listing(place).items()
        if not name.startswith("out/history")
    }


def harmed_at_a_step(trial: Trial, happens: Callable[[], None], name: str, after: bool) -> Ended:
    """A command to which something happens at one of its steps."""
    place, known = fresh(trial.place / "place"), work(name)
    number = trial.rng.randrange(known.steps)
    if trial.rng.random() < 0.6:  # when results move
        number = max(0, known.steps - 1 - int(trial.rng.expovariate(1 / 15)))
    print(f"{name}: step {number} of {known.steps}, {'after' if after else 'before'}")

    def harmed() -> None:
        with at_step(pytest.MonkeyPatch(), number, happens, after=after):
            code = run_here([str(each) for each in known.arguments])
        os._exit(code)

    return Child(harmed, place).wait()


def harmed_by_a_signal(trial: Trial, number: int, name: str) -> Ended:
    """A command that is sent a signal at a random moment, now and then twice."""
    place, known = fresh(trial.place / "place"), work(name)
    child = Child(command(*known.arguments), place)
    for _ in range(trial.rng.choice([1, 1, 2])):
        time.sleep(trial.rng.random() * known.seconds * 1.1)
        child.send(number)
    return child.wait()


def require_old_or_new(place: Path, name: str, ended: Ended, *, stopped: bool = False) -> None:
    """What the user sees is of one run, and theirs is as it was."""
    known, found = work(name), written(place)
    for each, content in MINE.items():
        assert found.get(each) == content.encode(), f"{each} was changed or is gone"
    if name == "ask":
        require_answers(place, known, found, ended)
        return
    seen = {each: data for each, data in found.items() if not hidden(each)}
    if seen == known.new:
        return
    if seen != known.old:
        assert stopped, (ended, differing(seen, known))
        done = ended.code == 0 or "written before that: out" in ended.err  # a second Ctrl-C
        assert done, (ended, differing(seen, known))
        require_consistent(place / "out", name)
    assert ended.code != 0 or stopped, f"said to be done, and is not: {ended}"


def require_answers(place: Path, known: Work, found: Files, ended: Ended) -> None:
    """Answers are appended: what is there begins as what would be, in whole lines."""
    data, every = found["a.csv"] or b"", known.new["a.csv"] or b""
    assert data.startswith(GIVEN.encode()), (data, ended)
    assert every.startswith(data), (data, ended)
    assert ended.code != 0 or data == every, (data, ended)


def require_consistent(out: Path, name: str) -> None:
    """Results that all tell of the same clusters."""
    rows = read_rows(out / "labels.csv")
    if name == "one file":
        return
    summary = json.loads((out / "clusters.json").read_bytes())
    model = tc.load(out / "model")
    assert [row["id"] for row in rows] == [card.id for card in model.cards]
    assert [int(row["cluster"]) for row in rows] == model.labels.tolist()
    assert summary["k"] == model.k
    assert (out / "report.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


def require_cleared(place: Path, name: str) -> None:
    """The next run goes through, gives what it always gives, and leaves nothing behind."""
    for folder in (place, place / "out"):
        recover(folder)
    arguments = COMMANDS["ask"] if name == "ask" else FIRST
    ended = run(place, *arguments)
    if name == "one file" and ended.code == 2:  # a table alone is not replaced by a folder
        return
    assert ended.code == 0, ended
    now = written(place)
    assert not [each for each in now if hidden(each)], sorted(filter(hidden, now))
    expected = work("ask").new if name == "ask" else written(before())
    assert now == expected, differing(now, work(name))


def hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def differing(found: Files, known: Work) -> dict[str, list[str]]:
    """For a message: the files that are as before, as after, and neither."""
    every = {*found, *known.old, *known.new}
    same = {each for each in every if known.old.get(each) == known.new.get(each) == found.get(each)}
    old = {each for each in every - same if found.get(each) == known.old.get(each)}
    new = {each for each in every - same if found.get(each) == known.new.get(each)}
    return {"old": sorted(old), "new": sorted(new), "other": sorted(every - same - old - new)}
