"""The backend of rows in parts against that of one machine: the same answers, to the last bit."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.distributed.fake import FakeClient
from tests.distributed.parts import cuts, documents, in_parts
from tests.geometry.test_assignment import movable, some_form
from tests.strategies import random_documents
from textclust import geometry, native
from textclust.distributed.backend import PartitionedBackend
from textclust.geometry.affine import AffineForm
from textclust.geometry.assignment import Clusters, make_backend, moments
from textclust.geometry.energies import optimum
from textclust.geometry.grid import exact_grid, row_sizes

N, D = 40, 16
RNG = np.random.default_rng

core = pytest.mark.parametrize("core", [nullcontext, native.without], ids=["native", "reference"])
anywhere = given(data=st.data(), seed=st.integers(0, 999), k=st.integers(1, 9))


def both(X, cut):
    """Who can be asked about rows in parts, and about the same on this machine."""
    grid = exact_grid(row_sizes(X, np.ones(X.shape[0])))
    parted = make_backend(in_parts(FakeClient(), X, cut), grid=grid)
    assert isinstance(parted, PartitionedBackend)
    return parted, make_backend(X, 1, grid=grid)


def assert_same(found, expected):
    for name in ("rows", "targets", "gains"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)


@core
@settings(max_examples=12)
@anywhere
def test_labels_are_the_same_however_much_has_changed(core, data, seed, k):
    X, rng = documents(N, D, seed % 5), RNG(seed)
    with core():
        parted, alone = both(X, data.draw(cuts(N)))
        form, found, changed = some_form(k, D, seed), None, None
        for _ in range(4):
            found = parted.assign(form, found, changed)
            np.testing.assert_array_equal(found.labels, alone.assign(form).labels)
            changed = rng.random(k) < 0.4
            slopes = form.slopes + changed[:, None] * rng.normal(size=(k, D))
            form = AffineForm(np.asfortranarray(slopes), form.offsets, form.scales)


def test_of_two_runs_at_once_each_has_its_own_answers():
    """A part remembers one answer; it has not to take that of the other run for its own."""
    X, changed = documents(N, D), np.arange(6) < 2
    parted, alone = both(X, (13,))
    forms = [some_form(6, D, seed) for seed in range(2)]
    found = [parted.assign(form) for form in forms]
    for _ in range(2):
        for run, form in enumerate(forms):
            slopes = np.asfortranarray(form.slopes + 0.3 * changed[:, None])
            forms[run] = AffineForm(slopes, form.offsets, form.scales)
            found[run] = parted.assign(forms[run], found[run], changed)
            np.testing.assert_array_equal(found[run].labels, alone.assign(forms[run]).labels)


def test_a_part_that_was_made_again_has_the_same_answers():
    X, changed = documents(N, D), np.arange(6) < 2
    parted, alone = both(X, (13,))
    before, form = parted.assign(some_form(6, D)), some_form(6, D)
    slopes = np.asfortranarray(form.slopes + 0.3 * changed[:, None])
    form = AffineForm(slopes, form.offsets, form.scales)
    again = make_backend(in_parts(FakeClient(), X, (13,)), grid=parted.grid)
    found = again.assign(form, before, changed)
    np.testing.assert_array_equal(found.labels, alone.assign(form).labels)


@core
@settings(max_examples=12)
@anywhere
def test_costs_of_some_rows_are_the_same(core, data, seed, k):
    X, form = documents(N, D, seed % 5), some_form(k, D, seed)
    rows = np.array(data.draw(st.lists(st.integers(0, N - 1), max_size=12)), dtype=np.intp)
    labels = RNG(seed).integers(k, size=len(rows))
    with core():
        parted, alone = both(X, data.draw(cuts(N)))
        found = parted.costs_at(form, rows, labels)
        np.testing.assert_array_equal(found, alone.costs_at(form, rows, labels))
        some = np.unique(rows)
        table = parted.table(form, some)
        np.testing.assert_array_equal(table.exactly(), alone.table(form, some).exactly())
        slopes, packed = form.slopes, parted.pack_slopes(form.slopes)
        sent = AffineForm(slopes, form.offsets, form.scales, packed=packed)
        np.testing.assert_array_equal(packed.squares, alone.pack_slopes(slopes).squares)
        np.testing.assert_array_equal(parted.assign(sent).labels, alone.assign(form).labels)


@core
@settings(max_examples=12)
@anywhere
@pytest.mark.parametrize("on_a_grid", [True, False])
def test_sums_are_the_same_wherever_they_are_added_up(core, on_a_grid, data, seed, k):
    X, rng = documents(N, D, seed % 5), RNG(seed)
    weights, labels, others = rng.uniform(0.2, 3.0, N), *rng.integers(k, size=(2, N))
    rows = np.flatnonzero(rng.random(N) < 0.3)
    with core():
        pair = both(X, data.draw(cuts(N)))
        found = []
        for backend in pair:
            backend.grid = exact_grid(row_sizes(X, weights)) if on_a_grid else 0.0
            sums = np.zeros((D, k)).T
            backend.shift(sums, None, None, labels, weights)
            backend.shift(sums, rows, labels[rows], others[rows], weights[rows])
            found.append(sums)
    if on_a_grid or core is nullcontext:
        np.testing.assert_array_equal(*found)
    else:  # the reference adds the sums of parts
        np.testing.assert_allclose(*found, atol=1e-12)


@core
@pytest.mark.parametrize("name", ["cosine", "euclidean"])
@settings(max_examples=8)
@given(data=st.data(), seed=st.integers(0, 999), k=st.integers(2, 9))
def test_single_moves_are_the_same(core, name, data, seed, k):
    distortion, rng = geometry.get(name), RNG(seed)
    X = distortion.prepare(random_documents(N, D, seed=seed % 5))
    with core():
        parted, alone = both(X, data.draw(cuts(N)))
        rows, changed, pair = movable(X, k, seed), None, (None, None)
        for _ in range(3):
            best = optimum(distortion, *moments(X, rows.labels, rows.weights, k))
            pair = [
                backend.single_moves(best, rows, last, changed)
                for backend, last in zip((parted, alone), pair, strict=True)
            ]
            assert_same(*pair)
            labels = rows.labels.copy()
            moved = rng.choice(N, 3, replace=False)
            labels[moved] = rng.integers(k, size=3)
            if len(np.unique(labels)) < k:
                break
            changed = np.isin(np.arange(k), np.concatenate([labels[moved], rows.labels[moved]]))
            rows = rows._replace(labels=labels)


@core
@settings(max_examples=12)
@given(data=st.data(), seed=st.integers(0, 999), k=st.integers(2, 9), some=st.integers(1, 9))
def test_moves_one_after_the_other_end_in_the_same(core, data, seed, k, some):
    X, distortion = documents(N, D, seed % 5), geometry.get("euclidean")
    with core(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("textclust.distributed.backend._MOVED", some)
        ends, gains = [], []
        for backend in both(X, data.draw(cuts(N))):
            rows = movable(X, k, seed)
            total = moments(X, rows.labels, rows.weights, k)
            best = optimum(distortion, *total)
            moves = backend.single_moves(best, rows)
            sizes = np.bincount(rows.labels, minlength=k)
            clusters = Clusters(total.sums, best.growth, sizes)
            gain = backend.move_in_turn(moves, rows, clusters, 1e-9)
            ends.append((rows.labels, clusters.sums, clusters.growth.squares, sizes))
            gains.append(gain)
    for found, expected in zip(*ends, strict=True):
        np.testing.assert_array_equal(found, expected)
    assert gains[0] == pytest.approx(gains[1])


@settings(max_examples=10)
@given(data=st.data(), few=st.sampled_from([0, 100]))
def test_some_of_the_rows_are_numbered_anew(data, few):
    X, form = documents(N, D), some_form(5, D)
    parted, alone = both(X, data.draw(cuts(N)))
    rows = np.array(sorted(data.draw(st.sets(st.integers(0, N - 1), min_size=1))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("textclust.distributed.backend._FEW", few)
        some = parted.of(rows)
    assert isinstance(some, PartitionedBackend) == (not few)
    np.testing.assert_array_equal(some.assign(form).labels, alone.of(rows).assign(form).labels)
