"""The workbench with its project: what is said is on disk before it counts, and comes back."""

from __future__ import annotations

import threading
from random import Random

import numpy as np
import pytest

import textclust as tc
from tests.workbench.play import random_line, shown
from tests.workbench.small import do, plain
from tests.writing.steps import fill_the_disk, listing
from textclust import progress
from textclust.errors import InputError, OutputError
from textclust.pipeline import default_vectorizer
from textclust.workbench import workbench as module
from textclust.workbench.bench import Busy
from textclust.workbench.collection import Collection
from textclust.workbench.journal import Journal, read_journal
from textclust.workbench.project import Project
from textclust.workbench.workbench import Workbench

TABLES = ("seeds.csv", "constraints.csv", "clusters.csv", "labels.csv")


@pytest.fixture
def project(tmp_path):
    with Project.open(tmp_path / "news.textclust") as opened:
        yield opened


@pytest.fixture
def bench(collection, first, project, monkeypatch):
    """A workbench of the sample; its first clustering is known already."""
    monkeypatch.setattr(module, "first_state", lambda collection, line: first)
    return Workbench(collection, project, 3)


def names(bench, *rows):
    return [bench.collection()["ids"][row] for row in rows]


def mine(content):
    """A state's content without what depends on how one came there."""
    places = {"x", "y", "radius"}
    clusters = [
        {key: value for key, value in cluster.items() if key not in places}
        for cluster in content["clusters"]
    ]
    return {**{k: v for k, v in content.items() if k not in places}, "clusters": clusters}


def test_an_action_is_a_line_of_the_journal_and_a_new_state(bench, project):
    heard = []
    end = bench.listen(lambda event, data: heard.append((event, data)))
    assert bench.state()["version"] == 1
    line = do("move", documents=names(bench, 0, 1), cluster=2)
    answer = bench.act(line)
    assert answer["line"] == 2
    assert answer["state"] == bench.state()
    assert answer["state"]["version"] == 2
    assert answer["state"]["labels"][:2] == [2, 2]
    assert project.journal.actions[-1] == line
    assert heard == [("state", {"version": 2})]
    assert "move 2 documents" in answer["state"]["undo"]
    end()
    bench.act(do("undo"))
    assert len(heard) == 1
    assert bench.state()["redo"] == answer["state"]["undo"]


def test_the_tables_follow(bench, project):
    bench.act(do("move", documents=names(bench, 0), cluster=2))
    bench.act(do("rename", cluster=2, name='the "sky", at night'))
    bench.act(do("lock", cluster=1))
    bench.act(do("link", left=names(bench, 3)[0], right=names(bench, 4)[0], kind="must-link"))
    bench.act(do("discard", documents=names(bench, 9)))
    text = {name: (project.folder / name).read_text(encoding="utf-8") for name in TABLES}
    assert text["seeds.csv"] == f'id,label\n{names(bench, 0)[0]},"the ""sky"", at night"\n'
    assert text["constraints.csv"].splitlines()[1].endswith(",must-link")
    assert text["clusters.csv"].splitlines()[2].startswith('1,"the ""sky"", at night",0,')
    assert text["clusters.csv"].splitlines()[1].split(",")[-2] == "1"
    assert len(text["labels.csv"].splitlines()) == 60
    assert names(bench, 9)[0] not in text["labels.csv"]


def test_what_cannot_be_leaves_everything_as_it_was(bench, project):
    bench.act(do("lock", cluster=1))
    state, files, history = bench.state(), listing(project.folder), list(bench.history.done)
    for line in (
        do("lock", cluster=9),
        do("nothing"),
        do("redo"),
        do("move", documents=[], cluster=1),
        {},
        {**do("lock", cluster=2), "n": 3},  # the journal's own field
    ):
        with pytest.raises(InputError):
            bench.act(line)
        assert bench.state() == state
        assert listing(project.folder) == files
        assert bench.history.done == history
    bench.act(do("lock", cluster=2))


