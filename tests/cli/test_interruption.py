"""Stopped midway, a pipe that closes, a disk that fills up: nothing is left half-written."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import finish, snapshot, start, write_files

READY = (  # everything heavy is imported before the command begins
    "import sys, textclust.pipeline, textclust.methods.kmeans, textclust.text.termspace;"
    "from textclust.cli.main import main; main()"
)
INTERRUPTED = "textclust: interrupted; nothing was written\n"


def interrupt(process, place):
    """Send Ctrl-C once the command is at work: when its hidden stage is there."""
    while not list(place.rglob(".*-*")):
        assert process.poll() is None, finish(process)
        time.sleep(0.005)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)


@pytest.fixture
def place(tmp_path, results):
    """A folder to run in, with the results of an earlier run in `out`."""
    shutil.copytree(results, tmp_path / "out")
    return tmp_path


# Ctrl-C


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Documents enough to keep the command busy for a while."""
    rng = random.Random(0)
    words = [f"word{i:04}" for i in range(3000)]
    texts = {f"{i % 5}/{i}": " ".join(rng.choices(words, k=150)) for i in range(4000)}
    return write_files(tmp_path_factory.mktemp("many"), texts)


@pytest.mark.parametrize("out", ["out", "new/deep"])
def test_ctrl_c_while_many_documents_are_clustered_leaves_no_trace(many, place, out):
    before = snapshot(place)
    process = start("cluster", many, "--k", 20, "--out", out, program=READY, cwd=place)
    interrupt(process, place)
    answer = finish(process)
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


def test_ctrl_c_while_standard_input_is_read_leaves_no_trace(place):
    before = snapshot(place)
    process = start("cluster", "-", "--k", 3, "--out", "out", program=READY, cwd=place)
    for text in TEXTS.values():
        process.stdin.write(json.dumps({"text": text}).encode() + b"\n")
    process.stdin.flush()
    interrupt(process, place)
    process.wait(timeout=60)
    answer = finish(process)
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


@pytest.mark.parametrize("step", ["report", "save"])
def test_ctrl_c_while_results_are_written_leaves_the_old_ones(
    textclust, corpus, place, step, monkeypatch
):
    from textclust import Clustering

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    before = snapshot(place)
    monkeypatch.setattr(Clustering, step, interrupted)
    answer = textclust("cluster", corpus, "--k", 2, "--out", place / "out")
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


def test_ctrl_c_while_predicting_leaves_no_trace(textclust, corpus, place, monkeypatch):
    from textclust import Clustering

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    before = snapshot(place)
    monkeypatch.setattr(Clustering, "predict", interrupted)
    answer = textclust("predict", place / "out", corpus, "--out", place / "new" / "labels.csv")
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


# Pipes and streams


@pytest.mark.parametrize(
    "command",
    [
        ("cluster", "texts", "--k", "3", "--out", "found"),
        ("--help",),
    ],
    ids=lambda command: command[0],
)
def test_a_reader_that_closes_early_is_no_error(place, corpus, command):
    shutil.copytree(corpus, place / "texts")
    reader, writer = os.pipe()
    os.close(reader)
    process = start(*command, cwd=place, stdout=writer)
    os.close(writer)
    answer = finish(process)
    assert answer.code == 0
    noted = "written to found: labels.csv, clusters.json, model/, report.html\n"
    assert answer.err in ("", noted)
    if "--out" in command:
        assert (place / "found" / "labels.csv").is_file()


def test_the_first_line_can_be_taken_with_head(place, corpus):
    process = start("predict", place / "out", corpus)
    head = subprocess.Popen(["head", "-1"], stdin=process.stdout, stdout=subprocess.PIPE)
    process.stdout.close()
    first, _ = head.communicate(timeout=60)
    error = process.stderr.read()
    assert first == b"id,cluster,name,score\n"
    assert (process.wait(timeout=60), error) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", [("predict",), ("--help",)])
def test_a_standard_output_that_takes_nothing_is_told(place, corpus, command):
    arguments = (*command, place / "out", corpus) if "predict" in command else command
    with open("/dev/full", "wb") as full:
        answer = finish(start(*arguments, stdout=full))
    assert answer.code == 2
    assert answer.err.startswith("textclust: standard output: No space left on device")
    assert len(answer.err.splitlines()) == 1


