"""Paired t-tests: by hand, where there is nothing to test, in the summary and in the table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t as student

from tests.cli.running import read_rows
from tests.experiments.toy import toy
from textclust.experiments import experiments
from textclust.experiments.declared import grid
from textclust.experiments.paired import LEVEL, paired
from textclust.experiments.runner import perform


def test_by_hand():
    """Differences 1, 2 and 3: their mean is 2, its standard error 1 / sqrt(3)."""
    found = paired({"a": 2.0, "b": 4.0, "c": 6.0}, {"a": 1.0, "b": 2.0, "c": 3.0})
    assert found.difference == pytest.approx(2.0)
    assert found.t == pytest.approx(2 * math.sqrt(3))
    assert found.p == pytest.approx(2 * student.sf(2 * math.sqrt(3), 2))
    assert paired({"a": 2.0, "b": 4.0, "c": 6.0}, {"a": 9.0, "b": 9.0, "c": 9.5}).t < 0


def test_only_shared_samples_count():
    found = paired({0: 1.0, 1: 2.0, 2: 9.0}, {1: 1.0, 0: 0.5, 7: 100.0})
    assert found.difference == pytest.approx(0.75)
    assert found.t == pytest.approx(0.75 / 0.25)


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        ({}, {0: 1.0}, (math.nan, math.nan, math.nan)),
        ({0: 1.0}, {1: 1.0}, (math.nan, math.nan, math.nan)),
        ({0: 1.0, 1: 2.0}, {0: 0.5}, (0.5, math.nan, math.nan)),
        ({0: 0.3, 1: 0.7}, {0: 0.1 + 0.2, 1: 0.7}, (0.0, 0.0, 1.0)),
        ({0: 0.3, 1: 0.7}, {0: 0.2, 1: 0.6}, (0.1, math.nan, math.nan)),
        ({0: 0.0, 1: 0.0}, {0: 0.0, 1: 0.0}, (0.0, 0.0, 1.0)),
    ],
)
def test_where_there_is_nothing_to_test(own, other, expected):
    assert paired(own, other) == pytest.approx(expected, nan_ok=True)


def noisy(case, run):
    """One line ten points above the other, one the same, and one that is left out of some runs."""
    score = np.random.default_rng(run).normal(0.5, 0.2)
    noise = np.random.default_rng((run, 1)).normal(0.0, 0.01)
    if case["variant"] == "seldom" and run > 0:
        return
    yield {"links": 0, "NMI": score + {"above": 0.1 + noise}.get(case["variant"], 0.0)}


def lines(**changes):
    variants = ("above", "same", "seldom", "plain")
    return toy(
        unit=noisy, cases=grid(variant=variants), paper={}, gain_over=None, gain_of=(), **changes
    )


def test_the_summary_has_difference_t_and_p(tmp_path):
    perform(lines(baseline="plain"), runs=8, out=tmp_path)
    rows = {row["variant"]: row for row in read_rows(tmp_path / "toy-fig-1" / "summary.csv")}
    assert float(rows["above"]["difference"]) == pytest.approx(0.1, abs=0.02)
    assert float(rows["above"]["p"]) < LEVEL
    assert float(rows["above"]["t"]) > 0
    assert [rows["same"][name] for name in ("difference", "t", "p")] == ["0.0", "0.0", "1.0"]
    assert float(rows["seldom"]["difference"]) == 0
    assert (rows["seldom"]["t"], rows["seldom"]["p"]) == ("", "")
    assert [rows["plain"][name] for name in ("difference", "t", "p")] == ["", "", ""]


def test_the_table_marks_what_differs_and_says_so():
    table = perform(lines(baseline="plain"), runs=8).table()
    assert [row[-1].endswith("*") for row in table.with_marks()] == [True, False, False, False]
    assert not any("*" in value for row in table.rows for value in row)
    assert table.notes[-1] == (
        "* differs from plain in the same runs: two-tailed paired t-test, p < 0.005"
    )


def test_the_first_line_is_the_baseline_unless_another_is_declared():
    table = perform(lines(), runs=8).table()
    assert [row[-1].endswith("*") for row in table.with_marks()] == [False, True, False, True]
    assert "* differs from above " in table.notes[-1]


def test_one_run_of_one_sample_is_not_tested():
    result = perform(lines(), runs=1)
    assert not any("t-test" in note for note in result.table().notes)
    assert all(math.isnan(cell.p) for cell in result.cells)


def test_every_declared_baseline_is_a_line():
    for name, each in experiments().items():
        known = {case[each.lines] for case in each.cases if each.lines in case}
        assert each.baseline is None or not known or each.baseline in known, name
