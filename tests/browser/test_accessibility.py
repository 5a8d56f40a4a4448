"""What axe-core finds wrong with the views and the dialogs, light and dark: nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations


def view_list(screen):
    screen.tick(0, 1)


def view_document(screen):
    screen.press("j")
    expect(screen.page.locator("#reader h2")).not_to_be_empty()


def view_preview(screen):
    screen.press("p")
    expect(screen.page.locator("#preview-body")).to_contain_text("A refit would move")


def view_wizard(screen):
    screen.press("w")
    expect(screen.page.locator("[data-proposal]").first).to_be_visible()


def view_history(screen):
    screen.press("y")


def view_search(screen):
    screen.page.locator("#search").fill("telescope")
    expect(screen.page.locator("#list-title")).to_contain_text("found")


def dialog_merge(screen):
    screen.pick(1, 2)
    screen.press("g")
    expect(screen.page.locator("dialog#merge")).to_be_visible()


def dialog_split(screen):
    screen.pick(1)
    screen.press("s")
    expect(screen.page.locator("dialog#split")).to_be_visible()


def dialog_move(screen):
    screen.pick(1)
    screen.press("v")


def dialog_rename(screen):
    screen.pick(1)
    screen.press("F2")


def dialog_help(screen):
    screen.press("?")


def questions(kind):
    def show(screen):
        screen.press("q")
        screen.page.locator(f"#ask-{kind}").click()
        text = screen.page.locator("#question .question-text").first
        expect(text).not_to_have_text("…")

    show.__name__ = f"questions_{kind}"
    return show


VIEWS = [
    *(view_list, view_document, view_preview, view_wizard, view_history, view_search),
    *(dialog_merge, dialog_split, dialog_move, dialog_rename, dialog_help),
    *(questions("pair"), questions("set"), questions("cluster")),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(server, opened, axe, scheme):
    server.act("seed", documents=server.ids[:2])
    server.act("discard", documents=server.ids[7:8])
    screen = opened(server, color_scheme=scheme)
    screen.page.evaluate(axe)
    found = {}
    for view in VIEWS:
        view(screen)
        found[view.__name__] = violations(screen.page)
        if screen.page.locator("dialog").count():
            screen.press("Escape")
            expect(screen.page.locator("dialog")).to_have_count(0)
        screen.page.locator("#search").fill("")
        screen.page.locator("#map").focus()
        screen.press("Escape", "Escape", "Escape")
    assert {name: each for name, each in found.items() if each} == {}
