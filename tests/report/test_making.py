"""How it was made: every setting in words, whatever its shape."""

from __future__ import annotations

from dataclasses import replace

import pytest

import textclust as tc
from tests.report.pages import made, page_of

RAW = ("{'", "': ", "{&#x27;", "&#x27;: ", "None", "True", "False")


def test_no_setting_is_shown_as_python_has_it(sample, tmp_path):
    """With whatever has a record of its own: a chosen k, seeds, words, names."""
    seeds = {id_: id_.split("/")[0] for id_ in tc.cluster(sample, 3).ids[::40]}
    runs = [
        tc.cluster(sample, levels=2, outliers=True, by="month", max_seconds=60),
        tc.cluster(sample, 3, seeds=seeds, vectorizer=tc.TextVectorizer(stop_words=["the", "a"])),
        tc.cluster(sample, 3, seed_words={"sky": ["telescope"], "bike": ["wheel"]}),
        tc.cluster(sample, 3, distortion="kl").renamed({0: "The night sky"}),
    ]
    for found in runs:
        making = page_of(found, tmp_path).one("details", id="making").text
        assert not [raw for raw in RAW if raw in making]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"name": "kl", "alpha": 0.5, "deep": {"a": None}}, "name: kl, alpha: 0.5, deep: a: –"),
        ([[1, 2], [3, 4]], "1, 2; 3, 4"),
        ({}, "none"),
        ([], "none"),
        (12_345, "12,345"),
        (True, "yes"),
    ],
)
def test_a_value_in_words(value, words, tmp_path):
    found = replace(made(30, 2), settings={"method": "kmeans", "parameters": {"it": value}})
    page = page_of(found, tmp_path)
    assert words in [element.text for element in page.all("dd")]


def test_a_list_of_records_is_a_table(tmp_path):
    rows = [{"k": 2, "gap": 0.5}, {"k": 3, "stability": 0.25}]
    settings = {"method": "kmeans", "selection": {"k": 2, "table": rows}}
    page = page_of(replace(made(30, 2), settings=settings), tmp_path)
    cells = [e.text for e in page.elements if e.name in ("th", "td") and "dd" in e.inside]
    assert cells == ["K", "Gap", "Stability", "2", "0.5", "–", "3", "–", "0.25"]
