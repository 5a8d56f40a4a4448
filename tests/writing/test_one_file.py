"""One file, whole or not at all."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest

from tests.writing.steps import (
    at_step,
    fill_the_disk,
    in_another_process,
    interrupt,
    kill,
    steps_of,
)
from textclust.errors import OutputError
from textclust.writing import any_file, recording, recover, whole_file, write_whole


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_file_is_written_and_replaced(tmp_path):
    write_whole(tmp_path / "deep" / "a.txt", "one")
    write_whole(tmp_path / "deep" / "a.txt", "two", replaces=any_file)
    assert (tmp_path / "deep" / "a.txt").read_text() == "two"
    assert listing(tmp_path) == ["deep", "deep/a.txt"]


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    write_whole(tmp_path / "a.txt", "old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        write_whole(tmp_path / "a.txt", "new", replaces=any_file)
    assert (tmp_path / "a.txt").read_text() == "old"
    assert listing(tmp_path) == ["a.txt"]


def test_a_whole_file_can_be_read_again_before_it_is_in_its_place(tmp_path):
    with whole_file(tmp_path / "a.bin") as file:
        file.write(b"one")
        file.seek(0)
        assert file.read() == b"one"
        assert not (tmp_path / "a.bin").exists()
    assert (tmp_path / "a.bin").read_bytes() == b"one"
    assert listing(tmp_path) == ["a.bin"]


def test_a_failure_amid_a_whole_file_leaves_the_old_one(tmp_path):
    def fail():
        with whole_file(tmp_path / "a.bin", replaces=any_file) as file:
            file.write(b"new")
            raise ValueError("amid")

    write_whole(tmp_path / "a.bin", b"old")
    with pytest.raises(ValueError, match="amid"):
        fail()
    assert (tmp_path / "a.bin").read_bytes() == b"old"
    assert listing(tmp_path) == ["a.bin"]


@pytest.mark.skipif(os.name == "nt", reason="needs a mask for the modes of files")
def test_files_written_at_the_same_time_have_the_modes_of_the_process(tmp_path, monkeypatch):
    umask = os.umask

    def slow(mask):
        before = umask(mask)
        time.sleep(0.002)
        return before

    ours = umask(0o027)
    monkeypatch.setattr(os, "umask", slow)
    try:
        with ThreadPoolExecutor(4) as threads:
            written = list(threads.map(lambda i: write_whole(tmp_path / f"{i}", b"x"), range(20)))
        assert {path.stat().st_mode & 0o777 for path in written} == {0o640}
        assert umask(0o027) == 0o027
    finally:
        umask(ours)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "a.txt")
    write_whole(tmp_path / "link", "one")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "deep" / "a.txt").read_text() == "one"


def test_what_comes_right_before_the_move_is_not_replaced(tmp_path, monkeypatch):
    place = tmp_path / "a.txt"

    def meddled(*_):
        place.write_text("mine")

    monkeypatch.setattr("textclust.writing.files.about_to_write", meddled)
    with pytest.raises(OutputError, match="File exists"):
        write_whole(place, "new")
    assert place.read_text() == "mine"
    assert listing(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("happens", [interrupt, fill_the_disk, kill])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_whatever_happens_at_any_step_a_new_file_is_whole_or_not_there(
    tmp_path, happens, after, monkeypatch
):
    work = partial(write_whole, tmp_path / "a.txt", "new")
    for n in steps_of(monkeypatch, work):
        (tmp_path / "a.txt").unlink(missing_ok=True)
        with at_step(monkeypatch, n, happens, after=after):
            if happens is kill:
                in_another_process(work)
            else:
                with suppress(KeyboardInterrupt, OutputError):
                    work()
        recover(tmp_path)
        assert listing(tmp_path) in ([], ["a.txt"]), n
        assert not listing(tmp_path) or (tmp_path / "a.txt").read_text() == "new"


@pytest.mark.parametrize("happens", [interrupt, fill_the_disk, kill])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_whatever_happens_at_any_step_the_file_is_the_old_or_the_new_one(
    tmp_path, happens, after, monkeypatch
):
    work = partial(write_whole, tmp_path / "a.txt", "new", replaces=any_file)
    for n in steps_of(monkeypatch, work):
        (tmp_path / "a.txt").write_text("old")
        with recording() as record, at_step(monkeypatch, n, happens, after=after):
            if happens is kill:
                in_another_process(work)
            else:
                with suppress(KeyboardInterrupt, OutputError):
                    work()
        content = (tmp_path / "a.txt").read_text()
        assert content in ("old", "new")
        if happens is not kill:
            assert bool(record.standing()) == (content == "new"), n
        recover(tmp_path)
        assert listing(tmp_path) == ["a.txt"], n
