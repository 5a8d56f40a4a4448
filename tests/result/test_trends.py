"""Which clusters rise, fall, are new or have vanished: by hand, and rarely without a cause."""

from __future__ import annotations

import datetime as dt
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from textclust.result.trends import Trend, halves, trends

MONTHS = [dt.date(2024, month, 1) for month in range(1, 13)]


def found(*sizes):
    return trends(np.array(sizes), MONTHS[: len(sizes[0])])


def kinds(*sizes):
    return {each.cluster: each.kind for each in found(*sizes)}


def test_by_hand():
    """Half of the documents are of each month: the 8 of cluster 0 came in one with chance 2^-8.

    Twelve bounds are held against 1/20: the smallest counts twelvefold, 12/256 < 1/20. Seven
    documents would not do: 12/128 > 1/20.
    """
    assert kinds([0, 8], [10, 6], [10, 6]) == {0: "new"}
    assert kinds([0, 7], [10, 6], [9, 6]) == {}
    assert kinds([8, 0], [6, 10], [6, 10]) == {0: "vanished"}
    assert kinds([7, 0], [6, 10], [6, 9]) == {}


def test_what_is_said_of_a_cluster():
    new = found([0, 0, 12], [30, 30, 18])[0]
    assert new == Trend(0, "new", 0.0, 0.2, MONTHS[2])
    assert new.in_words("month") == "new in March 2024"
    gone = found([12, 0, 0], [18, 30, 30])[0]
    assert gone.in_words("week") == "vanished, the last in the week of 1 January 2024"
    rising = found([1, 5, 14, 30], [49, 45, 36, 20])[0]
    assert rising == Trend(0, "rising", 0.06, 0.44, None)
    assert rising.in_words("month") == "rising, from 6.0% to 44.0%"
    assert rising.to_dict() == {
        "cluster": 0,
        "kind": "rising",
        "earlier": 0.06,
        "later": 0.44,
        "when": None,
    }


def test_the_bound_of_a_trend_by_hand():
    """Of m documents x are of the later half: at most exp(-m KL(x / m, 1/2)), if by chance.

    It holds for the binomial tail. The smaller of two clusters stands for both, as one rises where
    the other falls.
    """
    for x in range(10, 20):
        share = x / 20
        nats = 20 * (share * log(2 * share) + (1 - share) * log(2 * (1 - share)))
        tail = sum(comb(20, i) for i in range(x, 21)) / 2**20
        assert tail <= np.exp(-nats)
        # eight bounds; both clusters have the same two, so that the second is held against 7
        said = kinds([20 - x, x], [80 + x, 100 - x])
        assert said == ({0: "rising", 1: "falling"} if nats >= log(8 / 0.05) else {}), x


def test_rising_and_falling_are_mirrored():
    sizes = np.array([[1, 3, 10, 14], [14, 10, 3, 1], [40, 40, 40, 40]])
    assert kinds(*sizes) == {0: "rising", 1: "falling"}
    assert kinds(*sizes[:, ::-1]) == {0: "falling", 1: "rising"}


def test_a_month_that_has_just_begun_lets_nothing_vanish():
    assert kinds([30, 30, 0], [30, 30, 1]) == {}
    assert kinds([60, 0, 0], [60, 60, 60])[0] == "vanished"


def test_a_cluster_that_has_all_documents_has_no_trend():
    assert found([1, 50, 200]) == []
    assert found([5]) == []
    assert found([0, 0], [0, 0]) == []


def test_the_halves_are_of_documents():
    assert halves(np.array([[1, 1, 1, 97]])) == 3
    assert halves(np.array([[50, 20, 20, 10]])) == 1
    assert halves(np.array([[5]])) == 0


@settings(max_examples=60, deadline=None)
@given(
    shares=st.lists(st.floats(0.005, 1), min_size=2, max_size=12),
    periods=st.lists(st.integers(1, 120), min_size=2, max_size=10),
    seed=st.integers(0, 2**32 - 1),
)
def test_constant_shares_are_rarely_said_to_change(shares, periods, seed):
    """At most one collection in twenty; of 40 drawn, more than 8 come in one case of 10,000."""
    rng = np.random.default_rng(seed)
    weights = np.array(shares) / sum(shares)
    said = sum(
        bool(
            trends(
                np.stack([rng.multinomial(n, weights) for n in periods], 1), MONTHS[: len(periods)]
            )
        )
        for _ in range(40)
    )
    assert said <= 8


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=2, max_size=5))
def test_whatever_rises_does_so_by_fishers_exact_test_too(rows):
    """The bound is never bolder than the exact chance, and what is said fits the shares shown."""
    sizes = np.array(rows)
    middle = halves(sizes)
    for each in found(*sizes):
        if each.kind in ("rising", "falling"):
            parts = [
                [part[:, middle:].sum(), part[:, :middle].sum()]
                for part in (sizes[[each.cluster]], np.delete(sizes, each.cluster, 0))
            ]
            side = "greater" if each.kind == "rising" else "less"
            assert fisher_exact(parts, alternative=side).pvalue <= 0.05 / 4
            assert (each.earlier < each.later) == (each.kind == "rising")


@pytest.mark.parametrize("factor", [1, 100])
def test_more_documents_show_more(factor):
    sizes = np.array([[4, 5, 6], [6, 5, 4], [20, 20, 20]]) * factor
    assert bool(found(*sizes)) == (factor == 100)
