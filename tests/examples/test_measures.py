"""Measures of a distance: hand-solved cases, sums over pairs, promises."""

from __future__ import annotations

from itertools import combinations
from math import pi, sqrt

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata

from textclust.errors import InputError
from textclust.metrics import (
    inter_intra_ratio,
    overfitting_ratio,
    weighted_category_utility,
    within_between_ratio,
)

few = settings(max_examples=25)


@st.composite
def classed_points(draw):
    n = draw(st.integers(6, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    truth = np.r_[[0, 0, 1, 1, 2], rng.integers(0, 3, n - 5)]
    return rng.integers(0, 5, (n, 2)).astype(float), truth.tolist()


def ranked(X, pairs):
    return dict(zip(pairs, rankdata([np.linalg.norm(X[i] - X[j]) for i, j in pairs]), strict=True))


@few
@given(classed_points())
def test_overfitting_is_a_sum_over_pairs(points):
    X, truth = points
    same = [(i, j) for i, j in combinations(range(len(X)), 2) if truth[i] == truth[j]]
    rank = ranked(X, same)
    sums = [sum(r for (i, _), r in rank.items() if truth[i] == each) for each in range(3)]
    for each in range(3):
        found = overfitting_ratio(X, truth, each)
        assert found == pytest.approx(sums[each] / np.mean(sums))
    assert sum(overfitting_ratio(X, truth, each) for each in range(3)) == pytest.approx(3.0)


@few
@given(classed_points())
def test_within_between_is_a_sum_over_pairs(points):
    X, truth = points
    others = [row for row in range(len(X)) if truth[row] != 0]
    rank = ranked(X, list(combinations(others, 2)))
    within = sum(r for (i, j), r in rank.items() if truth[i] == truth[j])
    found = within_between_ratio(X, truth, 0)
    assert found == pytest.approx(within / (sum(rank.values()) - within))


@few
@given(classed_points(), st.sampled_from([0.25, 2.0, 64.0]))
def test_only_the_order_of_distances_matters(points, scale):
    X, truth = points
    for measure in (overfitting_ratio, within_between_ratio):
        assert measure(scale * X + 3.0, truth, 1) == measure(X, truth, 1)


def test_category_utility_by_hand():
    """Within the clusters the spread is 1, in all it is sqrt(26)."""
    X, labels = [[0.0], [2.0], [10.0], [12.0]], [0, 0, 1, 1]
    expected = (1 / 1 - 1 / sqrt(26)) / (2 * sqrt(pi)) / 2
    assert weighted_category_utility(X, labels) == pytest.approx(expected)
    halved = weighted_category_utility(X, labels, matrix=[[4.0]])  # twice as far apart
    assert halved == pytest.approx(expected / 2)


def test_clusters_of_one_tell_no_more_than_acuity_allows():
    X = [[0.0], [4.0]]
    expected = (1 / (0.5 * 2) - 1 / 2) / (2 * sqrt(pi)) / 2
    assert weighted_category_utility(X, [0, 1], acuity=0.5) == pytest.approx(expected)


@few
@given(classed_points(), st.integers(0, 99))
def test_a_matrix_is_the_transformation_by_its_root(points, seed):
    X, truth = points
    values = np.random.default_rng(seed).uniform(0.5, 2.0, 2)
    found = weighted_category_utility(X, truth, matrix=np.diag(values**2))
    assert found == pytest.approx(weighted_category_utility(X * values, truth))
    constant = np.c_[X, np.full(len(X), 7.0)]
    assert weighted_category_utility(constant, truth) == pytest.approx(
        weighted_category_utility(X, truth)
    )


@few
@given(classed_points())
def test_pairs_are_ranked_by_the_metric_that_is_named(points):
    X, truth = points
    for measure in (overfitting_ratio, within_between_ratio):
        expected = measure(X * [2.0, 1.0], truth, 1)

        def stretched(x, y):
            return np.linalg.norm((x - y) * [2.0, 1.0])

        assert measure(X, truth, 1, metric=stretched) == pytest.approx(expected)
        assert measure(X, truth, 1, metric="euclidean") == measure(X, truth, 1)
        assert measure(X, truth, 1, metric="sqeuclidean") == measure(X, truth, 1)


DISTANCES = ("cosine", "sqeuclidean", "euclidean")


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        ("sqeuclidean", (100 + 144 + 64 + 100) / 4 / ((4 + 4) / 2)),
        ("euclidean", (10 + 12 + 8 + 10) / 4 / ((2 + 2) / 2)),
    ],
)
def test_inter_over_intra_by_hand(distance, expected):
    X, labels = [[0.0], [2.0], [10.0], [12.0]], [0, 0, 1, 1]
    assert inter_intra_ratio(X, labels, distance) == pytest.approx(expected)


