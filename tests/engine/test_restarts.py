"""Of many runs the lowest: single moves for those with a chance, and nothing lost by the rest."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.engine.test_loop import problem_of
from tests.strategies import DISTORTIONS, random_documents
from textclust.engine import restarts as search
from textclust.engine.problem import Start
from textclust.engine.restarts import lowest_energy

RNG = np.random.default_rng
OPTIONS = {"max_iter": 50, "tol": 0.0, "refine": True}


def starts(n, k, count, seed=0):
    return [Start(labels=RNG(seed + t).integers(k, size=n)) for t in range(count)]


@pytest.fixture
def refined(monkeypatch):
    """The energies of the runs that single moves were made for."""
    energies = []
    honest = search._UnrefinedRun.refined
    monkeypatch.setattr(
        search._UnrefinedRun,
        "refined",
        lambda self, *rest: energies.append(self.energy) or honest(self, *rest),
    )
    return energies


@pytest.mark.parametrize("distortion", DISTORTIONS)
def test_the_energy_never_rises_from_the_rough_run_to_its_end(distortion):
    problem = problem_of(random_documents(60, 40), distortion, 3)
    solution = lowest_energy(problem, iter(starts(60, 3, 4)), rng=RNG(0), **OPTIONS)
    energies = [step.energy for step in solution.history] + [solution.energy]
    noise = 1e-9 * max(map(abs, energies))
    assert all(later <= earlier + noise for earlier, later in itertools.pairwise(energies))
    assert solution.n_iter <= OPTIONS["max_iter"]


def test_no_single_run_ends_lower_where_all_have_a_chance():
    problem = problem_of(random_documents(60, 40), "cosine", 3)
    several = lowest_energy(
        problem, iter(starts(60, 3, 5)), rng=RNG(0), refined_within=np.inf, **OPTIONS
    )
    each = [lowest_energy(problem, iter([s]), rng=RNG(0), **OPTIONS) for s in starts(60, 3, 5)]
    assert several.energy == pytest.approx(min(run.energy for run in each))


def test_within_zero_the_lowest_run_alone_is_refined(refined):
    problem = problem_of(random_documents(60, 40), "cosine", 3)
    lowest_energy(problem, iter(starts(60, 3, 5)), rng=RNG(0), refined_within=0.0, **OPTIONS)
    assert len(refined) == 1


def test_a_run_that_is_far_behind_is_not_refined(refined):
    """Three groups that share no term: one start has found them, the other joins two of them."""
    table = np.kron(np.eye(3), np.ones((6, 4))) + 0.01 * RNG(0).random((18, 12))
    problem = problem_of(table, "cosine", 3)
    found, stuck = np.repeat([0, 1, 2], 6), np.repeat([0, 1, 2], [3, 3, 12])
    lowest_energy(problem, iter([Start(labels=stuck), Start(labels=found)]), rng=RNG(0), **OPTIONS)
    assert len(refined) == 1
    assert refined[0] < 0.1


def test_without_single_moves_every_run_goes_to_its_end(refined):
    problem = problem_of(random_documents(60, 40), "cosine", 3)
    options = {**OPTIONS, "refine": False}
    lowest_energy(problem, iter(starts(60, 3, 3)), rng=RNG(0), **options)
    assert refined == []
