"""Whole or not at all."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from textclust.errors import OutputError
from textclust.writing import staged_folder, whole_file, write_whole


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_file_is_written_and_replaced(tmp_path):
    write_whole(tmp_path / "deep" / "a.txt", "one")
    write_whole(tmp_path / "deep" / "a.txt", "two")
    assert (tmp_path / "deep" / "a.txt").read_text() == "two"
    assert listing(tmp_path) == ["deep", "deep/a.txt"]


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    write_whole(tmp_path / "a.txt", "old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        write_whole(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "old"
    assert listing(tmp_path) == ["a.txt"]


def test_a_staged_folder_moves_in_at_the_end_and_keeps_what_else_is_there(tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    (target / "model").mkdir()
    (target / "model" / "old").write_text("old")
    with staged_folder(target) as stage:
        (stage / "a.txt").write_text("a")
        (stage / "model").mkdir()
        (stage / "model" / "new").write_text("new")
        before = [name for name in listing(target) if not name.startswith(".")]
        assert before == ["mine.txt", "model", "model/old"]
    assert listing(target) == ["a.txt", "mine.txt", "model", "model/new"]
    assert listing(tmp_path) == ["out", "out/a.txt", "out/mine.txt", "out/model", "out/model/new"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_failure_inside_leaves_no_trace(tmp_path, failure):
    def fail():
        with staged_folder(tmp_path / "new" / "out") as stage:
            (stage / "a.txt").write_text("a")
            raise failure

    with pytest.raises(failure):
        fail()
    assert listing(tmp_path) == []


def test_a_file_in_the_way_is_told_before_any_work(tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(OutputError, match="a file is in the way"), staged_folder(tmp_path / "out"):
        pytest.fail("the block must not run")
    below = tmp_path / "out" / "deeper"
    with pytest.raises(OutputError, match="cannot be written"), staged_folder(below):
        pytest.fail("the block must not run")


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
        with whole_file(tmp_path / "a.bin") as file:
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
