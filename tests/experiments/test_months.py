"""Month after month, on the sample, which has dates."""

from __future__ import annotations

from itertools import pairwise

import pytest

from textclust.errors import InputError
from textclust.experiments import experiment, months


@pytest.fixture(scope="module")
def rows():
    """What the experiment finds on the sample, by way and month."""
    months.months_of.cache_clear()
    cases = [
        {"collection": "newsgroups", "k": 3, "way": way} for way in (months.CONTINUED, months.OWN)
    ]
    return {case["way"]: {row["month"]: row for row in months.unit(case, 0)} for case in cases}


def test_the_parts_follow_each_other():
    parts = months.months_of("newsgroups")
    assert [len(part) for part in parts] == [45] * 5
    dates = [sorted(part.dates) for part in parts]
    assert all(one[-1] <= next_one[0] for one, next_one in pairwise(dates))


def test_every_month_is_measured(rows):
    for found in rows.values():
        assert list(found) == ["1", "2", "3", "4", "5", "all"]
        for month in "2345":
            assert 0 <= found[month]["same class"] <= found[month]["identities kept"] <= 1
            assert 0 <= found[month]["as predicted"] <= 1
    assert rows[months.CONTINUED]["1"] == rows[months.OWN]["1"]


def test_a_chain_goes_on_better_than_runs_of_their_own(rows):
    def mean(way, measure):
        return sum(rows[way][month][measure] for month in "2345") / 4

    for measure in ("as predicted", "same class"):
        assert mean(months.CONTINUED, measure) >= mean(months.OWN, measure)


def test_documents_without_dates_are_refused(monkeypatch):
    import textclust as tc

    texts = tc.Documents.from_texts(["a b", "c d"])
    monkeypatch.setattr(months, "collection", lambda name: texts)
    months.months_of.cache_clear()
    with pytest.raises(InputError, match="not every document has a date"):
        months.months_of("texts")
    months.months_of.cache_clear()


def test_it_is_declared():
    assert experiment("months").baseline == months.OWN
