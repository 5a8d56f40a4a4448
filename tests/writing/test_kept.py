"""What is replaced is kept whole, or nothing has happened, whatever happens at whichever step."""

from __future__ import annotations

import json
import os
import signal
from functools import partial

import pytest

from tests.writing.results import MANIFEST, NAMES, PAGE, SUMMARY, WRITTEN, copy_of, dated, table
from tests.writing.steps import (
    at_step,
    fill_the_disk,
    in_another_process,
    interrupt,
    kill,
    listing,
    shown,
    steps_of,
)
from textclust.errors import OutputError
from textclust.writing import (
    kept_runs,
    recover,
    staged_folder,
    when_kept,
    when_written,
    write_whole,
)

KEPT = "history/2026-11-19T21-30-05"


def write(folder, name="new", *, keep=True):
    """Write results that are tables, a model, and a page that is new."""
    names = ("clusters.json", *NAMES)
    with staged_folder(folder, names, retired=("memberships.csv",), keep=keep) as stage:
        write_whole(stage / "labels.csv", table(name))
        write_whole(stage / "clusters.json", SUMMARY)
        write_whole(stage / "report.html", PAGE + name)
        with staged_folder(stage / "model", ("manifest.json", "arrays.npz")) as model:
            write_whole(model / "manifest.json", MANIFEST)
            write_whole(model / "arrays.npz", name)


def copies(folder, number, tmp_path_factory):
    return [copy_of(folder, tmp_path_factory) for _ in range(number)]


@pytest.fixture
def cases(earlier, tmp_path_factory, monkeypatch):
    """The old state, the new one, and a fresh folder for each step."""
    [done] = copies(earlier, 1, tmp_path_factory)
    steps = steps_of(monkeypatch, partial(write, done))
    assert len(steps) > 20
    folders = copies(earlier, len(steps), tmp_path_factory)
    return listing(earlier), listing(done), list(zip(steps, folders, strict=True))


def test_what_is_replaced_is_whole_in_the_history(earlier):
    before = listing(earlier)
    write(earlier)
    assert listing(earlier / KEPT) == {k: v for k, v in before.items() if k != "mine.txt"}
    assert (earlier / "labels.csv").read_text() == table("new")
    assert not (earlier / "memberships.csv").exists()
    assert [path.name for path in earlier.iterdir() if path.name.startswith(".")] == []
    [run] = kept_runs(earlier)
    assert when_kept(run).timestamp() == WRITTEN
    os.utime(earlier / "clusters.json", (WRITTEN, WRITTEN))
    assert when_written(earlier) == when_kept(run)
    for name in ("third", "fourth"):
        write(dated(earlier), name)
    kept = [earlier / KEPT, earlier / f"{KEPT}-2", earlier / f"{KEPT}-3"]
    assert kept_runs(earlier) == kept
    found = [(run / "labels.csv").read_text() for run in kept]
    assert found == [table(name) for name in ("old", "new", "third")]


def test_nothing_is_kept_unless_asked_for_or_where_nothing_was(earlier, tmp_path_factory):
    write(earlier, keep=False)
    assert not (earlier / "history").exists()
    fresh = tmp_path_factory.mktemp("fresh")
    write(fresh)
    assert not (fresh / "history").exists()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_an_interruption_at_any_step_leaves_all_old_or_all_new(cases, after, monkeypatch):
    old, new, folders = cases
    seen = set()
    for n, folder in folders:
        with at_step(monkeypatch, n, interrupt, after=after), pytest.raises(KeyboardInterrupt):
            write(folder)
        visible = shown(folder)
        assert visible in (old, new), n
        seen.add(visible == new)
        recover(folder)
        assert listing(folder) == visible, n
    assert seen == {False, True}


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_process_killed_at_any_step_is_undone_by_the_next_run(cases, after, monkeypatch):
    old, new, folders = cases
    states = []
    for n, folder in folders:
        with at_step(monkeypatch, n, kill, after=after):
            status = in_another_process(partial(write, folder))
        assert os.WTERMSIG(status) == signal.SIGKILL, n
        recover(folder)
        states.append(listing(folder))
        assert states[-1] in (old, new), n
        if states[-1] == old:
            write(folder)
            assert listing(folder) == new, n
    assert old in states
    assert new in states


