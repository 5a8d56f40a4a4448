"""Matrices in parts, and what a run on one has in common with a run on one machine."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from tests.strategies import random_documents
from textclust.distributed import PartitionedMatrix

__all__ = ["assert_same_matrix", "assert_same_run", "cuts", "documents", "fitted", "in_parts"]


def cuts(rows):
    """Where to cut so many rows into parts, some of which may be empty."""
    return st.lists(st.integers(0, rows), max_size=5).map(sorted)


def in_parts(client, X, cuts=()):
    """The same rows with the workers: a part begins at each cut."""

    def stretch(begin, end):  # sent as it is: workers need not import the tests
        return X[begin:end]

    stretches = pairwise([0, *cuts, X.shape[0]])
    return PartitionedMatrix.from_futures(
        client, [client.submit(stretch, *each, pure=False) for each in stretches]
    )


def documents(n=90, d=40, seed=0, dtype=np.float64):
    """Random documents, among them some without terms and some that are there twice."""
    X = random_documents(n - 12, d, seed=seed, dtype=dtype)
    none = sp.csr_array((2, d), dtype=dtype)
    return sp.csr_array(sp.vstack([none, X, X[:9], none[:1]], format="csr"))


def fitted(estimator, X, **given):
    """A copy of an estimator, fitted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return clone(estimator).fit(X, **given)


def assert_same_run(found, expected):
    """To the last bit."""
    for name in ("labels_", "cluster_centers_", "objective_", "objective_history_", "n_iter_"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)


def assert_same_matrix(found, expected):
    """To the last bit, in the same type and the same order of entries."""
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)
