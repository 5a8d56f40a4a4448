"""Documents that would like to be markup are shown as text, and nothing of them runs."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.corpora import HOSTILE, hostile
from tests.browser.serving import Server


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    table, project = hostile(folder / "<b>hostile.jsonl"), folder / "project"
    with Server(table, project, "--html", "keep", "--entities", "keep", k=2) as server:
        yield server


@pytest.fixture
def guarded(screen):
    """A page that complains of every dialog of its own, and of every navigation."""
    screen.page.on("dialog", lambda dialog: pytest.fail(f"it ran: {dialog.message}"))
    yield screen
    assert screen.page.title().endswith("– textclust")
    assert screen.page.url == f"{screen.server.origin}/"
    found = screen.page.evaluate(
        "() => document.querySelectorAll('body script, img, iframe, base, a[href], svg[onload],"
        " body link, body meta').length"
    )
    assert found == 0


def test_titles_and_texts_are_shown_as_they_are(guarded):
    page = guarded.page
    expect(page.locator("#source")).to_have_text("<b>hostile.jsonl")
    for row in range(len(HOSTILE)):
        page.locator("#tab-list").click()
        page.locator(f'#documents [data-row="{row}"] .entry').click()
        shown = guarded.server.get(f"documents/{row}")
        assert shown["id"] == HOSTILE[row][0]
        heading = page.locator("#reader h2 bdi")
        expect(heading).to_have_js_property("textContent", shown["title"])
        text = page.locator("#reader .doc-text")
        assert text.evaluate("o => o.textContent") == HOSTILE[row][1]


def test_nothing_is_wider_than_its_place(guarded):
    page = guarded.page
    for row in (3, 4):
        page.locator("#tab-list").click()
        page.locator(f'#documents [data-row="{row}"] .entry').click()
        expect(page.locator("#reader .doc-text")).to_be_visible()
        reader = page.locator("#reader")
        assert reader.evaluate("o => o.scrollWidth <= o.clientWidth")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_they_are_worked_with_as_others_are(guarded):
    page = guarded.page
    guarded.tick(*range(len(HOSTILE)))
    with guarded.acting():
        guarded.press("e")
    guarded.press("c")
    page.locator("#form-field").fill("</script><img src=x onerror=alert(1)>")
    with guarded.acting():
        guarded.press("Enter")
    expect(page.locator('#clusters [data-cluster="3"] .cluster-name')).to_have_text(
        "</script><img src=x onerror=alert(1)>"
    )
    guarded.pick(3, 1)
    guarded.press("g")
    expect(page.locator("dialog#merge")).to_be_visible()
    guarded.press("Escape")
    for key in ("p", "w", "y"):
        guarded.press(key)
        guarded.wait("!window.textclust.store.get('busy')")
    guarded.press("q")
    expect(page.locator("dialog#questions")).to_be_visible()
    for kind in ("pair", "set", "cluster"):
        page.locator(f"#ask-{kind}").click()
        page.wait_for_timeout(100)
    guarded.press("Escape")
    page.locator("#search").fill("<script>")
    expect(page.locator("#list-title")).to_contain_text("2 documents found")
