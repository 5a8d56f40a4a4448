"""Constraints as they are given: checked, kept, counted, joined."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import constraint_sets
from textclust import Constraints, InputError


def test_pairs_are_kept_as_given():
    c = Constraints([(3, 1), (1, 3)], np.array([[2, 0]]), [1, 2, 3])
    assert c.must_link == [(3, 1), (1, 3)]
    assert c.cannot_link == [(2, 0)]
    assert c.weights.tolist() == [1, 2, 3]
    assert all(type(row) is int for pair in c.must_link for row in pair)


def test_weights_are_one_unless_given():
    assert Constraints([(0, 1)], [(1, 2)]).weights.tolist() == [1, 1]


def test_nothing_at_all_is_no_trouble():
    c = Constraints()
    assert (len(c), c.must_link, c.neighbourhoods(), c.conflicts(), c.repair()) == (
        0,
        [],
        [],
        [],
        [],
    )
    assert c.entailed() == c
    assert c.components(3).tolist() == [0, 1, 2]
    assert c.violated([0, 1]).tolist() == []
    assert len(c.links.documents) == 0


def test_the_lists_handed_out_are_new_and_the_arrays_cannot_be_changed():
    c = Constraints([(0, 1)])
    c.must_link.append((1, 2))
    assert c.must_link == [(0, 1)]
    with pytest.raises(ValueError, match="read-only"):
        c.weights[0] = 5


def test_arrays_that_were_given_stay_the_callers():
    pairs, weights = np.array([[0, 1], [1, 2]]), np.ones(2)
    c = Constraints(pairs, weights=weights)
    pairs[0], weights[0] = 9, 9
    assert (c.must_link, c.weights.tolist()) == ([(0, 1), (1, 2)], [1, 1])


def test_a_must_link_with_itself_is_left_out_with_its_weight():
    c = Constraints([(0, 0), (0, 1)], [(1, 2)], [7, 8, 9])
    assert (c.must_link, c.weights.tolist()) == ([(0, 1)], [8, 9])


@pytest.mark.parametrize(
    ("must", "cannot", "weights", "reason"),
    [
        ([], [(2, 2)], None, r"\(2, 2\)"),
        ([(-1, 2)], [], None, "begin at 0"),
        ([], [(0, -3)], None, r"cannot_link has the pair \(0, -3\)"),
        ([(0, 1, 2)], [], None, "pairs"),
        ([(0, 1), (2,)], [], None, "pairs"),
        ([0, 1], [], None, "pairs"),
        (5, [], None, "pairs"),
        ([("a", "b")], [], None, "from_csv"),
        ([(0.0, 1.0)], [], None, "whole"),
        ([(True, False)], [], None, "whole"),
        ([(0, 1)], [], [-1], "at least 0"),
        ([(0, 1)], [], [float("nan")], "finite"),
        ([(0, 1)], [], [float("inf")], "finite"),
        ([(0, 1)], [], [1, 1], "each of the 1 pairs"),
        ([(0, 1)], [], 2.0, "each of the 1 pairs"),
        ([(0, 1)], [], ["much"], "numbers"),
    ],
)
def test_what_is_no_constraint_is_refused_in_one_line(must, cannot, weights, reason):
    with pytest.raises(InputError, match=reason) as refusal:
        Constraints(must, cannot, weights)
    assert "\n" not in str(refusal.value)


def test_rows_that_are_not_there_are_reported():
    c = Constraints([(0, 1)], [(1, 4)])
    assert c.checked(5) is c
    for asked in (c.checked, c.components, lambda n: c.violated(np.zeros(n))):
        with pytest.raises(InputError, match=r"cannot_link has the pair \(1, 4\).* row"):
            asked(4)


def test_links_are_the_pairs_as_arrays():
    links = Constraints([(9, 4)], [(4, 7), (4, 7)], [1, 2, 3]).links
    assert links.left.tolist() == [9, 4, 4]
    assert links.right.tolist() == [4, 7, 7]
    assert links.together.tolist() == [True, False, False]
    assert links.documents.tolist() == [4, 7, 9]
    near = links.within()
    assert (near.left.tolist(), near.right.tolist()) == ([2, 0, 0], [0, 1, 1])
    assert near.documents.tolist() == [0, 1, 2]


def test_violations_are_reported_link_by_link():
    c = Constraints([(0, 1), (1, 2)], [(0, 2), (2, 3)])
    assert c.violated([0, 0, 1, 1]).tolist() == [False, True, False, True]
    assert c.violated(["a", "a", "a", "b"]).tolist() == [False, False, True, False]


def test_union_keeps_must_links_first_and_every_weight_with_its_pair():
    both = Constraints([(0, 1)], [(1, 2)], [1, 2]) | Constraints([(3, 4)], [(4, 5)], [3, 4])
    assert both == Constraints([(0, 1), (3, 4)], [(1, 2), (4, 5)], [1, 3, 2, 4])
    with pytest.raises(TypeError):
        both | [(0, 1)]


def test_equality_is_of_pairs_kinds_and_weights():
    c = Constraints([(0, 1)], [(1, 2)])
    assert c == Constraints([(0, 1)], [(1, 2)])
    assert hash(c) == hash(Constraints([(0, 1)], [(1, 2)]))
    assert c != Constraints([(0, 1)], [(1, 2)], [1, 2])
    assert c != Constraints([(0, 1), (1, 2)])
    assert c != "c"
    assert pickle.loads(pickle.dumps(c)) == c


def test_the_representation_counts():
    assert (
        repr(Constraints([(0, 1)] * 3, [(1, 2)] * 2)) == "Constraints(3 must-links, 2 cannot-links)"
    )
    assert repr(Constraints([(0, 1)])) == "Constraints(1 must-link, 0 cannot-links)"


@given(constraint_sets(), constraint_sets())
def test_a_union_breaks_where_either_part_does(a, b):
    labels = np.arange(8) % 3
    together = (a | b).violated(labels)
    assert len(a | b) == len(a) + len(b)
    assert together.sum() == a.violated(labels).sum() + b.violated(labels).sum()


def test_labels_become_stars_and_not_all_pairs():
    y = np.repeat(np.arange(10), 100)
    c = Constraints.from_labels(y)
    assert (len(c.must_link), len(c.cannot_link)) == (990, 45)
    assert [len(rows) for rows in c.neighbourhoods()] == [100] * 10
    assert not c.violated(y).any()
    assert not c.conflicts()


def test_unknown_labels_are_in_no_pair_and_weights_are_for_all():
    c = Constraints.from_labels([-1, 4, 2, -1, 4, 2], weight=0.5)
    assert c == Constraints([(2, 5), (1, 4)], [(2, 1)], [0.5] * 3)
    assert len(Constraints.from_labels([-1, -1])) == len(Constraints.from_labels([])) == 0
    assert len(Constraints.from_labels([3, -1])) == 0


@pytest.mark.parametrize("labels", [[0.5, 1], ["a", "b"], [[0, 1]], [-2, 0], 3])
def test_labels_that_are_no_whole_numbers_are_refused(labels):
    with pytest.raises(InputError, match="labels must be"):
        Constraints.from_labels(labels)


@given(st.lists(st.integers(-1, 3), min_size=1, max_size=10))
def test_labels_entail_every_pair_of_known_documents(y):
    entailed = Constraints.from_labels(y).entailed()
    known = [i for i, label in enumerate(y) if label >= 0]
    pairs = [(i, j) for i in known for j in known if i < j]
    assert entailed.must_link == [(i, j) for i, j in pairs if y[i] == y[j]]
    assert entailed.cannot_link == [(i, j) for i, j in pairs if y[i] != y[j]]


def test_groups_become_stars():
    c = Constraints.from_groups([[4, 0, 2], [], [7], [1, 3]])
    assert c == Constraints([(4, 0), (4, 2), (1, 3)])
    apart = Constraints.from_groups([[4, 0, 2], [7], [1, 3]], apart=True, weight=2)
    assert apart.cannot_link == [(4, 7), (4, 1), (7, 1)]
    assert set(apart.weights) == {2}
    assert len(Constraints.from_groups([])) == 0


def test_groups_that_share_a_document_are_one_or_refused():
    groups = [[0, 1], [1, 2]]
    assert Constraints.from_groups(groups).neighbourhoods()[0].tolist() == [0, 1, 2]
    with pytest.raises(InputError, match="row 1 is in two groups"):
        Constraints.from_groups(groups, apart=True)


def test_a_pair_of_weight_zero_stays_in_the_list_and_has_no_effect():
    silent = Constraints([(0, 1), (2, 3)], [(0, 3), (1, 0)], [0, 1, 1, 0])
    assert silent.must_link == [(0, 1), (2, 3)]
    assert silent.conflicts() == []
    assert [group.tolist() for group in silent.neighbourhoods()] == [[2, 3]]
    assert silent.effective() == Constraints([(2, 3)], [(0, 3)])
    assert silent.entailed().must_link == [(2, 3)]


@pytest.mark.parametrize("method", ["HMRFKMeans", "PCKMeans", "COPKMeans", "MPCKMeans"])
def test_methods_do_not_see_a_pair_of_weight_zero(method):
    import textclust as tc

    X = np.random.default_rng(0).random((20, 4))
    with_zero = Constraints([(0, 5), (3, 4)], [(0, 3), (0, 5)], [1, 1, 1, 0])
    without = Constraints([(0, 5), (3, 4)], [(0, 3)])
    models = [
        getattr(tc, method)(3, random_state=0).fit(X, constraints=each)
        for each in (with_zero, without)
    ]
    assert models[0].labels_.tolist() == models[1].labels_.tolist()
    prices = getattr(models[0], "link_prices_", None)
    assert prices is None or prices.tolist() == [*models[1].link_prices_.tolist(), 0.0]


PAIRS = {"left": [7, 3], "right": [9, 7], "kind": ["must-link", "cannot-link"]}


def test_a_frame_of_pairs_goes_by_ids_or_by_rows():
    pairs = pd.DataFrame(PAIRS)
    found = Constraints.from_frame(pairs, ids=pd.Index([3, 7, 9]))
    assert (found.must_link, found.cannot_link) == ([(1, 2)], [(0, 1)])
    assert Constraints.from_frame(pairs) == Constraints([(7, 9)], [(3, 7)])
    assert Constraints.from_frame(pairs.iloc[:0]) == Constraints()
    named = pairs.assign(costs=[2.0, None]).rename(columns={"left": "a", "kind": "what"})
    found = Constraints.from_frame(named, left="a", kind="what", weight="costs")
    assert found.weights.tolist() == [2.0, 1.0]
    assert Constraints.from_frame(pairs.assign(weight=[0.5, 3])).weights.tolist() == [0.5, 3.0]


@pytest.mark.parametrize(
    ("change", "ids", "message"),
    [
        ({}, [3, 7], "row 0 of the DataFrame: no document has the id '9'$"),
        ({"left": ["a", "b"]}, None, "'a' is no row number; give the ids .* as ids="),
        ({"kind": ["same", "other"]}, None, "row 0 of the DataFrame: the kind is 'same'; write"),
        ({"weight": ["x", 1]}, None, "row 0 of the DataFrame: the weight is 'x'"),
        ({"left": [9, 7]}, [3, 7, 9], "row 1 of the DataFrame: '7' has a cannot-link to itself"),
    ],
)
def test_a_frame_that_says_no_pairs(change, ids, message):
    with pytest.raises(InputError, match=message):
        Constraints.from_frame(pd.DataFrame({**PAIRS, **change}), ids)
