"""The documentation site and a report, read from the disk: accessible, searched, and alone.

`make test-site` builds the site first.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import textclust
from tests.browser.axe import violations
from tests.browser.serving import SAMPLE

SITE = Path(__file__).resolve().parents[2] / "site"
READ = ["index", "first-steps", "choosing", "gallery", "glossary", "api/estimators", "cli"]


@pytest.fixture
def read(browser):
    """Open a page from the disk; nothing may be loaded from elsewhere, and no script may fail."""
    contexts, complaints = [], []

    def open_page(file, scheme="light"):
        assert file.exists(), "no site; run `make docs`"
        contexts.append(browser.new_context(color_scheme=scheme, reduced_motion="reduce"))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("request", lambda request: asked(request.url))
        page.goto(file.as_uri())
        return page

    def asked(address):
        if not address.startswith(("file:", "data:", "blob:")):
            complaints.append(f"request to {address}")

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", READ)
def test_axe_finds_nothing_on_a_page(read, axe, name, scheme):
    page = read(SITE / f"{name}.html", scheme)
    page.evaluate(axe)
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_report(read, axe, tmp_path, scheme):
    textclust.cluster(SAMPLE, k=3).report(tmp_path / "report.html")
    page = read(tmp_path / "report.html", scheme)
    page.evaluate(axe)
    assert violations(page) == []


def test_the_search_works_from_the_disk(read):
    page = read(SITE / "api" / "texts.html")
    page.locator("input.md-search__input").click()
    page.keyboard.type("dendrogram")
    found = page.locator("li.md-search-result__item a").first
    found.click()
    page.wait_for_url(re.compile(r"\.html\?h=dendrogram"))
    expect(page.locator("article")).to_contain_text("dendrogram")
