"""The loop against a slow reference, and the descent it promises."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import DISTORTIONS, counts, random_documents
from textclust import Constraints, geometry
from textclust.engine.loop import minimise
from textclust.engine.problem import Problem, Start
from textclust.engine.starts import kmeans_plus_plus, perturbed_centroid
from textclust.geometry.affine import Moments
from textclust.supervision.potentials import Unary
from textclust.supervision.potts import Potts

RNG = np.random.default_rng


def problem_of(table, name="cosine", k=2, weights=None, **potentials):
    distortion = geometry.get(name)
    X = distortion.prepare(sp.csr_array(table))
    weights = np.ones(X.shape[0]) if weights is None else np.asarray(weights, float)
    return Problem(X, distortion, k, weights, **potentials)


def run(problem, start, seed=0, **options):
    options = {"max_iter": 100, "tol": 0.0, "every_half_step": True, **options}
    return minimise(problem, start, **options, rng=RNG(seed))


def at(centres):
    """A start from these centres."""
    return Start(Moments(np.array(centres, order="F"), np.ones(len(centres))))


def slow_kmeans(X, centres, iterations=100):
    """Basu 2005, figure 2.2, to the letter, on dense rows."""
    for _ in range(iterations):
        labels = np.array([np.argmin([((x - c) ** 2).sum() for c in centres]) for x in X])
        new = np.array(
            [
                X[labels == h].mean(axis=0) if (labels == h).any() else c
                for h, c in enumerate(centres)
            ]
        )
        if np.allclose(new, centres):
            return labels, new
        centres = new
    return labels, centres


def slow_spherical(X, centres, iterations=100):
    """Basu 2005, section 2.3.2: unit rows, unit centroids, largest inner product."""
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    for _ in range(iterations):
        labels = (X @ centres.T).argmax(axis=1)
        new = np.array(
            [
                X[labels == h].sum(axis=0) if (labels == h).any() else c
                for h, c in enumerate(centres)
            ]
        )
        new /= np.linalg.norm(new, axis=1, keepdims=True)
        if np.allclose(new, centres):
            return labels, new
        centres = new
    return labels, centres


@pytest.mark.parametrize("seed", range(5))
def test_euclidean_agrees_with_the_slow_reference(seed):
    table = random_documents(40, 10, 0.5, seed).toarray()
    problem = problem_of(table, "euclidean", 3)
    start = kmeans_plus_plus(problem, RNG(seed))
    labels, centres = slow_kmeans(table, problem.distortion.prototypes(*start.moments))
    solution = run(problem, start)
    np.testing.assert_array_equal(solution.labels, labels)
    np.testing.assert_allclose(solution.prototypes, centres)


@pytest.mark.parametrize("seed", range(5))
def test_cosine_agrees_with_the_slow_reference(seed):
    table = random_documents(40, 10, 0.5, seed).toarray()
    problem = problem_of(table, "cosine", 3)
    start = kmeans_plus_plus(problem, RNG(seed))
    labels, centres = slow_spherical(table, problem.distortion.prototypes(*start.moments))
    solution = run(problem, start)
    np.testing.assert_array_equal(solution.labels, labels)
    np.testing.assert_allclose(solution.prototypes, centres)


def descends(history):
    energies = [energy for step in history for energy in (step.assigned, step.energy)]
    pairs = itertools.pairwise(energies)
    return all(later <= earlier + 1e-9 * (1 + abs(earlier)) for earlier, later in pairs)


@pytest.mark.parametrize("name", DISTORTIONS)
@pytest.mark.parametrize("refine", [False, True])
@given(table=counts(), k=st.integers(1, 4), seed=st.integers(0, 99))
def test_no_half_step_raises_the_energy(name, refine, table, k, seed):
    problem = problem_of(table, name, min(k, len(table)))
    rng = RNG(seed)
    start = Start(labels=rng.integers(problem.k, size=len(table)))
    solution = run(problem, start, refine=refine)
    assert descends(solution.history)
    assert solution.energy <= solution.history[-1].energy + 1e-9 * (1 + abs(solution.energy))
    assert np.isfinite(solution.prototypes).all()


@pytest.mark.parametrize("name", DISTORTIONS)
def test_the_energy_is_the_sum_of_the_distances(name):
    problem = problem_of(random_documents().toarray(), name, 4)
    solution = run(problem, kmeans_plus_plus(problem, RNG(0)))
    form = solution.distortion.affine(solution.prototypes)
    dense = problem.X.toarray()
    every = np.arange(dense.shape[1])
    slopes = np.array([form.slope(h, every) for h in range(4)])
    chosen = form.offsets[solution.labels] - (dense * slopes[solution.labels]).sum(axis=1)
    total = (chosen + solution.distortion.own_costs(problem.X)).sum()
    assert solution.energy == pytest.approx(total)


@given(table=counts(), weights=st.data())
def test_a_weight_of_two_is_the_document_twice(table, weights):
    given_weights = np.array([weights.draw(st.integers(1, 3)) for _ in table], dtype=float)
    repeats = given_weights.astype(int)
    weighted = run(problem_of(table, "euclidean", 2, given_weights), at(table[:2] + 0.5))
    repeated = run(
        problem_of(np.repeat(table, repeats, axis=0), "euclidean", 2), at(table[:2] + 0.5)
    )
    assume(not any(step.refilled for step in weighted.history + repeated.history))
    assert weighted.energy == pytest.approx(repeated.energy)


@given(table=counts(min_rows=4), seed=st.integers(0, 99))
def test_permuting_documents_permutes_labels(table, seed):
    table = table + RNG(seed).random(table.shape) * 1e-3  # no ties
    order = RNG(seed).permutation(len(table))
    straight = run(problem_of(table, "euclidean", 2), at(table[:2]))
    shuffled = run(problem_of(table[order], "euclidean", 2), at(table[:2]))
    np.testing.assert_array_equal(straight.labels[order], shuffled.labels)


@pytest.mark.parametrize("name", DISTORTIONS)
def test_an_empty_cluster_is_refilled(name):
    table = np.array([[5.0, 0, 0], [4, 1, 0], [0, 5, 1], [0, 0, 9]])
    problem = problem_of(table, name, 3)
    solution = run(problem, Start(labels=np.array([0, 0, 1, 1])))
    assert set(solution.labels.tolist()) == {0, 1, 2}
    if name in ("euclidean", "cosine"):  # the others anneal first, and their history begins later
        assert solution.history[0].refilled == 1


@pytest.mark.parametrize(("weight", "expected"), [(1.0, [0, 0, 1, 1, 2]), (99.0, [0, 0, 1, 1, 1])])
def test_where_all_are_linked_an_empty_cluster_is_given_what_is_worth_its_links(weight, expected):
    table = np.array([[9.0, 0], [8.0, 0], [0, 0], [0, 1], [0, 6]])
    links = Constraints([(0, 1), (2, 3), (3, 4)], weights=[99.0, 99.0, weight]).links
    problem = problem_of(table, "euclidean", 3, interaction=Potts(links))
    solution = run(problem, Start(labels=np.array([0, 0, 1, 1, 1])))
    assert solution.labels.tolist() == expected
    assert descends(solution.history)


def test_no_empty_cluster_is_given_a_clamped_document():
    table = np.array([[9.0, 0], [8.0, 0], [0, 9], [0, 1]])
    clamped = Unary(np.arange(4), np.where(np.eye(3)[[0, 0, 1, 1]] > 0, 0.0, np.inf))
    solution = run(problem_of(table, "euclidean", 3, unary=clamped), Start(labels=np.arange(4) % 3))
    assert solution.labels.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("name", ["cosine", "kl"])
def test_rows_of_zeros_pull_nothing_and_survive(name):
    table = random_documents(30, 12, 0.4).toarray()
    start = Start(labels=np.arange(30) % 3)
    with_zeros = np.vstack([table, np.zeros((5, 12))])
    longer = Start(labels=np.concatenate([start.labels, np.zeros(5, int)]))
    plain = run(problem_of(table, name, 3), start)
    padded = run(problem_of(with_zeros, name, 3), longer)
    np.testing.assert_allclose(plain.prototypes, padded.prototypes)
    assert padded.energy == pytest.approx(plain.energy)


def test_a_forbidden_cluster_is_never_chosen():
    table = random_documents(20, 8, 0.5).toarray()
    clamped = np.array([0, 5, 7])
    forbidden = np.zeros((3, 2))
    forbidden[:, 0] = np.inf
    solution = run(
        problem_of(table, "cosine", 2, unary=Unary(clamped, forbidden)),
        Start(labels=np.arange(20) % 2),
    )
    assert solution.labels[clamped].tolist() == [1, 1, 1]
    assert descends(solution.history)
    assert np.isfinite(solution.energy)


class BruteForcePotts:
    """V for the tests: a weight for each pair in different clusters, minimised exhaustively."""

    def __init__(self, pairs, weight, k):
        self.documents = np.unique(np.ravel(pairs))
        self.pairs = np.searchsorted(self.documents, pairs)
        self.weight, self.k = weight, k

    def energy(self, labels):
        return self.weight * sum(labels[i] != labels[j] for i, j in self.pairs)

    def pushes(self, labels, k):
        moves = itertools.product(range(len(labels)), range(k))
        moved = [[*labels[:i], cluster, *labels[i + 1 :]] for i, cluster in moves]
        return np.array([self.energy(labels) for labels in moved]).reshape(len(labels), k)

    def infer(self, costs, labels, rng):
        every = itertools.product(range(self.k), repeat=len(self.documents))
        costs = costs.exactly()
        return np.array(
            min(every, key=lambda y: costs[np.arange(len(y)), list(y)].sum() + self.energy(y))
        )


@pytest.mark.parametrize("name", DISTORTIONS)
@given(table=counts(min_rows=6), seed=st.integers(0, 99))
def test_an_interaction_keeps_the_descent_and_binds(name, table, seed):
    table[:, 0] += 1
    bond = BruteForcePotts(np.array([[0, 1], [1, 4]]), 1e6, 2)
    problem = problem_of(table, name, 2, interaction=bond)
    labels = RNG(seed).integers(2, size=len(table))
    labels[[0, 1, 4]] = 0
    solution = run(problem, Start(labels=labels))
    assert len(set(solution.labels[[0, 1, 4]])) == 1
    assert descends(solution.history)


def test_documents_without_interaction_get_the_labels_they_would_get_anyway():
    table = random_documents(20, 8, 0.5).toarray()
    free = problem_of(table, "cosine", 2)
    bond = BruteForcePotts(np.array([[0, 1]]), 0.0, 2)
    tied = problem_of(table, "cosine", 2, interaction=bond)
    start = Start(labels=np.arange(20) % 2)
    np.testing.assert_array_equal(run(free, start).labels, run(tied, start).labels)


def test_the_iteration_limit_is_kept_and_labels_still_fit_the_prototypes():
    problem = problem_of(random_documents(200, 30).toarray(), "cosine", 5)
    solution = run(problem, perturbed_centroid(problem, RNG(3)), max_iter=2)
    assert solution.n_iter == 2
    assert not solution.converged
    table = problem.X @ solution.prototypes.T
    np.testing.assert_array_equal(solution.labels, table.argmax(axis=1))


def test_problems_of_the_same_rows_share_what_binds_them_and_no_others_do():
    problem = problem_of(np.eye(4), "kl")
    colder = problem.learned(problem.distortion.cooled(), None)
    assert colder.backend is problem.backend
    assert problem.learned(problem.distortion, None) is problem
    with pytest.raises(AssertionError, match="rows of another problem"):
        replace(colder, X=sp.csr_array(np.eye(4)))
