"""Two people: what both judged, what follows from what they said, and where they differ."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.comparison.judgements import Disagreement, Judgements, agreed
from textclust.supervision.links import Link

KINDS = {"=": "must-link", "/": "cannot-link", "?": "dont-know"}


def said(text):
    """Links as "a=b a/c b?d"."""
    return Judgements(links=[Link(each[0], each[2], KINDS[each[1]]) for each in text.split()])


def test_pairs_by_hand():
    """Of five pairs that both know three are the same: po = 3/5, pe = (2*3 + 3*2)/25 = 12/25.

    So kappa = (15/25 - 12/25) / (13/25) = 3/13.
    """
    one = said("a=b c=d e/f g/h i/j a?z k=l")
    other = said("b=a c=d e/f g=h j=i a/z m=n o=p")
    _, pairs = agreed(one, other)
    found = pairs.given
    assert (found.both, found.same, found.only_one, found.only_other) == (5, 3, 1, 2)
    po, pe = 3 / 5, (2 / 5) * (4 / 5) + (3 / 5) * (1 / 5)
    assert found.kappa == pytest.approx((po - pe) / (1 - pe))
    assert found.disagreements == [
        Disagreement("g", "h", "cannot-link", "must-link", "given"),
        Disagreement("i", "j", "cannot-link", "must-link", "given"),
    ]
    assert (pairs.unknown_one, pairs.unknown_other, pairs.unknown_both) == (1, 0, 0)


def test_other_pairs_may_say_the_same():
    one, other = said("a=b b=c c/d"), said("a=c a=b a/d")
    _, pairs = agreed(one, other)
    assert (pairs.given.both, pairs.given.same) == (1, 1)
    assert math.isnan(pairs.given.kappa)
    assert (pairs.implied.both, pairs.implied.same, pairs.implied.kappa) == (6, 6, 1.0)
    assert pairs.implied.error is None
    assert pairs.implied.interval is None


def test_what_follows_may_differ_where_nothing_given_does():
    one, other = said("a=b b=c x=y"), said("a=b c/b x=z")
    _, pairs = agreed(one, other)
    assert [(d.left, d.right, d.how) for d in pairs.given.disagreements] == [("b", "c", "given")]
    assert [(d.left, d.right, d.how) for d in pairs.implied.disagreements] == [
        ("a", "c", "follows")  # and b with c is listed once
    ]
    assert (pairs.implied.both, pairs.implied.same) == (3, 1)


def test_the_last_answer_counts_and_contradictions_are_left_out():
    _, pairs = agreed(said("a=b a/b"), said("a/b"))
    assert (pairs.given.both, pairs.given.same) == (1, 1)
    _, pairs = agreed(said("a=b b=c a/c"), said("a=b b=c a=c"))
    assert (pairs.given.both, pairs.given.same) == (3, 2)
    assert (pairs.implied.both, pairs.implied.same) == (2, 2)


def test_labels_by_hand():
    one = Judgements(labels={"a": "cat", "b": "dog", "c": "dog", "d": "cat", "e": "cat"})
    other = Judgements(labels={"a": "cat", "b": "dog", "c": "cat", "d": "cat", "f": "dog"})
    labels, pairs = agreed(one, other)
    assert pairs is None
    assert (labels.both, labels.same, labels.only_one, labels.only_other) == (4, 3, 1, 1)
    assert labels.kappa == 0.5
    assert labels.disagreements == [Disagreement("c", "", "dog", "cat", "label")]
    low, high = labels.interval
    assert -1 <= low < 0.5 < high <= 1


def test_seeds_imply_links_whatever_the_labels_are_called():
    one = Judgements(labels={"a": "x", "b": "x", "c": "y"}, links=said("c=d").links)
    other = Judgements(labels={"a": "1", "b": "1", "c": "2", "d": "2"}, links=said("a/e").links)
    labels, pairs = agreed(one, other)
    assert labels.same == 0
    assert (pairs.implied.both, pairs.implied.same) == (6, 6)


def test_links_and_labels_have_nothing_to_compare():
    assert agreed(Judgements(labels={"a": "x"}), Judgements()) == (None, None)


PEOPLE = st.dictionaries(
    st.sampled_from(list(combinations("abcdef", 2))), st.sampled_from(["=", "/", "?"]), min_size=1
)


@given(PEOPLE, PEOPLE)
def test_it_is_symmetric(one, other):
    people = [said(" ".join(f"{i}{k}{j}" for (i, j), k in each.items())) for each in (one, other)]
    _, there = agreed(*people)
    _, back = agreed(*people[::-1])
    for a, b in ((there.given, back.given), (there.implied, back.implied)):
        assert (a.both, a.same, a.only_one, a.only_other) == (
            b.both,
            b.same,
            b.only_other,
            b.only_one,
        )
        assert a.kappa == pytest.approx(b.kappa, nan_ok=True)
        assert {(d.left, d.right, d.one, d.other) for d in a.disagreements} == {
            (d.left, d.right, d.other, d.one) for d in b.disagreements
        }


@given(st.lists(st.integers(0, 3), min_size=2, max_size=8), st.randoms())
def test_two_who_have_the_same_clusters_in_mind_never_disagree(clusters, rng):
    pairs = list(combinations(range(len(clusters)), 2))

    def answers():
        some = rng.sample(pairs, rng.randint(1, len(pairs)))
        return Judgements(
            links=[
                Link(str(i), str(j), KINDS["=" if clusters[i] == clusters[j] else "/"])
                for i, j in some
            ]
        )

    _, found = agreed(answers(), answers())
    assert not found.given.disagreements
    assert not found.implied.disagreements
    assert found.implied.same == found.implied.both
    assert found.implied.both >= found.given.both
