"""LinkNoise about links against all labellings there are, and on planted answers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.supervision.instances import links_of, rows_of
from textclust.supervision.link_noise import estimate_link_noise

RNG = np.random.default_rng


def slow_wrong(costs, links, share):
    """Bayes' rule over every labelling and every set of wrong answers at once."""
    m, k = costs.shape
    rows = rows_of(links)
    wrong, total = np.zeros(len(rows)), 0.0
    for labels in itertools.product(range(k), repeat=m):
        chance = np.exp(-sum(costs[i, h] for i, h in enumerate(labels)))
        holds = [(labels[i] == labels[j]) == must for i, j, must, _ in rows]
        for right in holds:
            chance *= 1 - share if right else share
        wrong += chance * ~np.array(holds)
        total += chance
    return wrong / total


@given(seed=st.integers(0, 999))
def test_on_a_tree_of_links_they_are_exact(seed):
    rng, m, k = RNG(seed), 5, 3
    costs = rng.random((m, k)) * 3
    tree = [(int(rng.integers(j)), j, bool(rng.random() < 0.5), 1.0) for j in range(1, m)]
    found = estimate_link_noise(costs, links_of(*tree))
    expected = slow_wrong(costs / found.temperature, links_of(*tree), found.share)
    np.testing.assert_allclose(found.wrong, expected, atol=0.01)


def planted(seed, wrong, n=60, k=3, count=400):
    """Links with a share of wrong answers, and costs that hint at the clusters."""
    rng = RNG(seed)
    truth = rng.integers(k, size=n)
    costs = rng.random((n, k))
    costs[np.arange(n), truth] -= 0.3
    pairs = rng.choice([(i, j) for i in range(n) for j in range(i)], count, replace=False)
    amiss = rng.random(count) < wrong
    together = (truth[pairs[:, 0]] == truth[pairs[:, 1]]) ^ amiss
    return costs, links_of(*zip(*pairs.T, together, np.ones(count), strict=True)), amiss, truth


@pytest.mark.parametrize("wrong", [0.1, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_wrong_answers_are_found_and_counted(seed, wrong):
    costs, links, amiss, truth = planted(seed, wrong)
    found = estimate_link_noise(costs, links)
    assert found.share == pytest.approx(amiss.mean(), abs=0.05)
    unreliable = found.wrong >= 0.5
    assert (unreliable & amiss).sum() >= 0.7 * amiss.sum()
    assert (unreliable & ~amiss).sum() <= 0.3 * amiss.sum()
    assert (found.labels == truth[links.documents]).mean() > 0.9
    np.testing.assert_array_equal(found.link_reliability == 0, unreliable)


def test_right_answers_are_rarely_found_unreliable():
    costs, links, _, truth = planted(0, 0.0)
    found = estimate_link_noise(costs, links)
    assert found.share < 0.02
    assert found.link_reliability.min() > 0.5
    assert (found.labels == truth[links.documents]).all()


def test_a_heavy_link_is_believed_where_a_light_one_is_not():
    costs, links, _, truth = planted(1, 0.0, count=120)
    i, j = 0, int(np.flatnonzero(truth != truth[0])[0])
    light, heavy = (
        estimate_link_noise(costs, links_of((i, j, True, weight), *rows_of(links)))
        for weight in (1.0, 99.0)
    )
    assert light.link_reliability[0] == 0.0
    assert heavy.link_reliability[0] > 0.5


def test_no_link_outlives_any_weight_or_cost():
    costs = np.array([[0.0, 1e9], [1e9, 0.0], [0.0, 0.0]])
    found = estimate_link_noise(costs, links_of((0, 1, True, 1e9), (1, 2, False, 1e-9)))
    assert np.isfinite(found.wrong).all()
    assert 0.0 < found.share < 0.5
