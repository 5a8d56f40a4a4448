"""The backend for dense rows against the reference: the same answers, to the last label."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust import geometry, native
from textclust.geometry.affine import AffineForm
from textclust.geometry.assignment import (
    Clusters,
    Movable,
    make_backend,
    moments,
)
from textclust.geometry.dense_backend import DenseBackend
from textclust.geometry.energies import optimum
from textclust.geometry.reference_backend import ReferenceBackend
from textclust.geometry.rows import squared_norms

RNG = np.random.default_rng
DTYPES = [np.float32, np.float64]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Several blocks, shared among threads, even of a few rows."""
    monkeypatch.setattr("textclust.geometry.dense_backend._ROWS", (1, 16))
    monkeypatch.setattr("textclust.geometry.dense_backend._SAMPLE", 20)
    monkeypatch.setattr("textclust.geometry.dense_backend._WORTH_SHARING", 0)
    monkeypatch.setattr("textclust.geometry.dense_sums._ENTRIES", 200)


def rows_of(n, d, seed=0, dtype=np.float64, centre=0.0):
    rng = RNG(seed)
    X = rng.normal(size=(n, d)) + centre
    X[:: max(1, n // 3)] = X[0]  # duplicates,
    X[n // 2] = 0.0  # and a row of zeros
    return np.ascontiguousarray(X, dtype=dtype)


def some_form(k, d, seed=0, scale=1.0):
    rng = RNG(seed)
    slopes = np.asfortranarray(rng.normal(size=(k, d)) * scale)
    return AffineForm(slopes, rng.normal(size=k) * scale, rng.random(k) + 0.5)


def shifted(form, changed, size, rng, turned=1.0):
    slopes, offsets = form.slopes.copy(order="F"), form.offsets.copy()
    slopes[changed] += rng.normal(size=(changed.sum(), slopes.shape[1])) * size * turned
    offsets[changed] += rng.normal(size=changed.sum()) * size
    return AffineForm(slopes, offsets, form.scales)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("k", [1, 2, 7, 50])
def test_labels_costs_and_tables_are_the_same(k, threads, dtype):
    X = rows_of(120, 23, seed=k, dtype=dtype)
    dense, readable, form = DenseBackend(X, threads), ReferenceBackend(X), some_form(k, 23, k)
    np.testing.assert_array_equal(dense.assign(form).labels, readable.assign(form).labels)
    rows, labels = np.arange(0, 120, 3), RNG(0).integers(k, size=40)
    ours, theirs = dense.table(form, rows), readable.table(form, rows)
    np.testing.assert_array_equal(ours.cheapest(), theirs.cheapest())
    np.testing.assert_allclose(ours.exactly(), theirs.exactly(), rtol=1e-12, atol=1e-12)
    costs = dense.costs_at(form, rows, labels)
    np.testing.assert_allclose(costs, readable.costs_at(form, rows, labels), rtol=1e-12, atol=1e-12)
    estimated = dense.table(form, rows).rough(np.arange(40))
    assert (np.abs(estimated.costs - theirs.exactly()) <= estimated.errors[:, None]).all()


@given(
    k=st.integers(1, 12),
    seed=st.integers(0, 999),
    digits=st.integers(0, 3),
    power=st.sampled_from([-660, -140, -130, 0, 99, 398]),
    steep=st.sampled_from([-140, 0, 50, 150]),
    dtype=st.sampled_from(DTYPES),
)
def test_ties_and_extreme_sizes_are_settled_alike(k, seed, digits, power, steep, dtype):
    """Coarse rounding makes ties; sizes beyond float32 make every score doubtful."""
    rng = RNG(seed)
    table = np.round(rng.random((30, 6)) * (rng.random((30, 6)) < 0.6), digits)
    with np.errstate(over="ignore"):
        X = (table * 2.0**power).astype(dtype)
    X[~np.isfinite(X)] = np.finfo(dtype).max
    slopes = np.asfortranarray(np.round(rng.random((k, 6)), digits) * 2.0**steep)
    slopes[-1] = slopes[0]
    form, found = AffineForm(slopes, np.zeros(k)), None
    for _ in range(2):
        found = DenseBackend(X).assign(form, found)
        np.testing.assert_array_equal(found.labels, ReferenceBackend(X).assign(form).labels)


def test_equal_clusters_tie_to_the_lowest_number():
    X = rows_of(100, 20)
    form = AffineForm(np.asfortranarray(np.tile(RNG(0).random(20), (5, 1))), np.zeros(5))
    assert set(DenseBackend(X).assign(form).labels) == {0}


@given(
    seed=st.integers(0, 999),
    changes=st.lists(st.integers(0, 19), max_size=9),
    size=st.sampled_from([1e-9, 1e-4, 1e-2, 0.1, 1.0]),
    turned=st.sampled_from([0.0, 0.01, 1.0]),
    dtype=st.sampled_from(DTYPES),
    centre=st.sampled_from([0.0, 5.0]),
)
def test_after_any_drift_the_labels_are_those_of_looking_at_all(
    seed, changes, size, turned, dtype, centre
):
    X, rng = rows_of(120, 12, seed % 5, dtype, centre), RNG(seed)
    backend, form, found = DenseBackend(X), some_form(20, 12, seed), None
    for step in range(4):
        found = backend.assign(form, found)
        expected = ReferenceBackend(X).assign(form).labels
        np.testing.assert_array_equal(found.labels, expected)
        every = np.arange(120)
        table = ReferenceBackend(X).table(form, every).exactly()
        own = table[every, expected]
        table[every, expected] = np.inf
        assert (found.leads(every) <= table.min(axis=1) - own).all(), "on the careful side"
        changed = np.zeros(20, dtype=bool)
        changed[[(place + step) % 20 for place in changes]] = True
        form = shifted(form, changed | (rng.random() < 0.3), size * 4.0**-step, rng, turned)


def test_rows_settled_in_double_precision_are_not_taken_for_led():
    """Whose score in the old cluster is as good, but for a rounding, is looked at again."""
    X = rows_of(60, 8)
    slopes = np.asfortranarray(np.repeat(RNG(1).normal(size=(4, 8)), 2, axis=0))
    form, backend, found = AffineForm(slopes, np.zeros(8)), DenseBackend(X), None
    for step in range(6):
        slopes = form.slopes.copy(order="F")
        slopes[step] += 1e-9 * RNG(step).normal(size=8)
        form = AffineForm(slopes, form.offsets)
        found = backend.assign(form, found)
        np.testing.assert_array_equal(found.labels, ReferenceBackend(X).assign(form).labels)


def test_few_rows_are_looked_at_again_where_little_moves(monkeypatch):
    rng = RNG(0)
    centres = rng.normal(size=(10, 15)) * 4.0
    X = np.ascontiguousarray(centres[np.arange(500) % 10] + rng.normal(size=(500, 15)))
    form = geometry.get("euclidean").affine(np.asfortranarray(centres))
    backend = DenseBackend(X, 1)
    found, looked = backend.assign(form), []

    def counted(self, screen, found, rows):
        looked.append(len(X) if rows is None else len(rows))
        return look(self, screen, found, rows)

    look = DenseBackend._look
    monkeypatch.setattr(DenseBackend, "_look", counted)
    moved = shifted(form, np.ones(10, dtype=bool), 1e-3, rng)
    again = backend.assign(moved, found)
    np.testing.assert_array_equal(again.labels, ReferenceBackend(X).assign(moved).labels)
    assert looked[-1] < 50


@pytest.mark.parametrize("seed", range(4))
def test_renumbered_clusters_take_their_documents_along_and_ties_fall_anew(seed):
    # Sixteenths, whose products have no rounding: BLAS rounds equal columns by where they are.
    X = np.round(16 * rows_of(90, 13, seed)) / 16
    backend, form = DenseBackend(X), some_form(6, 13, seed)
    slopes = np.asfortranarray(np.round(16 * form.slopes) / 16)
    slopes[4] = slopes[1]
    offsets = np.round(16 * form.offsets) / 16
    form = AffineForm(slopes, np.where([0, 0, 0, 0, 1, 0], offsets[1], offsets))
    order = RNG(seed).permutation(6)
    turned = AffineForm(np.asfortranarray(slopes[order]), form.offsets[order])
    before, expected = backend.assign(form), ReferenceBackend(X).assign(turned).labels
    after = backend.assign(turned, before.renumbered(order), np.zeros(6, dtype=bool))
    np.testing.assert_array_equal(after.labels, expected)
    np.testing.assert_array_equal(
        before.labels, ReferenceBackend(X).assign(form).labels, "untouched"
    )
    known = ReferenceBackend(X).assign(form).renumbered(order)
    np.testing.assert_array_equal(backend.assign(turned, known).labels, expected)


@pytest.mark.parametrize("apart", [[], [0], [1, 2, 57], range(60)])
def test_rows_set_apart_change_nothing_for_the_others(apart):
    X = rows_of(60, 25, seed=1)
    rows = np.array(apart, dtype=np.intp)
    others = np.delete(np.arange(60), rows)
    backend, form = DenseBackend(X, 2, rows), some_form(9, 25)
    found = backend.assign(form)
    for _ in range(2):
        expected = ReferenceBackend(X).assign(form).labels
        np.testing.assert_array_equal(found.labels[others], expected[others])
        form = shifted(form, np.arange(9) < 3, 0.1, RNG(0))
        found = backend.assign(form, found)


@pytest.mark.parametrize("dtype", DTYPES)
def test_moved_sums_are_the_same_whatever_the_threads(dtype):
    X, rng = rows_of(400, 60, dtype=dtype), RNG(1)
    rows = np.sort(rng.choice(400, 90, replace=False))
    sources, targets = rng.integers(5, size=(2, 90))
    weights, results = rng.random(90), []
    for backend in (ReferenceBackend(X), *(DenseBackend(X, threads) for threads in (1, 2, 5))):
        sums = np.zeros((60, 5)).T
        backend.shift(sums, None, None, np.arange(400) % 5, np.ones(400))
        backend.shift(sums, rows, sources, targets, weights)
        results.append(sums)
    expected = np.zeros((5, 60))
    np.add.at(expected, np.arange(400) % 5, X.astype(np.float64))
    np.add.at(expected, targets, weights[:, None] * X[rows])
    np.add.at(expected, sources, -weights[:, None] * X[rows])
    for sums in results:
        np.testing.assert_array_equal(sums, results[0])
    np.testing.assert_allclose(results[0], expected, rtol=1e-10, atol=1e-10)


def movable(X, k, seed, light=()):
    rng, n = RNG(seed), X.shape[0]
    labels = rng.permutation(np.arange(n) % k)
    weights = rng.uniform(0.5, 2.0, n)
    weights[list(light)] = 0.0
    return Movable(labels, weights, squared_norms(X), np.zeros(n))


@pytest.mark.parametrize("name", ["cosine", "euclidean"])
@given(
    seed=st.integers(0, 999),
    k=st.integers(2, 12),
    some=st.integers(0, 9),
    size=st.sampled_from([1e-200, 1e-30, 1.0, 1e30, 1e120]),
    dtype=st.sampled_from(DTYPES),
)
def test_the_single_moves_are_the_same(name, seed, k, some, size, dtype):
    distortion, rng = geometry.get(name), RNG(seed)
    with np.errstate(over="ignore"):
        X = distortion.prepare((rows_of(90, 9, seed) * size).astype(dtype))
    if not np.isfinite(X).all():
        return
    rows = movable(X, k, seed, light=(3, 4))
    labels = ReferenceBackend(X).assign(some_form(k, 9, seed)).labels
    labels[:k] = np.arange(k)
    rows = rows._replace(labels=labels)
    dense, readable, found = DenseBackend(X), ReferenceBackend(X), None
    for _ in range(3):
        best = optimum(distortion, *moments(X, rows.labels, rows.weights, k), dense)
        noise = 1e-9 * float(np.abs(best.energies).max())
        rows = rows._replace(least=np.full(90, noise))
        found, expected = dense.single_moves(best, rows, found), readable.single_moves(best, rows)
        np.testing.assert_array_equal(found.rows, expected.rows)
        np.testing.assert_array_equal(found.targets, expected.targets)
        np.testing.assert_allclose(found.gains, expected.gains, rtol=1e-6, atol=noise)
        labels = rows.labels.copy()
        labels[found.rows] = found.targets
        labels[rng.choice(90, some, replace=False)] = rng.integers(k, size=some)
        if len(np.unique(labels[rows.weights > 0])) < k:
            break
        rows = rows._replace(labels=labels)


@pytest.mark.parametrize("name", ["cosine", "euclidean"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_moves_made_in_turn_are_the_same_with_and_without_the_core(name, dtype):
    distortion = geometry.get(name)
    X = distortion.prepare(rows_of(90, 9, dtype=dtype))
    results = []
    for backend in (ReferenceBackend(X), DenseBackend(X)):
        for core in (True, False):
            rows = movable(X, 4, 0)
            clusters = moments(X, rows.labels, rows.weights, 4)
            best = optimum(distortion, *clusters)
            moves = backend.single_moves(best, rows)
            assert len(moves.rows) > 10
            sizes = np.bincount(rows.labels, minlength=4)
            given_to = Clusters(clusters.sums, best.growth, sizes, 3.0)
            with nullcontext() if core else native.without():
                gain = backend.move_in_turn(moves, rows, given_to, 1e-9)
            results.append((gain, rows.labels, clusters.sums, best.growth.squares, sizes))
    for result in results[1:]:
        for ours, theirs in zip(result, results[0], strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_small_tables_and_other_arrays_go_to_the_reference():
    X = RNG(0).random((1000, 30))
    assert isinstance(make_backend(X), DenseBackend)
    assert isinstance(make_backend(X.astype(np.float32)), DenseBackend)
    for other in (X[:9], np.asfortranarray(X), X[:, :29], X.astype(">f8"), X.astype(np.float16)):
        assert isinstance(make_backend(other), ReferenceBackend)
