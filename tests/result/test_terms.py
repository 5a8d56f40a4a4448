"""Terms: hand-worked weights, and which lead."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from tests.strategies import counts
from textclust.result.terms import KINDS, leading_terms, weigh_terms


def table_of(weights, kind, k=2):
    """The weights of all terms in all clusters."""
    return np.array([weights.row(kind, h) for h in range(k)])


TABLE = sp.csr_array(np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]))


def test_descriptive_weights_are_shares_of_the_squared_centroid():
    weights = weigh_terms(TABLE, np.array([0, 1, 1]), 2)
    np.testing.assert_allclose(table_of(weights, "descriptive"), [[9 / 25, 16 / 25, 0], [0, 0, 1]])


def test_discriminating_weights_are_log_odds_over_their_spread():
    weights = table_of(weigh_terms(TABLE, np.array([0, 1, 1]), 2), "discriminating")
    prior = 10.0 * 1 / 4  # the first term is in 1 of 4 (document, term) pairs
    inside, outside = 1 + prior, 0 + prior
    odds = math.log(inside / (2 + 10 - inside)) - math.log(outside / (2 + 10 - outside))
    assert weights[0, 0] == pytest.approx(odds / math.sqrt(1 / inside + 1 / outside))
    assert weights[1, 0] < 0 < weights[1, 2]


@given(table=counts())
def test_weights_are_finite_and_shares_add_up(table):
    labels = np.arange(len(table)) % 2
    weights = weigh_terms(sp.csr_array(table), labels, 2)
    shares = table_of(weights, "descriptive")
    assert np.isfinite(shares).all()
    assert np.isfinite(table_of(weights, "discriminating")).all()
    assert all(total == pytest.approx(1) or total == 0 for total in shares.sum(axis=1))


@given(table=counts())
def test_the_leading_terms_are_those_of_the_whole_row(table):
    labels = np.arange(len(table)) % 2
    weights = weigh_terms(sp.csr_array(table), labels, 2)
    vocabulary = [f"term {t}" for t in range(table.shape[1])]
    for kind in KINDS:
        for h in range(2):
            expected = leading_terms(weights.row(kind, h), vocabulary, 5)
            assert weights.leading(kind, h, vocabulary, 5) == expected


def test_one_cluster_has_nothing_to_be_set_apart_from():
    assert not weigh_terms(TABLE, np.zeros(3, int), 1).row("discriminating", 0).any()


def test_leading_terms_are_the_heaviest_and_ties_are_alphabetical():
    terms = leading_terms(np.array([0.2, 0.5, 0.2, 0.0]), ["d", "b", "c", "a"], 10)
    assert [term.term for term in terms] == ["b", "c", "d"]


def test_values_of_any_sizes_are_added_up():
    """Where no grid fits them all, values are added up as they are."""
    table = sp.csr_array(np.array([[1e3, 0.0], [1e-9, 1e-9], [0.0, 1e-9]]))
    weights = weigh_terms(table, np.array([0, 1, 1]), 2)
    np.testing.assert_allclose(table_of(weights, "descriptive"), [[1, 0], [0.2, 0.8]])