def test_inter_over_intra_by_hand_for_directions():
    """A right angle is at distance 1, and so is a document without terms from all others."""
    X = sp.csr_array([[2.0, 0.0], [0.0, 5.0], [0.8, 0.6], [0.0, 0.0]])
    between, within = [1.0, 0.2, 1.0, 1.0], [1.0, 0.4]
    found = inter_intra_ratio(X, ["a", "b", "b", "a"])
    assert found == pytest.approx(np.mean(between) / np.mean(within))


@few
@given(classed_points(), st.sampled_from(DISTANCES), st.booleans())
def test_inter_over_intra_is_a_mean_over_pairs(points, distance, sparse):
    X, truth = points
    X = np.c_[X, np.ones(len(X))]
    far = squareform(pdist(X, distance))
    pairs = list(combinations(range(len(X)), 2))
    within = np.mean([far[i, j] for i, j in pairs if truth[i] == truth[j]])
    between = np.mean([far[i, j] for i, j in pairs if truth[i] != truth[j]])
    expected = np.inf if within < 1e-9 else between / within
    given_rows = sp.csr_array(X) if sparse else X
    assert inter_intra_ratio(given_rows, truth, distance) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("distance", DISTANCES)
def test_clusters_without_any_distance_within_are_infinitely_far_apart(distance):
    X = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    assert inter_intra_ratio(X, [0, 0, 1], distance) == np.inf
    assert inter_intra_ratio(np.ones((3, 2)), [0, 0, 1], distance) == 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: overfitting_ratio([[1.0]], ["a"], "b"), "no document is of the class 'b'"),
        (lambda: overfitting_ratio([[1.0], [2.0]], ["a"], "a"), "a row for each of 1 labels"),
        (lambda: within_between_ratio([[1.0], [2.0]], "ab", "a"), "needs two classes beside"),
        (lambda: within_between_ratio([[1.0], [2.0]], "ab", "a", "far"), "metric 'far': Unknown"),
        (lambda: inter_intra_ratio([[1.0], [2.0]], [0, 0]), "2 documents in 1 clusters"),
        (lambda: inter_intra_ratio([[1.0], [2.0]], [0, 1]), "two documents in one of them"),
        (lambda: inter_intra_ratio([[1.0], [2.0]], [0, 1, 1]), "a row for each of 3 labels"),
        (lambda: inter_intra_ratio([[np.inf], [2.0]], [0, 1]), "finite numbers"),
        (lambda: inter_intra_ratio([[1.0]], [0], "l7"), "one of cosine, sqeuclidean, euclidean"),
        (lambda: weighted_category_utility([[np.nan]], [0]), "finite numbers"),
        (lambda: weighted_category_utility([[1.0]], [0], acuity=0.0), "acuity must be above 0"),
        (lambda: weighted_category_utility([[1.0]], [0], [[1.0, 2.0]]), "must be symmetric"),
    ],
)
def test_what_cannot_be_measured_is_reported(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr("textclust.measures.distances._MOST_PAIRS", 5)
    with pytest.raises(InputError, match="measure a sample"):
        within_between_ratio(np.zeros((6, 1)), "abbccc", "a")
