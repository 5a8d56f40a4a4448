"""Products by several threads are those of one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.strategies import CONTAINERS, random_documents
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
