"""Terms and vectors in one row: the energy is the weighted sum of both."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from textclust.geometry.blocks import beside_terms
from textclust.geometry.cosine import Cosine
from textclust.geometry.euclidean import Euclidean

WEIGHTS = st.sampled_from([0.0, 0.02, 0.3, 0.5, 0.9, 1.0])


def blocks(seed, n=9, d=7, m=3):
    """Unit rows of counts and of vectors, some of each without anything."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.7, (n, d)).astype(float)
    Z = rng.normal(size=(n, m))
    X[rng.random(n) < 0.2], Z[rng.random(n) < 0.2] = 0.0, 0.0
    return X, Z


def unit(rows):
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)


@given(st.integers(0, 500), WEIGHTS, st.sampled_from([np.float32, np.float64]))
def test_each_block_has_its_share_of_the_squared_length(seed, weight, kind):
    X, Z = blocks(seed)
    found = beside_terms(sp.csr_array(X.astype(kind)), Z.astype(np.float32), weight)

    assert found.dtype == kind
    assert found.shape == (9, 10)
    assert found.has_canonical_format
    rows = found.toarray().astype(float)
    for x, z, row in zip(unit(X), unit(Z), rows, strict=True):
        shares = np.array([(1 - weight) * x.any(), weight * z.any()])
        if weight == 0.0:
            shares = np.array([float(x.any()), 0.0])
        expected = np.sqrt(shares / max(shares.sum(), 1e-300))
        np.testing.assert_allclose(row, np.r_[expected[0] * x, expected[1] * z], atol=1e-6)


def energy_of_cosine(X, Z, labels, weight):
    """As the module has it, cluster by cluster and document by document."""
    total = 0.0
    for h in np.unique(labels):
        inside = labels == h
        x, z = X[inside].sum(axis=0), Z[inside].sum(axis=0)
        length = np.sqrt((1 - weight) * x @ x + weight * z @ z)
        for one, other in zip(X[inside], Z[inside], strict=True):
            total += 1 - (1 - weight) * (one @ x) / length - weight * (other @ z) / length
    return total


def energy_of_euclidean(X, Z, labels, weight):
    total = 0.0
    for h in np.unique(labels):
        for rows, share in ((X, 1 - weight), (Z, weight)):
            inside = rows[labels == h]
            total += share * ((inside - inside.mean(axis=0)) ** 2).sum()
    return total


@pytest.mark.parametrize(
    ("distortion", "slow"),
    [("cosine", energy_of_cosine), ("euclidean", energy_of_euclidean)],
)
@pytest.mark.parametrize("weight", [0.1, 0.5, 0.8])
def test_the_energy_is_the_weighted_sum_of_both(distortion, slow, weight):
    rng = np.random.default_rng(3)
    X, Z = unit(rng.poisson(1.0, (40, 12)) + 0.01), unit(rng.normal(size=(40, 5)))
    rows = beside_terms(sp.csr_array(X), Z, weight)
    model = tc.KMeans(3, distortion=distortion, random_state=0).fit(rows)

    assert model.objective_ == pytest.approx(slow(X, Z, model.labels_, weight))


@given(st.integers(0, 200), WEIGHTS)
def test_costs_are_affine_and_the_sum_of_those_of_the_blocks(seed, weight):
    rng = np.random.default_rng(seed)
    X, Z = blocks(seed)
    rows = beside_terms(sp.csr_array(X), Z, weight)
    prototypes = unit(rng.normal(size=(2, 10)))
    for distortion in (Cosine(), Euclidean()):
        form = distortion.affine(prototypes)
        scales = 1.0 if form.scales is None else form.scales[:, None]
        slopes = form.slopes * scales
        terms, vectors = rows[:, :7] @ slopes[:, :7].T, rows[:, 7:] @ slopes[:, 7:].T
        whole = rows @ slopes.T

        np.testing.assert_allclose(terms + vectors, whole, atol=1e-12)


def test_the_rows_given_stay_as_they_are():
    X, Z = blocks(1)
    terms = sp.csr_array(X)
    before = terms.copy(), Z.copy()
    beside_terms(terms, Z, 0.4)

    assert (terms != before[0]).nnz == 0
    np.testing.assert_array_equal(Z, before[1])
