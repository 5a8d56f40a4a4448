"""What became of clusters, from tables that can be checked by eye."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from textclust.comparison.flow import Flow
from textclust.comparison.matching import fates
from textclust.result.changes import Kind, Part

NONE = np.zeros(0, dtype=np.intp)


def became(table, old_shares=None, new_shares=None):
    """The fates of a table; shares are its own where none are given."""
    flow = Flow(NONE, NONE, np.array(table))
    total = max(flow.table.sum(), 1)
    return fates(
        flow,
        (flow.of_old / total).tolist() if old_shares is None else old_shares,
        (flow.of_new / total).tolist() if new_shares is None else new_shares,
    )


def kinds(table, *shares):
    return [(fate.kind.value, fate.old, fate.new) for fate in became(table, *shares)]


def test_clusters_that_only_changed_their_numbers_are_kept():
    assert kinds([[0, 0, 9], [7, 0, 0], [0, 8, 0]]) == [
        ("kept", 0, 2),
        ("kept", 1, 0),
        ("kept", 2, 1),
    ]


def test_a_cluster_in_two_halves_is_split_and_the_larger_keeps_its_place():
    first, second, third = became([[30, 20, 0], [0, 0, 50]])
    assert (first.kind, first.old, first.new, first.shared) == (Kind.SPLIT, 0, 0, 30)
    assert first.into == (Part(0, 30), Part(1, 20))
    assert (second.kind, second.old, second.new) == (Kind.KEPT, 1, 2)
    assert (third.kind, third.old, third.new, third.of) == (Kind.PART, None, 1, (Part(0, 20),))


def test_a_split_lists_small_parts_too_but_a_trace_is_no_split():
    first, *parts = became([[30, 20, 4, 2], [0, 0, 0, 9]])
    assert (first.kind, first.into) == (Kind.SPLIT, (Part(0, 30), Part(1, 20), Part(2, 4)))
    assert [(fate.kind, fate.new) for fate in parts if fate.old is None] == [
        (Kind.PART, 1),
        (Kind.PART, 2),
    ]
    assert kinds([[96, 4]]) == [("kept", 0, 0), ("new", None, 1)]


def test_new_documents_that_were_placed_in_an_old_cluster_are_no_part_of_it():
    table, came = np.array([[30, 20], [0, 0]]), np.array([[10, 19], [0, 0]])
    found = fates(Flow(NONE, NONE, table, came=came), [1.0, 0.0], [0.6, 0.4])
    assert [fate.kind for fate in found] == [Kind.SHRANK, Kind.GONE, Kind.NEW]
    left = fates(Flow(NONE, NONE, table.T, left=came.T), [0.6, 0.4], [1.0, 0.0])
    assert [fate.kind for fate in left] == [Kind.GREW, Kind.GONE, Kind.NEW]


def test_two_clusters_in_one_are_merged_and_the_larger_goes_on():
    first, second, third = became([[30, 0], [20, 0], [0, 50]])
    assert (first.kind, first.old, first.new) == (Kind.MERGED, 0, 0)
    assert first.of == (Part(0, 30), Part(1, 20))
    assert (second.kind, second.old, second.new) == (Kind.ABSORBED, 1, None)
    assert second.into == (Part(0, 20),)
    assert second.in_words("0 (20)", "") == "merged into 0 (20)"
    assert third.kind is Kind.KEPT


def test_a_trace_in_a_larger_cluster_is_not_merged_into_it():
    assert kinds([[96], [4]]) == [("kept", 0, 0), ("gone", 1, None)]


def test_a_cluster_that_is_strewn_about_is_gone_and_one_from_everywhere_is_new():
    table = [[40, 0, 0, 2], [0, 40, 0, 2], [0, 0, 40, 2], [4, 4, 4, 0]]
    assert kinds(table)[-2:] == [("gone", 3, None), ("new", None, 3)]


def test_clusters_grow_and_shrink_by_their_share_of_the_collection():
    table = [[10, 0], [0, 10]]
    assert [kind for kind, *_ in kinds(table, [0.5, 0.5], [0.7, 0.3])] == ["grew", "shrank"]
    assert [kind for kind, *_ in kinds(table, [0.5, 0.5], [0.6, 0.4])] == ["kept", "kept"]


def test_without_documents_all_are_gone_and_new():
    assert kinds([[0, 0]]) == [("gone", 0, None), ("new", None, 0), ("new", None, 1)]


TABLES = arrays(
    np.int64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(0, 9)
)


@given(table=TABLES)
def test_every_cluster_has_one_fate(table):
    found = became(table)
    assert [fate.old for fate in found if fate.old is not None] == list(range(len(table)))
    new = [fate.new for fate in found if fate.new is not None]
    assert sorted(new) == list(range(table.shape[1]))
    for fate in found:
        alone = fate.old is None or fate.new is None
        assert fate.shared == (0 if alone else table[fate.old, fate.new])
        assert (fate.kind in (Kind.NEW, Kind.PART)) <= (fate.old is None)
        if fate.kind is Kind.PART:
            [whole] = fate.of
            split = next(each for each in found if each.old == whole.cluster)
            assert split.kind is Kind.SPLIT
            assert Part(fate.new, whole.documents) in split.into
        assert (fate.kind in (Kind.GONE, Kind.ABSORBED)) <= (fate.new is None)
        if fate.kind is Kind.ABSORBED:
            [one] = fate.into
            assert Part(fate.old, one.documents) in next(
                each.of for each in found if each.new == one.cluster
            )


@given(table=TABLES)
def test_the_matching_is_the_best_of_all(table):
    """Tried one by one: no other matching of pairs that may be has a larger sum."""
    flow = Flow(NONE, NONE, table)
    sums = flow.of_old[:, None] + flow.of_new[None, :]
    may_be = 2 * table > np.minimum(flow.of_old[:, None], flow.of_new[None, :])
    dice = np.where(may_be, 2 * table / np.maximum(sums, 1), 0)
    wide = dice if len(dice) <= dice.shape[1] else dice.T
    orders = permutations(range(wide.shape[1]), len(wide))
    best = max(sum(wide[h, g] for h, g in enumerate(order)) for order in orders)
    pairs = [(fate.old, fate.new) for fate in became(table)]
    found = sum(dice[h, g] for h, g in pairs if h is not None and g is not None)
    assert found == pytest.approx(best)


@given(table=TABLES, seed=st.integers(0, 99))
def test_numbers_do_not_matter(table, seed):
    order = np.random.default_rng(seed).permutation(table.shape[1])
    place = np.argsort(order)
    before = {(f.kind, f.old, None if f.new is None else place[f.new]) for f in became(table)}
    after = {(f.kind, f.old, f.new) for f in became(table[:, order])}
    sizes = table.sum(axis=0).tolist()
    if len(set(sizes)) == len(sizes) and len(set(table.ravel().tolist())) == table.size:  # no ties
        assert before == after
