"""Large collections, and the colours of many clusters."""

from __future__ import annotations

import tracemalloc

import pytest

from tests.report.pages import made, page_of
from textclust.report.palette import DARK, LIGHT, colour_rules, luminance
from textclust.result.clustering import Card


@pytest.fixture(scope="module")
def many():
    cards = [
        Card(f"folder/{i}", f"A title of usual length, {i}", "words " * 60) for i in range(60_000)
    ]
    return made(60_000, 12, d=2_400, cards=cards, empty=10)


def test_sixty_thousand_documents_stay_within_bounds(many, tmp_path):
    many.names, many.sizes  # noqa: B018  what the clustering keeps is not the report's
    tracemalloc.start()
    page = page_of(many, tmp_path).source
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(page.encode()) < 15_000_000
    assert peak < 400_000_000


def test_what_is_left_out_is_said(many, tmp_path):
    page = page_of(many, tmp_path)
    assert 49_900 <= len(page.data["ids"]) <= 50_012
    assert "excerpts" not in page.data
    assert 4_980 <= len(page.all("circle")) <= 5_012
    assert "of 59,990 documents are drawn" in page.source
    assert "of 60,000 documents, evenly from each cluster" in page.source
    assert "Titles only" in page.source
    assert max(int(dot.attributes["data-d"]) for dot in page.all("circle")) < len(page.data["ids"])


def test_excerpts_become_shorter_where_documents_are_many(tmp_path):
    cards = [Card(f"folder/{i}", f"A title {i}", "words " * 66) for i in range(10_000)]
    page = page_of(made(10_000, 4, cards=cards), tmp_path)
    assert {len(excerpt) for excerpt in page.data["excerpts"]} == {199}
    assert "Excerpts of 200 characters" in page.source
    few = page_of(made(100, 4, cards=cards[:100]), tmp_path)
    assert {len(excerpt) for excerpt in few.data["excerpts"]} == {395}
    assert "Excerpts of" not in few.source


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_colours_differ_and_stand_out_from_the_page():
    for colours, pages in ((LIGHT, ("#ffffff", "#faf8f4")), (DARK, ("#1c2026", "#14171b"))):
        assert len(set(colours)) == 40
        assert min(contrast(colour, page) for colour in colours for page in pages) >= 3


def test_letters_on_colours_can_be_read():
    for colour in LIGHT + DARK:
        assert max(contrast(colour, letters) for letters in ("#ffffff", "#000000")) >= 4.5
    rules = colour_rules(range(45))
    assert rules.count("--c:") == 90
    assert ".c44{" in rules
