"""Emphasis on documents that links place: by hand, and against a slow count of what is foretold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.engine.test_loop import problem_of
from tests.engine.test_refinement import energy
from tests.strategies import DISTORTIONS, random_documents
from textclust import Constraints, HMRFKMeans, PCKMeans
from textclust.engine.emphasis import Emphasis, emphasis_on
from textclust.engine.problem import Solution
from textclust.supervision.components import apart_neighbourhoods

GROUPS = [np.array([4, 0, 1]), np.array([2, 3])]


def solution_of(problem, labels):
    return Solution(labels, np.empty(0), problem.distortion, 0.0, True, 1)


@pytest.mark.parametrize(
    ("must", "cannot", "expected"),
    [
        ([(0, 1), (2, 3)], [(1, 3)], [[0, 1], [2, 3]]),
        ([(0, 1), (2, 3), (3, 4)], [(1, 4)], [[2, 3, 4], [0, 1]]),
        ([(0, 1), (2, 3)], [(0, 5)], []),  # not known to be apart
        ([(0, 1), (2, 3)], [(0, 1), (1, 3)], []),  # one contradicts itself
    ],
)
def test_k_groups_that_are_all_apart(must, cannot, expected):
    found = apart_neighbourhoods(Constraints(must, cannot).links, 2)
    assert [rows.tolist() for rows in found] == expected
    assert (emphasis_on(Constraints(must, cannot).links, 2) is None) == (not expected)


def test_documents_that_are_placed_count_double_and_so_do_links_between_them():
    emphasis = Emphasis(GROUPS)
    assert emphasis.of_documents(7).tolist() == [2, 2, 2, 2, 2, 1, 1]
    links = Constraints([(0, 1), (5, 6)], [(2, 4), (3, 5)]).links
    assert emphasis.of_links(links, 7).tolist() == [2, 1, 2, 1]


def test_each_group_goes_where_most_of_it_is_and_no_two_to_the_same_cluster():
    moved = Emphasis(GROUPS).in_their_places(np.array([0, 0, 0, 0, 1, 0, 1]))
    assert moved.tolist() == [1, 1, 0, 0, 1, 0, 1]


def slowly_foretold(problem, labels, groups, clusters):
    """Whether each document costs least, by the whole energy, in the cluster of its group."""
    found = []
    for group, cluster in zip(groups, clusters, strict=True):
        for document in group:
            costs = []
            for other in range(problem.k):
                moved = labels.copy()
                moved[document] = other
                costs.append(energy(problem, moved))
            found.append(np.argmin(costs) == cluster)
    return np.array(found)


@pytest.mark.parametrize("name", DISTORTIONS)
@pytest.mark.parametrize("seed", range(4))
def test_it_is_borne_out_by_what_it_foretells(name, seed):
    rng = np.random.default_rng(seed)
    problem = problem_of(random_documents(30, 12, seed=seed), name, 2)
    groups = [np.arange(8), np.arange(8, 16)]
    doubled = replace(problem, weights=problem.weights * Emphasis(groups).of_documents(30))
    verdicts = []
    for _ in range(12):
        plain, emphasised = (np.repeat([0, 1, 0], [8, 8, 14]) for _ in range(2))
        for labels in (plain, emphasised):
            labels[16:] = rng.integers(2, size=14)
            labels[rng.choice(16, 3, replace=False)] ^= 1
        before = slowly_foretold(problem, plain, groups, [0, 1])
        after = slowly_foretold(doubled, emphasised, groups, [0, 1])
        won, lost = (after & ~before).sum(), (before & ~after).sum()
        expected = won - lost > np.sqrt(won + lost)
        found = Emphasis(groups).is_supported(
            problem, solution_of(problem, plain), solution_of(problem, emphasised)
        )
        verdicts.append(found == expected)
    assert all(verdicts)


def placed_documents():
    """Documents that two directions split, and links that place half of them by the weaker one."""
    rng = np.random.default_rng(0)
    loud, meant = rng.integers(2, size=(2, 80))
    X = np.zeros((80, 30))
    X[np.arange(80), loud] = 1.0
    X[np.arange(80), 2 + meant] = 0.85
    X[:, 4:] = 0.2 * rng.random((80, 26))
    same = [[row for row in range(40) if meant[row] == kind] for kind in (0, 1)]
    stars = [(group[0], row) for group in same for row in group[1:]]
    return X, Constraints(stars, [(same[0][0], same[1][0])]), meant


def test_links_that_tell_what_words_hide_move_the_others_too():
    X, links, meant = placed_documents()
    model = HMRFKMeans(2, random_state=0).fit(X, constraints=links)
    others = model.labels_[40:] == meant[40:]
    assert max(others.mean(), 1 - others.mean()) > 0.9
    assert not links.violated(model.labels_).any()


def energy_of_the_docstring(model, X, links, distance):
    """Distortions plus the price of every broken link, at the labels and prototypes returned."""
    rows = X / np.linalg.norm(X, axis=1, keepdims=True) if distance == "cosine" else X
    own = model.cluster_centers_[model.labels_]
    cost = 1 - (rows * own).sum(axis=1) if distance == "cosine" else ((rows - own) ** 2).sum(axis=1)
    price = model.link_prices_[links.violated(model.labels_)].sum()
    return cost.sum() + price


@pytest.mark.parametrize("estimator", [HMRFKMeans, PCKMeans])
def test_the_objective_is_that_of_the_docstring_with_emphasis_too(estimator):
    X, links, _ = placed_documents()
    model = estimator(2, random_state=0).fit(X, constraints=links)
    distance = "cosine" if estimator is HMRFKMeans else "euclidean"
    assert model.objective_ == pytest.approx(energy_of_the_docstring(model, X, links, distance))
    np.testing.assert_array_equal(model.link_prices_, model.link_prices_[0])  # none is doubled


def test_what_counted_double_is_an_attribute_and_there_is_a_switch():
    X, links, _ = placed_documents()
    model = HMRFKMeans(2, random_state=0).fit(X, constraints=links)
    assert model.emphasis_.tolist() == [2.0] * 40 + [1.0] * 40
    plain = HMRFKMeans(2, emphasis=False, random_state=0).fit(X, constraints=links)
    assert plain.emphasis_ is None
    assert plain.objective_ <= model.objective_  # nothing but the energy was minimised
    assert plain.objective_ == pytest.approx(plain.objective_history_[-1])
