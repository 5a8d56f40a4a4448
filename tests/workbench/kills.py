"""`textclust open`, killed at any moment: what it acknowledged is there when it is opened again.

    python -m tests.workbench.kills 1000

The libraries are imported once, and every workbench is a fork of that: it starts in moments. A
session of random actions over HTTP, refits and exports among them, ends with kill -9, during the
start now and then. Afterwards the journal must have every acknowledged line in its order, and at
most the one besides that was under way; every table must be whole; and the workbench that is opened
next must be in the state that was acknowledged, without a warning.
"""

from __future__ import annotations

import csv
import http.client
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from textclust.cli.main import main as command_line

import textclust as tc
from tests.workbench.play import random_line
from tests.workbench.small import sample_documents
from textclust.pipeline import default_vectorizer
from textclust.supervision.constraint_files import read_links
from textclust.text.labels import read_labels
from textclust.workbench import server, workbench
from textclust.workbench.collection import Collection
from textclust.workbench.journal import read_journal
from textclust.workbench.journal_lines import without_frame
from textclust.workbench.project import Project
from textclust.writing import recover

SAMPLE = Path(__file__).resolve().parents[2] / "corpora" / "newsgroups"
PER_GROUP = 8
A_PROJECT = 8  # kills of one project, after which its journal is long
LONGEST = 1.0  # seconds until a kill
AT_THE_START = 0.15  # of all kills
SAME = ("labels", "seeds", "links", "discarded", "pending", "undo", "redo", "history", "conflicts")
OF_CLUSTERS = ("number", "name", "named", "size", "locked", "seeds", "new")
READY = server, workbench  # imported before the first fork


class Open:
    """A workbench in a process of its own."""

    def __init__(self, texts: Path, project: Path) -> None:
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            self._run(texts, project, writing)
        os.close(writing)
        self._output = os.fdopen(reading, encoding="utf-8")

    @staticmethod
    def _run(texts: Path, project: Path, writing: int) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.dup2(writing, 1)
        os.dup2(os.open(project.with_suffix(".stderr"), os.O_CREAT | os.O_WRONLY | os.O_APPEND), 2)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
        sys.argv = ["textclust", "open", str(texts), "--k", "3", "--no-browser"]
        sys.argv += ["--project", str(project)]
        try:
            command_line()
        finally:
            os._exit(1)

    def address(self) -> tuple[int, str] | None:
        """Its port and its token, or None if it was killed before it had them."""
        line = self._output.readline()
        if not line.endswith("\n"):
            return None
        rest, _, token = line.strip().partition("/?token=")
        return int(rest.rsplit(":", 1)[1]), token

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        self._output.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class Session:
    """What a person has said and heard of one project, from one kill to the next."""

    def __init__(self, rng: Random, texts: Path, project: Path) -> None:
        self.rng, self.texts, self.project = rng, texts, project
        self.lines: list[dict[str, Any]] = []  # in the journal for certain, the first left out
        self.state: dict[str, Any] | None = None  # acknowledged
        self.under_way: dict[str, Any] | None = None
        self.ids: list[str] = []

    def until_killed(self) -> None:
        """Open the project, do anything, and be killed."""
        process = Open(self.texts, self.project)
        early = self.rng.random() < AT_THE_START
        after = self.rng.random() * LONGEST
        if early:
            _alarm(process.kill, after)
        found = process.address()
        if found is not None:
            if not early:
                _alarm(process.kill, after)
            with suppress(http.client.HTTPException, ConnectionError):  # it is dead
                self._talk(*found)
        code = process.wait()
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert code == -signal.SIGKILL, f"ended by itself with {code}"

    def _talk(self, port: int, token: str) -> None:
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

        def ask(what: str, path: str, content: object = None) -> tuple[int, Any]:
            body = None if content is None else json.dumps(content)
            link.request(what, path, body, headers)
            answer = link.getresponse()
            return answer.status, json.loads(answer.read())

        status, state = ask("GET", "/api/state")
        assert status == 200, state
        self._check(state)
        _look_at_model(self.project / "model")
        self.state = state
        self.ids = ask("GET", "/api/collection")[1]["ids"]
        while True:
            if self.rng.random() < 0.05:
                status, answer = ask("POST", "/api/export", {"report": True, "model": True})
                assert status == 200, answer
                continue
            line = random_line(self.rng, self.state, self.ids)
            self.under_way = line
            status, answer = ask("POST", "/api/actions", line)
            self.under_way = None
            assert status in (200, 422), (status, line, answer)
            if status == 200:
                self.lines.append(line)
                self.state = answer["state"]
                assert answer["line"] == len(self.lines) + 1
                assert self.state["warning"] is None, self.state["warning"]

    def _check(self, state: dict[str, Any]) -> None:
        """A workbench that was opened again is where the last one was."""
        assert state["warning"] is None, state["warning"]
        assert state["version"] == len(self.lines) + 1
        if self.state is None:  # the line that was under way is in the journal
            return
        assert {name: state[name] for name in SAME} == {name: self.state[name] for name in SAME}
        for now, then in zip(state["clusters"], self.state["clusters"], strict=True):
            assert {name: now[name] for name in OF_CLUSTERS} == {
                name: then[name] for name in OF_CLUSTERS
            }

    def look(self) -> None:
        """The folder after a kill."""
        journal = self.project / "journal.jsonl"
        found = [without_frame(line) for line in read_journal(journal)] if journal.exists() else []
        if not found:
            assert not self.lines
            self.state = None
            return
        assert found[0]["action"] == "open"
        more = [] if self.under_way is None else [self.under_way]
        assert found[1:] in (self.lines, [*self.lines, *more]), (found[-3:], self.lines[-3:], more)
        if len(found) - 1 > len(self.lines):
            self.lines.append(more[0])
            self.state = None
        self.under_way = None
        self._look_at_tables()

    def _look_at_tables(self) -> None:
        for name, read in READERS.items():
            if (self.project / name).exists():
                read(self.project / name)
        if (self.project / "files.json").exists():
            json.loads((self.project / "files.json").read_text(encoding="utf-8"))


