"""The bound on a chance: never below the chance itself, with replacement or without."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from textclust.result.chance import tail_nats

ROOM = 1 + 1e-9  # for rounding


@given(st.integers(1, 60), st.floats(0.01, 0.99), st.data())
def test_it_bounds_the_binomial_tail(n, share, data):
    m = data.draw(st.integers(0, n))
    bound = np.exp(-tail_nats(np.array(m), np.array(n), share))
    tail = binom.sf(m - 1, n, share) if m > n * share else binom.cdf(m, n, share)
    assert tail <= bound * ROOM


@given(st.integers(2, 80), st.data())
def test_it_bounds_draws_without_replacement(total, data):
    marked, n = (data.draw(st.integers(1, total - 1)) for _ in range(2))
    m = data.draw(st.integers(max(0, n - (total - marked)), min(n, marked)))
    bound = np.exp(-tail_nats(np.array(m), np.array(n), marked / total))
    law = hypergeom(total, marked, n)
    tail = law.sf(m - 1) if m * total > n * marked else law.cdf(m)
    assert tail <= bound * ROOM


def test_by_hand():
    """All of 8 of one half: 2^-8. As many as expected: 1. None of none: 1."""
    nats = tail_nats(np.array([8, 0, 4, 0]), np.array([8, 8, 8, 0]), 0.5)
    assert np.exp(-nats) == pytest.approx([2**-8, 2**-8, 1, 1])
