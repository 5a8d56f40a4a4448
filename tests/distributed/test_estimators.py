"""Estimators find in parts what they find on one machine, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings

import textclust as tc
from tests.distributed.parts import assert_same_run, cuts, documents, fitted, in_parts
from tests.strategies import DISTORTIONS, random_documents
from textclust import native
from textclust.geometry.grid import exact_grid, row_sizes
from textclust.methods import METHODS

IN_PARTS = [name for name, method in METHODS.items() if method.in_parts]
ROWS, COLUMNS = 90, 40
CUT = (0, 20, 20, 61)  # the first part and the third are empty
SEEDS = np.full(ROWS, -1)
SEEDS[2:80:4] = np.arange(20) % 3
LINKS = tc.Constraints(
    [(3, 14), (14, 25), (36, 47), (5, 60), (8, 61)], [(3, 36), (47, 58), (5, 8), (61, 70)]
)
CHAINS = tc.Constraints(  # k groups that are all apart
    [(row, row + 3) for row in range(2, 41)], [(2, 3), (3, 4), (2, 4)]
)
WEIGHTS = np.random.default_rng(7).uniform(0.2, 3.0, ROWS)
WEIGHTS[[4, 50]] = 0.0
CENTRES = random_documents(3, COLUMNS, 0.5, seed=9).toarray() + 0.1

OF_EVERY_METHOD = [
    {},
    {"min_size": 20},
    {"as_published": True},
    {"init": "farthest", "n_init": 1},
    {"init": CENTRES},
    {"n_jobs": 2, "max_iter": 3},
]
OF_SOME = {
    "kmeans": [
        {"init": "k-means++", "n_init": 2},
        {"init": "perturbed", "refine": False},
        {"tol": 0.01},
    ],
    "hmrf": [
        {"robust": True},
        {"use_constraints": "init"},
        {"inference": "bp"},
        {"inference": "lp"},
        {"weight": 0.5, "entailed": True},
    ],
    "pckmeans": [{"init": "largest", "n_init": 1}],
    "cop": [{"init": "random", "n_init": 1}, {"local_search": True}],
}


def estimator(method, n_clusters=3, **parameters):
    return getattr(tc, METHODS[method].estimator)(n_clusters, random_state=0, **parameters)


def supervision(method):
    """All that a method takes and rows in parts can have."""
    takes, given = METHODS[method].supervision, {}
    if "seeds" in takes:
        given["y"] = SEEDS
    if "constraints" in takes:
        given["constraints"] = LINKS
    return given


def check(client, model, X, cut=CUT, **given):
    """Fit it both ways, and look where either puts the rows."""
    alone, parted = fitted(model, X, **given), fitted(model, in_parts(client, X, cut), **given)
    assert_same_run(parted, alone)
    again = in_parts(client, X, (7,))
    np.testing.assert_array_equal(parted.predict(again), alone.predict(X))
    return alone


def cases():
    for method in IN_PARTS:
        for settings in (*OF_EVERY_METHOD, *OF_SOME.get(method, ())):
            if METHODS[method].allows(settings):
                words = (f"{name}={_word(value)}" for name, value in settings.items())
                yield pytest.param(method, settings, id=f"{method}({' '.join(words)})")


def _word(value):
    return "array" if value is CENTRES else value


@pytest.mark.parametrize(("method", "settings"), cases())
def test_every_method_finds_the_same(client, method, settings):
    check(client, estimator(method, **settings), documents(), **supervision(method))


@pytest.mark.parametrize("method", IN_PARTS)
def test_without_supervision_too(client, method):
    given = {"y": SEEDS} if method == "constrained" else {}
    check(client, estimator(method, n_init=1), documents(), **given)
