"""Twenty thousand documents: it opens, it can be cancelled, the map follows the hand."""

from __future__ import annotations

import statistics
import time

import pytest
from playwright.sync_api import expect

from tests.browser.corpora import large
from tests.browser.serving import Server


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    began = time.monotonic()
    with Server(large(folder / "large.jsonl"), folder / "project", k=12) as server:
        print(f"\n20,000 documents are served after {time.monotonic() - began:.1f} s")
        yield server


FRAMES = """() => { window.frames_ = []; let last = performance.now();
  const next = (now) => { if (!window.frames_) return;
    window.frames_.push(now - last); last = now; requestAnimationFrame(next); };
  requestAnimationFrame(next); }"""


def frames(screen, move):
    """Milliseconds between frames while something moves."""
    screen.page.evaluate(FRAMES)
    move()
    taken = screen.page.evaluate("() => { const all = window.frames_; return all.slice(1); }")
    screen.page.evaluate("() => { window.frames_ = null; }")
    return taken


def test_the_map_follows_the_hand(server, opened):
    began = time.monotonic()
    screen = opened(server)
    print(f"\nthe page is there after {time.monotonic() - began:.1f} s")
    box = screen.page.locator("#map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = screen.page.mouse

    def zoom():
        mouse.move(x, y)
        for turn in range(20):
            mouse.wheel(0, -60 if turn < 12 else 60)

    def pan():
        mouse.move(x, y)
        mouse.down()
        for turn in range(30):
            mouse.move(x + 4 * turn, y + 3 * turn)
        mouse.up()

    for name, move in (("zoom", zoom), ("pan", pan)):
        taken = frames(screen, move)
        median = statistics.median(taken)
        print(f"{name}: {len(taken)} frames, median {median:.0f} ms, longest {max(taken):.0f} ms")
        assert median < 100


def test_a_refit_is_cancelled(screen):
    screen.expect_complaints("status of 409")
    ids = screen.server.ids
    moved = screen.server.act("move", documents=ids[:3000], cluster=1)
    screen.wait(f"window.textclust.store.get('state').version === {moved['version']}")
    screen.page.evaluate(
        "() => { const { store } = window.textclust; window.told = [];"
        " store.on(['busy'], () => window.told.push(store.get('busy'))); }"
    )
    before = screen.server.state
    screen.press("r")
    screen.wait("window.told.some((each) => each && each.what !== 'starting')")
    expect(screen.page.locator("#progress")).to_be_visible()
    expect(screen.command("refit")).to_have_attribute("aria-disabled", "true")
    screen.run("cancel")
    expect(screen.page.locator("#status")).to_have_text("The refit was cancelled.")
    expect(screen.page.locator("#progress")).not_to_be_visible()
    assert screen.server.state == before
