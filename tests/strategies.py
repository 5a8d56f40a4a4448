"""Hypothesis strategies that several test modules draw from."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st

from textclust import Constraints

__all__ = ["CONTAINERS", "DISTORTIONS", "constraint_sets", "counts", "random_documents"]

DISTORTIONS = ("euclidean", "cosine", "kl", "i-divergence", "itakura-saito")
CONTAINERS = (sp.csr_matrix, sp.csr_array, np.asarray)


@st.composite
def counts(draw, max_rows=12, max_columns=8, min_rows=2):
    """Small count matrices, some rows zero, some rows equal."""
    rows = draw(st.integers(min_rows, max_rows))
    columns = draw(st.integers(2, max_columns))
    cells = st.lists(st.integers(0, 4), min_size=columns, max_size=columns)
    table = np.array(draw(st.lists(cells, min_size=rows, max_size=rows)), dtype=float)
    table[0, 0] += 1  # something to cluster
    return table


@st.composite
def constraint_sets(draw, rows=8, max_pairs=8):
    """A few must-links and cannot-links among few rows, often repeated or contradictory."""
    pair = st.lists(st.integers(0, rows - 1), min_size=2, max_size=2, unique=True).map(tuple)
    must, cannot = (draw(st.lists(pair, max_size=max_pairs)) for _ in range(2))
    weight = st.integers(1, 5)
    count = len(must) + len(cannot)
    return Constraints(must, cannot, draw(st.lists(weight, min_size=count, max_size=count)))


def random_documents(n=60, d=40, density=0.2, seed=0, dtype=np.float64):
    """A sparse matrix of random counts without empty rows."""
    rng = np.random.default_rng(seed)
    table = rng.poisson(1.0, (n, d)) * (rng.random((n, d)) < density)
    table[np.arange(n), rng.integers(d, size=n)] += 1
    return sp.csr_array(table.astype(dtype))
