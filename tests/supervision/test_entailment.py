"""What must-links join and what follows, beside a slow reference on dense tables."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given

from tests.strategies import constraint_sets
from textclust import Constraints

ROWS = 8


def joined(c, n=ROWS):
    """Which rows must-links join: the table squared until nothing is added."""
    table = np.eye(n, dtype=bool)
    for i, j in c.must_link:
        table[i, j] = table[j, i] = True
    for _ in range(n):
        table = table | ((table.astype(int) @ table.astype(int)) > 0)
    return table


def entailed_slowly(c, n=ROWS):
    """Every pair that follows, found by asking for each two rows."""
    same = joined(c, n)
    given_apart = {frozenset(pair) for pair in c.cannot_link}
    must, cannot = [], []
    for i in range(n):
        for j in range(i + 1, n):
            if same[i, j]:
                must.append((i, j))
                if frozenset((i, j)) in given_apart:
                    cannot.append((i, j))
            elif any(
                (same[i, a] and same[j, b]) or (same[i, b] and same[j, a]) for a, b in c.cannot_link
            ):
                cannot.append((i, j))
    return must, cannot


def weight_slowly(pairs, weights, pair):
    given = [w for p, w in zip(pairs, weights, strict=True) if set(p) == set(pair)]
    return sum(given) or 1


@given(constraint_sets(rows=ROWS))
def test_the_closure_is_that_of_the_slow_reference(c):
    entailed = c.entailed()
    assert (entailed.must_link, entailed.cannot_link) == entailed_slowly(c)
    must, cannot = np.split(c.weights, [len(c.must_link)])
    expected = [weight_slowly(c.must_link, must, pair) for pair in entailed.must_link]
    expected += [weight_slowly(c.cannot_link, cannot, pair) for pair in entailed.cannot_link]
    assert entailed.weights.tolist() == expected


@given(constraint_sets())
def test_what_follows_from_all_that_follows_is_nothing_more(c):
    assert c.entailed().entailed() == c.entailed()


@given(constraint_sets())
def test_the_limit_is_on_the_pairs_there_would_be(c):
    entailed = c.entailed()
    assert c.entailed(limit=len(entailed)) == entailed
    if len(entailed):
        assert c.entailed(limit=len(entailed) - 1) is None


@given(constraint_sets())
def test_neighbourhoods_are_the_rows_that_must_links_join(c):
    same = joined(c)
    expected = {frozenset(np.flatnonzero(row).tolist()) for row in same}
    found = c.neighbourhoods()
    assert {frozenset(rows.tolist()) for rows in found} == {s for s in expected if len(s) > 1}
    assert all((np.diff(rows) > 0).all() for rows in found)
    order = [(-len(rows), rows[0]) for rows in found]
    assert order == sorted(order)


@given(constraint_sets())
def test_components_number_the_same_groups_by_their_first_rows(c):
    component = c.components(ROWS)
    assert ((component[:, None] == component) == joined(c)).all()
    _, first = np.unique(component, return_index=True)
    assert (np.diff(first) > 0).all()


def test_the_example_of_the_papers():
    """Two neighbourhoods and a cannot-link between them: every two of them are apart."""
    c = Constraints([(0, 1), (1, 2), (3, 4)], [(2, 3)], [2, 3, 4, 5])
    assert c.entailed() == Constraints(
        [(0, 1), (0, 2), (1, 2), (3, 4)],
        [(0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 4)],
        [2, 1, 3, 4, 1, 1, 1, 1, 5, 1],
    )


def test_a_contradictory_cannot_link_stays_and_entails_nothing():
    entailed = Constraints([(0, 1), (1, 2)], [(2, 0), (0, 2)], [1, 1, 2, 3]).entailed()
    assert entailed.cannot_link == [(0, 2)]
    assert entailed.weights.tolist() == [1, 1, 1, 5]


def test_row_numbers_may_be_huge():
    c = Constraints([(10**12, 5)], [(5, 10**15)])
    assert c.entailed().cannot_link == [(5, 10**15), (10**12, 10**15)]
    assert c.neighbourhoods()[0].tolist() == [5, 10**12]


@pytest.fixture(scope="module")
def long_chain():
    rows = np.random.default_rng(0).permutation(100_001)
    return Constraints(np.column_stack([rows[:-1], rows[1:]]), [(rows[0], rows[-1])])


@pytest.mark.parametrize(
    "ask",
    [
        lambda c: len(c.neighbourhoods()[0]) == 100_001,
        lambda c: not c.components(100_001).any(),
        lambda c: c.entailed(limit=10**9) is None,
        lambda c: len(c.conflicts()[0].chain) == 100_001,
        lambda c: len(c.violated(np.zeros(100_001))) == 100_001,
    ],
)
def test_a_chain_of_a_hundred_thousand_is_never_squared(long_chain, ask):
    """Its 5 billion pairs would take 80 GB."""
    tracemalloc.start()
    assert ask(long_chain)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100e6


def test_a_chain_of_a_hundred_thousand_is_repaired_by_one_cut(long_chain):
    assert len(long_chain.repair()) == 1
