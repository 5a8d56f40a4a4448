"""Each criterion beside a hand-solved case or a slow reference."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.strategies import constraint_sets, counts, random_documents
from textclust import Constraints
from textclust.model_selection.criteria import (
    ClusterFit,
    agreement,
    bic,
    effective_dimension,
    first_within_error,
    gap,
    kept_links,
    mdl,
    mml,
)
from textclust.model_selection.views import scatter

TWO = ClusterFit(scatter=8.0, sizes=np.array([2, 2]), dimension=2.0)  # variance 1 in each direction
WRITTEN = 4 * math.log(2 * math.pi * math.e) + 4 * math.log(2)


def test_bic_is_twice_the_length_and_log_n_for_each_number():
    assert bic(TWO) == pytest.approx(2 * WRITTEN + 6 * math.log(4))


def test_mdl_writes_each_mean_as_precisely_as_its_documents_tell_it():
    assert mdl(TWO) == pytest.approx(WRITTEN + 3 * math.log(2))


def test_mml_is_equation_15_of_figueiredo_and_jain():
    means = 3 * math.log(2 / 12)
    assert mml(TWO) == pytest.approx(WRITTEN + means + math.log(4 / 12) + 4.0)


def test_documents_that_are_all_alike_leave_the_criteria_finite():
    fit = ClusterFit(0.0, np.array([3]), 2.0)
    assert all(math.isfinite(criterion(fit)) for criterion in (bic, mdl, mml))
    assert math.isfinite(gap(0.0, np.zeros(3))[0])


def test_gap_is_the_mean_log_above_and_its_error_that_of_a_mean():
    width, error = gap(1.0, np.array([math.e, math.e**3]))
    assert width == pytest.approx(2.0)
    assert error == pytest.approx(math.sqrt(1.5))


@pytest.mark.parametrize(
    ("gaps", "errors", "place"),
    [([0.1, 0.5, 0.4], [0, 0, 0], 1), ([0.1, 0.2, 0.3], [0, 0, 0], 2), ([0.4, 0.5], [0, 0.2], 0)],
)
def test_the_gap_chooses_the_first_that_is_within_an_error_of_the_next(gaps, errors, place):
    assert first_within_error(np.array(gaps), np.array(errors)) == place


def test_agreement_is_one_whatever_the_clusters_are_called_and_about_zero_by_chance():
    labels = np.array([0, 0, 1, 1, 2, 2])
    assert agreement([labels, 2 - labels]) == 1.0
    rng = np.random.default_rng(0)
    assert abs(agreement([rng.integers(3, size=2000) for _ in range(2)])) < 0.02


def test_both_kinds_of_links_count_alike():
    links = Constraints([(0, 1)], [(0, 2), (0, 3), (1, 2)])
    assert kept_links(links, np.array([0, 0, 0, 1])).share == pytest.approx((1 + 1 / 3) / 2)
    assert kept_links(links, np.zeros(4, int)).share == pytest.approx(0.5)
    assert kept_links(Constraints([(0, 1)]), np.zeros(2, int)).share == 1.0


@settings(max_examples=20)
@given(constraint_sets(), st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_links_kept_are_those_that_are_not_violated(links, labels):
    assume(len(links) > 0)
    found = kept_links(links, np.array(labels))
    shares = [
        [(labels[i] == labels[j]) is same for i, j in pairs]
        for pairs, same in ((links.must_link, True), (links.cannot_link, False))
        if pairs
    ]
    assert found.share == pytest.approx(np.mean([np.mean(share) for share in shares]))
    assert found.error > 0


@settings(max_examples=20)
@given(counts(), st.integers(1, 3), st.randoms(use_true_random=False))
def test_scatter_is_what_it_is_one_by_one(table, k, random):
    labels = np.array([random.randrange(k) for _ in table])
    slow = sum(
        ((table[labels == h] - table[labels == h].mean(axis=0)) ** 2).sum() for h in set(labels)
    )
    assert scatter(table, labels) == pytest.approx(slow, abs=1e-9)
    assert scatter(sp.csr_array(table), labels) == pytest.approx(slow, abs=1e-9)


def test_the_effective_dimension_is_that_of_the_eigenvalues():
    X = random_documents(80, 60)
    dense = X.toarray() - X.toarray().mean(axis=0)
    values = np.linalg.eigvalsh(dense.T @ dense)
    exact = values.sum() ** 2 / (values**2).sum()
    for table in (X, X.toarray()):
        found = effective_dimension(table, np.random.default_rng(0))
        assert found == pytest.approx(exact, rel=0.1)


def test_points_on_a_line_have_one_dimension():
    line = np.outer(np.arange(10.0), [1.0, 2.0, 3.0])
    assert effective_dimension(line, np.random.default_rng(0)) == pytest.approx(1.0, rel=0.5)
    assert effective_dimension(np.ones((4, 3)), np.random.default_rng(0)) == 1.0
