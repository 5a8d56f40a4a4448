"""Contradictions: found with their shortest chains, repaired at the least cost, reported."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from tests.strategies import constraint_sets
from textclust import Constraints, InputError
from textclust.supervision import repair
from textclust.supervision.conflicts import Conflict, require_consistent


def steps(c, i, j):
    """The least number of must-links from i to j, by one more step at a time; None if none."""
    reached, count = {i}, 0
    while j not in reached:
        wider = reached | {b for p in c.must_link for a, b in (p, p[::-1]) if a in reached}
        if wider == reached:
            return None
        reached, count = wider, count + 1
    return count


def without(c, drops):
    """The constraints without some links, however often they were given."""
    gone = {(kind, frozenset(pair)) for kind, pair in drops}
    must = [p for p in c.must_link if ("must-link", frozenset(p)) not in gone]
    cannot = [p for p in c.cannot_link if ("cannot-link", frozenset(p)) not in gone]
    return Constraints(must, cannot)


def distinct(c):
    """The weight of every distinct link."""
    kinds = ["must-link"] * len(c.must_link) + ["cannot-link"] * len(c.cannot_link)
    weights = {}
    for kind, pair, weight in zip(kinds, c.links.pairs(), c.weights, strict=True):
        link = (kind, frozenset(pair))
        weights[link] = weights.get(link, 0) + weight
    return weights


def cost(c, drops):
    return sum(distinct(c)[kind, frozenset(pair)] for kind, pair in drops)


@cache
def partitions(n):
    """Every way to put n rows into groups."""
    if n == 0:
        return [()]
    return [(*p, h) for p in partitions(n - 1) for h in range(max(p, default=-1) + 2)]


def cheapest_by_trying_all(c):
    """The least weight of links whose absence leaves a labelling that breaks nothing."""
    weights = distinct(c)
    links = list(weights)
    rows = sorted({row for _, pair in links for row in pair})
    best = np.inf
    for labels in partitions(len(rows)):
        at = dict(zip(rows, labels, strict=True))
        broken = sum(
            weight
            for (kind, (i, j)), weight in weights.items()
            if (at[i] == at[j]) != (kind == "must-link")
        )
        best = min(best, broken)
    return best if links else 0


def test_a_chain_solved_by_hand():
    c = Constraints([(0, 1), (1, 2), (2, 3), (3, 0)], [(0, 2), (4, 5)])
    (conflict,) = c.conflicts()
    assert conflict.cannot_link == (0, 2)
    assert conflict.chain in [(0, 1, 2), (0, 3, 2)]


def test_the_same_pair_of_both_kinds_is_the_shortest_chain():
    assert Constraints([(1, 0)], [(0, 1)]).conflicts() == [Conflict((0, 1), (0, 1))]


def test_a_contradiction_given_twice_is_reported_once_as_it_was_first():
    c = Constraints([(0, 1), (2, 3)], [(3, 2), (1, 0), (0, 1), (3, 2)])
    assert [conflict.cannot_link for conflict in c.conflicts()] == [(3, 2), (1, 0)]


@given(constraint_sets())
def test_every_contradiction_has_its_shortest_chain(c):
    found = {frozenset(conflict.cannot_link): conflict for conflict in c.conflicts()}
    assert len(found) == len(c.conflicts())
    must = {frozenset(pair) for pair in c.must_link}
    for i, j in c.cannot_link:
        count = steps(c, i, j)
        assert (frozenset((i, j)) in found) == (count is not None)
        if count is not None:
            conflict = found[frozenset((i, j))]
            assert conflict.cannot_link in c.cannot_link
            assert (conflict.chain[0], conflict.chain[-1]) == conflict.cannot_link
            assert len(conflict.chain) == count + 1
            assert all(frozenset(p) in must for p in pairwise(conflict.chain))


def test_one_weak_link_is_dropped_for_two_strong_ones():
    c = Constraints([(0, 1), (1, 2)], [(0, 2), (1, 0)], [1, 5, 5, 5])
    assert c.repair() == [("must-link", (0, 1))]


def test_weights_of_a_repeated_link_count_together():
    c = Constraints([(0, 1), (1, 0)], [(1, 0)], [2, 2, 3])
    assert c.repair() == [("cannot-link", (1, 0))]
    assert Constraints([(1, 0), (0, 1)], [(1, 0)], [1, 1, 3]).repair() == [("must-link", (1, 0))]


def test_a_cut_that_fractions_would_make_cheaper_is_still_whole():
    """A star of three with every two leaves apart: half of each would do, two must go."""
    c = Constraints([(0, 1), (0, 2), (0, 3)], [(1, 2), (1, 3), (2, 3)])
    drops = c.repair()
    assert cost(c, drops) == 2
    assert not without(c, drops).conflicts()


@settings(max_examples=150)
@given(constraint_sets(rows=6))
def test_the_repair_leaves_no_contradiction_at_the_least_cost(c):
    drops = c.repair()
    assert not without(c, drops).conflicts()
    assert cost(c, drops) == cheapest_by_trying_all(c)
    assert bool(drops) == bool(c.conflicts())
    assert all(p in (c.must_link if kind == "must-link" else c.cannot_link) for kind, p in drops)


def noisy(seed=0, documents=40, pairs=120):
    rng = np.random.default_rng(seed)
    classes = rng.integers(3, size=documents)
    drawn = rng.integers(documents, size=(pairs, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    same = (classes[drawn[:, 0]] == classes[drawn[:, 1]]) ^ (rng.random(len(drawn)) < 0.1)
    return Constraints(drawn[same], drawn[~same])


def test_without_patience_the_repair_still_repairs(monkeypatch):
    c = noisy()
    best = cost(c, c.repair())
    for patience in (-1.0, 0.01):
        monkeypatch.setattr(repair, "_PATIENCE", patience)
        drops = c.repair()
        assert not without(c, drops).conflicts()
        assert cost(c, drops) >= best


def test_tiny_and_huge_weights_do_not_upset_the_repair():
    pairs = [(0, 1), (1, 2)], [(0, 2)]
    assert Constraints(*pairs, [1e-300, 1, 1e300]).repair() == [("must-link", (0, 1))]
    assert Constraints(*pairs, [2e-9, 1e-9, 3e-9]).repair() == [("must-link", (1, 2))]


def test_consistent_constraints_pass():
    require_consistent(Constraints([(0, 1)], [(1, 2)]))


def test_a_contradiction_is_reported_by_document_with_the_way_out():
    c = Constraints([(0, 1), (1, 2)], [(0, 2)], [3, 2, 4])
    with pytest.raises(InputError) as refusal:
        require_consistent(c, ["a", "b", "c"])
    assert str(refusal.value) == (
        "contradiction: a must-link b must-link c, but a cannot-link c; "
        "smallest set to remove: b must-link c"
    )
    with pytest.raises(InputError, match="row 0 must-link row 1 must-link row 2, but row 0"):
        require_consistent(c)


def test_many_contradictions_are_counted_and_the_line_stays_short():
    chain = [(i, i + 1) for i in range(1000)]
    apart = [(i, i + 2) for i in range(0, 998, 2)]
    with pytest.raises(InputError, match=r"\(499 contradictions in all\)") as refusal:
        require_consistent(Constraints(chain, apart))
    assert "496 more" in str(refusal.value)
    assert len(str(refusal.value)) < 300
    with pytest.raises(InputError, match=r"\.\.\. 995 more \.\.\. must-link row 998") as refusal:
        require_consistent(Constraints(chain, [(0, 1000)]))
    assert len(str(refusal.value)) < 300
