"""Sizes by period and rising terms: counted by hand, and rare where dates mean nothing."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.report.pages import made
from textclust.errors import InputError
from textclust.result.over_time import over_time, terms_over_time
from textclust.result.periods import FREQUENCIES


def dated(clustering, dates):
    """The same clustering with these dates for its first documents, and none for others."""
    given = [*dates, *[None] * (len(clustering.cards) - len(dates))]
    cards = [card._replace(date=d) for card, d in zip(clustering.cards, given, strict=True)]
    return replace(clustering, cards=cards)


def days(*texts):
    return [dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC) for text in texts]


def test_by_hand():
    clustering = made(5, 2)
    clustering = replace(
        clustering, placement=replace(clustering.placement, labels=np.array([0, 0, 1, 1, 0]))
    )
    found = over_time(
        dated(clustering, days("2024-01-31", "2024-03-01", "2024-03-31", "2024-03-02")), "month"
    )
    assert found.periods == [dt.date(2024, 1, 1), dt.date(2024, 2, 1), dt.date(2024, 3, 1)]
    assert found.sizes.tolist() == [[1, 0, 1], [0, 0, 2]]
    assert found.undated == 1
    weeks = over_time(dated(clustering, days("2024-05-05", "2024-05-06")), "week")
    assert weeks.periods == [dt.date(2024, 4, 29), dt.date(2024, 5, 6)]  # both Mondays
    before = over_time(dated(clustering, days("1969-12-31", "1970-01-01")), "year")
    assert before.periods == [dt.date(1969, 1, 1), dt.date(1970, 1, 1)]


def test_a_day_is_that_of_utc():
    late = dt.datetime(2024, 1, 31, 23, tzinfo=dt.timezone(dt.timedelta(hours=-5)))
    assert over_time(dated(made(3, 1), [late]), "day").periods == [dt.date(2024, 2, 1)]


@pytest.mark.parametrize(
    ("days", "freq"), [(0, "day"), (30, "day"), (31, "week"), (400, "month"), (2000, "year")]
)
def test_auto_is_the_finest_that_can_be_looked_at(days, freq):
    start = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    clustering = dated(made(4, 1), [start, start + dt.timedelta(days)])
    assert over_time(clustering).freq == freq


@given(
    st.lists(st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(1902, 1, 1)), min_size=1),
    st.sampled_from(FREQUENCIES),
)
def test_every_dated_document_is_in_one_period(dates, freq):
    clustering = dated(made(len(dates) + 2, 2), [d.replace(tzinfo=dt.UTC) for d in dates])
    found = over_time(clustering, freq)
    assert found.sizes.sum() == len(dates)
    assert found.undated == 2
    assert found.sizes[:, 0].any()
    assert found.sizes[:, -1].any()
    assert found.periods[0] <= min(dates).date()
    ends = [*found.periods[1:], dt.date(1903, 1, 1)]
    for p, (begin, end) in enumerate(zip(found.periods, ends, strict=True)):
        assert found.sizes[:, p].sum() == sum(begin <= d.date() < end for d in dates)


def test_a_word_that_comes_up_rises_then_and_only_then():
    rng = np.random.default_rng(0)
    common = [f"word{i}" for i in range(40)]
    months = np.repeat(np.arange(1, 7), 30)
    texts = [
        " ".join([*rng.choice(common, 8), *(["comet"] if m == 4 and i % 2 else [])])
        for i, m in enumerate(months)
    ]
    dates = [f"2024-{m:02}" for m in months]
    documents = tc.Documents.from_texts(texts, dates=dates)
    found = tc.cluster(documents, 1, vectorizer=tc.TextVectorizer(min_df=1)).over_time("month")
    rising = dict(zip(found["period"].dt.month, found["rising"], strict=True))
    assert rising[4].split(", ")[0] == "comet"
    assert all("comet" not in terms for month, terms in rising.items() if month != 4)


def test_where_dates_mean_nothing_hardly_anything_rises():
    rng = np.random.default_rng(1)
    clustering = made(3_000, 5, d=500)
    start = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    dates = [start + dt.timedelta(int(day)) for day in rng.integers(0, 300, 3_000)]
    found = over_time(dated(clustering, dates), "month")
    periods = [terms for of_cluster in found.rising for terms in of_cluster]
    assert not any(of_cluster[0] for of_cluster in found.rising)  # nothing to rise from
    assert sum(map(bool, periods)) <= 0.1 * len(periods)


def test_the_frame_has_a_row_for_each_cluster_in_each_period(sample):
    clustering = tc.cluster(sample, 3)
    found = clustering.over_time()
    assert list(found.columns) == ["period", "cluster", "name", "size", "share", "rising"]
    assert len(found) == 12 * 3
    assert found["size"].sum() == 225
    assert found.groupby("period")["share"].sum().to_numpy() == pytest.approx(1.0)


def test_what_cannot_be_done_is_said():
    clustering = made(4, 2)
    with pytest.raises(InputError, match="no document has a date: name a column with date="):
        over_time(clustering)
    with pytest.raises(
        InputError, match="freq must be 'day', 'week', 'month', 'quarter', 'year' or 'auto'"
    ):
        over_time(clustering, "hour")


def test_a_few_far_away_do_not_squeeze_all_others():
    start = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    near = [start + dt.timedelta(i % 10) for i in range(300)]
    whole = over_time(dated(made(302, 2), [*near, *days("2023-10-01", "2024-03-01")]), "day")
    found = whole.shown
    assert (len(whole.periods), whole.outside, whole.sizes.sum()) == (153, 0, 302)
    assert (found.periods[0], found.periods[-1]) == (dt.date(2024, 1, 1), dt.date(2024, 1, 10))
    assert (found.outside, found.sizes.sum()) == (2, 300)
    assert [len(each) for each in found.rising] == [10, 10]
    close = over_time(dated(made(301, 2), [*near, *days("2024-01-12")]), "day")
    assert close.shown is close
    alone = over_time(dated(made(300, 2), [start] * 299 + days("2024-03-01")), "day")
    assert alone.shown is alone


def test_quarters_begin_in_their_first_months():
    found = over_time(dated(made(3, 1), days("2023-12-31", "2024-05-05", "2024-07-01")), "quarter")
    assert found.periods == [dt.date(2023, 10, 1), *(dt.date(2024, m, 1) for m in (1, 4, 7))]
    assert found.sizes.tolist() == [[1, 0, 1, 1]]


@pytest.mark.parametrize("freq", ["day", "month"])
def test_the_terms_of_a_period_weigh_most_in_its_documents(freq):
    clustering = made(60, 3)
    start = dt.datetime(2024, 1, 20, tzinfo=dt.UTC)
    clustering = dated(clustering, [start + dt.timedelta(i % 20) for i in range(55)])
    found = over_time(clustering, freq)
    terms = terms_over_time(clustering, found, 3)
    words = clustering.vectorizer.readable_terms()
    for h in range(3):
        for p, period in enumerate(found.periods):
            end = found.periods[p + 1] if p + 1 < len(found.periods) else dt.date(2025, 1, 1)
            rows = [
                row
                for row, date in enumerate(clustering.dates)
                if date and period <= date.date() < end and clustering.labels[row] == h
            ]
            weights = np.asarray(clustering.texts[rows].sum(axis=0)).ravel()
            order = [t for t in np.argsort(-weights, kind="stable")[:3] if weights[t] > 0]
            assert weights[order] == pytest.approx(
                [weights[words.index(term)] for term in terms[h][p]]
            )
            assert len(terms[h][p]) == len(order)


def test_a_few_far_away_have_no_terms_where_they_are_not_shown():
    start = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    near = [start + dt.timedelta(i % 10) for i in range(300)]
    whole = over_time(dated(made(302, 2), [*near, *days("2023-10-01", "2024-03-01")]), "day")
    clustering = dated(made(302, 2), [*near, *days("2023-10-01", "2024-03-01")])
    every, shown = terms_over_time(clustering, whole), terms_over_time(clustering, whole.shown)
    first = whole.periods.index(whole.shown.periods[0])
    assert [each[first : first + 10] for each in every] == shown


def test_the_periods_asked_for_go_into_all_that_is_written(sample, tmp_path):
    clustering = tc.cluster(sample, 3, by="quarter")
    found = tc.load(clustering.save(tmp_path / "model"))
    for each in (clustering, found):
        course = each.to_dict()["over_time"]
        assert course["by"] == "quarter"
        assert [len(cluster["periods"]) for cluster in course["clusters"]] == [4, 4, 4]
        assert course["trends"] == []
    assert "over_time" not in tc.cluster(sample, 3).to_dict()
    with pytest.raises(InputError, match="by must be one of None, 'day'"):
        tc.cluster(sample, 3, by="hour")
    with pytest.raises(InputError, match="by='day' needs dates, and no document has one"):
        tc.cluster(["red lens", "dark star", "red star"], 2, by="day")
