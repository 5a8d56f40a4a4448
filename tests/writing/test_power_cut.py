"""What a power cut may take is only what nothing else relies on: the disk is asked in order.

After a power cut a disk has what it was asked to keep before (`fsync` of a file for its content, of
a folder for its names), and of all else any part. So each step that relies on another comes after
the disk was asked to keep that.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.writing.results import MANIFEST
from tests.writing.test_stage import write
from textclust.active.answer_files import AnswerFile
from textclust.workbench.journal import Journal
from textclust.writing import write_whole


@pytest.fixture
def disk(monkeypatch):
    """What is asked of the disk, in order: ("fsync", name), ("rename", name of the target), ..."""
    asked = []

    def watched(name, real, path_of):
        def call(*arguments, **options):
            asked.append((name, str(path_of(*arguments))))
            return real(*arguments, **options)

        return call

    def opened(handle):
        return os.readlink(f"/proc/self/fd/{handle}")

    def target(source, place, **_):
        return place

    for name, path_of in (
        ("fsync", opened),
        ("rename", target),
        ("replace", target),
        ("link", target),
        ("unlink", lambda path, **_: path),
    ):
        monkeypatch.setattr(os, name, watched(name, getattr(os, name), path_of))
    return asked


def first(asked, *wanted):
    """The place of the first of these steps whose path ends so."""
    kinds, ending = wanted[:-1], wanted[-1]
    return next(
        i for i, (kind, path) in enumerate(asked) if kind in kinds and path.endswith(ending)
    )


def last(asked, *wanted):
    return len(asked) - 1 - first(asked[::-1], *wanted)


pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux")
MOVES = ("rename", "link", "replace")


def test_one_file_is_whole_before_it_has_its_name_and_its_name_is_kept(tmp_path, disk):
    write_whole(tmp_path / "new" / "a.txt", "a")
    kinds = [(kind, Path(path).name) for kind, path in disk]
    renamed = first(disk, *MOVES, "/new/a.txt")
    assert ("fsync", tmp_path.name) in kinds[:renamed]  # the folder that was made
    assert any(
        kind == "fsync" and name.startswith(".textclust-new-") for kind, name in kinds[:renamed]
    )
    assert ("fsync", "new") in kinds[renamed:]


def test_results_move_only_once_they_and_the_way_back_are_on_the_disk(earlier, disk):
    write(earlier)
    asked = [(kind, path.removeprefix(str(earlier))) for kind, path in disk]
    moved = [i for i, (kind, path) in enumerate(asked) if kind in MOVES and "/.moves/old/" in path]
    begun = min(moved)
    before = [path for kind, path in asked[:begun] if kind == "fsync"]
    stage = next(path for kind, path in asked[begun:] if "/.moves/old/" in path).split("/.moves")[0]
    for name in ("labels.csv", "report.html", "model/manifest.json", "model/arrays.npz", "model"):
        assert f"{stage}/{name}" in before, name
    written = first(asked, "replace", "/.moves/journal.json")
    way_back = [path for kind, path in asked[written:begun] if kind == "fsync"]
    assert way_back == [f"{stage}/.moves", stage, ""]


def test_the_way_back_goes_once_the_new_names_are_on_the_disk_and_the_old_results_after_it(
    earlier, disk, monkeypatch
):
    def removed(place, **_):
        disk.append(("removed", str(place)))

    monkeypatch.setattr("shutil.rmtree", removed)
    write(earlier)
    asked = [(kind, path.removeprefix(str(earlier))) for kind, path in disk]
    decided = first(asked, "unlink", "/.moves/journal.json")
    last_move = max(
        i
        for i, (kind, path) in enumerate(asked)
        if kind in MOVES and path in ("/labels.csv", "/model", "/report.html")
    )
    assert [path.split("/")[-1] for kind, path in asked[last_move:decided] if kind == "fsync"] == [
        "old",
        "",
    ]
    gone = first(asked, "removed", "")
    kept = [path for kind, path in asked[decided:gone] if kind == "fsync"]
    assert any(path.endswith("/.moves") for path in kept)
    assert (earlier / "model" / "manifest.json").read_text() == MANIFEST


def test_an_answer_is_on_the_disk_when_the_next_question_comes(tmp_path, disk):
    file = AnswerFile(tmp_path / "a.csv", ["a", "b"])
    del disk[:]
    file.append(0, 1, True)
    assert disk == [("fsync", str(tmp_path / "a.csv"))]


def test_an_action_is_on_the_disk_when_it_is_done_and_the_journal_has_its_name(tmp_path, disk):
    with Journal.open(tmp_path / "j.jsonl") as journal:
        assert ("fsync", str(tmp_path)) in disk
        del disk[:]
        journal.append({"action": "refit"})
        assert disk == [("fsync", str(tmp_path / "j.jsonl"))]
