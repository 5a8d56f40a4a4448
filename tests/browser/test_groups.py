"""Clusters that belong together, from six clusters on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.serving import SAMPLE, Server


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    with Server(SAMPLE, tmp_path_factory.mktemp("groups") / "project", k=8) as server:
        yield server


@pytest.fixture
def page(many, opened):
    return opened(many).page


def shown(page):
    return page.locator("#clusters [role=option]:visible").evaluate_all(
        "all => all.map(o => Number(o.dataset.cluster))"
    )


def test_groups_have_their_clusters(many, page):
    groups = many.get("state")["groups"]
    assert groups
    boxes = page.locator("#clusters [role=group]")
    expect(boxes).to_have_count(len(groups))
    for i, group in enumerate(groups):
        expect(boxes.nth(i)).to_have_attribute("aria-label", group["name"])
        inside = boxes.nth(i).locator("[role=option]")
        expect(inside).to_have_count(len(group["clusters"]))
    assert sorted(shown(page)) == list(range(1, 9))


def test_a_click_closes_one_and_opens_it_again(many, page):
    first = many.get("state")["groups"][0]
    heading = page.locator("#clusters .group-name").first
    heading.click()
    assert not set(first["clusters"]) & set(shown(page))
    page.locator("#clusters .group-name").first.click()
    assert set(first["clusters"]) <= set(shown(page))


def test_a_button_closes_all_and_arrows_pass_over_them(many, page):
    toggle = page.locator("#group-toggle")
    expect(toggle).to_have_text("Close groups")
    toggle.click()
    expect(toggle).to_have_text("Open groups")
    inside = {n for group in many.get("state")["groups"] for n in group["clusters"]}
    assert not inside & set(shown(page))
    toggle.click()
    options = shown(page)
    page.locator(f"#clusters [data-cluster='{options[0]}']").focus()
    for name in options[1:]:
        page.keyboard.press("ArrowDown")
        focused = page.evaluate("Number(document.activeElement.dataset.cluster)")
        assert focused == name


def test_a_cluster_can_be_chosen_in_its_group(many, page):
    number = many.get("state")["groups"][0]["clusters"][0]
    option = page.locator(f"#clusters [data-cluster='{number}']")
    option.click()
    expect(option).to_have_attribute("aria-selected", "true")
