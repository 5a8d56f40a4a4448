"""Labelling linked documents together, against all labellings there are."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given

from tests.supervision.instances import Instance, instances, links_of, rows_of
from textclust.geometry.affine import Estimates
from textclust.geometry.table import CostTable, Leaders
from textclust.supervision.inference import INFERENCES
from textclust.supervision.inference.icm import icm
from textclust.supervision.inference.propagation import belief_propagation
from textclust.supervision.inference.relaxation import lower_bound, lp_relaxation

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


def with_leads(costs, careful):
    """The same costs with the lead of the cheapest cluster, and the rows looked at."""
    looked: list[int] = []

    def rough(rows):
        looked.extend(rows.tolist())
        return Estimates(costs[rows], np.zeros(len(rows)))

    leaders, every = costs.argmin(axis=1), np.arange(len(costs))
    others = costs.copy()
    others[every, leaders] = np.inf
    with np.errstate(invalid="ignore"):
        leads = np.nan_to_num(others.min(axis=1) - costs[every, leaders], nan=-np.inf) - careful
    return CostTable(costs.shape, rough, costs.__getitem__, Leaders(leaders, leads)), looked


@given(instance=instances())
def test_icm_with_known_leads_answers_as_icm_over_all_costs(instance):
    for careful in (0.0, 0.3):
        table, _ = with_leads(instance.costs, careful)
        found = icm(table, instance.couplings, instance.labels, RNG(3))
        np.testing.assert_array_equal(found, answer(icm, instance, seed=3))


@pytest.mark.parametrize("seed", range(4))
def test_icm_looks_only_at_documents_that_their_links_could_move(seed):
    instance = random_instance(seed, links=150)
    table, looked = with_leads(instance.costs, 0.0)
    moved: list[np.ndarray] = []
    found = icm(table, instance.couplings, instance.labels, RNG(seed), moved)
    slow: list[np.ndarray] = []
    np.testing.assert_array_equal(
        found, icm(instance.costs, instance.couplings, instance.labels, RNG(seed), slow)
    )
    assert [m.tolist() for m in moved] == [m.tolist() for m in slow]
    assert len(looked) == len(set(looked)) < len(found) / 2
    linked = np.concatenate([instance.links.left, instance.links.right])
    assert set(looked) <= set(linked.tolist())


@pytest.mark.parametrize("seed", range(4))
def test_who_gave_way_to_a_neighbour_still_moves_if_nothing_has_stirred_it(seed):
    costs = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    instance = Instance(costs, links_of((0, 1, False, 0.1)), np.array([0, 0]))
    table, looked = with_leads(costs, 0.0)
    moved: list[np.ndarray] = []
    found = icm(table, instance.couplings, instance.labels, RNG(seed), moved)
    assert found.tolist() == [1, 2]
    assert len(moved) == 2
    assert not looked


@pytest.mark.parametrize("strength", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_icm_with_known_leads_moves_as_icm_over_all_costs_at_any_strength(seed, strength):
    instance = random_instance(seed, links=900)
    links = instance.links.times(strength)
    instance = Instance(instance.costs, links, instance.labels)
    table, _ = with_leads(instance.costs, 0.0)
    with_them: list[np.ndarray] = []
    without: list[np.ndarray] = []
    for costs, moved in ((table, with_them), (instance.costs, without)):
        icm(costs, instance.couplings, instance.labels, RNG(seed), moved)
    assert [m.tolist() for m in with_them] == [m.tolist() for m in without]


@given(instance=instances())
def test_no_cluster_is_favoured_by_more_than_the_pulls(instance):
    couplings, labels, k = instance.couplings, instance.labels, instance.costs.shape[1]
    rows, every = np.arange(len(labels)), np.arange(len(labels))
    penalties = couplings.penalties(rows, labels, k)
    for cluster in range(k):
        named = np.full(len(rows), cluster)
        favour = penalties[:, cluster] - penalties.min(axis=1)
        assert (favour <= couplings.pulls(rows, labels, named) + 1e-12).all()
        some = rows[::2]
        np.testing.assert_array_equal(
            couplings.pulls(some, labels, named[some]),
            couplings.pulls(every, labels, named)[some],
        )


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


@given(instance=instances(forest=True))
def test_belief_propagation_is_exact_without_circles_of_links(instance):
    labels = answer(belief_propagation, instance)
    assert instance.total(labels) == pytest.approx(instance.optimum(), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_belief_propagation_follows_a_long_chain(seed):
    rng = RNG(seed)
    m, k = 200, 3
    order = rng.permutation(m)
    must, weights = rng.random(m - 1) < 0.5, rng.random(m - 1)
    links = links_of(*zip(order[:-1], order[1:], must, weights, strict=True))
    instance = Instance(rng.random((m, k)), links, rng.integers(k, size=m))
    least = instance.costs[order[0]]
    for i in range(1, m):  # Viterbi
        broken = np.equal.outer(range(k), range(k)) != must[i - 1]
        least = (least[:, None] + weights[i - 1] * broken).min(axis=0) + instance.costs[order[i]]
    labels = answer(belief_propagation, instance)
    assert instance.total(labels) == pytest.approx(least.min())


def test_belief_propagation_sees_further_than_icm():
    # Both ends prefer cluster 1 by more than the middle prefers 0, but no one moves first.
    costs = np.array([[0.0, -0.9], [0.0, 0.5], [0.0, -0.9]])
    links = links_of((0, 1, True, 1.0), (1, 2, True, 1.0))
    instance = Instance(costs, links, np.array([0, 0, 0]))
    assert answer(icm, instance).tolist() == [0, 0, 0]
    assert answer(belief_propagation, instance).tolist() == [1, 1, 1]


def circle(seed, m=7, k=3):
    rng = RNG(seed)
    links = links_of(*((i, (i + 1) % m, rng.random() < 0.5, 2 * rng.random()) for i in range(m)))
    return Instance(rng.random((m, k)), links, rng.integers(k, size=m))


def test_belief_propagation_nearly_always_finds_the_optimum_of_a_circle():
    circles = [circle(seed) for seed in range(30)]
    found = [c.total(answer(belief_propagation, c)) <= c.optimum() + 1e-9 for c in circles]
    assert np.mean(found) > 0.9  # icm alone: about a fifth; greedy decoding: half


def literal_relaxation(instance):
    """The optimum of (A.1) under (A.2) and (A.4)-(A.8), a z for each link and cluster."""
    costs, links = instance.costs, rows_of(instance.links)
    m, k = costs.shape
    n = (m + len(links)) * k
    objective, upper, above, ones = np.zeros(n), [], [], np.zeros((m, n))
    objective[: m * k] = costs.ravel()
    for i in range(m):
        ones[i, i * k : (i + 1) * k] = 1
    for link, (i, j, must, weight) in enumerate(links):
        for h in range(k):
            u, v, z = i * k + h, j * k + h, (m + link) * k + h
            objective[z] = weight / 2 if must else weight
            pairs = [(1, -1, -1, 0), (-1, 1, -1, 0)] if must else [(-1, -1, 1, 0), (1, 1, -1, 1)]
            for at_u, at_v, at_z, bound in pairs:
                row = np.zeros(n)
                row[[u, v, z]] = at_u, at_v, at_z
                upper.append(row)
                above.append(bound)
    return scipy.optimize.linprog(objective, upper or None, above or None, ones, np.ones(m)).fun


@given(instance=instances())
def test_the_bound_of_the_relaxation_is_below_the_optimum(instance):
    assert lower_bound(instance.costs, instance.couplings) <= instance.optimum() + 1e-6


@given(instance=instances(forbidding=False))
def test_the_bound_is_that_of_the_program_as_printed(instance):
    # Of pairs with links of both kinds it may be higher: these are netted first.
    printed = literal_relaxation(instance)
    bound = lower_bound(instance.costs, instance.couplings)
    assert bound >= printed - 1e-6
    kinds = {(min(i, j), max(i, j)): set() for i, j, _, _ in rows_of(instance.links)}
    for i, j, must, _ in rows_of(instance.links):
        kinds[min(i, j), max(i, j)].add(bool(must))
    if all(len(kind) == 1 for kind in kinds.values()):
        assert bound == pytest.approx(printed, abs=1e-6)


def test_the_program_keeps_a_dear_cluster_that_links_can_make_worth_it():
    costs = np.array([[0.0, 1.5], [9.0, 0.0], [9.0, 0.0]])
    links = links_of((0, 1, True, 1.0), (1, 2, True, 1.0), (2, 0, True, 1.0))
    instance = Instance(costs, links, np.array([0, 1, 1]))
    assert lower_bound(costs, instance.couplings) == pytest.approx(1.5)
    assert answer(lp_relaxation, instance).tolist() == [1, 1, 1]


@given(instance=instances())
def test_the_bound_does_not_depend_on_the_order_of_documents(instance):
    order = RNG(0).permutation(len(instance.costs))  # row i becomes row order[i]
    costs = np.empty_like(instance.costs)
    costs[order] = instance.costs
    rows = ((order[i], order[j], must, w) for i, j, must, w in rows_of(instance.links))
    there = Instance(costs, links_of(*rows), instance.labels)
    bound = lower_bound(instance.costs, instance.couplings)
    assert lower_bound(there.costs, there.couplings) == pytest.approx(bound, abs=1e-6)


@given(instance=instances(max_clusters=2, forbidding=False))
def test_the_relaxation_is_tight_for_must_links_between_two_clusters(instance):
    kept = [link for link in rows_of(instance.links) if link[2]]
    instance.links = links_of(*kept)
    optimum = instance.optimum()
    assert lower_bound(instance.costs, instance.couplings) == pytest.approx(optimum, abs=1e-6)
    assert instance.total(answer(lp_relaxation, instance)) == pytest.approx(optimum, abs=1e-6)


def test_a_solver_that_fails_leaves_the_bound_without_links_and_icm(monkeypatch):
    failed = scipy.optimize.OptimizeResult(status=4)
    monkeypatch.setattr(scipy.optimize, "linprog", lambda *_, **__: failed)
    instance = random_instance(seed=2)
    reached = instance.total(answer(lp_relaxation, instance))
    assert lower_bound(instance.costs, instance.couplings) < reached
    assert reached < instance.total(instance.labels)
