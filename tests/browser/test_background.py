"""Newer documents beside older ones: classes, new clusters, and one accepted as a class."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.corpora import old_and_new
from tests.browser.serving import Server


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("background")
    old, new = old_and_new(folder)
    with Server(new, folder / "project", "--background", str(old)) as server:
        yield server


def test_a_new_cluster_is_marked_and_accepted_as_a_class(screen):
    page = screen.page
    marks = page.locator("#clusters .tag")
    expect(marks).to_have_text(["class", "class", "new"])
    [new] = [each["number"] for each in screen.server.state["clusters"] if each["new"]]
    expect(screen.command("accept")).to_be_visible()
    screen.pick(1)
    expect(screen.command("accept")).to_have_attribute("aria-disabled", "true")
    screen.pick(new)
    screen.run("accept")
    page.locator("#form-field").fill("sci.astro")
    with screen.acting():
        screen.press("Enter")
    expect(marks).to_have_text(["class", "class", "class"])
    cluster = next(each for each in screen.server.state["clusters"] if each["number"] == new)
    assert (cluster["name"], cluster["named"], cluster["new"]) == ("sci.astro", "class", False)
    with screen.acting():
        screen.press("r")
    expect(marks).to_have_text(["class", "class", "class"])
    with screen.acting(2):
        screen.press("Control+z")
        screen.wait("window.textclust.store.get('state').history.length === 2")
        screen.press("Control+z")
    expect(marks).to_have_text(["class", "class", "new"])
