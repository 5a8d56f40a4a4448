"""Two people, or two programs, at one file of answers: one of them works, the other is told."""

from __future__ import annotations

import os
import re
import signal
import subprocess

import pytest

from tests.cli.running import finish, read_rows, snapshot, start

COMMON = ("ask", "texts", "--k", 3, "--answers", "a.csv")
PROMPT = b"q quit: "


@pytest.fixture
def asking(place):
    """A person who is asked, and has given one answer."""
    process = start(*COMMON, cwd=place)
    read_to_the_prompt(process)
    answer(process, "n")
    yield process
    process.kill()
    process.communicate()


def read_to_the_prompt(process):
    said = b""
    while not said.endswith(PROMPT):
        part = os.read(process.stderr.fileno(), 1 << 16)
        assert part, said
        said += part
    return said


def answer(process, key):
    process.stdin.write(f"{key}\n".encode())
    process.stdin.flush()
    return read_to_the_prompt(process)


def kept(place):
    return [(row["left"], row["right"], row["kind"]) for row in read_rows(place / "a.csv")]


def test_a_second_one_is_refused_with_the_process_of_the_first(textclust, place, asking):
    second = textclust(*COMMON, stdin=b"n\nn\n")
    assert (second.code, second.out) == (2, "")
    said = rf"a\.csv: is in use by another textclust \(process {asking.pid}, since .*\)"
    assert re.search(said + "; close that first\n$", second.err)
    assert len(kept(place)) == 1


def test_no_answer_of_either_is_lost_when_one_follows_the_other(textclust, place, asking):
    textclust(*COMMON, stdin=b"n\nn\n")
    answer(asking, "y")
    answer(asking, "u")
    done = subprocess.Popen.communicate(asking, b"q\n", timeout=120)
    assert b"\n1 answer in a.csv. " in done[1]
    first = kept(place)
    second = textclust(*COMMON, "--queries", 3, stdin=b"n\ny\n")
    assert "going on from 1 answer in a.csv" in second.err
    assert kept(place)[:1] == first
    assert len(kept(place)) == 3


def test_a_kill_lets_go_of_the_file_and_keeps_the_answers(textclust, place, asking):
    asking.send_signal(signal.SIGKILL)
    asking.wait(timeout=60)
    assert textclust(*COMMON, "--queries", 2, stdin=b"y\n").code == 0
    assert len(kept(place)) == 2
    assert [name for name in snapshot(place) if name.startswith(".")] == []


def test_ctrl_c_counts_the_answers_in_the_file(place, asking):
    answer(asking, "n")
    asking.send_signal(signal.SIGINT)
    said = finish(asking)
    assert said.code == 130
    assert said.err.endswith(f"textclust: interrupted; {len(kept(place))} answers in a.csv\n")


def test_reading_the_answers_meanwhile_is_no_error(textclust, place, asking):
    assert textclust("check", "a.csv", "texts").code == 0
    assert textclust("cluster", "texts", "--k", 3, "--constraints", "a.csv").code == 0
