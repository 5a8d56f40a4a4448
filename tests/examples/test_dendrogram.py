"""Cutting a dendrogram: every level as the measures judge it by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import slow_hu
from textclust.errors import InputError
from textclust.methods.hierarchy import dendrogram
from textclust.methods.hierarchy.dendrogram import Leaves, link
from textclust.methods.hierarchy.example_recovery import (
    pairwise_f_of_examples,
    select_k_by_example_recovery,
)
from textclust.metrics import cori, weighted_category_utility


def leaves_of(X, examples):
    counts = np.zeros((len(X), len(examples) + 1))
    counts[:, -1] = 1
    for number, rows in enumerate(examples):
        counts[rows] = np.eye(len(examples) + 1)[number]
    return Leaves(X, counts)


@st.composite
def points_and_examples(draw):
    n = draw(st.integers(2, 10))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    X = rng.normal(size=(n, 2)).round(1)
    X[:, 1] = 7.0 if draw(st.booleans()) else X[:, 1]  # a constant feature
    order = rng.permutation(n).tolist()
    examples = [order[: n // 2], order[n // 2 : n // 2 + 2]][: draw(st.integers(1, 2))]
    return X, [rows for rows in examples if rows]


@pytest.mark.parametrize("linkage", ["complete", "single"])
@settings(max_examples=30)
@given(given_rows=points_and_examples())
def test_every_level_is_judged_as_the_measures_judge_it(linkage, given_rows):
    X, examples = given_rows
    tree = link(leaves_of(X, examples), linkage)
    for level, labels in enumerate(slow_hu.levels(tree.merges.tolist(), len(X))):
        assert tree.cori[level] == pytest.approx(cori(labels, examples))
        expected = weighted_category_utility(X, labels)
        assert tree.wcu[level] == pytest.approx(expected, rel=1e-6, abs=1e-9)
        found = tree.cut(level)
        assert len(set(zip(found.tolist(), labels.tolist(), strict=True))) == len(X) - level
        assert found.max() + 1 == len(X) - level
    whole = slow_hu.whole_levels(tree.heights)
    assert tree.levels.tolist() == whole
    best = tree.level_of_best_cut()
    assert best in whole
    assert tree.cori[best] == pytest.approx(tree.cori[whole].max())


def test_groups_count_for_the_rows_they_stand_for():
    """Rows that coincide are one leaf or many: the levels above are judged alike."""
    X = np.array([[0.0], [0.0], [0.0], [2.0], [2.0], [9.0]])
    rows = link(leaves_of(X, [[0, 1, 2]]), "complete")
    groups = link(
        Leaves(np.array([[0.0], [2.0], [9.0]]), np.array([[3.0, 0], [0, 2], [0, 1]])), "complete"
    )
    np.testing.assert_allclose(groups.cori, rows.cori[3:])
    np.testing.assert_allclose(groups.wcu, rows.wcu[3:], atol=1e-12)


def test_the_best_cut_by_hand():
    """At {0 1} {5 6} {20} the example is whole, at {0 1} {5 6 20} too: utility decides."""
    X = np.array([[0.0], [1.0], [5.0], [6.0], [20.0]])
    tree = link(leaves_of(X, [[0, 1]]), "complete")
    assert tree.cori.tolist() == pytest.approx([0.5, 1.0, 1.0, (1 + 1 / 3) / 2, 0.5])
    assert tree.level_of_best_cut() == slow_hu.best_level(X, tree.merges.tolist(), [[0, 1]])
    assert tree.cut(2).tolist() == [0, 0, 1, 1, 2]


def test_no_cut_is_between_merges_of_one_height():
    X = np.array([[0.0], [0.0], [0.0], [1.0], [5.0], [6.0], [20.0]])
    tree = link(leaves_of(X, [[0, 1]]), "complete")
    assert tree.heights.tolist() == [0, 0, 1, 1, 6, 20]
    assert tree.levels.tolist() == [2, 4, 5, 6]
    assert [tree.level_for(k) for k in (7, 6, 5, 4, 3, 1)] == [2, 2, 2, 3, 4, 6]


def test_linking_too_many_is_refused_with_the_memory_it_would_take(monkeypatch):
    monkeypatch.setattr(dendrogram, "_MOST_BYTES", 1e6)
    with pytest.raises(InputError, match=r"600 rows takes 0.0 GB .* set max_linked"):
        link(leaves_of(np.zeros((600, 1)), [[0, 1]]), "complete")


def blobs(k, size=30, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(k), size)
    return np.eye(k)[truth] + rng.normal(0, 0.15, (k * size, k)), truth


@pytest.mark.parametrize("k", [3, 6])
def test_the_number_of_clusters_is_found_again(k):
    X, truth = blobs(k)
    examples = [np.flatnonzero(truth == 0), np.flatnonzero(truth == 1)]
    assert select_k_by_example_recovery(X, examples, np.random.default_rng(0)) == k


def test_the_pairwise_f_of_examples_by_hand():
    """2 of 3 pairs joined; 2 + 1 pairs in clusters of theirs have a row of the example."""
    example = np.array([0, 0, 0, -1, -1])
    assert pairwise_f_of_examples(np.array([0, 0, 1, 1, 2]), example) == pytest.approx(
        2 * 1 / (2 + 3)
    )
    assert pairwise_f_of_examples(np.array([0, 0, 0, 1, 2]), example) == 1.0
    assert pairwise_f_of_examples(np.array([0, 1, 2, 3, 4]), example) == 0.0
