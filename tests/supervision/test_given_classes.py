"""What seeds and links say of classes: by hand, and what holds of any."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import constraint_sets
from textclust import Constraints
from textclust.supervision.given_classes import GivenClasses, groups_apart
from textclust.supervision.seeds import Seeds


def groups(must=(), cannot=(), k=9):
    links = Constraints(list(must), list(cannot)).links
    return [rows.tolist() for rows in groups_apart(links, k)]


def classes(y, must=(), cannot=(), k=3):
    links = Constraints(list(must), list(cannot)) if must or cannot else None
    return GivenClasses.of(Seeds.of(y, len(y), k), links, len(y), k).labels.tolist()


NONE = [None] * 6


# Groups that are all apart


@pytest.mark.parametrize(
    ("must", "cannot", "expected"),
    [
        ([], [], []),
        ([(3, 1)], [], [[1, 3]]),
        ([], [(0, 1), (1, 2), (0, 2)], [[0], [1], [2]]),
        ([(0, 1), (2, 3)], [(1, 2)], [[0, 1], [2, 3]]),
        ([(0, 1), (2, 3)], [], [[0, 1]]),  # not known to be apart
        ([(0, 1), (4, 5), (5, 6)], [(0, 6)], [[4, 5, 6], [0, 1]]),  # the larger one first
        ([(0, 1), (1, 2), (3, 4)], [(0, 2), (3, 5)], [[3, 4], [5]]),  # the first contradicts itself
        ([(0, 1), (2, 3)], [(0, 2), (3, 4)], [[0, 1], [2, 3]]),  # 4 is apart from one of them alone
    ],
)
def test_groups_apart_by_hand(must, cannot, expected):
    assert groups(must, cannot) == expected


def test_there_are_no_more_groups_than_clusters():
    assert groups([(0, 1)], [(0, 2), (0, 3), (2, 3)], k=2) == [[0, 1], [2]]


@given(constraints=constraint_sets(), k=st.integers(1, 5))
def test_groups_are_disjoint_and_a_cannot_link_is_between_any_two(constraints, k):
    found = groups_apart(constraints.links, k)
    rows = [row for group in found for row in group.tolist()]
    assert len(set(rows)) == len(rows)
    assert set(rows) <= set(constraints.links.documents.tolist())
    assert len(found) <= k
    assert (np.diff([len(group) for group in found]) <= 0).all()
    for one, other in combinations(found, 2):
        assert any(
            (i in one and j in other) or (j in one and i in other)
            for i, j in constraints.cannot_link
        )


@given(constraints=constraint_sets(), k=st.integers(1, 5))
def test_groups_contradict_no_link(constraints, k):
    group_of = {
        row: number
        for number, group in enumerate(groups_apart(constraints.links, k))
        for row in group.tolist()
    }
    for i, j in constraints.must_link:
        assert group_of.get(i) == group_of.get(j)
    for i, j in constraints.cannot_link:
        if i in group_of and j in group_of:
            assert group_of[i] != group_of[j]


# Classes of rows


@pytest.mark.parametrize(
    ("y", "must", "cannot", "expected"),
    [
        ([0, None, 2, None], [], [], [0, -1, 2, -1]),
        ([0, None, None, 1], [(0, 1), (1, 2)], [], [0, 0, 0, 1]),
        ([0, None, 1, None], [(0, 1), (1, 2)], [], [0, -1, 1, -1]),  # seeds of two classes
        ([0, None, None, None], [], [(0, 1)], [0, -1, -1, -1]),  # apart, but what else?
        ([0, None, None, None], [(1, 2)], [(0, 1)], [0, -1, -1, -1]),  # seeds name the classes
        (NONE, [(0, 1), (2, 3)], [(0, 2)], [0, 0, 1, 1, -1, -1]),
        (NONE, [(0, 1), (2, 3)], [], [-1] * 6),  # one group alone
        (NONE, [], [(0, 1), (2, 3), (4, 5)], [-1] * 6),  # most are in no group
        (NONE, [], [(0, 1), (2, 3)], [-1] * 6),  # and a group is more than one document
        (NONE, [(0, 1), (1, 2)], [(0, 3), (4, 5)], [-1] * 6),  # each of them
        (NONE, [(0, 1), (2, 3)], [(0, 2), (0, 4), (2, 4)], [0, 0, 1, 1, -1, -1]),
    ],
)
def test_classes_by_hand(y, must, cannot, expected):
    assert classes(y, must, cannot) == expected


@given(constraints=constraint_sets(), k=st.integers(2, 5))
def test_classes_of_links_alone_contradict_none(constraints, k):
    y = GivenClasses.of(Seeds.of(None, 8, k), constraints, 8, k).labels
    assert y.max(initial=-1) < k
    for i, j in constraints.must_link:
        assert y[i] == y[j]
    for i, j in constraints.cannot_link:
        assert y[i] != y[j] or y[i] == -1
    if (y >= 0).any():
        linked = constraints.links.documents
        assert 2 * (y[linked] >= 0).sum() >= len(linked)
        assert len(np.unique(y[y >= 0])) > 1


@given(
    constraints=constraint_sets(),
    y=st.lists(st.integers(-1, 2), min_size=8, max_size=8).map(np.array),
)
def test_seeds_keep_their_class_and_pass_it_on_through_must_links(constraints, y):
    found = GivenClasses.of(Seeds.of(y, 8, 3), constraints, 8, 3).labels
    if not (y >= 0).any():
        return
    np.testing.assert_array_equal(found[y >= 0], y[y >= 0])
    joined = constraints.components(8)
    for number in np.unique(joined):
        rows = np.flatnonzero(joined == number)
        named = set(y[rows].tolist()) - {-1}
        if len(named) == 1:
            assert set(found[rows].tolist()) == named
        else:
            np.testing.assert_array_equal(found[rows], y[rows])


# Beside clusters that are there already


def beside(y, must=(), cannot=(), clusters=None, k=3, weights=None):
    links = Constraints(list(must), list(cannot), weights) if must or cannot else None
    there = np.zeros(len(y), dtype=int) if clusters is None else np.array(clusters)
    named = None if all(label is None for label in y) else [-1 if e is None else e for e in y]
    found = GivenClasses.beside(named, links, there, k)
    assert found.named
    return found.labels.tolist(), found.held.tolist()


@pytest.mark.parametrize(
    ("y", "must", "cannot", "clusters", "labels", "held"),
    [
        # seeds alone
        ([0, None, 2], [], [], [1, 1, 1], [0, -1, 2], [1, 0, 1]),
        # what must-links join with a seed is of its class, whatever cluster it is in
        ([0, None, None], [(0, 1), (1, 2)], [], [1, 1, 1], [0, 0, 0], [1, 1, 1]),
        # seeds of two classes in one group: nothing follows for the third
        ([0, None, 2], [(0, 1), (1, 2)], [], [1, 1, 1], [0, -1, 2], [1, 0, 1]),
        # a group that is in one cluster for the most part stands for it, but is not held
        ([None] * 4, [(0, 1), (1, 2)], [], [1, 1, 2, 2], [1, 1, 1, -1], [0, 0, 0, 0]),
        # one that is half here and half there does not
        ([None] * 4, [(0, 1)], [], [1, 2, 2, 2], [-1, -1, -1, -1], [0, 0, 0, 0]),
        # a cannot-link inside a group: it contradicts itself
        ([None] * 3, [(0, 1), (1, 2)], [(0, 2)], [1, 1, 1], [-1, -1, -1], [0, 0, 0]),
        # one between two groups of one cluster: neither stands for it
        (
            [None] * 5,
            [(0, 1), (2, 3)],
            [(1, 2)],
            [1, 1, 1, 1, 1],
            [-1, -1, -1, -1, -1],
            [0, 0, 0, 0, 0],
        ),
        # between groups of two clusters it is no dispute
        ([None] * 4, [(0, 1), (2, 3)], [(1, 2)], [1, 1, 2, 2], [1, 1, 2, 2], [0, 0, 0, 0]),
        # with a seed: the seed stays, the group does not
        ([1, None, None], [(1, 2)], [(0, 1)], [1, 1, 1], [1, -1, -1], [1, 0, 0]),
        # documents that links do not join are of no class, though a cannot-link has them
        ([None, None], [], [(0, 1)], [0, 1], [-1, -1], [0, 0]),
    ],
)
def test_beside_clusters_by_hand(y, must, cannot, clusters, labels, held):
    found = beside(y, must, cannot, clusters)
    assert found == (labels, [bool(flag) for flag in held])


def test_links_that_weigh_little_make_no_group():
    assert beside([None] * 2, [(0, 1)], clusters=[1, 1], weights=[0.4])[0] == [-1, -1]
    assert beside([None] * 2, [(0, 1)], clusters=[1, 1], weights=[0.5])[0] == [1, 1]


@given(
    constraints=constraint_sets(),
    y=st.lists(st.integers(-1, 2), min_size=8, max_size=8).map(np.array),
    clusters=st.lists(st.integers(0, 2), min_size=8, max_size=8).map(np.array),
)
def test_seeds_keep_their_class_beside_clusters_and_others_contradict_no_link(
    constraints, y, clusters
):
    before = y.copy(), clusters.copy()
    found = GivenClasses.beside(y, constraints, clusters, 3)
    np.testing.assert_array_equal(before[0], y)
    np.testing.assert_array_equal(before[1], clusters)
    np.testing.assert_array_equal(found.labels[y >= 0], y[y >= 0])
    assert found.held[y >= 0].all()
    assert (found.labels[found.held] >= 0).all()
    for i, j in constraints.cannot_link:
        if found.labels[i] == found.labels[j] >= 0:
            assert found.held[i]
            assert found.held[j]


def test_rows_that_stay_in_a_cluster():
    given = GivenClasses(np.array([0, 1, -1, -1, 2]), np.array([1, 0, 0, 0, 1], dtype=bool), True)
    found = given.holding(np.array([-1, 2, 1, -1]))
    assert found.labels.tolist() == [0, 2, 1, -1, 2]  # the last is of a background
    assert found.held.tolist() == [True, True, True, False, True]
    assert given.labels.tolist() == [0, 1, -1, -1, 2]
