"""What lasts: after a kill, in exported files, and on the command line."""

from __future__ import annotations

import json
import subprocess

import pytest
from playwright.sync_api import expect

from tests.browser.driving import GONE
from tests.browser.serving import SAMPLE, TEXTCLUST, Server


@pytest.fixture
def own(tmp_path):
    """A server of the sample that a test may kill."""
    with Server(SAMPLE, tmp_path / "project") as server:
        yield server


def work(screen):
    """A little of everything, by key."""
    screen.tick(0, 1)
    with screen.acting():
        screen.press("3")
    screen.press("Escape")
    screen.tick(4, 5)
    with screen.acting():
        screen.press("m")
    with screen.acting():
        screen.press("Delete")
    screen.pick(2)
    screen.press("F2")
    screen.page.locator("#form-field").fill("second")
    with screen.acting():
        screen.press("Enter")
    with screen.acting():
        screen.press("x")
    with screen.acting():
        screen.press("r")
    with screen.acting():
        screen.press("Control+z")


def test_a_kill_loses_nothing(own, opened):
    screen = opened(own)
    screen.expect_complaints(GONE)
    screen.expect_complaints("status of 401")
    work(screen)
    before = own.state
    own.kill()
    banner = screen.page.locator("#lost")
    expect(banner).to_contain_text("The workbench has stopped; start textclust open again.")
    own.start()
    after = own.state
    assert after == before
    expect(banner).to_contain_text("The workbench was started again: open the address")
    screen.open()
    expect(banner).to_be_empty()
    assert screen.server.state == before
    for _ in range(3):
        with screen.acting():
            screen.press("Control+z")
    undone = own.state
    assert (before["discarded"], undone["discarded"]) == ([4, 5], [])
    assert undone["clusters"][1]["named"] == "terms"
    for _ in range(3):
        with screen.acting():
            screen.press("Control+y")
    assert own.state["labels"] == before["labels"]


def test_export_and_the_same_labels_on_the_command_line(own, opened, tmp_path):
    screen = opened(own)
    work(screen)
    with screen.acting():
        screen.press("r")
    screen.press("f")
    expect(screen.page.locator("#status")).to_contain_text("report.html, model")
    assert (own.project / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    screen.expect_complaints(GONE)
    own.stop()
    lines = (own.project / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["action"] for line in lines][-1] == "refit"
    out = tmp_path / "out"
    command = [TEXTCLUST, "cluster", SAMPLE, "--journal", own.project / "journal.jsonl"]
    subprocess.run([*command, "--out", out], check=True, capture_output=True)
    assert (out / "labels.csv").read_bytes() == (own.project / "labels.csv").read_bytes()
