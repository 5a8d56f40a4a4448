"""Folding trees of links away keeps the optimum, and what is left lies on circles."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given

from tests.supervision.instances import instances, links_of
from textclust.supervision.couplings import Couplings
from textclust.supervision.inference.folding import Folded


@given(instance=instances(forbidding=False))
def test_the_best_labels_of_what_is_left_unfold_to_the_best_of_all(instance):
    folded = Folded(instance.costs, instance.couplings)
    k = instance.costs.shape[1]
    energy, best = min(
        (folded.couplings.energy(folded.costs, np.array(labels, dtype=np.intp)), labels)
        for labels in itertools.product(range(k), repeat=len(folded.rows))
    )
    optimum = instance.optimum()
    assert folded.total(energy) == pytest.approx(optimum)
    labels = folded.labels(np.array(best, dtype=np.intp))
    assert instance.total(labels) == pytest.approx(optimum)
    assert labels[folded.rows].tolist() == list(best)


@given(instance=instances(forbidding=False))
def test_every_document_that_is_left_has_two_neighbours_left(instance):
    folded = Folded(instance.costs, instance.couplings)
    assert (np.diff(folded.couplings.bounds) >= 2).all()


@given(instance=instances(forest=True, forbidding=False))
def test_nothing_is_left_of_a_forest(instance):
    assert len(Folded(instance.costs, instance.couplings).rows) == 0


def test_a_circle_stays_and_what_hangs_on_it_goes():
    circle = [(0, 2, True, 1.0), (2, 4, False, 1.0), (4, 0, True, 1.0)]
    links = links_of(*circle, (4, 1, True, 1.0), (1, 3, True, 1.0), (5, 6, True, 1.0))
    folded = Folded(np.zeros((8, 2)), Couplings(links, 8))
    assert folded.rows.tolist() == [0, 2, 4]
    assert folded.couplings.pairs.strengths.tolist() == [-1.0, -1.0, 1.0]
