"""Tables of costs: rough where nobody can tell, exact where it matters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.geometry.test_assignment import needs_core, some_form
from tests.strategies import random_documents
from textclust.geometry.affine import Estimates
from textclust.geometry.native_backend import NativeBackend
from textclust.geometry.reference_backend import ReferenceBackend
from textclust.geometry.table import CostTable, Leaders

RNG = np.random.default_rng


def rough(true, error, seed):
    """A table that is off by at most `error`, and the rows that were asked for again."""
    asked = []

    def exact(rows):
        asked.extend(rows.tolist())
        return true[rows]

    off = RNG(seed).uniform(-error, error, true.shape)

    def nearly(rows):
        return Estimates((true + off)[rows], np.full(len(rows), error))

    return CostTable(true.shape, nearly, exact), asked


@given(seed=st.integers(0, 999), error=st.sampled_from([1e-6, 0.01, 0.3]), k=st.integers(1, 5))
def test_whatever_the_error_the_cheapest_is_found(seed, error, k):
    true = np.round(RNG(seed).random((12, k)), 1)  # with ties
    table, _ = rough(true, error, seed)
    np.testing.assert_array_equal(table.cheapest(), true.argmin(axis=1))


def test_only_doubtful_rows_are_asked_for_and_once():
    true = np.array([[0.0, 1.0], [0.5, 0.5001], [3.0, 1.0]])
    table, asked = rough(true, 0.01, 0)
    table.cheapest()
    table.cheapest()
    assert asked == [1]
    np.testing.assert_array_equal(table.exactly(), true)
    assert sorted(asked) == [0, 1, 2]


def test_what_is_added_can_make_a_row_doubtful():
    true = np.array([[0.0, 1.0]])
    table, asked = rough(true, 0.01, 0)
    total = table.plus(np.array([[1.0, 0.0]]), None)
    assert asked == [0]
    np.testing.assert_array_equal(total, [[1.0, 1.0]])


def test_weights_scale_costs_and_errors_and_leave_the_forbidden():
    true = np.array([[1.0, np.inf], [2.0, 3.0], [4.0, 5.0]])
    table, _ = rough(true, 0.1, 0)
    weights = np.array([0.0, 1.0, 2.0])
    expected = [[0.0, np.inf], [2.0, 3.0], [8.0, 10.0]]
    np.testing.assert_array_equal(table.weighted(weights).exactly(), expected)
    light = table.weighted(weights).plus(np.zeros((3, 2)), None)
    np.testing.assert_allclose(light, expected, atol=0.2 + 1e-9)


def test_weights_scale_leads_and_nothing_leads_without_weight():
    leaders = Leaders(np.array([1, 0, 1, 0]), np.array([0.5, 0.5, -np.inf, np.inf]))
    found = leaders.weighted(np.array([2.0, 0.0, 0.0, 3.0]))
    assert found.leads.tolist() == [1.0, -np.inf, -np.inf, np.inf]
    assert found.labels.tolist() == [1, 0, 1, 0]


def test_rows_are_worked_out_once_and_only_those_somebody_looks_at():
    true, asked = RNG(0).random((6, 3)), []

    def counted(rows):
        asked.append(rows.tolist())
        return Estimates(true[rows], np.zeros(len(rows)))

    table = CostTable(true.shape, counted, true.__getitem__)
    for rows in ([1, 4], [0, 1, 5], [0, 4]):
        found = table.plus(np.ones((len(rows), 3)), np.array(rows))
        np.testing.assert_array_equal(found, true[rows] + 1)
    assert asked == [[1, 4], [0, 5]]
    np.testing.assert_array_equal(table.exactly(), true)
    assert asked == [[1, 4], [0, 5]]


@needs_core
@pytest.mark.parametrize("k", [1, 8, 20, 105, 220])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_estimates_are_within_their_error(k, dtype):
    X = random_documents(70, 40, 0.3, seed=k, dtype=dtype)
    form, rows = some_form(k, 40, seed=k), np.array([0, 3, 4, 69])
    found = NativeBackend(X, 2).table(form, rows).rough(np.arange(4))
    true = ReferenceBackend(X).table(form, rows).exactly()
    assert (np.abs(found.costs - true) <= found.errors[:, None]).all()
    assert (found.errors < 1e-3).all()
    nothing = NativeBackend(X).table(form, rows[:0]).rough(np.arange(0))
    assert nothing.costs.shape == (0, k)


@needs_core
@pytest.mark.parametrize("scale", [1e15, 1e19, 1e60, 1e89])
def test_values_beyond_single_precision_are_settled_in_double(scale):
    import textclust as tc
    from textclust import native

    X = random_documents(60, 30, seed=1)
    X.data += 0.1
    y = np.full(60, -1)
    y[:8] = np.arange(8) % 4
    links = tc.Constraints([(0, 9), (10, 11)], [(12, 13), (14, 15)])

    def fits():
        held = tc.ConstrainedKMeans(4, n_init=1, random_state=0).fit(X * scale, y)
        linked = tc.PCKMeans(4, weight=0.1 * scale**2, n_init=1, random_state=0)
        return held.labels_.tolist(), linked.fit(X * scale, constraints=links).labels_.tolist()

    held, linked = fits()
    assert held[:8] == y[:8].tolist()
    with native.without():
        assert fits() == (held, linked)
