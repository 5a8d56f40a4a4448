"""Alternation until the energy rests."""

from __future__ import annotations

import pytest

from textclust.engine.alternation import alternate


def halving(state):
    """Half the way to nothing; one document moves."""
    return state / 2, state / 2, 1


def test_it_ends_after_the_iterations_it_may_take():
    descent = alternate(64.0, halving, max_iter=3)
    assert descent.state == 8.0
    assert [step.energy for step in descent.history] == [32.0, 16.0, 8.0]
    assert [step.moved for step in descent.history] == [1, 1, 1]
    assert not descent.converged


@pytest.mark.parametrize(
    ("limits", "energies"),
    [
        ({"tol": 0.5}, [32.0, 16.0]),
        ({"negligible": 4.0}, [32.0, 16.0, 8.0, 4.0]),
        ({"tol": 0.25, "negligible": 4.0}, [32.0, 16.0, 8.0]),
    ],
)
def test_it_rests_where_the_energy_falls_by_little(limits, energies):
    descent = alternate(64.0, halving, max_iter=50, **limits)
    assert [step.energy for step in descent.history] == energies
    assert descent.converged


def test_one_iteration_never_tells_whether_it_rests():
    assert not alternate(1.0, lambda state: (state, 0.0, 0), max_iter=1, tol=1.0).converged
