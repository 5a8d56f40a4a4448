"""See: preview, refit, cancel, questions, the wizard, history."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


def say_something(screen):
    """Move twenty documents of one cluster to another, by the interface."""
    rows = [row for row, label in enumerate(screen.labels) if label == 2][:20]
    screen.server.act("move", documents=[screen.server.ids[row] for row in rows], cluster=1)
    screen.wait("window.textclust.store.get('state').undo !== null")


def test_preview_then_refit(screen):
    say_something(screen)
    expect(screen.command("preview").locator(".badge")).to_have_text("1")
    seen = screen.page.evaluate_handle(
        "() => { const seen = []; const { store } = window.textclust;"
        " store.on(['busy'], () => seen.push(store.get('busy'))); return seen; }"
    )
    screen.press("p")
    answer = screen.server.get("preview")
    assert answer["moves"] > 0
    expect(screen.page.locator("#preview-body")).to_contain_text(
        f"A refit would move {answer['moves']} document"
    )
    expect(screen.page.locator("#progress")).not_to_be_visible()
    told = seen.json_value()
    assert told[-1] is None
    assert {each["what"] for each in told if each} - {"starting"}, told
    flow = answer["flows"][0]
    screen.page.locator(f"[data-flow='{flow['from']}-{flow['to']}']").click()
    assert screen.selected == sorted(flow["rows"])
    before = screen.labels
    with screen.acting():
        screen.press("r")
    after = screen.labels
    moved = [row for row, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert moved == answer["rows"]
    assert [after[row] for row in moved] == answer["to"]
    expect(screen.command("preview").locator(".badge")).to_have_text("0")
    expect(screen.page.locator("#preview-body")).to_contain_text("Outcome")


def answer_by_key(screen, kind, keys):
    """Answer as many questions as there are keys; what the journal then has more."""
    screen.page.locator(f"#ask-{kind}").click()
    panel = screen.page.locator("#question")
    for key in keys:
        expect(panel.locator(".ask")).to_be_visible()
        expect(panel.locator(".question-text").first).not_to_have_text("…")
        for one in key[:-1]:
            screen.press(one)
        with screen.acting():
            screen.press(key[-1])


def test_twenty_questions_by_key(screen):
    before = screen.version
    screen.press("q")
    dialog = screen.page.locator("dialog#questions")
    pairs = ["s", "d", "s", "d", "u", "d", "k", "d"]
    answer_by_key(screen, "pair", [[key] for key in pairs])
    ids = screen.server.ids
    shown = dialog.locator("#question").inner_text()
    assert not any(name in shown for name in ids)  # blind: nothing says where they are
    answer_by_key(screen, "set", [["Enter"], ["3", "Enter"], ["1", "2", "Enter"], ["u"], ["k"]])
    answer_by_key(screen, "cluster", [["1"], ["2"], ["1"], ["0"], ["1"], ["2"], ["1"]])
    expect(dialog.locator(".tally")).to_have_text("20 answers given")
    assert screen.version == before + 20
    with screen.acting():
        screen.press("z")
    expect(dialog.locator(".message")).to_have_text("The last answer was taken back.")
    screen.press("Escape")
    expect(dialog).to_have_count(0)
    state = screen.server.state
    assert {link["kind"] for link in state["links"]} == {"must-link", "cannot-link"}
    screen.press("y")
    expect(screen.page.locator("#history-list li")).to_have_count(20)


def test_keys_are_those_of_the_dialog_wherever_one_clicks(screen):
    screen.press("q")
    dialog = screen.page.locator("dialog#questions")
    expect(dialog.locator(".ask")).to_be_visible()
    dialog.locator("#questions-title").click()  # nothing there takes the focus
    with screen.acting():
        screen.press("d")
    assert screen.server.state["links"][0]["kind"] == "cannot-link"
    expect(screen.command("order-duplicates")).to_have_attribute("aria-pressed", "false")


def test_where_they_are_is_shown_if_asked_for(screen):
    screen.press("q")
    panel = screen.page.locator("#question")
    expect(panel.locator(".cluster-mark")).to_have_count(0)
    screen.page.locator("#show-places").check()
    expect(panel.locator(".cluster-mark")).to_have_count(2)


@pytest.fixture
def mistaken(screen):
    """A page of clusters with a mistake: one of three is cut in two, two others are one."""
    state = screen.server.state
    half = [row for row, label in enumerate(state["labels"]) if label == 1][::2]
    ids = screen.server.ids
    screen.server.act("merge", clusters=[2, 3], into=2)
    screen.server.act("split", cluster=1, documents=[ids[row] for row in half], hold=False)
    screen.wait("window.textclust.store.get('state').history.length === 3")
    screen.press("w")
    expect(screen.page.locator("[data-proposal]").first).to_be_visible()
    return screen


def test_the_wizard_is_accepted(mistaken):
    cards = mistaken.page.locator("[data-proposal]")
    kinds = cards.evaluate_all("all => all.map(o => o.dataset.proposal)")
    assert {"merge", "split"} & set(kinds), kinds
    card = mistaken.page.locator("[data-proposal=merge], [data-proposal=split]").first
    card.locator("[data-look]").click()
    assert mistaken.selected
    with mistaken.acting():
        card.locator("[data-accept]").click()
    assert len(mistaken.server.state["history"]) == 4


def test_the_wizard_is_answered_by_key(mistaken):
    card = mistaken.page.locator("[data-proposal=document]").first
    expect(card).to_be_visible()
    place = int(card.locator("[data-place]").first.get_attribute("data-place"))
    row = int(card.locator("[data-open]").first.get_attribute("data-open"))
    card.locator("[data-look]").focus()
    with mistaken.acting():
        mistaken.press("1")
    assert mistaken.labels[row] == place


def test_a_proposal_is_passed_over(mistaken):
    cards = mistaken.page.locator("[data-proposal]")
    first, many = cards.first.inner_text(), cards.count()
    before = mistaken.version
    cards.first.locator("[data-pass]").click()
    expect(cards).to_have_count(many - 1)
    assert cards.first.inner_text() != first
    assert mistaken.version == before
