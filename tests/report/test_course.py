"""The report shows the course of the clusters where documents have dates."""

from __future__ import annotations

import datetime as dt

import pytest

import textclust as tc
from tests.report.pages import made, page_of
from tests.result.test_over_time import dated


def by_month(n, months=3):
    return [dt.datetime(2024, 1 + i % months, 1 + i % 28, tzinfo=dt.UTC) for i in range(n)]


def test_a_chart_for_each_cluster(sample, tmp_path):
    clustering = tc.cluster(sample, 3)
    page = page_of(clustering, tmp_path)
    charts = page.all("svg", role="img")
    sizes = clustering.over_time().pivot(index="cluster", columns="period", values="size")
    assert [chart.attributes["aria-label"] for chart in charts] == [
        f"Documents by month: {', '.join(map(str, row))}" for row in sizes.to_numpy()
    ]
    assert page.one("h2", id="time").text == "Over time"
    assert page.one("a", href="#time")
    assert "from January 1995 to December 1995" in page.source


@pytest.mark.parametrize("dates", [[], by_month(8, months=1)[:1], by_month(40, months=1)[:1] * 40])
def test_nothing_where_there_is_no_course(dates, tmp_path):
    page = page_of(dated(made(40, 2), dates), tmp_path)
    assert not page.all("h2", id="time")
    assert "#time" not in page.source


def test_documents_without_dates_are_counted(tmp_path):
    page = page_of(dated(made(40, 2), by_month(30)), tmp_path)
    assert "10 documents without a date are not counted" in page.source


def test_words_of_a_few_documents_are_left_out_with_the_texts(sample, tmp_path):
    clustering = tc.cluster(sample, 3)
    assert page_of(clustering, tmp_path).of_class("rising")
    assert not page_of(clustering, tmp_path, texts=False).of_class("rising")


def test_a_hundred_clusters_over_many_weeks_stay_small(tmp_path):
    clustering = made(3_000, 100)
    start = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    course = [start + dt.timedelta(i % 200) for i in range(3_000)]
    plain = page_of(clustering, tmp_path).source
    assert len(page_of(dated(clustering, course), tmp_path).source) - len(plain) < 150_000


def test_a_document_far_from_all_others_is_not_shown(tmp_path):
    late = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    page = page_of(dated(made(201, 2), [*by_month(200), late]), tmp_path)
    assert "from 1 January 2024 to 25 March 2024" in page.source
    assert "1 document of other dates is not shown" in page.source
