"""Where documents lie on the map."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import DISTORTIONS, counts
from textclust.geometry import get
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import Cosine
from textclust.geometry.with_label_model import WithLabelModel
from textclust.report.layout import arrange, separations, spread_sample
from textclust.report.lettering import Disc, letter
from textclust.result.placement import Space, place


def space_of(X, labels, k, name="cosine"):
    distortion = get(name)
    found = moments(distortion.prepare(X), labels, np.ones(X.shape[0]), k)
    return Space(distortion, distortion.prototypes(*found))


def placed(X, labels, space):
    return arrange(X, labels, space, separations(space))


@given(counts(), st.integers(1, 5), st.sampled_from(DISTORTIONS), st.integers(0, 99))
def test_all_places_are_finite_and_the_same_again(table, k, name, seed):
    X = sp.csr_array(table)
    labels = np.random.default_rng(seed).integers(k, size=len(table))
    space = space_of(X, labels, k, name)
    one, two = placed(X, labels, space), placed(X.copy(), labels.copy(), space)
    assert one.points.shape == (len(table), 2)
    assert one.centres.shape == (k, 2)
    assert np.isfinite(one.points).all()
    assert np.isfinite(one.centres).all()
    assert np.array_equal(one.points, two.points)


@given(st.integers(2, 40), st.integers(1, 6), st.sampled_from(DISTORTIONS), st.integers(0, 99))
def test_permuting_documents_permutes_points(n, k, name, seed):
    rng = np.random.default_rng(seed)
    X = sp.csr_array(rng.random((n, 7)) + 0.01)
    labels = rng.integers(k, size=n)
    space = space_of(X, labels, k, name)
    order = rng.permutation(n)
    straight, mixed = placed(X, labels, space), placed(X[order], labels[order], space)
    assert np.allclose(straight.points[order], mixed.points, atol=1e-6)
    assert np.allclose(straight.centres, mixed.centres)


@given(counts(min_rows=3), st.integers(1, 4), st.sampled_from(DISTORTIONS))
def test_separations_are_distances_of_a_kind(table, k, name):
    X = sp.csr_array(table)
    labels = np.arange(len(table)) % k
    apart = separations(space_of(X, labels, k, name))
    assert (apart >= 0).all()
    assert np.allclose(apart, apart.T)
    assert np.allclose(np.diag(apart), 0)


def test_discs_do_not_overlap_and_borderline_documents_drift():
    rng = np.random.default_rng(0)
    table = np.zeros((90, 9))
    for i in range(90):
        table[i, 3 * (i % 3) : 3 * (i % 3) + 3] = rng.random(3) + 0.5
    table[0, 3:6] = table[0, :3] * 0.9  # of the first topic, nearly as much of the second
    X = sp.csr_array(table)
    labels = np.arange(90) % 3
    space = space_of(X, labels, 3)
    layout = placed(X, labels, space)
    gaps = np.linalg.norm(layout.centres[:, None] - layout.centres, axis=2)
    touching = layout.radii[:, None] + layout.radii
    assert (gaps[~np.eye(3, dtype=bool)] >= touching[~np.eye(3, dtype=bool)]).all()
    to_second = np.linalg.norm(layout.points - layout.centres[1], axis=1)
    assert to_second[0] < to_second[3::3].min()
    assert place(X, space).scores[0] < place(X, space).scores[3::3].min()


def test_nearer_clusters_lie_nearer():
    table = np.array([[4, 1, 0, 0], [3, 2, 0, 0], [0, 0, 1, 4.0]])
    layout = placed(
        sp.csr_array(table), np.arange(3), space_of(sp.csr_array(table), np.arange(3), 3)
    )
    one, two, three = layout.centres
    assert np.linalg.norm(one - two) < np.linalg.norm(one - three)


@pytest.mark.parametrize("k", [1, 2, 7])
def test_equal_prototypes_and_no_documents_are_no_trouble(k):
    X = sp.csr_array(np.ones((14, 3)))
    labels = np.arange(14) % k
    layout = placed(X, labels, space_of(X, labels, k))
    for h in range(k):
        places = {tuple(point) for point in layout.points[labels == h].round(6)}
        assert len(places) == (labels == h).sum()
    assert len({tuple(centre) for centre in layout.centres.round(6)}) == k
    nothing = placed(X[:0], labels[:0], space_of(X, labels, k))
    assert nothing.points.shape == (0, 2)
    assert np.isfinite(nothing.centres).all()


@given(st.lists(st.integers(0, 4), min_size=1, max_size=80), st.integers(1, 40), st.integers(0, 9))
def test_samples_are_spread_over_clusters_and_scores(labels, limit, seed):
    labels = np.array(labels)
    scores = np.random.default_rng(seed).random(len(labels))
    rows = spread_sample(labels, scores, limit)
    assert (np.diff(rows) > 0).all()
    assert len(rows) <= max(limit + 5, 1)
    assert set(labels[rows]) == set(labels)
    if len(labels) <= limit:
        assert len(rows) == len(labels)


def test_a_sample_holds_both_ends():
    scores = np.linspace(0, 1, 100)
    rows = spread_sample(np.zeros(100, dtype=int), scores, 10)
    assert rows[0] == 0
    assert rows[-1] == 99
    assert len(rows) == 10


@given(st.lists(st.tuples(st.floats(20, 980), st.floats(20, 580)), min_size=1, max_size=40))
def test_names_on_the_map_do_not_cover_each_other(places):
    discs = [Disc(h, f"one{h}, second, third", x, y, 20.0) for h, (x, y) in enumerate(places)]
    labels = letter(discs, 1000.0, 600.0)
    assert [label.cluster for label in labels] == list(range(len(places)))
    worded = [label.box for label in labels if len(label.lines[0].split(" ")) > 1]
    for i, a in enumerate(worded):
        assert a[0] >= 0
        assert a[2] <= 1000
        for b in worded[:i]:
            assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]


def test_an_opinion_of_documents_does_not_move_clusters():
    prototypes = np.eye(3)
    plain = Cosine()
    coefficients = np.array([[9.0, 0, 0], [0, 0, 0], [0, 0, 0]])
    guided = WithLabelModel(plain, coefficients, np.array([5.0, 0.0, 0.0]), 2.0)
    np.testing.assert_array_equal(
        separations(Space(guided, prototypes)), separations(Space(plain, prototypes))
    )