def _table(path: Path, header: list[str]) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n"), path
    first, *rows = csv.reader(text.splitlines())
    assert first == header, first
    assert rows, path
    assert all(len(row) == len(header) for row in rows), path


def _report(path: Path) -> None:
    assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")


READERS: dict[str, Callable[[Path], object]] = {
    "seeds.csv": lambda path: read_labels(path) if path.stat().st_size > 9 else None,
    "constraints.csv": read_links,
    "clusters.csv": lambda path: _table(path, ["cluster", "name", "locked", "size"]),
    "labels.csv": lambda path: _table(path, ["id", "cluster", "name", "score"]),
    "report.html": _report,
}


def _look_at_model(folder: Path) -> None:
    """A model is whole or not there; a folder for it may be left empty."""
    if folder.exists():
        recover(folder)
        assert not any(folder.iterdir()) or tc.load(folder)


def _alarm(do: Callable[[], None], seconds: float) -> None:
    signal.signal(signal.SIGALRM, lambda *_: do())
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-4))


def collection(folder: Path) -> Path:
    """A few posts of each group of the sample, to be read in moments."""
    documents = sample_documents(SAMPLE, PER_GROUP)
    for name, text in zip(documents.ids, documents.texts, strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def import_all(place: Path, texts: Path) -> None:
    """Import what a workbench imports in the end, as a fork of this process finds out."""
    child = os.fork()
    if child == 0:
        documents = tc.read_documents(texts)
        counted = Collection.read(documents, default_vectorizer(frozenset()))
        with Project.open(place / "first.textclust") as project:
            bench = workbench.Workbench(counted, project, 3)
            for line in ({"action": "seed", "documents": documents.ids[:2]}, {"action": "refit"}):
                bench.act(line)
            bench.export(report=True, model=True)
        tc.load(place / "first.textclust" / "model")
        (place / "modules").write_text("\n".join(sys.modules), encoding="utf-8")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    for name in (place / "modules").read_text(encoding="utf-8").splitlines():
        if name.startswith(("textclust.", "scipy.", "numpy.", "sklearn.", "uvicorn.", "h11.")):
            with suppress(ImportError):
                import_module(name)


def kills(count: int, seed: int, place: Path) -> int:
    """So many kills; how many lines were acknowledged in all."""
    texts, lines, done, project = collection(place / "texts"), 0, 0, 0
    import_all(place, texts)
    while done < count:
        folder = place / f"{project}.textclust"
        session = Session(Random(f"{seed}-{project}"), texts, folder)
        for _ in range(min(A_PROJECT, count - done)):
            session.until_killed()
            session.look()
            done += 1
        lines += len(session.lines)
        shutil.rmtree(folder, ignore_errors=True)
        project += 1
    return lines


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        lines = kills(count, seed, Path(place))
    seconds = time.perf_counter() - begun
    print(
        f"{count} kills, {lines} lines acknowledged, nothing lost; {seconds / count:.2f} s a kill"
    )


if __name__ == "__main__":
    main()