def test_closed_streams_are_no_error(place, corpus):
    command = 'exec "$0" -c "$1" predict "$2" "$3" --out "$4" <&- >&- 2>&-'
    program = "from textclust.cli.main import main; main()"
    target = place / "labels.csv"
    words = [sys.executable, program, place / "out", corpus, target]
    done = subprocess.run(["sh", "-c", command, *map(str, words)], check=False, timeout=120)
    assert done.returncode == 0
    assert target.read_bytes() == (place / "out" / "labels.csv").read_bytes()


# A full disk


def full(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


def only_the_nth(n, real):
    """A function that does what the real one does, but for the nth call, which finds no room."""
    calls = iter(range(1000))

    def call(*arguments, **options):
        return (full if next(calls) == n else real)(*arguments, **options)

    return call


FILES_OF_A_RUN = 6  # labels.csv, clusters.json, three of the model, report.html


@pytest.mark.parametrize("n", range(FILES_OF_A_RUN))
def test_a_full_disk_leaves_the_old_results(textclust, corpus, place, n, monkeypatch):
    before, fsync = snapshot(place), os.fsync
    for out in ("out", "new/deep"):
        monkeypatch.setattr(os, "fsync", only_the_nth(n, fsync))
        answer = textclust("cluster", corpus, "--k", 2, "--out", place / out)
        assert (answer.code, answer.out) == (2, "")
        assert "cannot be written (No space left on device)" in answer.err
        assert len(answer.err.splitlines()) == 1
        assert snapshot(place) == before


def test_a_full_disk_leaves_the_old_predictions(textclust, corpus, place, monkeypatch):
    write_files(place, {"labels.csv": "old"})
    before = snapshot(place)
    monkeypatch.setattr(os, "fsync", full)
    answer = textclust("predict", place / "out", corpus, "--out", place / "labels.csv")
    assert (answer.code, answer.out) == (2, "")
    assert "No space left on device" in answer.err
    assert snapshot(place) == before


def moving(monkeypatch, refuse):
    """Let each move whose source and target `refuse` says fail."""

    def with_refusals(real):
        def move(source, target):
            refuse(Path(source), Path(target))
            return real(source, target)

        return move

    for name in ("rename", "replace"):
        monkeypatch.setattr(os, name, with_refusals(getattr(os, name)))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_results_move_in_all_together_or_not_at_all(textclust, corpus, place, n, monkeypatch):
    before, moved = snapshot(place), iter(range(99))

    def refuse(source, target):
        if target.parent == place / "out" and source.parent.name[0] == "." and next(moved) == n:
            full()

    moving(monkeypatch, refuse)
    assert textclust("cluster", corpus, "--k", 2, "--out", place / "out").code == 2
    assert snapshot(place) == before


def test_results_can_be_written_to_a_mounted_folder(textclust, corpus, place, monkeypatch):
    def refuse(source, target):
        if (source.is_relative_to(place / "out")) != (target.is_relative_to(place / "out")):
            raise OSError(errno.EXDEV, "Invalid cross-device link")

    moving(monkeypatch, refuse)
    assert textclust("cluster", corpus, "--k", 2, "--out", place / "out").code == 0


@pytest.mark.parametrize("mine", ["labels.csv/mine", "report.html/mine", "model"])
def test_something_else_in_the_place_of_a_result_does_not_lead_to_half_of_them(
    textclust, corpus, tmp_path, mine
):
    write_files(tmp_path / "out", {"clusters.json": "old", mine: "mine"})
    before = snapshot(tmp_path)
    answer = textclust("cluster", corpus, "--k", 2, "--out", tmp_path / "out")
    assert answer.code == 0 or snapshot(tmp_path) == before


@pytest.mark.parametrize("command", ["cluster", "predict"])
def test_folders_made_on_the_way_are_taken_away_again(
    textclust, corpus, place, command, monkeypatch
):
    before = snapshot(place)
    if command == "cluster":
        arguments = ("cluster", corpus, "--k", 2, "--out", place / "new" / ("x" * 255))
    else:
        monkeypatch.setattr(os, "fsync", full)
        arguments = ("predict", place / "out", corpus, "--out", place / "new" / "labels.csv")
    assert textclust(*arguments).code == 0 or snapshot(place) == before
