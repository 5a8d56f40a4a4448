"""Results appear together or not at all, whatever happens at whichever step."""

from __future__ import annotations

import errno
import json
import os
import signal
import threading
from functools import partial

import pytest

from tests.writing.results import MANIFEST, NAMES, PAGE, copy_of, table
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
from textclust.writing import recording, recover, staged_folder, write_whole

RUN = "2026-11-19T21-30-05"  # in the history


def write(folder, name="new"):
    """Write results that are a table, a model, and a page that is new."""
    with staged_folder(folder, NAMES, retired=("memberships.csv",)) as stage:
        write_whole(stage / "labels.csv", table(name))
        write_whole(stage / "report.html", PAGE + name)
        with staged_folder(stage / "model", ("manifest.json", "arrays.npz")) as model:
            write_whole(model / "manifest.json", MANIFEST)
            write_whole(model / "arrays.npz", name)


@pytest.fixture
def cases(earlier, tmp_path_factory, monkeypatch):
    """The old state, the new one, and how often to begin: fresh folders, one for each step."""
    done = copy_of(earlier, tmp_path_factory)
    steps = steps_of(monkeypatch, partial(write, done))
    new = listing(done)
    models = {"model/manifest.json", "model/arrays.npz"}
    assert set(new) == {*NAMES, *models, "mine.txt", "clusters.json"}
    assert len(steps) > 20
    return listing(earlier), new, [(n, copy_of(earlier, tmp_path_factory)) for n in steps]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_an_interruption_at_any_step_leaves_all_old_or_all_new(cases, after, monkeypatch):
    old, new, folders = cases
    seen = set()
    for n, folder in folders:
        with (
            recording() as record,
            at_step(monkeypatch, n, interrupt, after=after),
            pytest.raises(KeyboardInterrupt),
        ):
            write(folder)
        visible = shown(folder)
        assert visible in (old, new), n
        assert record.standing() == ([] if visible == old else [str(folder)]), n
        seen.add(visible == new)
        recover(folder)  # an interruption amid clearing leaves a stage that is removed later
        assert listing(folder) == visible, n
    assert seen == {False, True}


def test_two_interruptions_leave_all_old_or_all_new_to_the_next_run(
    earlier, tmp_path_factory, monkeypatch
):
    work = copy_of(earlier, tmp_path_factory)
    steps = steps_of(monkeypatch, partial(write, work))
    old, new = listing(earlier), listing(work)
    for first in steps:
        for later in range(first + 1, first + 8):
            folder = copy_of(earlier, tmp_path_factory)
            with (
                at_step(monkeypatch, first, interrupt, after=True),
                at_step(monkeypatch, later, interrupt, after=True),
                pytest.raises(KeyboardInterrupt),
            ):
                write(folder)
            recover(folder)
            assert listing(folder) in (old, new), (first, later)


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
        write(folder)
        assert listing(folder) == new, n
    assert old in states
    assert new in states


def test_the_next_run_itself_can_be_killed(earlier, tmp_path_factory, monkeypatch):
    old = listing(earlier)
    halfway = [name for name in listing(earlier) if name == "labels.csv"]
    assert halfway
    for n in range(12):
        folder = copy_of(earlier, tmp_path_factory)
        moved = 0

        def killed_amid_moves(source, target, rename=os.rename):
            nonlocal moved
            rename(source, target)
            moved += 1
            if moved == 2:
                kill()

        with monkeypatch.context() as patch:
            patch.setattr(os, "rename", killed_amid_moves)
            in_another_process(partial(write, folder))
        assert shown(folder) != old
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
        assert not message or "No space left on device" in message
        recover(folder)
        assert listing(folder) in (old, new), n


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_wait_until_all_results_are_in_their_places(
    earlier, tmp_path_factory, number, monkeypatch
):
    work = copy_of(earlier, tmp_path_factory)
    write(work)
    before = signal.signal(number, signal.default_int_handler)
    arrived = []

    def interrupted(real):
        def move(source, target):
            signal.raise_signal(number)
            arrived.append(target)
            real(source, target)

        return move

    for name in ("rename", "link"):
        monkeypatch.setattr(os, name, interrupted(getattr(os, name)))
    try:
        with recording() as record, pytest.raises(KeyboardInterrupt):
            write(earlier)
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)
    assert len(arrived) == 6
    assert listing(earlier) == listing(work)
    assert record.standing() == [str(earlier)]


def test_results_can_be_written_from_any_thread(earlier):
    thread = threading.Thread(target=write, args=(earlier,))
    thread.start()
    thread.join()
    assert (earlier / "labels.csv").read_text() == table("new")


def test_results_under_way_are_left_alone_by_other_runs(tmp_path):
    with staged_folder(tmp_path, NAMES) as stage:
        write_whole(stage / "labels.csv", table("first"))
        recover(tmp_path)
        assert stage.is_dir()
        in_another_process(partial(write, tmp_path, "second"))
        assert (tmp_path / "labels.csv").read_text() == table("second")
    assert (tmp_path / "labels.csv").read_text() == table("first")
    assert [path.name for path in tmp_path.iterdir()] == ["labels.csv"]  # no model of another run


