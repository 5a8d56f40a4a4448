"""A matrix in parts: some of its rows, what is made of each part, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.distributed.fake import FakeClient
from tests.distributed.parts import assert_same_matrix, cuts, documents, in_parts
from textclust.distributed import PartitionedMatrix
from textclust.errors import InputError


@given(data=st.data(), dtype=st.sampled_from([np.float32, np.float64]))
def test_rows_come_here_by_their_numbers(data, dtype):
    X = documents(30, 12, dtype=dtype)
    rows = data.draw(st.lists(st.integers(0, 29), max_size=40))
    parted = in_parts(FakeClient(), X, data.draw(cuts(30)))
    assert_same_matrix(parted[np.array(rows, dtype=np.intp)], X[np.array(rows, dtype=np.intp)])
    chosen = np.isin(np.arange(30), rows)
    assert_same_matrix(parted[chosen], X[chosen])
    assert_same_matrix(sp.csr_array(sp.vstack(list(parted.here()), format="csr")), X)


def test_of_dask_they_come_as_well(client):
    X = documents(30, 12)
    parted = in_parts(client, X, (0, 4, 4, 21))
    rows = np.array([29, 3, 3, 0, 20])
    assert_same_matrix(parted[rows], X[rows])
    assert_same_matrix(parted.of(np.array([3, 20]))[np.array([1, 0])], X[[20, 3]])


@pytest.mark.parametrize("rows", [[30], [-1], [2, 31], [-31, 4]])
def test_rows_that_there_are_not_are_an_error(rows):
    parted = in_parts(FakeClient(), documents(30, 12), (8,))
    with pytest.raises(IndexError):
        parted[np.array(rows)]


@settings(max_examples=10)
@given(cut=cuts(30))
def test_what_is_said_of_all_rows(cut):
    X = documents(30, 12)
    parted = in_parts(FakeClient(), X, cut)
    assert (parted.shape, parted.nnz, parted.dtype) == (X.shape, X.nnz, X.dtype)
    np.testing.assert_array_equal(parted.indptr, X.indptr)
    values = np.arange(30.0)
    totals = parted.each(_totals, values)
    np.testing.assert_array_equal(np.concatenate(totals), X.sum(axis=1) + values)
    assert_same_matrix(parted.map(_times, values)[np.arange(30)], _times(X, values))


def _totals(rows, values):
    return rows.sum(axis=1) + values


def _times(rows, values):
    return sp.csr_array(rows.multiply(values[:, None]))


def test_it_is_shown_in_a_line():
    parted = in_parts(FakeClient(), documents(30, 12), (8,))
    assert repr(parted) == f"<30 x 12 matrix in 2 parts, {parted.nnz} stored entries>"
    with pytest.raises(TypeError, match=r"ambiguous; use X\.shape\[0\]"):
        len(parted)


def matrix_of(*parts):
    client = FakeClient()
    there = [client.submit(_itself, part, pure=False) for part in parts]
    return PartitionedMatrix.from_futures(client, there)


def _itself(part):
    return part


SOME = sp.csr_array(np.eye(3))


@pytest.mark.parametrize(
    ("reason", "parts"),
    [
        ("a matrix in parts needs at least one part", []),
        (r"parts of one matrix have the same columns; got \[2, 3\]", [SOME, SOME[:, :2]]),
        ("the values of all parts must be of the same type", [SOME, SOME.astype(np.float32)]),
        ("a part must be a sparse matrix; got ndarray", [SOME, np.eye(3)]),
        ("part 1 of X has values that are not finite numbers", [SOME, SOME * np.nan]),
        ("part 0 of X has values that are not finite numbers", [SOME * np.inf, SOME]),
    ],
)
def test_what_is_no_matrix_is_refused(reason, parts):
    with pytest.raises(InputError, match=reason):
        matrix_of(*parts)


def test_other_forms_of_a_sparse_matrix_become_csr():
    X = documents(30, 8)
    whole = np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr
    twice, backwards = sp.csr_array(whole, X.shape), X[:, ::-1][:, ::-1]
    for other in (sp.csr_matrix(X), sp.csc_array(X), sp.coo_array(X), twice, backwards):
        assert_same_matrix(matrix_of(other)[np.arange(30)], X)
    counts = matrix_of(X.astype(np.int64), X.astype(np.int32))
    assert_same_matrix(counts[np.arange(60)], sp.csr_array(sp.vstack([X, X], format="csr")))
    assert twice.nnz == 2 * X.nnz  # the caller's matrix is left alone
