"""Sums of groups of rows: by the compiled core what a product gives, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.core import needs_core
from textclust import native
from textclust.geometry.grid import exact_grid, row_sizes
from textclust.geometry.grouped_sums import sums_and_counts


def rows_and_groups(n, d, groups, seed, dtype):
    """Random rows of any sign, some of them empty, each in a group or in none."""
    rng = np.random.default_rng(seed)
    X = sp.random_array((n, d), density=0.1, rng=rng, format="csr", dtype=np.float64)
    X.data = rng.standard_normal(X.nnz)
    return X.astype(dtype), rng.integers(-1, groups, n)


def parts(table):
    return [table.indptr.tolist(), table.indices.tolist(), table.data.tolist()]


@needs_core
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "d", "groups"), [(1, 1, 1), (60, 64, 5), (90, 130, 40), (200, 7, 3)])
def test_both_ways_agree(n, d, groups, dtype):
    for seed in range(5):
        X, labels = rows_and_groups(n, d, groups, seed, dtype)
        for grid in (0.0, exact_grid(row_sizes(X, np.ones(n)))):
            found = sums_and_counts(X, labels, groups, grid)
            with native.without():
                expected = sums_and_counts(X, labels, groups, grid)
            for one, other in zip(found, expected, strict=True):
                assert one.shape == other.shape == (groups, d)
                assert parts(one) == parts(other)


@pytest.mark.parametrize("without", [[], ["sums"]])
def test_by_hand(without):
    X = sp.csr_array(np.array([[1.0, 0, 2], [0, 5, 0], [-1, 0, 3], [7, 7, 7]]))
    with native.without(*without or ["tars"]):
        sums, counts = sums_and_counts(X, np.array([1, 0, 1, -1]), 3)
    assert sums.toarray().tolist() == [[0, 5, 0], [0, 0, 5], [0, 0, 0]]
    assert counts.toarray().tolist() == [[0, 1, 0], [2, 0, 2], [0, 0, 0]]
    assert counts.indices.tolist() == [1, 0, 2]  # a term whose values cancel out is there