def test_a_forged_journal_moves_nothing_of_the_users(tmp_path):
    stage = tmp_path / ".textclust-new-forged"
    (stage / ".moves" / "old").mkdir(parents=True)
    (tmp_path / "mine.txt").write_text("mine")
    (stage / ".moves" / "old" / "mine.txt").write_text("forged")
    number = (tmp_path / "mine.txt").stat().st_ino
    forged = [("mine.txt", None, 1), ("../mine.txt", None, 1), ("", None, 1)]
    forged += [("mine.txt", of, None) for of in (number, [number], [number, 4, 0])]
    for name, comes, goes in forged:
        (stage / ".moves").mkdir(parents=True, exist_ok=True)
        (stage / ".moves" / "journal.json").write_text(json.dumps({name: (comes, goes)}))
        recover(tmp_path)
        assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("link", [".moves", ".moves/old", "../history", f"../history/{RUN}"])
def test_links_in_a_forged_stage_move_nothing_out_of_another_folder(tmp_path, link):
    """As somebody may pack them beside a model: `load` looks for leftovers there."""
    stage = tmp_path / "model" / ".textclust-new-forged"
    elsewhere = tmp_path / "elsewhere"
    for place in (elsewhere, elsewhere / "old", elsewhere / RUN):
        place.mkdir(exist_ok=True)
        (place / "mine.txt").write_text("mine")
    (stage / ".moves").mkdir(parents=True)
    journals = elsewhere if link == ".moves" else stage / ".moves"
    (journals / "journal.json").write_text(json.dumps({"mine.txt": (None, None)}))
    if "history" in link:
        (journals / "kept.json").write_text(json.dumps({"name": RUN, "new": True}))
    place = stage / link
    place.parent.mkdir(exist_ok=True)
    if link == ".moves":
        place.rmdir()
    place.symlink_to(elsewhere)
    before = listing(elsewhere)
    recover(stage.parent)
    assert listing(elsewhere) == before
    assert not (stage.parent / "mine.txt").exists()


def test_a_fifo_with_the_name_of_a_leftover_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / ".textclust-new-forged")

    def recover_in_time():
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(10)
        recover(tmp_path)

    assert in_another_process(recover_in_time) == 0


def test_a_file_of_the_users_that_has_the_inode_of_ours_is_left_alone(tmp_path, monkeypatch):
    def killed(path, unlink=os.unlink):
        if str(path).endswith("journal.json"):
            kill()
        unlink(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", killed)
        in_another_process(partial(write, tmp_path))
    place = tmp_path / "labels.csv"
    number = place.stat().st_ino
    place.write_text(place.read_text().replace("new", "own"))  # of the same size in the same inode
    os.utime(place, ns=(0, 1))
    assert place.stat().st_ino == number
    recover(tmp_path)
    assert listing(tmp_path) == {"labels.csv": table("own").encode()}


@pytest.mark.parametrize("there", [True, False], ids=["in the place of ours", "where nothing was"])
def test_what_comes_right_before_a_move_is_not_replaced(earlier, there, monkeypatch):
    place = earlier / "labels.csv"
    if not there:
        place.unlink()

    def meddled(source, target, real=os.replace):
        real(source, target)
        assert target.name == "journal.json"
        place.unlink(missing_ok=True)
        place.write_text("mine")

    monkeypatch.setattr(os, "replace", meddled)
    before = {**listing(earlier), "labels.csv": b"mine"}
    with pytest.raises(OutputError, match=r"labels\.csv came or changed meanwhile"):
        write(earlier)
    assert listing(earlier) == before


def test_what_comes_into_a_model_right_before_it_is_moved_is_kept(earlier, monkeypatch):
    def meddled(source, target, real=os.replace):
        real(source, target)
        (earlier / "model" / "mine.txt").write_text("mine")

    monkeypatch.setattr(os, "replace", meddled)
    before = {**listing(earlier), "model/mine.txt": b"mine"}
    with pytest.raises(OutputError, match="model came or changed meanwhile"):
        write(earlier)
    assert listing(earlier) == before


def test_results_are_written_where_there_are_no_links(earlier, tmp_path_factory, monkeypatch):
    work = copy_of(earlier, tmp_path_factory)
    write(work)

    def refuse(source, target):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    write(earlier)
    assert listing(earlier) == listing(work)


def test_what_comes_in_the_way_of_putting_back_is_not_overwritten(earlier, monkeypatch):
    rename = os.rename

    def meddled(source, target):
        if str(target).endswith("old/model"):
            rename(source, target)
            (earlier / "model").mkdir()
            fill_the_disk()
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", meddled)
        with pytest.raises(OutputError, match=r"cannot be put back .* next run .* tries again"):
            write(earlier)
    assert (earlier / "labels.csv").read_text() == table("old")
    (earlier / "model").rmdir()
    recover(earlier)
    assert (earlier / "model" / "arrays.npz").read_text() == "old"
    assert not list(earlier.glob(".*"))


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_failure_inside_leaves_no_trace(tmp_path, failure):
    def fail():
        with staged_folder(tmp_path / "new" / "out", ["a.txt"]) as stage:
            (stage / "a.txt").write_text("a")
            raise failure

    with pytest.raises(failure):
        fail()
    assert listing(tmp_path) == {}


def test_a_file_in_the_way_is_reported_before_any_work(tmp_path):
    (tmp_path / "out").write_text("a file")
    with (
        pytest.raises(OutputError, match="a file is in the way"),
        staged_folder(tmp_path / "out", ["a"]),
    ):
        pytest.fail("the block must not run")
    below = tmp_path / "out" / "deeper"
    with pytest.raises(OutputError, match="cannot be written"), staged_folder(below, ["a"]):
        pytest.fail("the block must not run")
