"""Labelling linked documents together, against all labellings there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.supervision.instances import Instance, instances, links_of, rows_of
from textclust.supervision.inference import INFERENCES
from textclust.supervision.inference.icm import icm

RNG = np.random.default_rng
RULES = pytest.mark.parametrize("rule", INFERENCES.values(), ids=INFERENCES)


def answer(rule, instance, seed=0):
    return rule(instance.costs, instance.couplings, instance.labels, RNG(seed))


@RULES
@given(instance=instances())
def test_no_rule_beats_the_optimum_or_loses_to_the_given_labels(rule, instance):
    labels = answer(rule, instance)
    assert labels.shape == instance.labels.shape
    reached = instance.total(labels)
    assert reached >= instance.optimum() - 1e-9
    assert reached <= instance.total(instance.labels) + 1e-9


@RULES
@given(instance=instances())
def test_no_single_move_improves_what_a_rule_answers(rule, instance):
    labels = answer(rule, instance)
    assert not any(instance.cheapest(i, labels)[1] for i in range(len(labels)))


@RULES
@given(instance=instances())
def test_a_forbidden_cluster_is_never_chosen(rule, instance):
    labels = answer(rule, instance)
    assert np.isfinite(instance.costs[np.arange(len(labels)), labels]).all()


@RULES
def test_a_document_forbidden_everywhere_does_not_disturb_the_others(rule):
    costs = np.array([[np.inf, np.inf], [0.0, 1.0], [1.0, 0.0]])
    links = links_of((0, 1, True, 0.5), (1, 2, True, 0.5))
    labels = answer(rule, Instance(costs, links, np.array([0, 1, 0])))
    assert labels[1:].tolist() == [0, 1]


@RULES
@given(instance=instances())
def test_the_same_seed_gives_the_same_labels(rule, instance):
    once, again = answer(rule, instance, seed=5), answer(rule, instance, seed=5)
    np.testing.assert_array_equal(once, again)


@RULES
def test_without_links_every_document_takes_its_cheapest_cluster(rule):
    costs = RNG(0).random((20, 4))
    labels = answer(rule, Instance(costs, links_of(), np.zeros(20, dtype=np.intp)))
    np.testing.assert_array_equal(labels, costs.argmin(axis=1))


@RULES
def test_one_cluster_takes_all(rule):
    links = links_of((0, 1, True, 1.0), (1, 2, False, 1.0))
    instance = Instance(np.ones((3, 1)), links, np.zeros(3, dtype=np.intp))
    assert answer(rule, instance).tolist() == [0, 0, 0]


@RULES
def test_a_strong_must_link_unites_and_a_strong_cannot_link_parts(rule):
    apart = np.array([[0.0, 1.0], [1.0, 0.0]])
    together = np.array([[0.0, 1.0], [0.0, 1.0]])
    start = np.array([0, 1])
    labels = answer(rule, Instance(apart, links_of((0, 1, True, 5.0)), start))
    assert labels[0] == labels[1]
    labels = answer(rule, Instance(together, links_of((0, 1, False, 5.0)), np.array([0, 0])))
    assert labels[0] != labels[1]


def random_instance(seed, linked=300, free=40, k=5, links=400):
    rng = RNG(seed)
    ends = [rng.choice(linked, 2, replace=False) for _ in range(links)]
    pairs = links_of(*((i, j, rng.random() < 0.5, rng.random()) for i, j in ends))
    costs = rng.random((linked + free, k))
    return Instance(costs, pairs, rng.integers(k, size=linked + free))


def own_contributions(instance, document, labels):
    """(4.11) of one document, link by link."""
    contributions = instance.costs[document].copy()
    for i, j, must, weight in rows_of(instance.links):
        if document in (i, j):
            other = labels[j if document == i else i]
            for cluster in range(len(contributions)):
                if (cluster != other) == must:
                    contributions[cluster] += weight
    return contributions


@pytest.mark.parametrize("seed", range(4))
def test_icm_is_the_sequential_rule_in_the_order_it_moved(seed):
    instance = random_instance(seed)
    moved: list[np.ndarray] = []
    labels = icm(instance.costs, instance.couplings, instance.labels, RNG(seed), moved)
    assert len(moved) > 1
    slow = instance.labels.copy()
    for document in np.concatenate(moved):
        contributions = own_contributions(instance, document, slow)
        best = contributions.argmin()
        assert contributions[best] < contributions[slow[document]]
        slow[document] = best
    np.testing.assert_array_equal(labels, slow)
    for document in range(len(slow)):  # one more pass over all of them
        contributions = own_contributions(instance, document, slow)
        assert contributions.min() >= contributions[slow[document]] - 1e-9


def test_icm_moves_no_two_neighbours_at_once():
    instance = random_instance(seed=7)
    moved: list[np.ndarray] = []
    icm(instance.costs, instance.couplings, instance.labels, RNG(0), moved)
    links = instance.links
    for movers in moved:
        assert not (np.isin(links.left, movers) & np.isin(links.right, movers)).any()


def test_icm_visits_in_random_order():
    instance = random_instance(seed=1)
    answers = {answer(icm, instance, seed).tobytes() for seed in range(5)}
    assert len(answers) > 1


@RULES
def test_ties_keep_the_given_labels(rule):
    links = links_of((0, 1, True, 1.0), (2, 3, False, 1.0))
    start = np.array([1, 1, 2, 0])
    labels = answer(rule, Instance(np.zeros((4, 3)), links, start))
    np.testing.assert_array_equal(labels, start)
