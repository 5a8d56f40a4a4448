"""The Potts potential: what broken links cost, and labels that cost no more."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from tests.supervision.instances import instances, links_of, rows_of
from textclust import geometry
from textclust.engine.loop import minimise
from textclust.engine.problem import Problem, Start
from textclust.errors import InputError
from textclust.supervision.clusterwise import ClusterwisePotts
from textclust.supervision.inference import INFERENCES
from textclust.supervision.potentials import Unary
from textclust.supervision.potts import Potts

RNG = np.random.default_rng


def test_a_broken_link_costs_its_weight():
    potts = Potts(links_of((7, 2, True, 2.0), (2, 9, False, 0.5)))
    assert potts.documents.tolist() == [2, 7, 9]
    assert potts.energy(np.array([0, 0, 1])) == 0.0
    assert potts.energy(np.array([0, 1, 1])) == 2.0
    assert potts.energy(np.array([0, 1, 0])) == 2.5


def test_links_given_twice_add_up():
    potts = Potts(links_of((0, 1, True, 1.0), (1, 0, True, 0.25), (0, 1, False, 0.5)))
    assert potts.energy(np.array([0, 1])) == 1.25
    assert potts.energy(np.array([0, 0])) == 0.5
    costs = np.array([[0.0, 0.7], [0.7, 0.0]])
    assert len(set(potts.infer(costs, np.array([0, 1]), RNG(0)))) == 1  # 0.7 + 0.5 < 1.25


def test_links_that_cancel_leave_documents_to_their_costs():
    potts = Potts(links_of((0, 1, True, 1.0), (0, 1, False, 1.0)))
    costs = np.array([[0.0, 0.1], [0.1, 0.0]])
    assert potts.infer(costs, np.array([1, 1]), RNG(0)).tolist() == [0, 1]


@pytest.mark.parametrize("inference", INFERENCES)
def test_no_links_have_no_documents(inference):
    potts = Potts(links_of(), inference)
    assert len(potts.documents) == 0
    assert potts.energy(np.zeros(0, dtype=np.intp)) == 0.0
    assert len(potts.infer(np.zeros((0, 3)), np.zeros(0, dtype=np.intp), RNG(0))) == 0


def test_an_unknown_inference_is_named_with_those_there_are():
    with pytest.raises(InputError, match=r"inference must be one of icm.*got 'gibbs'"):
        Potts(links_of((0, 1, True, 1.0)), "gibbs")


@given(instance=instances())
def test_the_energy_is_that_of_the_formula(instance):
    potts = Potts(instance.links)
    everywhere = np.zeros(len(instance.costs), dtype=np.intp)
    assert potts.energy(everywhere[potts.documents]) == pytest.approx(instance.price(everywhere))
    labels = instance.labels
    assert potts.energy(labels[potts.documents]) == pytest.approx(instance.price(labels))


@pytest.mark.parametrize("clusterwise", [False, True])
@given(instance=instances())
def test_pushes_are_what_single_moves_change(clusterwise, instance):
    potts, k = Potts(instance.links), instance.costs.shape[1]
    if clusterwise:
        potts = ClusterwisePotts(instance.links, RNG(0).random((len(instance.links), k)))
    labels = instance.labels[potts.documents]
    pushes = potts.pushes(labels, k)
    for i, cluster in np.ndindex(len(labels), k):
        moved = labels.copy()
        moved[i] = cluster
        change = potts.energy(moved) - potts.energy(labels)
        assert pushes[i, cluster] - pushes[i, labels[i]] == pytest.approx(change, abs=1e-9)


@given(instance=instances())
def test_the_energy_does_not_depend_on_the_numbers_of_rows_or_clusters(instance):
    links, labels = instance.links, instance.labels
    order = RNG(0).permutation(len(labels))  # row i becomes row order[i]
    moved = np.empty_like(labels)
    moved[order] = 5 - labels
    rows = ((order[i], order[j], must, weight) for i, j, must, weight in rows_of(links))
    there = Potts(links_of(*rows))
    here = Potts(links)
    energy = there.energy(moved[there.documents])
    assert energy == pytest.approx(here.energy(labels[here.documents]))


@pytest.mark.parametrize("inference", INFERENCES)
@given(instance=instances())
def test_inferred_labels_cost_no_more_and_the_given_ones_are_kept(inference, instance):
    potts, labels = Potts(instance.links, inference), instance.labels
    rows = potts.documents
    costs, given_labels = instance.costs[rows], labels[rows]
    copies = costs.copy(), given_labels.copy()
    after = labels.copy()
    after[rows] = potts.infer(costs, given_labels, RNG(0))
    assert instance.total(after) <= instance.total(labels) + 1e-9
    np.testing.assert_array_equal(costs, copies[0])
    np.testing.assert_array_equal(given_labels, copies[1])


@pytest.mark.parametrize("inference", INFERENCES)
def test_the_loop_descends_with_links_weights_and_clamped_documents(inference):
    rng = RNG(3)
    distortion = geometry.get("euclidean")
    X = distortion.prepare(sp.csr_array(rng.poisson(1.0, (30, 6)).astype(float)))
    pairs = rng.permutation(30)[:24].reshape(12, 2)
    links = links_of(*((i, j, n % 2 == 0, 0.5 + n / 8) for n, (i, j) in enumerate(pairs)))
    clamped = Unary(pairs[:2, 0].copy(), np.where(np.eye(3)[:2] > 0, 0.0, np.inf))
    order = np.argsort(clamped.documents)
    clamped = Unary(clamped.documents[order], clamped.costs[order])
    problem = Problem(X, distortion, 3, rng.random(30) + 0.5, clamped, Potts(links, inference))
    start = Start(labels=rng.integers(3, size=30))
    solution = minimise(problem, start, max_iter=50, tol=0.0, rng=RNG(0), every_half_step=True)
    energies = [e for step in solution.history for e in (step.assigned, step.energy)]
    assert np.isfinite(energies).all()
    assert (np.diff(energies) <= 1e-9).all()
    forced = clamped.costs.argmin(axis=1)
    np.testing.assert_array_equal(solution.labels[clamped.documents], forced)


def test_solvers_are_imported_only_where_they_are_asked_for():
    program = (
        "import sys, scipy.sparse; before = set(sys.modules);"  # an old one imports more at once
        "import textclust.supervision.potts;"
        "heavy = {'scipy.optimize', 'scipy.sparse.csgraph'} - before;"
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
