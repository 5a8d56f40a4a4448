"""Guided clustering from clusters that are there already."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.methods.test_guided import seeds_of, topics
from tests.strategies import constraint_sets, counts, random_documents
from textclust import Constraints, native
from textclust.methods.guided import GuidedClusteringSolver
from textclust.supervision.given import NOTHING, Supervision


def solved(X, clusters, k, supervision=NOTHING, held=None, **settings):
    solver = GuidedClusteringSolver(k, random_state=0, **settings)
    return solver.solve_from(X, np.asarray(clusters), supervision, held)


def given_by(seeds=None, constraints=None):
    return Supervision(seeds=seeds, constraints=constraints)


def test_what_is_found_by_itself_stays_with_nothing_said():
    X, _ = topics()
    free = GuidedClusteringSolver(3, random_state=0).solve(X)
    again = solved(X, free.labels, 3)
    assert (again.labels != free.labels).mean() <= 0.02
    np.testing.assert_array_equal(again.unsupervised, free.labels)


def test_clusters_keep_their_numbers():
    X, truth = topics()
    for order in ([0, 1, 2], [2, 0, 1], [1, 0, 2]):
        numbered = np.array(order)[truth]
        found = solved(X, numbered, 3, given_by(seeds_of(numbered, 3)))
        assert (found.labels == numbered).mean() > 0.9


def test_seeds_say_more_than_the_clusters_that_are_there():
    X, truth = topics(n=120)
    mixed = np.where(np.arange(120) < 40, (truth + 1) % 3, truth)
    y = seeds_of(truth, 6)
    found = solved(X, mixed, 3, given_by(y))
    np.testing.assert_array_equal(found.labels[y >= 0], y[y >= 0])
    assert (found.labels == truth).mean() > (mixed == truth).mean() + 0.1


@settings(max_examples=6)
@given(seed=st.integers(0, 10**6), linked=st.booleans())
def test_the_energy_never_rises(seed, linked):
    rng = np.random.default_rng(seed)
    X = random_documents(40, 25, seed=seed)
    clusters = rng.integers(3, size=40)
    y = np.where(rng.random(40) < 0.2, clusters, -1)
    links = Constraints([(0, 1), (2, 3)], [(0, 4), (5, 6)]) if linked else None
    found = solved(X, clusters, 3, given_by(y, links))
    history = [*(step.energy for step in found.history), found.energy]
    for earlier, later in itertools.pairwise(history):
        assert later <= earlier + 1e-9 * (1 + abs(earlier))
    np.testing.assert_array_equal(found.labels[y >= 0], y[y >= 0])


@settings(max_examples=6)
@given(table=counts(), links=constraint_sets(rows=2, max_pairs=2), data=st.data())
def test_any_rows_clusters_seeds_and_links_are_taken(table, links, data):
    n = len(table)
    k = data.draw(st.integers(1, min(4, n)))
    numbers = st.integers(0, k - 1)
    clusters = np.array(data.draw(st.lists(numbers, min_size=n, max_size=n)))
    some = st.lists(st.integers(-1, k - 1), min_size=n, max_size=n).map(np.array)
    y, held = data.draw(some), data.draw(some)
    X = sp.csr_array(table)
    before = X.copy(), clusters.copy(), y.copy(), held.copy()
    given = given_by(y if (y >= 0).any() else None, links if len(links) else None)
    found = solved(X, clusters, k, given, held)
    assert (before[0] != X).nnz == 0
    for was, now in zip(before[1:], (clusters, y, held), strict=True):
        np.testing.assert_array_equal(was, now)
    assert found.labels.shape == (n,)
    assert set(found.labels.tolist()) <= set(range(k))
    assert len(found.prototypes) == k
    assert np.isfinite(found.prototypes).all()
    free = (y < 0) | (y == held)
    stays = (held >= 0) & free
    np.testing.assert_array_equal(found.labels[stays], held[stays])
    if not len(links):
        seeded = (y >= 0) & ((held < 0) | (held == y))
        np.testing.assert_array_equal(found.labels[seeded], y[seeded])
    again = solved(X, clusters, k, given, held)
    np.testing.assert_array_equal(found.labels, again.labels)


def test_the_edges():
    X = random_documents(12, 20, density=0.5)
    assert set(solved(X, np.zeros(12, dtype=int), 1).labels.tolist()) == {0}
    each = solved(X, np.arange(12), 12)
    np.testing.assert_array_equal(each.labels, np.arange(12))
    same = sp.csr_array(np.ones((6, 4)))
    assert set(solved(same, [0, 0, 0, 1, 1, 1], 2).labels.tolist()) <= {0, 1}


def test_duplicates_share_a_label():
    X, truth = topics(n=45)
    twice = sp.vstack([X, X], format="csr")
    found = solved(twice, np.tile(truth, 2), 3, given_by(seeds_of(np.tile(truth, 2), 4)))
    np.testing.assert_array_equal(found.labels[:45], found.labels[45:])


def test_a_cluster_without_documents_may_stay_empty_and_takes_seeds():
    X, truth = topics(n=60, k=2)
    found = solved(X, truth, 3)
    assert len(found.prototypes) == 3
    assert (found.labels == truth).mean() > 0.9
    y = np.full(60, -1)
    y[:3] = 2
    assert set(solved(X, truth, 3, given_by(y)).labels[:3].tolist()) == {2}


def test_rows_of_zeros_survive():
    X = sp.vstack([random_documents(30, 20), sp.csr_array((4, 20))], format="csr")
    found = solved(X, np.arange(34) % 3, 3)
    assert np.isfinite(found.prototypes).all()


def test_held_rows_say_nothing_of_others():
    X, truth = topics()
    held = np.full(90, -1)
    held[:9] = (truth[:9] + 1) % 3
    found = solved(X, truth, 3, given_by(), held)
    np.testing.assert_array_equal(found.labels[:9], held[:9])
    assert (found.labels == truth)[9:].mean() > 0.9


def test_joined_documents_go_with_their_seed_and_apart_ones_do_not():
    X, truth = topics()
    one, two = np.flatnonzero(truth == 0)[:4], np.flatnonzero(truth == 1)[:4]
    y = np.full(90, -1)
    y[one[0]] = 0
    links = Constraints([(int(one[0]), int(two[0])), (int(two[0]), int(two[1]))], [])
    found = solved(X, truth, 3, given_by(y, links))
    assert found.labels[two[:2]].tolist() == [0, 0]
    assert not any(link.violated for link in found.links)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_same_on_any_threads_and_without_the_native_core(n_jobs):
    X, truth = topics()
    given = given_by(seeds_of(truth, 2), Constraints([(0, 3)], [(0, 1)]))
    expected = solved(X, truth, 3, given)
    found = solved(X, truth, 3, given, n_jobs=n_jobs)
    np.testing.assert_array_equal(found.labels, expected.labels)
    with native.without():
        readable = solved(X, truth, 3, given, n_jobs=n_jobs)
    np.testing.assert_array_equal(readable.labels, expected.labels)


def test_with_all_documents_named_it_is_what_solve_finds():
    X, truth = topics()
    y = seeds_of(truth, 10)
    one = GuidedClusteringSolver(3, random_state=0).solve(X, None, given_by(y))
    two = solved(X, one.unsupervised, 3, given_by(y))
    assert (one.labels != two.labels).mean() <= 0.05
