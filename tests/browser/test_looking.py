"""Open and look: the map, the list, a document, search, orders."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


def test_it_opens_with_everything_in_its_place(screen):
    page = screen.page
    expect(page).to_have_title("newsgroups – textclust")
    expect(page.locator("#status")).to_have_text("225 documents in newsgroups.")
    expect(page.locator("#clusters [data-cluster]")).to_have_count(3)
    expect(page.locator("#list-title")).to_have_text("225 documents in the collection")
    sizes = page.locator(".cluster-size").evaluate_all("all => all.map(o => parseInt(o.innerText))")
    assert sum(sizes) == 225
    assert "token" not in page.url


def test_a_click_on_a_dot_opens_its_document(screen):
    [row] = screen.clear_dots()
    screen.page.mouse.click(*screen.place(row))
    shown = screen.server.get(f"documents/{row}")
    reader = screen.page.locator("#reader")
    expect(reader.locator("h2")).to_have_text(shown["title"])
    expect(screen.page.locator("#tab-reader")).to_have_attribute("aria-selected", "true")
    assert screen.selected == [row]
    # the words are coloured, each in the colour of the cluster that it pulls to
    expect(reader.locator(".doc-text .pull.here").first).to_be_visible()
    pieces = [piece for piece, pull in shown["pieces"] if pull > 0]
    assert reader.locator(".doc-text .pull.here").all_text_contents() == pieces
    colours = reader.locator(".doc-text .pull.here").evaluate_all(
        "all => all.map(o => getComputedStyle(o).textDecorationColor)"
    )
    assert len(set(colours)) == 1
    names = {each["number"]: each["name"] for each in screen.server.state["clusters"]}
    expect(reader.locator(".places")).to_contain_text(names[shown["cluster"]])
    second = reader.locator(".places > div", has_text="Second best")
    expect(second).to_contain_text(names[shown["second"]])
    text = reader.locator(".doc-text").evaluate("o => o.textContent")
    assert text == "".join(piece for piece, _ in shown["pieces"])


def test_hovering_shows_a_title(screen):
    [row] = screen.clear_dots()
    screen.page.mouse.move(*screen.place(row))
    title = screen.server.get("collection")["titles"][row]
    expect(screen.page.locator("#tip")).to_have_text(title)


def test_search_lights_dots_and_filters_the_list(screen):
    screen.press("/")
    screen.page.keyboard.type("orbit")
    found = screen.server.get("documents", search="orbit", limit=1)["matches"]
    expect(screen.page.locator("#list-title")).to_have_text(
        f"{len(found)} documents found in the collection"
    )
    screen.lists(found)
    assert sorted(screen.store("matches")) == found
    screen.press("Escape")
    expect(screen.page.locator("#list-title")).to_have_text("225 documents in the collection")
    assert screen.store("matches") is None


def test_a_regular_expression_is_searched(screen):
    screen.page.locator("#regex").check()
    screen.page.locator("#search").fill(r"\borbit(s|al)\b")
    found = screen.server.get("documents", search=r"\borbit(s|al)\b", regex=1, limit=1)["matches"]
    assert 0 < len(found) < len(screen.server.get("documents", search="orbit")["matches"])
    expect(screen.page.locator("#list-title")).to_contain_text(f"{len(found)} documents found")
    screen.lists(found)


def test_a_wrong_expression_is_said_to_be_wrong(screen):
    screen.expect_complaints("status of 4")
    screen.page.locator("#regex").check()
    screen.page.locator("#search").fill("(orbit")
    expect(screen.page.locator("#error")).not_to_be_empty()
    expect(screen.page.locator("#search")).to_have_attribute("aria-invalid", "true")
    screen.page.locator("#search").fill("orbit")
    expect(screen.page.locator("#error")).to_be_empty()


def test_found_documents_are_selected_and_moved(screen):
    screen.page.locator("#search").fill("telescope")
    expect(screen.page.locator("#list-title")).to_contain_text("found")
    screen.page.locator("#search").press("Enter")
    screen.press("a")
    assert screen.selected == sorted(screen.store("matches"))


@pytest.mark.parametrize(
    ("key", "order"),
    [
        ("t", "typical"),
        ("b", "borderline"),
        ("n", "novel"),
        ("d", "duplicates"),
        ("o", "collection"),
    ],
)
def test_orders_by_key(screen, key, order):
    if order == "collection":
        screen.press("t")
        screen.wait("window.textclust.store.get('order') === 'typical'")
    screen.press(key)
    wanted = screen.server.get("documents", order=order, limit=100)
    rows = [each["row"] for each in wanted["rows"]]
    screen.lists(rows)
    expect(screen.command(f"order-{order}")).to_have_attribute("aria-pressed", "true")


def test_next_and_previous(screen):
    titles = [each["title"] for each in screen.server.get("documents", limit=3)["rows"]]
    heading = screen.page.locator("#reader h2")
    for key, title in (("j", titles[0]), ("j", titles[1]), ("j", titles[2]), ("k", titles[1])):
        screen.press(key)
        expect(heading).to_have_text(title)
    screen.run("previous")
    expect(heading).to_have_text(titles[0])


def test_the_list_goes_on_to_its_end(screen):
    box = screen.page.locator("#documents")
    for count in (200, 225):
        box.evaluate("o => o.scrollTo(0, o.scrollHeight)")
        expect(screen.page.locator("#documents [data-row]")).to_have_count(count)


def test_zoom_and_pan(screen):
    row = screen.clear_dots()[0]
    before = screen.place(row)
    screen.page.mouse.move(*before)
    screen.page.mouse.wheel(0, -600)
    box = screen.page.locator("#map").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    zoomed = screen.place(row)
    assert zoomed == pytest.approx(before, abs=3)  # what is under the pointer stays there
    screen.drag(middle, (middle[0] + 30, middle[1] - 20))
    assert screen.place(row) == pytest.approx((zoomed[0] + 30, zoomed[1] - 20), abs=1)
    screen.press("0")
    assert screen.place(row) == pytest.approx(before, abs=1)


def test_links_lead_from_a_document_to_its_neighbours_and_back(screen):
    screen.press("j")
    neighbour = screen.page.locator("#reader [data-open]").first
    title = neighbour.text_content()
    neighbour.click()
    expect(screen.page.locator("#reader h2")).to_have_text(title)
    screen.press("Escape")
    expect(screen.page.locator("#tab-list")).to_have_attribute("aria-selected", "true")
