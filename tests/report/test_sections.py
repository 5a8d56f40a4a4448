"""Sections that only some runs have, and the way to them."""

from __future__ import annotations

import pytest

import textclust as tc
from tests.report.pages import page_of
from textclust.plain import plain


@pytest.fixture(scope="module")
def extended(sample):
    documents = tc.read_documents(sample)
    bikes = [i for i in range(225) if not documents.labels[i].startswith("sci")]
    found = tc.cluster(documents.select(bikes[::2]), 2)
    return found.extended(documents)


def to(page):
    """Where the navigation leads, by what it is called."""
    return {e.text: e.attributes["href"] for e in page.all("a") if e.inside[-1] == "nav" and e.text}


def test_documents_that_were_added_are_said_to_fit_or_not(extended, sample, tmp_path):
    page = page_of(extended, tmp_path)
    drift = extended.drift
    assert drift.due
    assert f"{plain(drift.sentence(), 2_000)}." in page.of_class("verdict")[0].text
    assert f"{drift.documents} documents were added to the {drift.fitted}" in page.source
    assert to(page)["Documents added"] == "#added"
    rows = page.source.partition('id="added"')[2].partition("</section>")[0]
    for each in drift.clusters:
        assert f"<td>{each.before}</td><td>{each.added}</td>" in rows
    assert "added" not in page_of(tc.cluster(sample, 2), tmp_path).source.partition("<nav")[2][:900]


def test_the_navigation_leads_to_every_section_that_is_there(sample, tmp_path):
    documents = tc.read_documents(sample)
    old = documents.select([i for i in range(225) if documents.labels[i] < "s"])
    page = page_of(tc.cluster(sample, 3, background=old, levels=2, outliers=True), tmp_path)
    assert to(page)["Old and new"] == "#old-and-new"
    sections = {e.attributes["id"] for e in page.all("h2") if e.attributes.get("id")} | {"making"}
    assert {address[1:] for address in to(page).values()} == sections
    assert next(iter(to(page))) == "Map"
    assert "Old and new" not in to(page_of(tc.cluster(sample, 3), tmp_path))
