"""Bounds on sizes of clusters, against cases solved by hand, a linear program and all labels."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from tests.engine.test_loop import descends, problem_of, run
from tests.engine.test_refinement import energy, single_moves, varied
from tests.strategies import DISTORTIONS, counts, random_documents
from textclust import Constraints
from textclust.engine.problem import Start
from textclust.engine.sizes import SizeBound
from textclust.supervision.hard import HardLinks
from textclust.supervision.potentials import Unary
from textclust.supervision.potts import Potts


def bounded(problem, min_size, price):
    return replace(problem, sizes=SizeBound(min_size, price, problem.effective_weights))


def filled(costs, bound):
    """The labels of the E-step with nothing but these costs and a bound."""
    costs = np.asarray(costs, dtype=float)
    return bound.filled(costs.argmin(axis=1), np.arange(len(costs)), costs)


def total(costs, labels, bound):
    costs = np.asarray(costs, dtype=float)
    return costs[np.arange(len(costs)), labels].sum() + bound.energy(labels, costs.shape[1])


def least_by_linear_programming(costs, min_size, price):
    """The least cost of a flow: x_ih from document to cluster, z_h for what a cluster lacks."""
    n, k = costs.shape
    forbidden = ~np.isfinite(costs)
    finite = np.where(forbidden, 0.0, costs)
    objective = np.concatenate([finite.ravel(), np.full(k, price)])
    each_once = np.hstack([np.kron(np.eye(n), np.ones(k)), np.zeros((n, k))])
    large_enough = -np.hstack([np.kron(np.ones(n), np.eye(k)), np.eye(k)])
    bounds = [(0, 0 if no else 1) for no in forbidden.ravel()] + [(0, None)] * k
    found = linprog(
        objective, large_enough, np.full(k, -float(min_size)), each_once, np.ones(n), bounds
    )
    return found.fun


# The assignment step


def test_the_documents_that_it_costs_least_join_the_one_cluster_that_is_too_small():
    on_top = [5.0, 1.0, 3.0, 2.0, 9.0]
    costs = [[0.0, extra] for extra in on_top]
    assert filled(costs, SizeBound(2, 10.0, np.ones(5))).tolist() == [0, 1, 0, 1, 0]


def test_no_document_joins_that_would_cost_more_than_the_price():
    on_top = [5.0, 1.0, 3.0, 2.0, 9.0]
    costs = [[0.0, extra] for extra in on_top]
    assert filled(costs, SizeBound(2, 1.5, np.ones(5))).tolist() == [0, 1, 0, 0, 0]
    assert filled(costs, SizeBound(2, 0.5, np.ones(5))).tolist() == [0] * 5


def test_a_cluster_gives_only_what_it_can_spare():
    costs = [[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]
    assert np.bincount(filled(costs, SizeBound(2, 10.0, np.ones(3)))).tolist() == [2, 1]


def test_a_cluster_passes_documents_on():
    """Cluster 2 is too far for those that 0 can spare: one goes to 1, and one from 1 to 2."""
    far = 100.0
    costs = [[0.0, 1.0, far]] * 3 + [[far, 0.0, 1.0]]
    labels = filled(costs, SizeBound(1, 10.0, np.ones(4)))
    assert labels.tolist() == [1, 0, 0, 2]
    assert total(costs, labels, SizeBound(1, 10.0, np.ones(4))) == pytest.approx(2.0)


def test_a_document_stays_where_it_must_be():
    never = np.inf
    costs = [[0.0, never], [0.0, never], [0.0, 7.0]]
    bound = SizeBound(2, 10.0, np.ones(3))
    assert filled(costs, bound).tolist() == [0, 0, 1]
    assert filled([[0.0, never]] * 3, bound).tolist() == [0, 0, 0]


def test_documents_that_do_not_count_are_left_alone():
    costs = [[0.0, 0.1], [0.0, 5.0], [0.0, 5.0]]
    assert filled(costs, SizeBound(1, 10.0, np.array([0.0, 1.0, 1.0]))).tolist() == [0, 1, 0]


@given(
    n=st.integers(1, 9),
    k=st.integers(1, 4),
    seed=st.integers(0, 10_000),
    min_size=st.integers(1, 4),
    price=st.sampled_from([0.1, 0.5, 1.0, 5.0]),
)
def test_it_is_the_optimum_of_the_linear_program(n, k, seed, min_size, price):
    rng = np.random.default_rng(seed)
    costs = rng.random((n, k))
    costs[rng.random((n, k)) < 0.2] = np.inf
    costs[np.arange(n), rng.integers(k, size=n)] = rng.random(n)  # each may be somewhere
    bound = SizeBound(min_size, price, np.ones(n))
    expected = least_by_linear_programming(costs, min_size, price)
    assert total(costs, filled(costs, bound), bound) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(3))
def test_so_it_is_for_many_documents_and_clusters(seed):
    rng = np.random.default_rng(seed)
    costs = rng.random((120, 8)) + np.linspace(0, 1, 8)
    bound = SizeBound(12, 0.4, np.ones(120))
    expected = least_by_linear_programming(costs, 12, 0.4)
    assert total(costs, filled(costs, bound), bound) == pytest.approx(expected)


@given(n=st.integers(1, 9), k=st.integers(1, 4), seed=st.integers(0, 10_000))
def test_where_documents_count_differently_it_costs_no_more_than_before(n, k, seed):
    rng = np.random.default_rng(seed)
    costs, weights = rng.random((n, k)), rng.integers(1, 4, n) / 2
    bound = SizeBound(2, 0.5, weights)
    before = costs.argmin(axis=1)
    assert total(costs, filled(costs, bound), bound) <= total(costs, before, bound) + 1e-12


@given(table=counts(), seed=st.integers(0, 99), min_size=st.integers(1, 4))
def test_what_single_moves_cost_is_the_difference_of_the_energies(table, seed, min_size):
    rng, k, n = np.random.default_rng(seed), 3, len(table)
    bound = SizeBound(min_size, 0.7, rng.integers(1, 4, n) / 2)
    labels = rng.integers(k, size=n)
    rises = bound.rises(np.arange(n), labels, k)
    for document, cluster in itertools.product(range(n), range(k)):
        moved = labels.copy()
        moved[document] = cluster
        change = bound.energy(moved, k) - bound.energy(labels, k)
        assert rises[document, cluster] == pytest.approx(change)


# The loop


@pytest.mark.parametrize("name", DISTORTIONS)
@pytest.mark.parametrize("refine", [False, True])
@given(
    table=counts(min_rows=4),
    k=st.integers(1, 3),
    seed=st.integers(0, 99),
    min_size=st.integers(1, 4),
    price=st.sampled_from([0.01, 0.3, 2.0, 100.0]),
)
def test_no_half_step_raises_the_energy(name, refine, table, k, seed, min_size, price):
    rng, n = np.random.default_rng(seed), len(table)
    problem = bounded(problem_of(table, name, k, rng.integers(1, 3, n)), min_size, price)
    solution = run(problem, Start(labels=rng.integers(k, size=n)), refine=refine)
    assert descends(solution.history)
    assert solution.energy <= solution.history[-1].energy + 1e-9 * (1 + abs(solution.energy))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("refine", [False, True])
@given(table=counts(min_rows=6), seed=st.integers(0, 99), min_size=st.integers(1, 4))
def test_nor_does_one_with_links_and_seeds(hard, refine, table, seed, min_size):
    rng, n, k = np.random.default_rng(seed), len(table), 3
    links = Constraints([(0, 1), (1, 2)], [(3, 4)], weights=rng.random(3)).links
    unary = Unary(np.array([n - 1]), np.array([[np.inf, np.inf, 0.0]]))
    start = rng.integers(k, size=n)
    start[:5], start[n - 1] = [0, 0, 0, 1, 2], 2
    interaction = HardLinks.of(links, k) if hard else Potts(links)
    problem = problem_of(table, "euclidean", k, unary=unary, interaction=interaction)
    problem = bounded(problem, min_size, 3.0)
    solution = run(problem, Start(labels=start), refine=refine)
    assert descends(solution.history)
    assert solution.labels[n - 1] == 2
    if hard:
        assert np.isfinite(interaction.energy(solution.labels[interaction.documents]))


@pytest.mark.parametrize("name", DISTORTIONS)
@given(table=counts(min_rows=5), seed=st.integers(0, 99), min_size=st.integers(1, 4))
def test_refinement_ends_where_no_single_move_helps(name, table, seed, min_size):
    k, n = 3, len(table)
    problem = bounded(problem_of(table, name, k), min_size, 0.4)
    initial = np.random.default_rng(seed).integers(k, size=n)
    initial[:k] = np.arange(k)

    def whole(labels):
        return energy(problem, labels) + problem.potentials(labels)

    ended = varied(problem, initial)
    assert whole(ended) <= whole(initial) + 1e-7
    assert all(whole(moved) >= whole(ended) - 1e-6 for moved in single_moves(problem, ended))


@given(
    table=counts(max_rows=7, min_rows=4),
    seed=st.integers(0, 99),
    price=st.sampled_from([0.05, 0.5, 50.0]),
)
def test_a_cluster_is_too_small_only_where_every_move_would_cost_more(table, seed, price):
    """One that ends a run too small stays so whichever single document joins it."""
    k, n, min_size = 2, len(table), 2
    problem = bounded(problem_of(table, "euclidean", k), min_size, price)
    solution = run(
        problem, Start(labels=np.random.default_rng(seed).integers(k, size=n)), refine=True
    )
    whole = energy(problem, solution.labels) + problem.potentials(solution.labels)
    for moved in single_moves(problem, solution.labels):
        assert energy(problem, moved) + problem.potentials(moved) >= whole - 1e-6


@pytest.mark.parametrize("seed", range(8))
def test_the_lowest_of_all_labels_is_found_from_enough_starts(seed):
    rng = np.random.default_rng(seed)
    table = rng.random((7, 2)) + np.array([[0, 0]] * 6 + [[4, 4]])
    problem = bounded(problem_of(table, "euclidean", 2), 3, 1.5)
    own = problem.own_costs.sum()

    def whole(labels):
        return energy(problem, np.array(labels)) + problem.potentials(np.array(labels)) + own

    lowest = min(map(whole, itertools.product(range(2), repeat=7)))
    starts = [Start(labels=rng.integers(2, size=7)) for _ in range(20)]
    found = min(run(problem, start, refine=True).energy for start in starts)
    assert found == pytest.approx(lowest)


def test_a_bound_that_holds_anyway_changes_nothing():
    problem = problem_of(random_documents(60, 20).toarray(), "cosine", 3)
    start = Start(labels=np.arange(60) % 3)
    free, held = run(problem, start), run(bounded(problem, 1, 9.0), start)
    np.testing.assert_array_equal(free.labels, held.labels)
    assert free.energy == pytest.approx(held.energy)
