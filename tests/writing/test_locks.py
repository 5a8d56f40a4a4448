"""One process at a time works on a file; the lock goes when the process does."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from tests.writing.steps import listing
from textclust.errors import InputError
from textclust.writing import WorkLock, working_on

HOLD = """
import sys
from textclust.writing import WorkLock
WorkLock(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def held(tmp_path):
    """A file that another process works on, and the process."""
    path = tmp_path / "answers.csv"
    command = [sys.executable, "-c", HOLD, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        yield path, process
        process.kill()


def test_who_has_it_is_said_with_its_process_and_time(held):
    path, process = held
    with pytest.raises(InputError) as caught:
        WorkLock(path)
    said = rf"answers\.csv: is in use by another textclust \(process {process.pid}, since "
    assert re.search(
        said + r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\); close that first", str(caught.value)
    )


def test_a_process_that_was_killed_holds_nothing(held):
    path, process = held
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    with WorkLock(path):
        pass
    assert listing(path.parent) == {}


def test_a_file_is_locked_by_whatever_name(tmp_path):
    (tmp_path / "a.csv").write_text("mine")
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    with WorkLock(tmp_path / "a.csv"), pytest.raises(InputError, match="in use"):
        WorkLock(tmp_path / "link.csv")
    assert (tmp_path / "a.csv").read_text() == "mine"


def test_a_lock_can_be_had_again_and_nothing_is_left(tmp_path):
    for _ in range(3):
        with working_on(tmp_path / "new" / "a.csv"), pytest.raises(InputError, match="in use"):
            WorkLock(tmp_path / "new" / "a.csv")
    with working_on(None):
        pass
    assert listing(tmp_path) == {"new": None}


def test_a_lock_that_was_removed_while_it_was_waited_for_is_taken_anew(tmp_path, monkeypatch):
    path, flock = tmp_path / "a.csv", pytest.importorskip("fcntl").flock
    gone = []

    def released_meanwhile(handle, how):
        flock(handle, how)
        if not gone:
            gone.append((tmp_path / ".textclust-lock-a.csv").unlink())

    monkeypatch.setattr("fcntl.flock", released_meanwhile)
    with WorkLock(path):
        assert os.listdir(tmp_path) == [".textclust-lock-a.csv"]


@pytest.mark.parametrize("content", ["", "{}", "[[[", '{"process": "x\\u001b[31m", "since": 1}'])
def test_what_stands_in_a_lock_cannot_do_harm(tmp_path, content, monkeypatch):
    monkeypatch.setattr("textclust.writing.locks._say", lambda handle: None)
    with WorkLock(tmp_path / "a.csv"):
        (tmp_path / ".textclust-lock-a.csv").write_text(content)
        with pytest.raises(InputError, match="in use by another textclust; close that first"):
            WorkLock(tmp_path / "a.csv")
