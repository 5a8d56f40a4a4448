"""Consensus of several runs, against a slow version that looks at every pair of documents."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.strategies import random_documents
from textclust.engine.loop import minimise
from textclust.engine.problem import Problem, Start
from textclust.errors import InputError
from textclust.geometry.euclidean import Euclidean
from textclust.methods.consensus import ConsensusClusteringSolver, memberships
from textclust.methods.kmeans import KMeansSolver
from textclust.stopping import searching

RUNS = [np.array(run) for run in ([0, 0, 0, 1, 1, 1], [1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1])]


def co_association(runs):
    return np.mean([run[:, None] == run[None, :] for run in runs], axis=0)


def energy(runs, labels):
    """As the docstring prints it, pair by pair."""
    apart = 1.0 - co_association(runs)
    return sum(
        apart[np.ix_(labels == h, labels == h)].sum() / (labels == h).sum() for h in set(labels)
    )


def runs_of(solver, X):
    """The runs that a solver makes its consensus of."""
    noted = []

    class Noting(ConsensusClusteringSolver):
        def _runs(self, plain):
            noted.extend(super()._runs(plain))
            return noted

    solution = Noting(**solver.parameters()).solve(X)
    return noted, solution


def test_rows_are_as_far_apart_as_documents_disagree():
    rows = memberships(RUNS, 2)
    assert sp.issparse(rows)
    assert rows.nnz == 18
    assert (rows @ rows.T).toarray() == pytest.approx(co_association(RUNS))


@given(st.lists(st.lists(st.integers(0, 2), min_size=6, max_size=6), min_size=1, max_size=4))
def test_the_energy_among_rows_is_that_of_pairs(runs):
    runs = [np.array(run) for run in runs]
    rows, labels = memberships(runs, 3), np.array([0, 0, 1, 1, 1, 0])
    problem = Problem(rows, Euclidean(), 2, np.ones(6))
    rng = np.random.default_rng(0)
    found = minimise(problem, Start(labels=labels), max_iter=99, tol=0.0, rng=rng)
    assert found.energy <= energy(runs, labels) + 1e-9
    assert found.energy == pytest.approx(energy(runs, found.labels))


def test_the_best_of_all_partitions_is_found():
    solution = KMeansSolver(2, random_state=0).solve(memberships(RUNS, 2))
    every = (np.array(labels) for labels in product((0, 1), repeat=6) if 0 < sum(labels) < 6)
    assert solution.energy == pytest.approx(min(energy(RUNS, labels) for labels in every))


@pytest.mark.parametrize("seed", range(3))
def test_the_objective_is_the_energy_of_the_labels_that_are_returned(seed):
    X = random_documents(60, 40, seed=seed)
    runs, solution = runs_of(
        ConsensusClusteringSolver(4, n_runs=7, distortion="cosine", random_state=seed), X
    )
    assert len(runs) == 7
    assert solution.energy == pytest.approx(energy(runs, solution.labels))
    course = [*(step.energy for step in solution.history), solution.energy]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(course))


def test_no_partition_of_single_moves_is_better():
    runs, solution = runs_of(
        ConsensusClusteringSolver(3, n_runs=5, random_state=0), random_documents(30, 20)
    )
    for i, h in product(range(30), range(3)):
        moved = solution.labels.copy()
        moved[i] = h
        if len(set(moved)) == 3:
            assert energy(runs, moved) >= solution.energy - 1e-9


def test_runs_that_agree_are_the_consensus():
    X = sp.csr_array(np.repeat([[0.0, 9.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0]], [5, 4, 3], 0))
    model = tc.ConsensusClustering(3, random_state=0).fit(X)
    assert model.labels_.tolist() == [0] * 5 + [1] * 4 + [2] * 3
    assert model.objective_ == pytest.approx(0.0, abs=1e-9)
    assert model.predict(X).tolist() == model.labels_.tolist()


def test_links_are_part_of_the_energy_and_none_of_the_runs():
    X = random_documents(60, 40)
    free = tc.ConsensusClustering(3, random_state=0).fit(X)
    one, two = (np.flatnonzero(free.labels_ == h)[0] for h in (0, 1))
    links = tc.Constraints(must_link=[(one, two)])
    bound = tc.ConsensusClustering(3, weight=9.0, random_state=0).fit(X, constraints=links)
    assert bound.labels_[one] == bound.labels_[two]
    assert bound.violations_ == ()
    loose = tc.ConsensusClustering(3, weight=0.0, random_state=0).fit(X, constraints=links)
    assert loose.link_prices_.tolist() == [0.0]


def test_seeds_count_as_links_and_files_keep_the_result(tmp_path):
    source = tc.corpora.path("newsgroups")
    plain = tc.cluster(source, 3, method="consensus")
    assert plain.agreement()["nmi"] > 0.5
    ids = [plain.ids[row] for row in (0, 1, -1, -2)]
    seeds = dict(zip(ids, ["bikes", "bikes", "sky", "sky"], strict=True))
    r = tc.cluster(source, 3, method="consensus", seeds=seeds)
    labels = dict(zip(r.ids, r.labels.tolist(), strict=True))
    together = [labels[a] == labels[b] for a, b in combinations(ids, 2)]
    assert together == [True, False, False, False, False, True]
    assert tc.load(r.save(tmp_path / "model")).labels.tolist() == r.labels.tolist()


def test_a_bound_on_sizes_is_that_of_the_consensus():
    X = random_documents(60, 40)
    model = tc.ConsensusClustering(3, min_size=18, size_price=99.0, random_state=0).fit(X)
    assert np.bincount(model.labels_).min() >= 18


def test_rows_of_zeros_survive():
    X = sp.vstack([random_documents(30, 20), sp.csr_array((4, 20))], format="csr")
    model = tc.ConsensusClustering(3, random_state=0).fit(X)
    assert np.isfinite(model.cluster_centers_).all()
    assert set(model.labels_.tolist()) == {0, 1, 2}


def test_fewer_runs_count_where_time_is_short():
    X = random_documents(60, 40)
    with searching(1e-9) as search:
        solution = ConsensusClusteringSolver(3, random_state=0).solve(X)
    assert search.stopped.reason == "time"
    assert solution.labels.shape == (60,)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_runs": 1}, "n_runs must be a whole number of at least 2"),
        ({"distortion": "kl"}, "distortion must be one of 'cosine' and 'euclidean'|distortion"),
        ({"init": [[0.0]]}, "init must be one of"),
        ({"as_published": True}, "as_published must be False, as no paper has it with links"),
    ],
)
def test_a_bad_parameter_is_named_with_its_rule(parameters, message):
    with pytest.raises(InputError, match=message):
        tc.ConsensusClustering(2, **parameters).fit(random_documents(20, 10))


def test_groups_are_refused():
    texts = ["flour and yeast", "flour in dough", "moon and stars", "stars above"]
    documents = tc.Documents(list("abcd"), texts, groups=["g"] * 4)
    with pytest.raises(InputError, match="counts all documents alike"):
        tc.cluster(documents, 2, method="consensus", groups="weigh")
