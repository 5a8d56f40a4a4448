"""The native backend against the reference: the same answers, to the last label."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.core import needs_core
from tests.strategies import DISTORTIONS, random_documents
from textclust import geometry, native
from textclust.geometry.affine import AffineForm
from textclust.geometry.assignment import (
    Movable,
    make_backend,
    moments,
    nearest,
)
from textclust.geometry.energies import optimum
from textclust.geometry.grid import exact_grid, row_sizes
from textclust.geometry.native_backend import NativeBackend
from textclust.geometry.reference_backend import ReferenceBackend
from textclust.geometry.rows import row_totals, scale_rows, squared_norms

RNG = np.random.default_rng


def both(X, threads=2):
    return NativeBackend(X, threads), ReferenceBackend(X)


def some_form(k, d, seed=0, scale=1.0):
    rng = RNG(seed)
    slopes = np.asfortranarray(rng.normal(size=(k, d)) * scale)
    return AffineForm(slopes, rng.normal(size=k) * scale, rng.random(k) + 0.5)


@needs_core
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 2, 7, 8, 9, 20, 104, 105, 300])
def test_labels_costs_and_runners_up_are_the_same(k, dtype):
    X = random_documents(300, 50, 0.2, seed=k, dtype=dtype)
    compiled, readable = both(X)
    form = some_form(k, 50, seed=k)
    np.testing.assert_array_equal(compiled.assign(form).labels, readable.assign(form).labels)
    ours = nearest(X, form)
    with native.without():
        theirs = nearest(X, form)
    for name in ("labels", "cost", "second", "second_cost"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    rows, labels = np.arange(0, 300, 3), RNG(0).integers(k, size=100)
    np.testing.assert_array_equal(
        compiled.costs_at(form, rows, labels), readable.costs_at(form, rows, labels)
    )


@needs_core
@pytest.mark.parametrize("name", DISTORTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_every_distortion_gives_the_same_labels(name, seed):
    distortion = geometry.get(name)
    X = distortion.prepare(random_documents(200, 40, 0.2, seed))
    found = moments(X, RNG(seed).integers(6, size=200), np.ones(200), 6)
    compiled, readable = both(X)
    for form in (
        optimum(distortion, *found).form,
        distortion.affine(distortion.prototypes(*found)),
    ):
        np.testing.assert_array_equal(compiled.assign(form).labels, readable.assign(form).labels)


@needs_core
@given(
    k=st.integers(1, 12),
    seed=st.integers(0, 999),
    digits=st.integers(0, 3),
    size=st.sampled_from([1e-200, 1e-40, 1.0, 1e30, 1e120]),
)
def test_ties_and_extreme_sizes_are_settled_alike(k, seed, digits, size):
    """Coarse rounding makes ties; sizes beyond float32 make every score doubtful."""
    rng = RNG(seed)
    table = np.round(rng.random((30, 6)) * (rng.random((30, 6)) < 0.6), digits)
    X = sp.csr_array(table * size)
    assume(X.nnz > 0)
    slopes = np.asfortranarray(np.round(rng.random((k, 6)), digits))
    form = AffineForm(slopes, np.zeros(k))
    compiled, readable = both(X)
    np.testing.assert_array_equal(compiled.assign(form).labels, readable.assign(form).labels)


@needs_core
def test_equal_clusters_tie_to_the_lowest_number():
    X = random_documents(100, 20, 0.3)
    slope = RNG(0).random(20)
    form = AffineForm(np.asfortranarray(np.tile(slope, (5, 1))), np.zeros(5))
    assert set(NativeBackend(X).assign(form).labels) == {0}


@needs_core
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_moved_sums_are_the_same_whatever_the_threads(dtype, monkeypatch):
    monkeypatch.setattr("textclust.geometry.native_rows._WORTH_SHARING", 0.0)
    X = random_documents(400, 60, 0.3, dtype=dtype)
    rng = RNG(1)
    rows = np.sort(rng.choice(400, 90, replace=False))
    sources, targets = rng.integers(5, size=(2, 90))
    weights = rng.random(90)
    results = []
    for backend in (
        ReferenceBackend(X),
        NativeBackend(X, 1),
        NativeBackend(X, 2),
        NativeBackend(X, 5),
    ):
        sums = np.zeros((60, 5)).T
        backend.shift(sums, None, None, np.arange(400) % 5, np.ones(400))
        backend.shift(sums, rows, sources, targets, weights)
        results.append(sums)
    for sums in results[1:]:
        np.testing.assert_allclose(sums, results[0], rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(sums, results[1])


@needs_core
@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_the_number_of_threads_changes_nothing(threads, monkeypatch):
    monkeypatch.setattr("textclust.geometry.native_rows._WORTH_SHARING", 0.0)
    X = random_documents(500, 80, 0.1)
    form = some_form(30, 80)
    backend = NativeBackend(X, threads)
    np.testing.assert_array_equal(
        backend.assign(form).labels, ReferenceBackend(X).assign(form).labels
    )
    sums, alone = np.zeros((80, 30)).T, np.zeros((80, 30)).T
    weights = RNG(0).random(500)
    backend.shift(sums, None, None, np.arange(500) % 30, weights)
    NativeBackend(X, 1).shift(alone, None, None, np.arange(500) % 30, weights)
    np.testing.assert_array_equal(sums, alone)


@needs_core
@given(seed=st.integers(0, 999), changes=st.lists(st.integers(0, 19), max_size=9))
def test_looking_only_at_what_changed_gives_the_labels_of_looking_at_all(seed, changes):
    X = random_documents(120, 30, 0.2, seed % 5)
    backend, rng = NativeBackend(X), RNG(seed)
    form = some_form(20, 30, seed)
    found = backend.assign(form)
    np.testing.assert_array_equal(found.labels, ReferenceBackend(X).assign(form).labels)
    for step in range(3):
        changed = np.zeros(20, dtype=bool)
        changed[[(place + step) % 20 for place in changes]] = True
        slopes, offsets = form.slopes.copy(order="F"), form.offsets.copy()
        slopes[changed] += rng.normal(size=(changed.sum(), 30)) * 10.0 ** rng.integers(-9, 1)
        offsets[changed] += rng.normal(size=changed.sum())
        form = AffineForm(slopes, offsets, form.scales)
        found = backend.assign(form, found, changed)
        np.testing.assert_array_equal(found.labels, ReferenceBackend(X).assign(form).labels)


@needs_core
@given(seed=st.integers(0, 999), digits=st.integers(0, 3), some=st.integers(0, 20))
def test_leads_are_on_the_careful_side_whatever_changes(seed, digits, some):
    X = random_documents(80, 30, 0.2, seed % 5)
    backend, rng = NativeBackend(X), RNG(seed)
    form, rows = some_form(20, 30, seed), np.arange(0, 80, 3)
    assert (ReferenceBackend(X).assign(form).leads(rows) == -np.inf).all()
    found, changed = None, np.ones(20, dtype=bool)
    for _ in range(3):
        slopes = np.asfortranarray(np.round(form.slopes, digits))  # with ties
        form = AffineForm(slopes, np.round(form.offsets, digits))
        found = backend.assign(form, found, changed)
        labels, leads = found.labels[rows], found.leads(rows)
        table, every = ReferenceBackend(X).table(form, rows).exactly(), np.arange(len(rows))
        own = table[every, labels]
        table[every, labels] = np.inf
        assert (leads < table.min(axis=1) - own).all()
        assert (leads > table.min(axis=1) - own - 1e-3).any()
        changed = rng.permutation(20) < some
        slopes = form.slopes + changed[:, None] * rng.normal(size=(20, 30))
        form = AffineForm(np.asfortranarray(slopes), form.offsets)


@needs_core
def test_of_rows_set_apart_no_lead_is_known():
    X = random_documents(40, 20, 0.3)
    backend = NativeBackend(X, apart=np.array([3, 5]))
    known = backend.assign(some_form(6, 20)).leads(np.array([2, 3, 4, 5])) > -np.inf
    assert known.tolist() == [True, False, True, False]


@needs_core
@pytest.mark.parametrize("name", ["cosine", "euclidean"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_with_postings_of_rare_terms_the_labels_are_the_same(name, dtype):
    """Many clusters of few documents: most terms are in few of them."""
    distortion, k = geometry.get(name), 150
    X = distortion.prepare(random_documents(600, 400, 0.02, dtype=dtype))
    compiled, readable = both(X)
    labels, found, changed = RNG(0).permutation(np.arange(600) % k), None, np.ones(k, dtype=bool)
    for step in range(4):
        best = optimum(distortion, *moments(X, labels, np.ones(600), k), compiled)
        assert best.form.packed.split.frequent < 200
        found = compiled.assign(best.form, found, changed)
        np.testing.assert_array_equal(found.labels, readable.assign(best.form).labels)
        table, rows = compiled.table(best.form, np.arange(40)), np.arange(40)
        np.testing.assert_allclose(
            table.rough(rows).costs, readable.table(best.form, rows).exactly(), atol=1e-5
        )
        moved = labels.copy()
        moved[step::97] = found.labels[step::97]
        changed = np.isin(np.arange(k), np.concatenate([moved[step::97], labels[step::97]]))
        labels = moved


def movable(X, k, seed, least=0.0):
    rng, n = RNG(seed), X.shape[0]
    labels = rng.permutation(np.arange(n) % k)
    return Movable(labels, rng.uniform(0.5, 2.0, n), squared_norms(X), np.full(n, least))


@needs_core
@pytest.mark.parametrize("name", ["cosine", "euclidean"])
@given(
    seed=st.integers(0, 999),
    k=st.one_of(st.integers(2, 30), st.just(130)),
    signed=st.booleans(),
    some=st.integers(0, 9),
)
def test_no_row_that_a_move_helps_is_missed_and_few_others_are_found(name, seed, k, signed, some):
    distortion, rng = geometry.get(name), RNG(seed)
    n = 3 * max(30, k)
    X = random_documents(n, 25, 0.2, seed % 5)
    if signed:
        X.data *= rng.choice([-1.0, 1.0], len(X.data))
    X = distortion.prepare(X)
    rows = movable(X, k, seed)
    compiled, readable = both(X)
    found, changed = None, np.ones(k, dtype=bool)
    for _ in range(3):
        best = optimum(distortion, *moments(X, rows.labels, rows.weights, k), compiled)
        found = compiled.single_moves(best, rows, found, changed)
        assert set(readable.single_moves(best, rows).rows) <= set(found.rows)
        careful = readable.single_moves(best, rows._replace(least=rows.least - 1e-3))
        assert signed or set(found.rows) <= set(careful.rows)
        labels = rows.labels.copy()
        moved = rng.choice(n, some, replace=False)
        labels[moved] = rng.integers(k, size=some)
        if len(np.unique(labels)) < k:
            break
        changed = np.zeros(k, dtype=bool)
        changed[labels[moved]] = changed[rows.labels[moved]] = True
        rows = rows._replace(labels=labels)


@needs_core
@pytest.mark.parametrize("size", [1e-200, 1e-40, 1e30, 1e120])
def test_where_single_precision_ends_every_row_may_move(size):
    X = random_documents(40, 20, 0.3) * size
    rows = movable(X, 4, 0)
    compiled, readable = both(X)
    best = optimum(geometry.get("euclidean"), *moments(X, rows.labels, rows.weights, 4), compiled)
    assert set(readable.single_moves(best, rows).rows) <= set(
        compiled.single_moves(best, rows).rows
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_on_a_grid_do_not_depend_on_the_order_of_the_additions(dtype):
    X = random_documents(300, 40, 0.3, dtype=dtype)
    rng = RNG(3)
    weights, labels, others = rng.uniform(0.2, 3.0, 300), *rng.integers(5, size=(2, 300))
    grid = exact_grid(row_sizes(X, weights))
    assert 0 < grid < 1e-10
    backends = [ReferenceBackend(X, grid), make_backend(X, grid=grid)]
    wholes = [np.zeros((40, 5)).T for _ in backends]
    for backend, whole in zip(backends, wholes, strict=True):
        backend.shift(whole, None, None, labels, weights)
    moved, parts = np.zeros((40, 5)).T, np.zeros((40, 5)).T
    backends[1].shift(moved, None, None, others, weights)
    every = rng.permutation(300)
    backends[1].shift(moved, every, others[every], labels[every], weights[every])
    for part in np.array_split(rng.permutation(300), 7):
        make_backend(X[part], grid=grid).shift(parts, None, None, labels[part], weights[part])
    for sums in (wholes[1], moved, parts):
        np.testing.assert_array_equal(sums, wholes[0])
    exact = np.zeros((40, 5)).T
    ReferenceBackend(X).shift(exact, None, None, labels, weights)
    np.testing.assert_allclose(wholes[0], exact, atol=300 * grid)


@needs_core
@pytest.mark.parametrize("shape", [(2, 5), (7, 40), (3, 30_000), (60, 2_000)])
def test_squared_lengths_of_sums_are_the_same_to_the_last_digit(shape):
    sums = np.asfortranarray(RNG(0).normal(size=shape))
    packed = NativeBackend(sp.eye_array(3, shape[1], format="csr")).pack_slopes(sums)
    with native.without():
        np.testing.assert_array_equal(squared_norms(sums), packed.squares)
    np.testing.assert_array_equal(squared_norms(sums), packed.squares)


def test_values_far_below_the_largest_are_left_as_they_are():
    X = sp.csr_array(np.array([[1e20, 0.0], [0.0, 1.0]]))
    assert exact_grid(row_sizes(X, np.ones(2))) == 0.0
    assert exact_grid(row_sizes(X[1:], np.ones(1))) > 0.0
    assert exact_grid(row_sizes(sp.csr_array((3, 2)), np.ones(3))) == 0.0
    parts = row_sizes(X[:1], np.ones(1)).beside(row_sizes(X[1:], np.ones(1)))
    assert parts == row_sizes(X, np.ones(2))


@needs_core
def test_read_only_and_memory_mapped_arrays_will_do(tmp_path):
    X = random_documents(100, 30, 0.2)
    for name in ("data", "indices", "indptr"):
        np.save(tmp_path / f"{name}.npy", getattr(X, name))
    parts = [np.load(tmp_path / f"{n}.npy", mmap_mode="r") for n in ("data", "indices", "indptr")]
    mapped = sp.csr_array(tuple(parts), shape=X.shape)
    form = some_form(4, 30)
    np.testing.assert_array_equal(
        NativeBackend(mapped).assign(form).labels, ReferenceBackend(X).assign(form).labels
    )


@needs_core
def test_what_the_core_does_not_support_goes_to_the_reference():
    X = random_documents(20, 10)
    for other in (X.toarray(), sp.csr_array((5, 10)), X.astype(int)):
        assert isinstance(make_backend(other), ReferenceBackend)
    assert isinstance(make_backend(X), NativeBackend)
    with native.without():
        assert isinstance(make_backend(X), ReferenceBackend)


@needs_core
def test_wide_column_numbers_take_the_fast_way():
    X, form = random_documents(40, 30), some_form(4, 30)
    wide = sp.csr_array(X)
    wide.indices, wide.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    assert isinstance(make_backend(wide), NativeBackend)
    np.testing.assert_array_equal(
        make_backend(wide).assign(form).labels, ReferenceBackend(X).assign(form).labels
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_row_lengths_are_the_same_with_and_without_the_core(dtype, monkeypatch):
    monkeypatch.setattr("textclust.geometry.rows._ENTRIES", 64)
    monkeypatch.setattr("textclust.geometry.rows._FEW", 0)
    X = random_documents(100, 30, 0.2, dtype=dtype)
    sums = np.asfortranarray(RNG(0).random((7, 90)))
    here, dense = squared_norms(X), squared_norms(sums)
    with native.without():
        np.testing.assert_array_equal(squared_norms(X), here)
        np.testing.assert_allclose(squared_norms(sums), dense, rtol=1e-14)
    np.testing.assert_allclose(here, (X.toarray().astype(float) ** 2).sum(axis=1))
    np.testing.assert_allclose(row_totals(X, np.abs), np.abs(X.toarray()).sum(axis=1), rtol=1e-6)


@needs_core
@pytest.mark.parametrize("seed", range(4))
def test_renumbered_clusters_take_their_documents_along_and_ties_fall_anew(seed):
    X = random_documents(200, 30, 0.2, seed)
    compiled, readable = both(X)
    form = some_form(6, 30, seed)
    slopes = form.slopes.copy(order="F")
    slopes[4] = slopes[1]
    form = AffineForm(slopes, np.where([0, 0, 0, 0, 1, 0], form.offsets[1], form.offsets))
    order = RNG(seed).permutation(6)
    turned = AffineForm(np.asfortranarray(slopes[order]), form.offsets[order], form.scales)
    unchanged, expected = np.zeros(6, dtype=bool), readable.assign(turned).labels
    before = compiled.assign(form)
    after = compiled.assign(turned, before.renumbered(order), unchanged)
    np.testing.assert_array_equal(after.labels, expected)
    np.testing.assert_array_equal(before.labels, readable.assign(form).labels, "untouched")
    known = readable.assign(form).renumbered(order)
    again = compiled.assign(turned, known, unchanged)
    np.testing.assert_array_equal(again.labels, expected, "not its own assignment")


@needs_core
def test_slopes_made_ready_stay_so_while_others_pass():
    X = random_documents(100, 30, 0.2, seed=1)
    compiled, readable = both(X)
    form, other = some_form(5, 30, seed=1), some_form(5, 30, seed=2)
    squares, packed = compiled.pack_slopes(form.slopes)
    np.testing.assert_allclose(squares, squared_norms(form.slopes))
    ready = AffineForm(form.slopes, form.offsets, form.scales, packed=packed)
    np.testing.assert_array_equal(compiled.assign(other).labels, readable.assign(other).labels)
    np.testing.assert_array_equal(compiled.assign(ready).labels, readable.assign(ready).labels)


@needs_core
@pytest.mark.parametrize("k", [1, 3, 4, 5, 31, 32, 70])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_tables_are_the_same(k, dtype):
    X = random_documents(60, 25, 0.3, seed=k, dtype=dtype)
    compiled, readable = both(X)
    form, rows = some_form(k, 25, seed=k), np.array([7, 3, 3, 59])
    ours, theirs = (each.table(form, rows).exactly() for each in (compiled, readable))
    np.testing.assert_array_equal(ours, theirs)
    assert compiled.table(form, rows[:0]).exactly().shape == (0, k)


@needs_core
@pytest.mark.parametrize("apart", [[], [0], [1, 2, 57], range(60)])
def test_rows_set_apart_change_nothing_for_the_others(apart):
    X = random_documents(60, 25, 0.3, seed=1)
    rows = np.array(apart, dtype=np.intp)
    others = np.delete(np.arange(60), rows)
    backend, form = NativeBackend(X, 2, rows), some_form(9, 25)
    found, expected = backend.assign(form), ReferenceBackend(X).assign(form).labels
    np.testing.assert_array_equal(found.labels[others], expected[others])
    again = backend.assign(form, found, changed=np.arange(9) < 3)
    np.testing.assert_array_equal(again.labels[others], expected[others])


@needs_core
def test_a_backend_remembers_nothing_between_runs():
    """Two runs that take turns on the same backend find what each finds alone."""
    X = random_documents(150, 30, 0.2)
    shared, forms = NativeBackend(X), [some_form(24, 30, seed) for seed in range(2)]
    found = [shared.assign(form) for form in forms]
    for step in range(3):
        for run in range(2):
            changed = np.arange(24) % 6 == step
            slopes = forms[run].slopes + 0.1 * changed[:, None]
            forms[run] = AffineForm(np.asfortranarray(slopes), forms[run].offsets)
            changed = changed if step else np.ones(24, dtype=bool)  # scales are gone
            found[run] = shared.assign(forms[run], found[run], changed)
            expected = ReferenceBackend(X).assign(forms[run]).labels
            np.testing.assert_array_equal(found[run].labels, expected)


@needs_core
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_are_scaled_as_in_the_reference(dtype, monkeypatch):
    monkeypatch.setattr("textclust.geometry.rows._ENTRIES", 64)
    X = random_documents(40, 30, seed=1, dtype=dtype)
    factors = np.random.default_rng(1).standard_normal((40, 2))[:, 1]  # with gaps between them
    found = scale_rows(X, factors)
    with native.without():
        expected = scale_rows(X, factors)
    assert found.dtype == expected.dtype == dtype
    np.testing.assert_array_equal(found.data, expected.data)
