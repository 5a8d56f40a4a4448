"""Sums of clusters in CSR: what a table would hold, to the last bit."""

from __future__ import annotations

import pickle
import tracemalloc
from contextlib import contextmanager, nullcontext
from unittest import mock

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.core import needs_core
from textclust import native
from textclust.geometry import sparse_sums
from textclust.geometry.affine import AffineForm, as_table
from textclust.geometry.assignment import moments
from textclust.geometry.native_backend import NativeBackend
from textclust.geometry.reference_backend import ReferenceBackend
from textclust.geometry.rows import squared_norms

SPARSE = ("cosine", "euclidean")


@contextmanager
def kept_sparse(large=0, share=0):
    """Keep sums in CSR however small a table of them would be."""
    with mock.patch.multiple(sparse_sums, _LARGE=large, _SHARE=share):
        yield


def documents(n, d, seed, *, dtype="float64", negative=False):
    """Random rows with some of zeros, and some twice."""
    rng = np.random.default_rng(seed)
    X = sp.random_array((n, d), density=0.15, rng=rng, format="csr")
    X.data = rng.standard_normal(X.nnz) if negative else np.ceil(5 * X.data)
    X = X[np.concatenate([np.arange(n - n // 4), rng.integers(n, size=n // 4)])]
    return sp.csr_array(X.astype(dtype))


def fitted(X, k, weights=None, **settings):
    return tc.KMeans(k, random_state=0, **settings).fit(X, sample_weight=weights)


def check_same(sparse, table):
    assert sp.issparse(sparse.cluster_centers_)
    assert isinstance(table.cluster_centers_, np.ndarray)
    np.testing.assert_array_equal(sparse.labels_, table.labels_)
    assert sparse.objective_ == table.objective_
    np.testing.assert_array_equal(sparse.objective_history_, table.objective_history_)
    np.testing.assert_array_equal(as_table(sparse.cluster_centers_), table.cluster_centers_)


@pytest.fixture(params=["core", "readable"])
def core(request):
    if request.param == "readable":
        with native.without():
            yield
    elif any(native.module(name) is None for name in ("assignment", "sums")):
        pytest.skip("the native core is not built")
    else:
        yield


@pytest.mark.parametrize("distortion", SPARSE)
@pytest.mark.parametrize("with_core", [pytest.param(True, marks=needs_core), False])
@given(
    n=st.integers(8, 60),
    d=st.integers(3, 50),
    k=st.integers(2, 8),
    seed=st.integers(0, 999),
    refine=st.booleans(),
    threads=st.sampled_from([1, 2]),
    dtype=st.sampled_from(["float32", "float64"]),
    negative=st.booleans(),
    weighted=st.booleans(),
    init=st.sampled_from(["auto", "lsa", "k-means++", "perturbed"]),
)
def test_a_search_finds_the_same_to_the_last_bit(
    distortion, with_core, n, d, k, seed, refine, threads, dtype, negative, weighted, init
):
    X = documents(n, d, seed, dtype=dtype, negative=negative)
    if X.nnz == 0:
        return
    rng = np.random.default_rng(seed)
    settings = {"distortion": distortion, "refine": refine, "n_jobs": threads, "init": init}
    settings["n_init"] = 2
    weights = rng.integers(0, 3, n).astype(float) if weighted else None
    if weighted and not (weights * np.diff(X.indptr)).any():
        return
    with nullcontext() if with_core else native.without():
        table = fitted(X, k, weights, **settings)
        with kept_sparse():
            sparse = fitted(X, k, weights, **settings)
    check_same(sparse, table)


@pytest.mark.parametrize("distortion", SPARSE)
@pytest.mark.parametrize("refine", [True, False])
def test_many_clusters_are_the_same(core, distortion, refine):
    X = documents(900, 400, 3, dtype="float32")
    settings = {"distortion": distortion, "refine": refine, "init": "lsa", "n_init": 1}
    table = fitted(X, 160, **settings)
    with kept_sparse():
        one, two = (fitted(X, 160, n_jobs=threads, **settings) for threads in (1, 2))
    for sparse in (one, two):
        check_same(sparse, table)


def test_as_many_clusters_as_documents(core):
    X = documents(30, 40, 1)
    table = fitted(X, 30)
    with kept_sparse():
        check_same(fitted(X, 30), table)


def test_given_centres_and_given_labels(core):
    X, rng = documents(80, 60, 5), np.random.default_rng(0)
    for init in (rng.random((9, 60)), rng.integers(9, size=80)):
        table = fitted(X, 9, init=init)
        with kept_sparse():
            check_same(fitted(X, 9, init=init), table)


@pytest.mark.parametrize("distortion", SPARSE)
def test_what_a_model_with_sparse_prototypes_is_good_for(core, distortion, tmp_path):
    X, Y = documents(200, 80, 2, dtype="float32"), documents(50, 80, 7, dtype="float32")
    settings = {"distortion": distortion}
    table = fitted(X, 12, **settings)
    with kept_sparse():
        sparse = fitted(X, 12, **settings)
    for model in (sparse, pickle.loads(pickle.dumps(sparse))):
        np.testing.assert_array_equal(model.predict(X), model.labels_)
        for rows in (Y, Y.toarray()):
            np.testing.assert_array_equal(model.predict(rows), table.predict(Y))
            np.testing.assert_allclose(model.transform(rows), table.transform(Y), atol=1e-6)
        assert model.score(X) == table.score(X)
        assert model.score(X) == pytest.approx(-model.objective_)
        assert len(model.get_feature_names_out()) == 12


def test_batches_have_a_table_of_their_own(core):
    X = documents(120, 50, 4)
    table = tc.SphericalKMeans(6, random_state=0).partial_fit(X[:60]).partial_fit(X[60:])
    with kept_sparse():
        model = tc.SphericalKMeans(6, random_state=0).partial_fit(X[:60])
        assert isinstance(model.cluster_centers_, np.ndarray)
        model.partial_fit(X[60:])
    np.testing.assert_array_equal(model.labels_, table.labels_)
    np.testing.assert_array_equal(model.cluster_centers_, table.cluster_centers_)


def test_what_is_kept_so():
    assert sparse_sums.mostly_zeros((1 << 13, 1 << 14), 1 << 25)
    assert not sparse_sums.mostly_zeros((1 << 13, (1 << 14) - 1), 1 << 25), "small enough"
    assert not sparse_sums.mostly_zeros((1 << 13, 1 << 14), 1 << 26), "not mostly zeros"


def test_a_distortion_that_smooths_has_no_zeros_to_leave_out():
    X = documents(60, 30, 0)
    with kept_sparse():
        assert isinstance(fitted(X, 4, distortion="kl").cluster_centers_, np.ndarray)


@given(seed=st.integers(0, 999), k=st.integers(2, 30), grid=st.sampled_from([0.0, 2.0**-20]))
def test_sums_are_those_of_a_table(seed, k, grid):
    X, rng = documents(90, 40, seed, negative=True), np.random.default_rng(seed)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    labels, weights = rng.integers(k, size=90), rng.random(90)
    values = np.repeat(weights, np.diff(X.indptr)) * X.data
    rounded = sp.csr_array((np.rint(values / grid) * grid if grid else values, X.indices, X.indptr))
    rounded = sp.csr_array((rounded.data, X.indices, X.indptr), shape=X.shape)
    expected = moments(rounded, labels, np.ones(90), k).sums
    with mock.patch.object(sparse_sums, "_ENTRIES", 20):
        found = sparse_sums.sparse_sums(X, labels, weights, k, grid, threads=2)
    np.testing.assert_array_equal(as_table(found), expected)
    assert found.has_canonical_format
    assert found.indices.dtype == found.indptr.dtype == np.int32
    assert (found.data != 0).all()
    squares = sparse_sums.squares_of(found)
    np.testing.assert_array_equal(squares, squared_norms(np.asfortranarray(expected)))


def test_some_sums_are_replaced_and_the_others_stay():
    rng = np.random.default_rng(0)
    sums = sp.random_array((7, 12), density=0.4, rng=rng, format="csr")
    by = sp.random_array((3, 12), density=0.4, rng=rng, format="csr")
    expected = as_table(sums).copy()
    expected[[0, 4, 6]] = as_table(by)
    found = sparse_sums.replaced(sums, np.array([0, 4, 6]), by)
    np.testing.assert_array_equal(as_table(found), expected)


def test_no_table_of_clusters_by_terms_is_made(core):
    """Bytes at the peak, where a table of them would be 96 MB."""
    n, d, k, terms = 4_000, 60_000, 200, 20
    rng = np.random.default_rng(0)
    columns = np.sort(rng.integers(d, size=(n, terms)) // rng.integers(1, 200, size=(n, 1)), axis=1)
    X = sp.csr_array(
        (np.ones(n * terms, np.float32), columns.ravel(), np.arange(n + 1) * terms), shape=(n, d)
    )
    X.sum_duplicates()
    tracemalloc.start()
    try:
        with kept_sparse(large=k * d, share=3):
            model = tc.SphericalKMeans(k, random_state=0, init="lsa", max_iter=5).fit(X)
            model.predict(X[:50])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sp.issparse(model.cluster_centers_)
    assert peak < k * d * 8 / 2, f"{peak / 1e6:.0f} MB"


@needs_core
@pytest.mark.parametrize("k", [3, 150])
def test_a_backend_answers_as_for_a_table_when_slopes_get_more_entries(k):
    """There is room for twice as many; beyond that it is made anew."""
    X, rng = documents(300, 90, 1, dtype="float32"), np.random.default_rng(0)
    every, labels = np.arange(300), rng.integers(k, size=300)
    backend, reference = NativeBackend(X), ReferenceBackend(X)
    for density in (0.01, 0.02, 0.3, 1.0, 0.05):
        slopes = sp.random_array((k, 90), density=density, rng=rng, format="csr")
        squares, packed = backend.pack_slopes(slopes)
        table = np.asfortranarray(as_table(slopes))
        np.testing.assert_array_equal(squares, squared_norms(table))
        offsets, scales = rng.random(k), rng.random(k)
        form = AffineForm(slopes, offsets, scales, packed=packed)
        expected = AffineForm(table, offsets, scales)
        for found in (form, AffineForm(slopes, offsets, scales)):
            np.testing.assert_array_equal(
                backend.assign(found).labels, reference.assign(expected).labels
            )
        np.testing.assert_array_equal(
            backend.costs_at(form, every, labels), reference.costs_at(expected, every, labels)
        )
        for asked in (backend, reference):
            np.testing.assert_array_equal(
                asked.table(form, every).exactly(), reference.table(expected, every).exactly()
            )


def test_the_slope_of_a_cluster_is_that_of_a_table():
    slopes = sp.random_array((6, 20), density=0.3, rng=np.random.default_rng(1), format="csr")
    offsets, terms = np.zeros(6), np.array([3, 0, 19, 7])
    for scales in (None, np.arange(1.0, 7.0)):
        sparse = AffineForm(slopes, offsets, scales)
        table = AffineForm(as_table(slopes), offsets, scales)
        for clusters in (2, np.array([0, 5, 2, 2])):
            np.testing.assert_array_equal(
                sparse.slope(clusters, terms), table.slope(clusters, terms)
            )