@pytest.mark.parametrize("kind", ["move", "refit", "undo"])
def test_nothing_counts_that_the_journal_does_not_have(bench, project, monkeypatch, kind):
    bench.act(do("lock", cluster=1))
    line = {"move": do("move", documents=names(bench, 5), cluster=1)}.get(kind, do(kind))
    state, files = bench.state(), listing(project.folder)
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", lambda *_: fill_the_disk())
        with pytest.raises(OSError, match="No space"):
            bench.act(line)
    assert bench.state() == state
    assert listing(project.folder) == files
    assert bench.act(line)["line"] == 3


def test_a_table_that_a_person_edited_is_left_alone_with_a_warning(bench, project):
    bench.act(do("lock", cluster=1))
    place = project.folder / "labels.csv"
    place.write_text("mine", encoding="utf-8")
    answer = bench.act(do("move", documents=names(bench, 0), cluster=3))
    assert "labels.csv: changed since" in answer["state"]["warning"]
    assert place.read_text(encoding="utf-8") == "mine"
    assert read_journal(project.folder / "journal.jsonl")[-1]["action"] == "move"
    place.unlink()
    assert bench.act(do("lock", cluster=2))["state"]["warning"] is None
    assert len(place.read_text(encoding="utf-8").splitlines()) == 61


def test_a_disk_that_is_full_for_the_tables_is_a_warning(bench, project, monkeypatch):
    def full(*_):
        raise OutputError("labels.csv: no space left; free some")

    monkeypatch.setattr(Project, "write", full)
    answer = bench.act(do("lock", cluster=1))
    assert answer["state"]["warning"] == "labels.csv: no space left; free some"
    assert answer["line"] == 2


# Opened again


