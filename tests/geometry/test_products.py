"""Products by several threads are those of one."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.core import needs_core
from tests.strategies import CONTAINERS, random_documents
from textclust import native
from textclust.geometry.products import product


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("n", [0, 3, 9_001])  # the last is worth sharing
def test_a_product_does_not_depend_on_the_threads(container, n):
    X = container(random_documents(n, 10).toarray())
    dense = np.random.default_rng(0).normal(size=(10, 8))
    alone, together = (product(X, dense, threads) for threads in (1, 3))
    assert alone.tobytes() == together.tobytes()
    np.testing.assert_allclose(alone, X @ dense, atol=1e-12)


def test_single_precision_stays_single():
    X = random_documents(5, 4, dtype=np.float32)
    assert product(X, np.ones((4, 2), dtype=np.float32)).dtype == np.float32
    assert product(X, np.ones((4, 2))).dtype == np.float64


@needs_core
@pytest.mark.parametrize("columns", [0, 1, 3, 7, 8, 9, 20, 24, 95, 96, 97, 108, 200])
@pytest.mark.parametrize("offsets", [np.int32, np.int64])
def test_the_core_multiplies_as_scipy_does_to_the_last_bit(columns, offsets):
    """The vectors of the core overlap at the end of a row: no column is missed, none is doubled."""
    rng = np.random.default_rng(columns)
    X = sp.random_array((300, 80), density=0.1, format="csr", random_state=rng, dtype=np.float32)
    X.indptr = X.indptr.astype(offsets)
    dense = rng.standard_normal((80, columns), dtype=np.float32)
    found = product(X, dense, 2)
    with native.without("products"):
        assert found.tobytes() == product(X, dense, 2).tobytes()
    assert found.tobytes() == np.asarray(X @ dense).tobytes()


@needs_core
@pytest.mark.parametrize("shape", [(0, 5), (4, 0), (4, 5)])
def test_the_core_multiplies_nothing_to_nothing(shape):
    X = sp.csr_array(shape, dtype=np.float32)
    found = product(X, np.ones((shape[1], 9), dtype=np.float32))
    assert found.shape == (shape[0], 9)
    assert not found.any()


def test_what_the_core_does_not_take_is_multiplied_all_the_same():
    X = random_documents(30, 12, dtype=np.float32)
    dense = np.random.default_rng(0).standard_normal((20, 12), dtype=np.float32).T
    np.testing.assert_allclose(product(X, dense), X.toarray() @ dense, atol=1e-6)
