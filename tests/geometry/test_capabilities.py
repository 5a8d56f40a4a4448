"""A distortion is a few operations; what only some have is asked for beside it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.strategies import random_documents
from textclust import geometry
from textclust.geometry import capabilities
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import Cosine
from textclust.geometry.distortion import Distortion
from textclust.geometry.energies import joining_costs, optimum
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.offset import Offset

OPERATIONS = {"prepare", "own_costs", "prototypes", "affine", "joined"}


class Plain(Distortion):
    """The operations of the Euclidean distance, and no capability."""

    name = "plain"
    own_costs, prototypes = Euclidean.own_costs, Euclidean.prototypes
    affine, joined = Euclidean.affine, Euclidean.joined
    squared_lengths, _products = Euclidean.squared_lengths, Euclidean._products


def test_a_distortion_has_few_operations():
    public = {name for name in vars(Distortion) if not name.startswith("_")}
    assert public == OPERATIONS | {"is_squared", "non_negative"}


def test_without_a_capability_what_holds_for_most_holds():
    plain, X, rows = Plain(), np.eye(3), np.arange(3)
    for same in (capabilities.cooled(plain), capabilities.cold(plain)):
        assert same is plain
    assert capabilities.is_cold(plain)
    assert capabilities.fitted(plain, X, np.ones(3)) is plain
    assert capabilities.of_clusters(plain, rows) is plain
    assert not capabilities.without_direction(plain, X).any()
    assert capabilities.least_costs(plain, rows).tolist() == [0.0, 0.0, 0.0]
    assert capabilities.importance(plain) is None
    assert capabilities.mismatch(plain, 2, 3) is None
    assert capabilities.as_rows(plain, X) is X
    assert capabilities.n_features(plain, 3) == 3
    assert capabilities.is_among_terms(plain)
    assert capabilities.places_rows(plain)


@pytest.mark.parametrize("seed", range(3))
def test_energies_are_the_same_with_and_without_a_closed_form(seed):
    rng, X = np.random.default_rng(seed), random_documents(40, 12, 0.4, seed)
    labels, weights = np.arange(40) % 4, rng.random(40) + 0.5
    found = moments(X, labels, weights, 4)
    ours, theirs = (optimum(each, *found) for each in (Euclidean(), Plain()))
    np.testing.assert_allclose(ours.energies, theirs.energies)
    mine, other = (
        joining_costs(each, X, weights, labels, found) for each in (Euclidean(), Plain())
    )
    np.testing.assert_allclose(mine, other)
    assert theirs.growth is None


def test_what_is_wrapped_keeps_its_capabilities():
    X = np.array([[0.0, 0.0], [1.0, 0.0]])
    wrapped = Offset(Cosine(), np.array([1.0, 2.0]))
    assert capabilities.without_direction(wrapped, X).tolist() == [True, False]
    assert capabilities.least_costs(wrapped, np.array([1, 0])).tolist() == [2.0, 1.0]
    turned = capabilities.of_clusters(wrapped, np.array([1, 0]))
    assert turned.offsets.tolist() == [2.0, 1.0]


@pytest.mark.parametrize("name", [*geometry.DISTORTIONS])
def test_annealing_ends_where_it_is_cold(name):
    distortion = geometry.get(name)
    for _ in range(60):
        distortion = capabilities.cooled(distortion)
    assert capabilities.is_cold(distortion)
    assert capabilities.cold(distortion) == distortion