def test_it_goes_on_where_it_was_after_every_line(collection, first, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "first_state", lambda collection, line: first)
    rng, states, folder = Random(5), [], tmp_path / "one.textclust"
    with Project.open(folder) as project:
        bench = Workbench(collection, project, 3)
        states.append(mine(bench.state()))
        while len(states) < 10:
            line = random_line(rng, shown(bench.history.state), collection.documents.ids)
            try:
                states.append(mine(bench.act(line)["state"]))
            except InputError:
                continue
        end = plain(bench.history.state)
    lines = (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
    tables = {name: (folder / name).read_bytes() for name in TABLES}
    for count in range(1, len(lines) + 1):
        other = tmp_path / f"{count}.textclust"
        other.mkdir()
        (other / "journal.jsonl").write_bytes(b"".join(lines[:count]))
        with Project.open(other) as project:
            bench = Workbench(collection, project, 3)
            assert mine(bench.state()) == states[count - 1]
    assert plain(bench.history.state) == end
    assert {name: (other / name).read_bytes() for name in TABLES} == tables


def test_other_documents_are_refused(collection, documents, bench, project):
    project.close()
    others = Collection.read(documents.select(range(30)), default_vectorizer(frozenset()))
    with Project.open(project.folder) as again, pytest.raises(InputError) as caught:
        Workbench(others, again, 3)
    assert "60 documents then, 30 now" in str(caught.value)


def test_the_first_state_itself_comes_back(collection, first, tmp_path):
    with Project.open(tmp_path / "x.textclust") as project:
        bench = Workbench(collection, project, 3)
        assert plain(bench.history.state) == plain(first)


# Refits, previews, and their end


def test_a_preview_says_what_a_refit_does(bench):
    moved = names(bench, *range(5))
    bench.act(do("move", documents=moved, cluster=3))
    before = bench.state()
    seen = bench.preview()
    assert bench.state() == before
    after = bench.act(do("refit"))["state"]
    changed = [row for row in range(60) if before["labels"][row] != after["labels"][row]]
    assert seen["rows"] == changed
    assert seen["moves"] == len(changed)
    assert seen["to"] == [after["labels"][row] for row in changed]
    assert sum(flow["count"] for flow in seen["flows"]) == len(changed)
    counts = [flow["count"] for flow in seen["flows"]]
    assert counts == sorted(counts, reverse=True)
    for flow in seen["flows"]:
        assert {before["labels"][row] for row in flow["rows"]} == {flow["from"]}
        assert {after["labels"][row] for row in flow["rows"]} == {flow["to"]}
    assert seen["outcome"] == after["outcome"]
    assert seen["broken"] == []
    assert after["pending"] == 0


def test_a_preview_is_not_computed_again_by_the_refit(bench, monkeypatch):
    bench.act(do("seed", documents=names(bench, 0)))
    bench.preview()
    monkeypatch.setattr(module, "refit", lambda *_: pytest.fail("computed again"))
    bench.preview()
    bench.act(do("refit"))


@pytest.fixture
def slow(monkeypatch):
    """Refits that go on until they are cancelled, and an event that tells when one has begun."""
    begun, real = threading.Event(), module.refit

    def slowly(collection, state):
        for _ in progress.track(range(10**9), "fitting", 10**9):
            begun.set()
            threading.Event().wait(0.002)
        return real(collection, state)

    monkeypatch.setattr(module, "refit", slowly)
    return begun


def in_a_thread(work):
    """Start the work; a function that waits for it and gives what it raised."""
    raised = []

    def run():
        try:
            work()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def ended():
        thread.join(20)
        assert not thread.is_alive()
        return raised

    return ended


@pytest.mark.parametrize("kind", ["refit", "preview"])
def test_a_fit_can_be_cancelled_and_changes_nothing(bench, project, slow, kind):
    heard = []
    bench.listen(lambda event, data: heard.append((event, data)))
    state, files = bench.state(), listing(project.folder)
    ended = in_a_thread(bench.preview if kind == "preview" else lambda: bench.act(do("refit")))
    assert slow.wait(20)
    busy = bench.state()["busy"]
    assert busy["what"] == "fitting"
    assert busy["of"] == 10**9
    if kind == "refit":
        with pytest.raises(Busy, match="under way"):
            bench.act(do("lock", cluster=1))
    assert bench.cancel() == {"cancelled": True}
    (error,) = ended()
    assert isinstance(error, Busy)
    assert str(error).startswith("cancelled")
    assert bench.state() == state
    assert listing(project.folder) == files
    assert heard[-1] == ("progress", None)
    assert bench.act(do("lock", cluster=1))["line"] == 2


def test_during_a_preview_a_person_can_go_on(bench, slow):
    ended = in_a_thread(bench.preview)
    assert slow.wait(20)
    assert bench.act(do("lock", cluster=1))["line"] == 2
    bench.cancel()
    assert isinstance(ended()[0], Busy)


def test_a_cancel_with_nothing_under_way_does_nothing(bench):
    assert bench.cancel() == {"cancelled": False}
    assert bench.preview()["moves"] == 0


def test_a_real_refit_reports_its_progress(bench):
    heard = []
    bench.listen(lambda event, data: heard.append((event, data)))
    bench.act(do("seed", documents=names(bench, 0, 1, 20, 21, 22, 40, 41, 42)))
    bench.act(do("refit"))
    steps = [data for event, data in heard if event == "progress"]
    assert steps[-1] is None
    assert all({*step} == {"what", "done", "of"} for step in steps[:-1])


# Exports


def test_report_and_model_are_written(bench, project):
    assert bench.export(report=False, model=False) == {"written": []}
    assert bench.export(report=True, model=True) == {"written": ["report.html", "model"]}
    assert "</html>" in (project.folder / "report.html").read_text(encoding="utf-8")
    assert bench.export(report=True, model=True) == {"written": ["report.html", "model"]}
    found = tc.load(project.folder / "model")
    np.testing.assert_array_equal(found.labels, np.array(bench.state()["labels"]) - 1)


def test_a_model_keeps_names_of_clusters_without_seeds_and_the_same_name_twice(bench, project):
    bench.act(do("seed", documents=names(bench, 0)))
    for number in (1, 2, 3):
        bench.act(do("rename", cluster=number, name="x" if number < 3 else "y"))
    bench.export(report=True, model=True)
    assert tc.load(project.folder / "model").names == ["x", "x", "y"]


def test_how_a_cluster_would_fall_in_two(bench):
    found = bench.split(1)
    size = bench.state()["clusters"][0]["size"]
    assert sum(found["sizes"]) == size
    assert len(found["rows"]) == found["sizes"][1] <= found["sizes"][0]
    for number in (0, 9):
        with pytest.raises(InputError, match="no cluster"):
            bench.split(number)
    bench.act(do("new", documents=names(bench, 0)))
    with pytest.raises(InputError, match="cannot be split"):
        bench.split(4)
