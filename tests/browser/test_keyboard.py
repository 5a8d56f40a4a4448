"""A whole session without a mouse."""

from __future__ import annotations

import re

from playwright.sync_api import expect


def focused(screen, what):
    return screen.page.evaluate(f"() => document.activeElement.{what}")


def tab_to(screen, condition):
    """Press Tab until the focused element meets a condition."""
    for _ in range(60):
        if screen.page.evaluate(
            f"() => {{ const o = document.activeElement; return {condition}; }}"
        ):
            return
        screen.press("Tab")
    raise AssertionError(f"Tab never comes to {condition}")


def test_select_move_merge_undo(screen):
    start = screen.labels
    # to the list of documents: take two, move them
    tab_to(screen, "o.closest('#documents') !== null")
    screen.press("ArrowDown")
    screen.press("ArrowDown", "Shift+ArrowDown")
    assert screen.selected == [2, 3]
    with screen.acting():
        screen.press("3")
    assert [screen.labels[row] for row in (2, 3)] == [3, 3]
    # open one, read on, come back to the same place
    screen.press("Enter")
    expect(screen.page.locator("#reader h2")).not_to_be_empty()
    assert focused(screen, "id") == "reader"
    screen.press("j", "Escape")
    expect(screen.page.locator("#list")).to_be_visible()
    assert focused(screen, "dataset.row") == "4"
    # to the clusters: choose two with Space, merge them
    screen.page.keyboard.press("Escape")
    for _ in range(80):
        if screen.page.evaluate("() => document.activeElement.closest('#clusters') !== null"):
            break
        screen.press("Shift+Tab")
    screen.press("Home", "Space", "ArrowDown", "Space")
    assert sorted(screen.store("picks")) == [1, 2]
    screen.press("g")
    expect(screen.page.locator("dialog#merge")).to_be_visible()
    screen.press("ArrowDown")  # the other radio button
    with screen.acting():
        screen.press("Enter")
    expect(screen.page.locator("#clusters [data-cluster]")).to_have_count(2)
    assert screen.page.evaluate("() => document.activeElement.closest('#clusters') !== null")
    for _ in range(2):
        with screen.acting():
            screen.press("Control+z")
    assert screen.labels == start


def test_the_focus_is_always_seen(screen):
    """Every stop of Tab has an outline, and none is lost."""
    seen = set()
    for _ in range(60):
        screen.press("Tab")
        stop = screen.page.evaluate(
            """() => { const o = document.activeElement; const style = getComputedStyle(o);
              return [o.tagName, o.id || o.dataset.command || o.dataset.row || o.dataset.cluster,
                style.outlineStyle, parseFloat(style.outlineWidth)]; }"""
        )
        if stop[0] == "BODY":
            break
        assert stop[2] != "none", stop
        assert stop[3] >= 1, stop
        seen.add(stop[1])
    assert {"map", "search", "undo", "refit", "merge", "order-typical", "next"} <= seen


def test_dialogs_keep_the_focus_and_give_it_back(screen):
    screen.command("help").focus()
    screen.press("Enter")
    dialog = screen.page.locator("dialog#help")
    expect(dialog).to_be_visible()
    for _ in range(6):
        screen.press("Tab")
        assert screen.page.evaluate(
            "() => [document.body, document.documentElement].includes(document.activeElement)"
            " || document.activeElement.closest('dialog') !== null"
        )
    screen.press("Escape")
    expect(dialog).to_have_count(0)
    assert focused(screen, "dataset.command") == "help"


def test_keys_of_a_single_character_can_be_turned_off(screen):
    screen.press("?")
    box = screen.page.get_by_label("Keys of a single character run commands")
    box.uncheck()
    screen.press("Escape", "t")
    expect(screen.command("order-typical")).to_have_attribute("aria-pressed", "false")
    screen.run("help")
    box.check()
    screen.press("Escape", "t")
    expect(screen.command("order-typical")).to_have_attribute("aria-pressed", "true")


def test_the_help_has_every_key(screen):
    screen.press("?")
    shown = screen.page.locator("dialog#help th kbd").all_text_contents()
    listed = screen.page.evaluate(
        """async () => (await import("/static/commands.js")).commands
          .filter((c) => c.key && !c.unlisted).map((c) => c.label ?? c.key)"""
    )
    assert set(listed) <= set(shown)
    assert not [key for key in listed if re.search(r"\s", key)]
