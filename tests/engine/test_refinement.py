"""The first-variation search against every single move there is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.test_loop import problem_of
from tests.strategies import DISTORTIONS, counts, random_documents
from textclust.engine.partition import Partition
from textclust.engine.refinement import first_variation
from textclust.geometry.assignment import moments, nearest
from textclust.geometry.energies import optimum
from textclust.supervision.links import Links
from textclust.supervision.potentials import Unary
from textclust.supervision.potts import Potts


def energy(problem, labels):
    """The energy of a partition at its own best prototypes, less the documents' own costs."""
    weights = problem.effective_weights
    masses = np.bincount(labels, weights=weights, minlength=problem.k)
    filled = masses > 0
    total = moments(problem.X, labels, weights, problem.k).sums
    return optimum(problem.distortion, total[filled], masses[filled]).energies.sum()


def varied(problem, labels):
    partition = Partition(problem, labels)
    moved = first_variation(problem, problem.distortion, partition)
    assert moved == (partition.labels != labels).any()
    return partition.labels


def single_moves(problem, labels):
    for document in np.flatnonzero(problem.effective_weights > 0):
        if (labels[problem.effective_weights > 0] == labels[document]).sum() == 1:
            continue
        for cluster in set(range(problem.k)) - {labels[document]}:
            moved = labels.copy()
            moved[document] = cluster
            yield moved


@pytest.mark.parametrize("name", DISTORTIONS)
@given(table=counts(min_rows=4), seed=st.integers(0, 99))
def test_it_ends_where_no_single_move_helps_and_never_higher(name, table, seed):
    k = 3
    problem = problem_of(table, name, k)
    initial = np.random.default_rng(seed).integers(k, size=len(table))
    initial[:k] = np.arange(k)
    ended = varied(problem, initial)
    assert energy(problem, ended) <= energy(problem, initial) + 1e-7
    lowest = energy(problem, ended)
    assert all(energy(problem, moved) >= lowest - 1e-6 for moved in single_moves(problem, ended))


@pytest.mark.parametrize("name", ["euclidean", "cosine"])
@pytest.mark.parametrize("seed", range(4))
def test_what_rests_under_it_rests_under_the_batch_step(name, seed):
    problem = problem_of(random_documents(50, 20, 0.3, seed).toarray(), name, 4)
    labels = varied(problem, np.arange(50) % 4)
    masses = np.bincount(labels, minlength=4).astype(float)
    prototypes = problem.distortion.prototypes(
        moments(problem.X, labels, np.ones(50), 4).sums, masses
    )
    found = nearest(problem.X, problem.distortion.affine(prototypes))
    np.testing.assert_array_equal(found.labels, labels)


def test_it_leaves_a_trap_of_the_batch_step():
    """Points 0, 2, 3.5 as {0, 2}, {3.5}: 2 is 1 from its mean and 1.5 from the other, so the
    batch step rests at an energy of 2; moving it gives (1.5^2)/2 = 1.125."""
    problem = problem_of(np.array([[0.0], [2.0], [3.5]]), "euclidean", 2)
    trapped = np.array([0, 0, 1])
    means = np.array([[1.0], [3.5]])
    assert nearest(problem.X, problem.distortion.affine(means)).labels.tolist() == [0, 0, 1]
    assert varied(problem, trapped).tolist() == [0, 1, 1]


@pytest.mark.parametrize("name", DISTORTIONS)
@given(table=counts(min_rows=5), seed=st.integers(0, 99))
def test_with_links_and_costs_of_clusters_no_single_move_helps_either(name, table, seed):
    rng, n, k = np.random.default_rng(seed), len(table), 3
    ends = np.array([rng.choice(n, 2, replace=False) for _ in range(n)])
    links = Links(*ends.T, rng.random(n) < 0.5, rng.random(n))
    unary = Unary(np.array([1, 3]), np.array([[0.0, 0.5, 0.2], [np.inf, np.inf, 0.0]]))
    problem = replace(problem_of(table, name, k), unary=unary, interaction=Potts(links))
    initial = rng.integers(k, size=n)
    initial[:3], initial[3] = np.arange(3), 2

    def whole(labels):
        return energy(problem, labels) + problem.potentials(labels)

    ended = varied(problem, initial)
    assert whole(ended) <= whole(initial) + 1e-7
    assert ended[3] == 2
    assert all(whole(moved) >= whole(ended) - 1e-6 for moved in single_moves(problem, ended))


@pytest.mark.parametrize("seed", range(3))
def test_so_it_is_for_many_documents_whichever_code_runs(seed):
    rng = np.random.default_rng(seed)
    ends = rng.permutation(90)[:80].reshape(40, 2)
    links = Links(*ends.T, rng.random(40) < 0.5, np.full(40, 0.05))
    problem = problem_of(random_documents(90, 120, seed=seed), "cosine", 4)
    problem = replace(problem, interaction=Potts(links))
    ended = varied(problem, np.arange(90) % 4)
    lowest = energy(problem, ended) + problem.potentials(ended)
    for moved in single_moves(problem, ended):
        assert energy(problem, moved) + problem.potentials(moved) >= lowest - 1e-6
