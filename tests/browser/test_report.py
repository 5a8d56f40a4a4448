"""The report in a browser: keyboard, search, panel, pages, export and print."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

import textclust as tc
from tests.browser.axe import violations
from tests.browser.driving import VIEWPORT
from tests.browser.serving import SAMPLE
from tests.report.pages import dressed, made
from tests.report.test_hostile import HOSTILE
from textclust.result.clustering import Card
from textclust.writing import quoted

PHONE = {"width": 390, "height": 844}
FORMULAS = ["=1+1", "'=x", "-1", "+2e3", "-1+1", "@sum", "a=b", "\uff1dx", 'a,"b"', "", "'", ".5"]
MIDDLE = "o => { const b = o.getBoundingClientRect(); return [b.x + b.width/2, b.y + b.height/2]; }"


@pytest.fixture(scope="module")
def clustering():
    return tc.cluster(str(SAMPLE), 3)


@pytest.fixture(scope="module")
def sample(clustering, tmp_path_factory):
    return clustering.report(tmp_path_factory.mktemp("report") / "report.html")


@pytest.fixture
def opened(browser):
    """Open a file; it may have no fault and load nothing."""
    contexts, complaints = [], []

    def note(message):
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def open_page(path, **settings):
        usual = {"viewport": VIEWPORT, "reduced_motion": "reduce", "color_scheme": "light"}
        contexts.append(browser.new_context(**{**usual, **settings}))
        page = contexts[-1].new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(f"it ran: {dialog.message}"))
        page.on("request", lambda request: complaints.append(request.url))
        page.goto(path.as_uri())
        assert complaints.pop(0) == path.as_uri()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [each for each in complaints if not each.startswith("blob:")] == []


def focused(page, attribute):
    return page.evaluate(f"() => document.activeElement.getAttribute('{attribute}')")


def place(page, d):
    return page.locator(f'circle[data-d="{d}"]').evaluate(MIDDLE)


def search(page, words, box="#query-map"):
    page.locator(box).fill(words)
    page.locator(box).press("Enter")


def lit(page):
    return {int(d) for d in page.locator("circle.hit").evaluate_all("a => a.map(o => o.dataset.d)")}


def listed(page):
    return [int(d) for d in page.locator("#rows tr").evaluate_all("a => a.map(o => o.dataset.d)")]


@pytest.mark.parametrize(
    ("key", "axis", "sign"),
    [
        ("ArrowRight", 0, 1),
        ("ArrowLeft", 0, -1),
        ("ArrowDown", 1, 1),
        ("ArrowUp", 1, -1),
    ],
)
def test_arrow_keys_go_to_the_nearest_dot_in_their_direction(opened, sample, key, axis, sign):
    page = opened(sample)
    places = {
        int(d): tuple(at)
        for d, at in page.locator("circle").evaluate_all(
            "a => a.map(o => [o.dataset.d, [o.cx.baseVal.value, o.cy.baseVal.value]])"
        )
    }
    page.locator("circle[tabindex]").focus()
    for _ in range(4):
        start = places[int(focused(page, "data-d"))]
        page.keyboard.press(key)
        end = places[int(focused(page, "data-d"))]
        ahead = {
            at: (at[0] - start[0]) ** 2 + (at[1] - start[1]) ** 2
            for at in places.values()
            if sign * (at[axis] - start[axis]) > 0
            and abs(at[1 - axis] - start[1 - axis]) <= abs(at[axis] - start[axis])
        }
        if ahead:
            assert ahead[end] == min(ahead.values())


def test_one_dot_has_the_focus_and_says_its_title_and_cluster(opened, sample, clustering):
    page = opened(sample)
    assert page.locator("circle[tabindex]").count() == 1
    for _ in range(60):
        if page.evaluate("() => document.activeElement.localName === 'circle'"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    d = int(focused(page, "data-d"))
    c = clustering.labels[d]
    name = f"{clustering.cards[d].title}, cluster {c}: {clustering.names[c]}"
    expect(page.get_by_role("button", name=name).and_(page.locator("circle"))).to_be_focused()
    assert page.locator("circle[tabindex]").count() == 1
    page.keyboard.press("Enter")
    expect(page.locator("#panel-title")).to_be_focused()
    expect(page.locator("#panel-title")).to_have_text(clustering.cards[d].title)
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    assert int(focused(page, "data-d")) == d


def test_a_search_lights_the_dots_that_match_and_arrows_stay_on_them(opened, sample, clustering):
    page = opened(sample)
    search(page, "saturn")
    wanted = {
        row
        for row, card in enumerate(clustering.cards)
        if "saturn" in f"{card.title} {card.excerpt[:400]}".lower()
    }
    found = lit(page)
    assert found
    assert found == set(listed(page)) <= wanted
    expect(page.locator("#lit")).to_have_text(f"{len(found)} of 225 documents match.")
    expect(page.locator("#query")).to_have_value("saturn")
    colours = page.locator("circle").evaluate_all(
        "a => a.map(o => [o.classList.contains('hit'), getComputedStyle(o).fillOpacity])"
    )
    assert {tuple(each) for each in colours} == {(True, "1"), (False, "0.22")}
    page.locator("circle[tabindex]").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        assert int(focused(page, "data-d")) in found
    search(page, "nosuchwordanywhere", "#query")
    expect(page.locator("#lit")).to_have_text("None of the 225 documents matches.")
    assert lit(page) == set()
    assert page.locator("circle[tabindex]").count() == 0
    expect(page.locator("#save")).to_be_disabled()
    search(page, "")
    assert page.locator("svg.searching").count() == 0
    assert page.locator("circle[tabindex]").count() == 1


def test_the_choice_of_a_cluster_lights_its_dots(opened, sample, clustering):
    page = opened(sample)
    page.locator("#cluster").select_option("1")
    assert lit(page) == {row for row in range(225) if clustering.labels[row] == 1}


@pytest.mark.parametrize("viewport", [VIEWPORT, PHONE], ids=["wide", "phone"])
def test_a_click_on_a_dot_opens_its_document_beside_the_map(opened, sample, clustering, viewport):
    page = opened(sample, viewport=viewport)
    row = clustering.borderline_rows(1)[0]
    page.locator(".map").scroll_into_view_if_needed()
    page.mouse.click(*place(page, row))
    panel, card, why = page.locator("#panel"), clustering.cards[row], clustering.explain(row)
    expect(page.locator("#panel-title")).to_have_text(card.title)
    expect(panel).to_contain_text(card.id)
    expect(panel).to_contain_text(f"score {clustering.scores[row]:.3f}")
    expect(panel.locator(".excerpt")).to_contain_text(card.excerpt.split("\n")[-1][:20])
    for pull in (*why.here[:4], *why.there[:4]):
        expect(panel.locator(".pulls")).to_contain_text(pull.term)
    x, y = place(page, row)
    box = panel.bounding_box()
    assert not (box["x"] <= x <= box["x"] + box["width"] and y >= box["y"])
    assert 0 <= y <= viewport["height"]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert (SAMPLE / card.id).samefile(
        page.locator("#panel a", has_text="Open the file").evaluate("o => o.href")[7:]
    )


def test_a_row_opens_the_same_and_the_panel_leads_to_the_row(opened, sample):
    page = opened(sample)
    button = page.locator("#rows tr").nth(5).locator("button")
    button.scroll_into_view_if_needed()
    before = button.bounding_box()["y"]
    button.click()
    expect(page.locator("#panel-title")).to_have_text(button.text_content())
    assert abs(button.bounding_box()["y"] - before) < 2
    expect(page.locator("#rows tr").nth(5)).to_have_class("chosen")
    expect(page.locator("circle.chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    page.mouse.move(0, 0)
    search(page, "saturn")
    page.locator("circle[tabindex]").focus()
    page.keyboard.press("Enter")
    d = int(page.locator("circle.chosen").get_attribute("data-d"))
    search(page, "")
    page.locator("#panel").get_by_role("button", name="Show in the table").click()
    row = page.locator(f'#rows tr[data-d="{d}"]')
    expect(row).to_be_in_viewport()
    expect(row.locator("button")).to_be_focused()


def test_every_document_is_on_some_page_of_the_table(opened, sample):
    page, found = opened(sample), []
    expect(page.locator("#earlier")).to_be_disabled()
    for number in (1, 2, 3):
        expect(page.locator("#page")).to_have_text(f"Page {number} of 3")
        found += listed(page)
        if number < 3:
            page.locator("#later").click()
    assert found == list(range(225))
    expect(page.locator("#found")).to_have_text("All 225 documents. 201 to 225 are shown.")
    expect(page.locator("#later")).to_be_disabled()
    page.locator("#by-score button").click()
    expect(page.locator("#page")).to_have_text("Page 1 of 3")
    scores = [float(text) for text in page.locator("#rows .score").all_text_contents()]
    assert scores == sorted(scores)


def downloaded(page):
    with page.expect_download() as download:
        page.locator("#save").click()
    path = download.value.path()
    assert download.value.suggested_filename == "documents.csv"
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline="")))


def test_what_is_found_is_saved_in_its_order(opened, sample, clustering):
    page = opened(sample)
    search(page, "saturn", "#query")
    page.locator("#by-score button").click()
    head, *lines = downloaded(page)
    assert head == ["id", "title", "cluster", "name", "class", "score"]
    assert [line[0] for line in lines] == [clustering.cards[d].id for d in listed(page)]
    search(page, "", "#query")
    assert len(downloaded(page)) == 226


def test_stability_is_in_the_panel_the_order_and_the_table_that_is_saved(opened, tmp_path):
    found = tc.cluster(str(SAMPLE), 3, stability=True)
    page = opened(found.report(tmp_path / "report.html"))
    page.locator("#by-stability button").click()
    figures = [float(each) for each in page.locator("#rows .stability").all_text_contents()]
    assert figures == sorted(figures)
    head, *lines = downloaded(page)
    assert head[-1] == "stability"
    assert [float(line[-1]) for line in lines[:100]] == figures
    page.locator("#rows button").first.click()
    expect(page.locator("#panel")).to_contain_text(f"stability {figures[0]:.3f}")
    page.locator("#shading button").click()
    expect(page.locator("svg.shaded")).to_be_visible()


def test_no_cell_that_is_saved_is_a_formula(opened, tmp_path):
    cards = [Card(text, text, "", text) for text in FORMULAS]
    page = opened(dressed(made(30, 2), cards).report(tmp_path / "report.html"))
    _, *lines = downloaded(page)
    ids = page.evaluate("() => JSON.parse(document.getElementById('data').textContent).ids")
    assert [line[0] for line in lines] == [quoted(name) for name in ids]
    assert "'=1+1" in {line[0] for line in lines}


def test_hostile_documents_open_as_text(opened, tmp_path):
    cards = [Card(f"{i}{t}", t, f"It says {t}", t) for i, t in enumerate(HOSTILE)]
    page = opened(dressed(made(40, 2), cards).report(tmp_path / "report.html"))
    data = page.evaluate("() => JSON.parse(document.getElementById('data').textContent)")
    for d in range(len(HOSTILE)):
        page.locator("#rows tr").nth(d).locator("button").click()
        wanted = data["titles"][d] or data["ids"][d]
        expect(page.locator("#panel-title")).to_have_js_property("textContent", wanted)
        excerpt = page.locator("#panel .excerpt")
        expect(excerpt).to_have_js_property("textContent", data["excerpts"][d])
        assert page.locator("#panel :is(script, img, svg, style)").count() == 0
    for text in HOSTILE:
        search(page, text)
    assert page.locator("body img, body iframe").count() == 0


def test_without_texts_a_dot_opens_what_is_left(opened, clustering, tmp_path):
    page = opened(clustering.report(tmp_path / "report.html", texts=False))
    page.locator("#rows button").first.click()
    expect(page.locator("#panel-title")).to_have_text(clustering.cards[0].id)
    assert page.locator("#panel a", has_text="Open the file").count() == 0
    expect(page.locator("#panel .excerpt")).to_be_hidden()
    assert downloaded(page)[0] == ["id", "cluster", "name", "score"]


def test_it_prints_no_page_without_text(opened, sample, clustering, tmp_path):
    found = replace(clustering, settings={**clustering.settings, "levels": 2})
    for path in (sample, found.report(tmp_path / "report.html")):
        page = opened(path)
        search(page, "saturn")
        page.locator("circle[tabindex]").focus()
        page.keyboard.press("Enter")
        page.pdf(path=tmp_path / "report.pdf")
        texts = [each.extract_text() for each in PdfReader(tmp_path / "report.pdf").pages]
        assert min(len(re.sub(r"\s", "", text)) for text in texts[:-1]) > 250
        whole = " ".join(texts)
        assert whole.count("matching dots light up") == whole.count("Show in the table") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [VIEWPORT, PHONE], ids=["wide", "phone"])
def test_axe_finds_nothing(opened, sample, axe, scheme, viewport):
    page = opened(sample, color_scheme=scheme, viewport=viewport)
    page.evaluate(axe)
    assert violations(page) == []
    search(page, "saturn")
    page.locator("circle[tabindex]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#panel mark").first).to_be_visible()
    assert violations(page) == []