def test_the_next_run_itself_can_be_killed(earlier, tmp_path_factory, monkeypatch):
    def killed(path, unlink=os.unlink):
        if str(path).endswith("journal.json"):
            kill()
        unlink(path)

    old = listing(earlier)
    for n, folder in enumerate(copies(earlier, 24, tmp_path_factory)):
        with monkeypatch.context() as patch:
            patch.setattr(os, "unlink", killed)
            in_another_process(partial(write, folder))
        assert (folder / KEPT / "labels.csv").exists()
        with at_step(monkeypatch, n, kill, after=True):
            in_another_process(partial(recover, folder))
        recover(folder)
        assert listing(folder) == old, n


def test_a_full_disk_at_any_step_is_reported_or_does_no_harm(cases, monkeypatch):
    old, new, folders = cases
    for n, folder in folders:
        message = ""
        with at_step(monkeypatch, n, fill_the_disk, after=False):
            try:
                write(folder)
            except OutputError as error:
                message = str(error)
        assert shown(folder) == (old if message else new), n
        recover(folder)
        assert listing(folder) in (old, new), n


def killed_before_the_end(folder, monkeypatch):
    """Leave a folder as a process does that is killed when all but the journal is done."""

    def killed(path, unlink=os.unlink):
        if str(path).endswith("journal.json"):
            kill()
        unlink(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", killed)
        in_another_process(partial(write, folder))


def test_a_file_of_the_users_in_what_was_kept_stays(earlier, monkeypatch):
    old = listing(earlier)
    killed_before_the_end(earlier, monkeypatch)
    (earlier / KEPT / "mine.txt").write_text("mine")
    recover(earlier)
    assert listing(earlier) == {**old, "history": None, KEPT: None, f"{KEPT}/mine.txt": b"mine"}


def test_what_a_user_edited_in_what_was_kept_is_not_lost(earlier, monkeypatch):
    killed_before_the_end(earlier, monkeypatch)
    (earlier / KEPT / "labels.csv").write_text("edited by hand")
    recover(earlier)
    recover(earlier)
    assert (earlier / KEPT / "labels.csv").read_text() == "edited by hand"
    assert (earlier / "labels.csv").read_text() == table("new")


def test_what_another_run_kept_under_the_same_name_meanwhile_stays(earlier, monkeypatch):
    rename = os.rename

    def meddled(source, target):
        if str(target).endswith(KEPT):
            (earlier / KEPT).mkdir()
            (earlier / KEPT / "labels.csv").write_text("theirs")
        rename(source, target)

    old = listing(earlier)
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", meddled)
        with pytest.raises(OutputError, match="cannot be written"):
            write(earlier)
    theirs = {"history": None, KEPT: None, f"{KEPT}/labels.csv": b"theirs"}
    assert listing(earlier) == {**old, **theirs}


@pytest.mark.parametrize("theirs", ["a file", "a folder", "a link"])
def test_a_history_that_is_not_ours_is_refused_before_the_work(earlier, theirs, tmp_path_factory):
    place = earlier / "history"
    if theirs == "a file":
        place.write_text("mine")
    elif theirs == "a folder":
        place.mkdir()
        (place / "mine.txt").write_text("mine")
    else:
        place.symlink_to(tmp_path_factory.mktemp("elsewhere"))
    before = listing(earlier)
    with (
        pytest.raises(OutputError, match="history: there already, and not recognised"),
        staged_folder(earlier, NAMES, keep=True),
    ):
        pytest.fail("the block must not run")
    assert listing(earlier) == before
    write(earlier, keep=False)  # which needs no history


def test_an_empty_history_and_one_with_runs_of_ours_are_taken(earlier):
    (earlier / "history").mkdir()
    write(earlier)
    (earlier / "history" / "notes.txt").write_text("mine")
    write(earlier)
    assert len(kept_runs(earlier)) == 2
    assert (earlier / "history" / "notes.txt").read_text() == "mine"


def test_a_forged_journal_moves_nothing_out_of_the_history(tmp_path):
    (tmp_path / KEPT).mkdir(parents=True)
    mine = tmp_path / KEPT / "mine.txt"
    mine.write_text("mine")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("mine")
    before = listing(tmp_path)
    number = mine.stat().st_ino
    for name in (KEPT.removeprefix("history/"), "../outside", "", 3, None):
        for moves in ({"mine.txt": (None, [number])}, {"a.txt": (None, None)}, {}):
            stage = tmp_path / ".textclust-new-forged"
            (stage / ".moves").mkdir(parents=True, exist_ok=True)
            (stage / ".moves" / "kept.json").write_text(json.dumps({"name": name, "new": True}))
            (stage / ".moves" / "journal.json").write_text(json.dumps(moves))
            recover(tmp_path)
            assert shown(tmp_path) == before
