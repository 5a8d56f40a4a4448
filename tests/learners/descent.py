"""The descent that every learner promises, on random problems."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.test_loop import descends
from tests.strategies import constraint_sets, counts
from textclust.engine.loop import minimise
from textclust.engine.problem import Start

RANDOM_PROBLEMS = given(
    table=counts(min_rows=8),
    k=st.integers(1, 4),
    links=constraint_sets().map(lambda links: links if len(links) else None),
    seed=st.integers(0, 99),
    refine=st.booleans(),
)


def run(problem, labels, seed=0, **options):
    """The loop from these labels, with the energy of every half step."""
    options = {"max_iter": 100, "tol": 0.0, "every_half_step": True, **options}
    return minimise(problem, Start(labels=labels), **options, rng=np.random.default_rng(seed))


def run_and_check_descent(problem, seed, refine):
    """From random labels no half step raises the energy, and what is learned is finite."""
    labels = np.random.default_rng(seed).integers(problem.k, size=problem.X.shape[0])
    found = run(problem, labels, refine=refine)
    assert descends(found.history)
    assert found.energy <= found.history[-1].energy + 1e-9 * (1 + abs(found.energy))
    assert np.isfinite(found.prototypes).all()
    assert np.isfinite(found.distortion.weights).all()
    return found
