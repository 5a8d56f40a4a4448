"""Numbers for life: carried on, never given twice."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.result.identities import Identities


def test_what_became_of_a_cluster_keeps_its_number_and_its_name():
    first = Identities.first(3)
    then = first.passed_on({0: 1, 2: 0}, 3, ["bikes", "bread", "moon"])
    assert then == Identities((3, 1, 4), 5, ("moon", "bikes", None))
    later = then.passed_on({2: 0}, 2, ["moon", "bikes", "new"])
    assert later == Identities((4, 5), 6, ("new", None))


def test_a_persons_name_is_remembered_as_one():
    named = Identities.first(2).renamed({2: "Sports", 9: "of no cluster"})
    assert named == Identities((1, 2), 3, (None, "Sports"), (2,))
    assert named.passed_on({1: 0}, 1, ["a", "Sports"]) == Identities((2,), 3, ("Sports",), (2,))
    assert named.passed_on({0: 0}, 1, ["a", "Sports"]).given == ()


MATCHINGS = st.tuples(st.permutations(range(5)), st.sets(st.integers(0, 4)))


@given(st.lists(MATCHINGS, max_size=6))
def test_no_number_is_given_twice(chain):
    now, dead = Identities.first(5), set()
    for order, kept in chain:
        became = {old: order[old] for old in kept}
        then = now.passed_on(became, 5, list("abcde"))
        assert dead.isdisjoint(then.numbers)
        assert all(then.numbers[new] == now.numbers[old] for old, new in became.items())
        assert len(set(then.numbers) & set(now.numbers)) == len(became)
        dead |= set(now.numbers) - set(then.numbers)
        now = then


def test_it_is_plain_data():
    found = Identities((3, 1), 5, ("moon", None), (3,))
    assert Identities.from_dict(json.loads(json.dumps(found.to_dict()))) == found


@pytest.mark.parametrize(
    "wrong",
    [((1, 1), 3, (None, None)), ((1, 5), 3, (None, None)), ((0,), 3, (None,)), ((1,), 2, ())],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(ValueError, match="identit"):
        Identities(*wrong)
