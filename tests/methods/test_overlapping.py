"""Documents in several clusters: hand-solved cases, slow references, descent."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import textclust as tc
from tests.strategies import DISTORTIONS, constraint_sets, counts, random_documents
from textclust import geometry
from textclust.engine.problem import Problem
from textclust.errors import InputError
from textclust.geometry.blends import blend_of, distinct
from textclust.geometry.capabilities import cold
from textclust.methods.overlapping import all_sets, cheapest_sets


def blended(X, distortion, k=3, seed=0):
    """A blend of rows, and prototypes to hold them against."""
    final = cold(geometry.get(distortion))
    problem = Problem(final.prepare(X), final, k, np.ones(X.shape[0]))
    rng = np.random.default_rng(seed)
    means = rng.dirichlet(np.ones(X.shape[1]), k)
    blend = blend_of(problem.X, problem.effective_weights, final)
    return blend, np.asarray(final.prepare(means)), problem


def slow_cost(distortion, smoothing, x, prototypes):
    """What a row costs beside the prototypes of one set, by the definition."""
    if distortion == "euclidean":
        return ((x - prototypes.sum(axis=0)) ** 2).sum()
    if distortion == "cosine":
        whole = prototypes.sum(axis=0)
        return 1 - x @ whole / np.linalg.norm(whole)
    blend = prototypes.mean(axis=0) if distortion == "kl" else prototypes.sum(axis=0)
    x = (x + smoothing / len(x)) / (1 + smoothing)
    if distortion == "itakura-saito":
        return (x / blend - np.log(x / blend) - 1).sum()
    return (x * np.log(x / blend) - x + blend).sum()


@pytest.mark.parametrize("distortion", DISTORTIONS)
def test_costs_are_those_of_the_definition(distortion):
    X = random_documents(8, 12)
    blend, prototypes, problem = blended(X, distortion)
    sets, rows = all_sets(3), problem.X.toarray()
    smoothing = getattr(problem.distortion, "smoothing", 0.0)
    slow = [[slow_cost(distortion, smoothing, x, prototypes[s]) for s in sets] for x in rows]
    np.testing.assert_allclose(blend.costs(prototypes, sets), slow, atol=1e-9)
    chosen = np.arange(8) % 7
    at = blend.costs_at(prototypes, sets[chosen])
    np.testing.assert_allclose(at, np.array(slow)[np.arange(8), chosen], atol=1e-9)
    more = blend.additions(prototypes, sets[chosen])
    for i, h in np.argwhere(~sets[chosen]):
        grown = sets[chosen[i]] | (np.arange(3) == h)
        assert more[i, h] == pytest.approx(
            slow_cost(distortion, smoothing, rows[i], prototypes[grown]), abs=1e-9
        )


@pytest.mark.parametrize("distortion", DISTORTIONS)
@settings(max_examples=15)
@given(table=counts(min_rows=4), seed=st.integers(0, 100))
def test_better_prototypes_never_cost_more(distortion, table, seed):
    blend, prototypes, _ = blended(sp.csr_array(table), distortion, seed=seed)
    sets = all_sets(3)[np.random.default_rng(seed).integers(7, size=len(table))]
    for _ in range(3):
        before = blend.weights @ blend.costs_at(prototypes, sets)
        prototypes = blend.improved(prototypes, sets)
        after = blend.weights @ blend.costs_at(prototypes, sets)
        assert after <= before + 1e-9 * (1 + before)


def test_least_squares_finds_the_parts_of_sums():
    parts = np.array([[4.0, 0.0, 1.0], [0.0, 3.0, 0.0]])
    sets = np.array([[1, 0], [0, 1], [1, 1], [1, 1]], dtype=bool)
    X = sp.csr_array(sets @ parts)
    blend, prototypes, _ = blended(X, "euclidean", k=2)
    np.testing.assert_allclose(blend.improved(prototypes, sets), parts, atol=1e-9)


@pytest.mark.parametrize("distortion", DISTORTIONS)
@settings(max_examples=15)
@given(table=counts(), seed=st.integers(0, 100), price=st.sampled_from([0.0, 0.05]))
def test_the_exact_search_is_the_best_there_is_and_the_greedy_one_near(
    distortion, table, seed, price
):
    blend, prototypes, _ = blended(sp.csr_array(table), distortion, k=4, seed=seed)

    def cost(z):
        return blend.costs_at(prototypes, z) + price * (z.sum(axis=1) - 1)

    exact, greedy = (cheapest_sets(blend, prototypes, price, exact=e) for e in (True, False))
    sets = all_sets(4)
    table = blend.costs(prototypes, sets) + price * (sets.sum(axis=1) - 1)
    np.testing.assert_allclose(cost(exact), table.min(axis=1), atol=1e-9)
    alone = table[:, :4].min(axis=1)
    assert (cost(greedy) >= cost(exact) - 1e-9).all()
    assert (cost(greedy) <= alone + 1e-9).all()
    assert greedy.any(axis=1).all()


def test_both_searches_agree_on_most_documents():
    X = random_documents(100, 40)
    blend, prototypes, _ = blended(X, "cosine", k=6)
    exact, greedy = (cheapest_sets(blend, prototypes, 0.0, exact=e) for e in (True, False))
    assert (exact == greedy).all(axis=1).mean() > 0.9


@pytest.mark.parametrize("search", ["exact", "greedy"])
@settings(max_examples=15)
@given(table=counts(min_rows=8), links=constraint_sets(), distortion=st.sampled_from(DISTORTIONS))
def test_the_energy_never_rises_whatever_the_links(search, table, links, distortion):
    model = tc.OverlappingKMeans(
        3, distortion=distortion, search=search, init="k-means++", n_init=1, random_state=0
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)  # of equal documents
        model.fit(table, constraints=links)
    energies = [*model.objective_history_, model.objective_]
    assert all(b <= a + 1e-9 * (1 + abs(a)) for a, b in itertools.pairwise(energies))
    assert model.memberships_.any(axis=1).all()
    assert model.memberships_[np.arange(len(table)), model.labels_].all()


BOTH = np.array([[1.0, 0, 0], [0.9, 0.1, 0], [0, 1.0, 0], [0.1, 0.9, 0], [0.7, 0.7, 0.1]])
AXES = np.eye(3)[:2]


def test_a_document_of_two_topics_is_in_both():
    model = tc.OverlappingKMeans(2, init=AXES, price=0.01).fit(BOTH)
    assert model.memberships_.sum(axis=1).tolist() == [1, 1, 1, 1, 2]
    new = model.memberships(np.array([[1.0, 1.0, 0.0], [0.0, 5.0, 0.0]]))
    assert new.sum(axis=1).tolist() == [2, 1]
    np.testing.assert_array_equal(model.memberships(BOTH), model.memberships_)


def test_a_high_price_is_spherical_kmeans():
    X = random_documents(60, 30)
    alone = tc.OverlappingKMeans(4, price=10.0, random_state=0).fit(X)
    usual = tc.SphericalKMeans(4, random_state=0).fit(X)
    np.testing.assert_array_equal(alone.labels_, usual.labels_)
    assert alone.objective_ == pytest.approx(usual.objective_)


def test_links_are_about_shared_clusters():
    both = tc.OverlappingKMeans(2, init=AXES, price=0.01)
    together = tc.Constraints(must_link=[(0, 2)])
    joined = both.set_params(weight=5.0).fit(BOTH, constraints=together)
    assert (joined.memberships_[0] & joined.memberships_[2]).any()
    assert joined.broken_.tolist() == [False]
    apart = both.fit(BOTH, constraints=tc.Constraints(cannot_link=[(0, 4)]))
    assert not (apart.memberships_[0] & apart.memberships_[4]).any()
    free = both.set_params(weight=0.0).fit(BOTH, constraints=tc.Constraints(cannot_link=[(0, 4)]))
    assert free.broken_.tolist() == [True]


def test_distinct_sets_are_found_with_their_rows():
    z = np.array([[1, 0], [1, 1], [1, 0]], dtype=bool)
    sets, which = distinct(z)
    np.testing.assert_array_equal(sets[which], z)
    assert len(sets) == 2


def test_a_bad_parameter_is_named():
    with pytest.raises(InputError, match="search must be one of 'auto', 'exact', 'greedy'"):
        tc.OverlappingKMeans(2, search="best").fit(BOTH)
