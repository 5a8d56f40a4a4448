"""Light and dark, large and small; nothing jumps."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


def boxes(screen):
    """Where every button of a command is."""
    return screen.page.locator("button[data-command]").evaluate_all(
        "all => Object.fromEntries(all.filter(o => o.offsetParent).map(o =>"
        " [o.dataset.command, ['x', 'y', 'width', 'height'].map(k =>"
        " Math.round(10 * o.getBoundingClientRect()[k]) / 10)]))"
    )


def test_buttons_do_not_move(screen):
    before = boxes(screen)
    assert len(before) > 30
    screen.tick(0, 1)
    assert boxes(screen) == before
    with screen.acting():
        screen.press("2")
    assert boxes(screen) == before
    screen.pick(1)
    with screen.acting():
        screen.press("x")
    assert boxes(screen) == before
    screen.press("l")
    assert boxes(screen) == before
    screen.press("Escape", "j")
    expect(screen.page.locator("#reader h2")).not_to_be_empty()
    shown = {name: box for name, box in before.items() if not name.startswith("order-")}
    assert boxes(screen) == shown


def test_buttons_do_not_move_while_it_computes(screen):
    before = boxes(screen)
    screen.tick(0, 1)
    with screen.acting():
        screen.press("2")
    # an answer that is held back shows the page as it is during a long refit
    screen.page.route(
        "**/api/actions", lambda route: (screen.page.wait_for_timeout(50), route.continue_())
    )
    screen.page.evaluate(
        "() => { const { store } = window.textclust; window.kept = {};"
        " store.on(['busy'], () => requestAnimationFrame(() => {"
        "  if (!store.get('busy')) return;"
        "  for (const o of document.querySelectorAll('button[data-command]')) {"
        "   if (!o.offsetParent) continue; const b = o.getBoundingClientRect();"
        "   window.kept[o.dataset.command] = ['x', 'y', 'width', 'height'].map(k =>"
        "    Math.round(10 * b[k]) / 10); } })); }"
    )
    with screen.acting():
        screen.run("refit")
    screen.wait("!window.textclust.store.get('busy')")
    kept = screen.page.evaluate("() => window.kept")
    assert kept
    assert {name: before[name] for name in kept} == kept


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_follows_the_system_until_a_person_chooses(server, opened, scheme):
    screen = opened(server, color_scheme=scheme)
    other = {"light": "dark", "dark": "light"}[scheme]
    root = screen.page.locator("html")
    expect(root).to_have_attribute("data-theme", scheme)

    def paper():
        return screen.page.evaluate("() => getComputedStyle(document.body).backgroundColor")

    before = paper()
    screen.run("theme")
    expect(root).to_have_attribute("data-theme", other)
    assert paper() != before
    screen.page.reload()
    screen.ready()
    expect(root).to_have_attribute("data-theme", other)


def test_a_small_laptop_needs_no_scrolling_of_the_page(screen):
    sizes = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert screen.page.evaluate(sizes) == [1280, 720]
    clipped = screen.page.locator("button[data-command]").evaluate_all(
        "all => all.filter(o => o.offsetParent && o.scrollWidth > o.clientWidth + 1)"
        ".map(o => o.dataset.command)"
    )
    assert clipped == []
    for key in ("j", "p", "w", "y"):
        screen.press(key)
        screen.wait("!window.textclust.store.get('busy')")
        assert screen.page.evaluate(sizes) == [1280, 720]


def test_a_phone_shows_everything_below_each_other(server, opened):
    screen = opened(server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = screen.page
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    outside = page.locator("button[data-command], #search, #clusters, #documents").evaluate_all(
        "all => all.filter(o => o.offsetParent).filter(o => { const b = o.getBoundingClientRect();"
        " return b.left < 0 || b.right > innerWidth + 0.5; }).map(o => o.outerHTML)"
    )
    assert outside == []
    smallest = page.evaluate(
        "() => Math.min(...[...document.querySelectorAll('p, li, button, h2, bdi')]"
        ".filter(o => o.offsetParent && o.textContent.trim())"
        ".map(o => parseFloat(getComputedStyle(o).fontSize)))"
    )
    assert smallest >= 12
    row = int(page.locator("#documents [data-row]").first.get_attribute("data-row"))
    page.locator(f'#documents [data-row="{row}"] .entry').tap()
    expect(page.locator("#reader h2")).to_have_text(screen.server.get(f"documents/{row}")["title"])
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
