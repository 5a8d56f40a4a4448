"""Two processes at once on the same answers, the same results, the same project."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random

from tests.cli.running import read_rows
from tests.torture.children import Child, Ended, command, run
from tests.torture.scenes import differing, fresh, hidden, require_consistent, work, written
from tests.torture.trials import Trial, torture
from textclust.active.answer_files import AnswerFile
from textclust.errors import InputError
from textclust.workbench.journal import read_journal
from textclust.workbench.journal_lines import without_frame
from textclust.workbench.project import Project
from textclust.writing.locks import working_on

PROCESSES = 3
LINES = 12  # that each of them adds
IDS = [f"d{n}" for n in range(PROCESSES * LINES + 1)]


def several(trial: Trial, job: Callable[[int, Random, Path], None]) -> list[list[str]]:
    """Processes that do one job at once, one killed now and then; what each acknowledged."""
    children = []
    for number in range(PROCESSES):
        rng = Random(f"{trial.seed} {number}")
        children.append(Child(partial(job, number, rng, trial.place), trial.place))
    if trial.rng.random() < 0.4:
        time.sleep(trial.rng.random() * 0.1)
        children[0].send(signal.SIGKILL)
    ended = [child.wait() for child in children]
    for each in ended:
        assert each.code in (0, -signal.SIGKILL), each
    return [each.out.splitlines() for each in ended]


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def until_free(rng: Random, use: Callable[[], None]) -> None:
    """Try until nobody else has it."""
    for _ in range(2_000):
        try:
            return use()
        except InputError as error:
            if "is in use by another textclust" not in str(error):
                raise
            time.sleep(rng.random() * 0.01)
    raise AssertionError("never free")


def answers_of(number: int, rng: Random, place: Path) -> None:
    """Add answers to one file and take some back, a few at a time."""
    path, line = place / "a.csv", 0
    while line < LINES:
        last = min(LINES, line + rng.randint(1, 4))

        def some(first: int = line, last: int = last) -> None:
            with working_on(path):
                file = AnswerFile(path, IDS)
                for each in range(first, last):
                    row = 1 + number * LINES + each
                    if rng.random() < 0.3:
                        file.append(0, row, False)
                        file.undo()
                    file.append(0, row, True)
                    say(IDS[row])

        until_free(rng, some)
        line = last


@torture("two at once: answers", quick=100)
def answers(trial: Trial) -> None:
    """Every answer that was acknowledged is in the file, once."""
    acknowledged = several(trial, answers_of)
    rows = read_rows(trial.place / "a.csv")
    found = [row["right"] for row in rows if row["kind"] == "must-link"]
    wanted = {name for each in acknowledged for name in each}
    assert wanted <= set(found), sorted(wanted - set(found))
    assert len(set(found)) == len(found), found
    assert len(found) <= len(wanted) + 1, sorted(set(found) - wanted)  # one under way at the kill


def lines_of(number: int, rng: Random, place: Path) -> None:
    """Add lines to the journal of one project, a few at a time."""
    line = 0
    while line < LINES:
        last = min(LINES, line + rng.randint(1, 4))

        def some(first: int = line, last: int = last) -> None:
            with Project.open(place / "p.textclust") as project:
                for each in range(first, last):
                    project.journal.append({"action": "lock", "cluster": number * LINES + each})
                    say(str(number * LINES + each))

        until_free(rng, some)
        line = last


@torture("two at once: workbench", quick=120)
def projects(trial: Trial) -> None:
    """Every line that was acknowledged is in the journal, once and whole."""
    acknowledged = several(trial, lines_of)
    with Project.open(trial.place / "p.textclust"):
        pass
    journal = read_journal(trial.place / "p.textclust" / "journal.jsonl")
    found = [str(without_frame(line)["cluster"]) for line in journal]
    wanted = {name for each in acknowledged for name in each}
    assert wanted <= set(found), sorted(wanted - set(found))
    assert len(set(found)) == len(found) <= len(wanted) + 1, found


@torture("two at once: results", quick=20)
def results(trial: Trial) -> None:
    """Two runs into one folder: it has the results of one of them, and nothing else."""
    place = fresh(trial.place / "place")
    runs = {k: command("cluster", "texts", "-k", k, "--out", "out") for k in (2, 3)}
    children = []
    for k in trial.rng.sample([2, 3], 2):
        children.append(Child(runs[k], place))
        time.sleep(trial.rng.random() ** 3 * 0.5)
    ended = [child.wait() for child in children]
    for each in ended:
        assert each.code in (0, 2), each
        assert "fault in textclust" not in each.err, each
        assert each.code == 0 or "meanwhile" in each.err, each
    now, known = written(place), work("cluster")
    assert now in (known.old, known.new), (differing(now, known), ended)
    require_consistent(place / "out", "cluster")


@cache
def answered(keys: str) -> int:
    """How many answers these keys give when nobody else is there."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="textclust-torture-") as at:
        ended = ask(fresh(Path(at) / "place"), keys).wait()
        assert ended.code == 0, ended
        return len(read_rows(Path(at) / "place" / "a.csv")) - 1


def ask(place: Path, keys: str) -> Child:
    typed = "".join(f"{key}\n" for key in keys).encode()
    return Child(command("ask", "texts", "-k", 3, "--answers", "a.csv"), place, typed)


@torture("two at once: ask", quick=6)
def two_ask(trial: Trial) -> None:
    """Of two people at one file the second is refused, or comes after the first."""
    place = fresh(trial.place / "place")
    both = ["".join(trial.rng.choice("ynd") for _ in range(3)) + "q" for _ in range(2)]
    children = []
    for keys in both:
        children.append(ask(place, keys))
        time.sleep(trial.rng.random() ** 2 * 0.6)
    ended = [child.wait() for child in children]
    refused = [each for each in ended if each.code == 2]
    assert all("is in use by another textclust" in each.err for each in refused), ended
    assert len(refused) < 2, ended
    assert all(each.code in (0, 2) for each in ended), ended
    count = len(read_rows(place / "a.csv")) - 1
    first = [answered(keys) for keys, each in zip(both, ended, strict=True) if each.code == 0]
    assert max(first) <= count <= 6, (count, first, ended)
    assert not [name for name in written(place) if hidden(name)]
    again = run(place, "check", "a.csv", "texts")
    assert_read(again)


def assert_read(ended: Ended) -> None:
    assert ended.code in (0, 1), ended  # the answers may contradict one another
