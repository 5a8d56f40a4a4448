"""COP-KMeans: every link holds, the energy falls, and it begins as the paper does."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import textclust as tc
from tests.engine.test_loop import descends, problem_of, run
from tests.methods import slow_cop
from tests.strategies import DISTORTIONS, counts, random_documents
from textclust.engine.neighbourhood_starts import drawn_documents
from textclust.engine.problem import Start
from textclust.errors import InputError
from textclust.supervision.cannot_link_graph import MustLinkComponents
from textclust.supervision.hard import HardLinks
from textclust.supervision.orders import in_order

RNG = np.random.default_rng


def true_links(truth, pairs, rng):
    """Links between random documents, as their classes say."""
    drawn = rng.integers(len(truth), size=(pairs, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    same = truth[drawn[:, 0]] == truth[drawn[:, 1]]
    return tc.Constraints(drawn[same], drawn[~same])


def linked(table, name, k, constraints, weights=None):
    return problem_of(table, name, k, weights, interaction=HardLinks.of(constraints.links, k))


@pytest.mark.parametrize("name", DISTORTIONS)
@pytest.mark.parametrize("refine", [False, True])
@given(table=counts(min_rows=8), k=st.integers(2, 4), seed=st.integers(0, 99))
def test_no_half_step_raises_the_energy_or_breaks_a_link(name, refine, table, k, seed):
    rng = RNG(seed)
    constraints = true_links(rng.integers(k, size=len(table)), 12, rng)
    problem = linked(table, name, k, constraints)
    start = Start(labels=RNG(seed).integers(k, size=len(table)))
    solution = run(problem, start, refine=refine, max_iter=30)
    assert descends(solution.history)
    assert np.isfinite(solution.energy)
    assert solution.energy <= solution.history[-1].energy + 1e-9 * (1 + abs(solution.energy))
    assert not constraints.violated(solution.labels).any()


@pytest.mark.parametrize("seed", range(10))
def test_the_first_assignment_is_that_of_the_slow_reference(seed):
    rng = RNG(seed)
    X = rng.normal(size=(20, 3))
    truth = rng.integers(4, size=20)
    constraints = true_links(truth, 20, rng)
    problem = linked(X, "euclidean", 4, constraints)
    start = drawn_documents(problem, RNG(seed))
    centres = problem.distortion.prototypes(*start.moments)
    blocks = MustLinkComponents.of(constraints.links)
    order = rng.permutation(len(blocks))
    visits = [rows.tolist() for rows in blocks.members()]
    visits = [visits[block] for block in order]
    visits += [[row] for row in range(20) if row not in blocks.documents]
    slow = slow_cop.assign(X, centres, visits, constraints.cannot_link)
    costs = ((X[:, None] - centres) ** 2).sum(axis=2)
    labels = costs.argmin(axis=1)
    found = in_order(blocks.costs(costs[blocks.documents]), blocks.cannot_links, order)
    labels[blocks.documents] = found[blocks.number]
    if slow is None:
        assert (labels < 0).any()
    else:
        assert labels.tolist() == slow.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_from_where_the_slow_reference_rests_it_rises_no_more(seed):
    rng = RNG(seed)
    X = rng.normal(size=(24, 2))
    constraints = true_links(rng.integers(3, size=24), 16, rng)
    component = constraints.components(24)
    visits = [np.flatnonzero(component == block).tolist() for block in range(component.max() + 1)]
    slow = slow_cop.cop_kmeans(X, X[:3].copy(), visits, constraints.cannot_link)
    model = tc.COPKMeans(3, distortion="euclidean", init=X[:3], random_state=0, refine=False)
    model.fit(X, constraints=constraints)
    centres = slow_cop.centres(X, model.labels_, model.cluster_centers_)
    assert model.objective_ == pytest.approx(slow_cop.energy(X, model.labels_, centres))
    assert not constraints.violated(model.labels_).any()
    if slow is not None:
        rested = clone(model).set_params(init=slow).fit(X, constraints=constraints)
        means = slow_cop.centres(X, slow, X[:3])
        assert rested.objective_ <= slow_cop.energy(X, slow, means) + 1e-9


@given(table=counts(min_rows=8), seed=st.integers(0, 99))
def test_clusters_begin_at_random_documents_with_all_that_must_be_with_them(table, seed):
    constraints = true_links(RNG(seed).integers(3, size=len(table)), 8, RNG(seed))
    problem = linked(table, "euclidean", 3, constraints)
    sums, masses = drawn_documents(problem, RNG(seed)).moments
    component = constraints.components(len(table))
    groups = [np.flatnonzero(component == block) for block in range(component.max() + 1)]
    assume(len(groups) >= 3)
    initial = [(tuple(table[rows].sum(axis=0)), float(len(rows))) for rows in groups]
    assert all((tuple(total), mass) in initial for total, mass in zip(sums, masses, strict=True))
    assert masses.sum() <= len(table)  # no group twice


def test_random_starts_draw_every_document_but_never_two_of_one_group():
    problem = linked(np.eye(6), "euclidean", 3, tc.Constraints([(0, 1), (1, 2)], [(0, 3)]))
    drawn = [drawn_documents(problem, RNG(seed)).moments for seed in range(60)]
    assert np.sum([sums for sums, _ in drawn], axis=(0, 1)).all()
    assert {tuple(np.sort(masses)) for _, masses in drawn} == {(1.0, 1.0, 1.0), (1.0, 1.0, 3.0)}


def test_random_starts_leave_out_what_weighs_nothing_and_go_on_with_few_groups():
    constraints = tc.Constraints([(0, 1), (1, 2), (2, 3)], [])
    problem = linked(np.eye(6), "euclidean", 3, constraints, [1, 1, 1, 1, 0, 1])
    sums, masses = drawn_documents(problem, RNG(0)).moments
    assert (masses > 0).all()
    assert np.isfinite(sums).all()


@pytest.mark.parametrize("init", ["auto", "random", "neighbourhoods", "largest", "k-means++"])
@pytest.mark.parametrize("distortion", DISTORTIONS)
def test_every_link_holds_from_every_start(init, distortion):
    truth = np.arange(90) % 4
    constraints = true_links(truth, 120, RNG(0))
    X = random_documents(90, 150)
    model = tc.COPKMeans(4, distortion=distortion, init=init, n_init=2, random_state=0)
    model.fit(X, constraints=constraints)
    assert not constraints.violated(model.labels_).any()
    assert (np.diff(model.objective_history_) <= 1e-9).all()
    assert (np.diff(np.bincount(model.labels_)) <= 0).all()
    again = tc.COPKMeans(4, distortion=distortion, init=init, n_init=2, random_state=0, n_jobs=1)
    assert again.fit(X, constraints=constraints).labels_.tolist() == model.labels_.tolist()


def test_labels_as_a_start_need_not_satisfy_the_links():
    X, links = random_documents(30, 20), tc.Constraints([(0, 1)], [(1, 2), (2, 3)])
    model = tc.COPKMeans(3, init=np.arange(30) % 3, random_state=0).fit(X, constraints=links)
    assert not links.violated(model.labels_).any()
    assert np.isfinite(model.objective_history_).all()


def test_rows_of_zeros_and_documents_of_no_weight_keep_their_links_too():
    X = sp.vstack([sp.csr_array((3, 20)), random_documents(27, 20)], format="csr")
    links = tc.Constraints([(0, 5), (9, 10)], [(1, 2), (0, 1), (9, 2), (9, 20)])
    weights = np.ones(30)
    weights[[9, 20]] = 0
    for distortion in DISTORTIONS:
        model = tc.COPKMeans(3, distortion=distortion, random_state=0)
        model.fit(X, constraints=links, sample_weight=weights)
        assert not links.violated(model.labels_).any()
        assert np.isfinite(model.cluster_centers_).all()


def test_without_links_it_is_kmeans():
    X = random_documents(60, 30)
    expected = tc.SphericalKMeans(3, random_state=0).fit(X)
    for constraints in (None, tc.Constraints()):
        model = tc.COPKMeans(3, random_state=0).fit(X, constraints=constraints)
        assert model.labels_.tolist() == expected.labels_.tolist()


def test_links_help_where_documents_alone_mislead():
    rng = RNG(0)
    truth = np.repeat([0, 1], 40)
    X = np.column_stack([truth + rng.normal(0, 0.2, 80), rng.normal(0, 3, 80)])
    links = true_links(truth, 150, rng)
    alone = tc.KMeans(2, random_state=0).fit(X).labels_
    helped = (
        tc.COPKMeans(2, distortion="euclidean", random_state=0).fit(X, constraints=links).labels_
    )
    assert tc.metrics.nmi(truth, helped) > tc.metrics.nmi(truth, alone) + 0.5


def test_a_contradiction_is_reported_with_its_chain():
    links = tc.Constraints([(0, 1), (1, 2)], [(0, 2)])
    message = "contradiction: row 0 must-link row 1 must-link row 2, but row 0 cannot-link row 2"
    with pytest.raises(InputError, match=message):
        tc.COPKMeans(3).fit(np.eye(4), constraints=links)


def test_too_few_clusters_are_reported_with_the_documents():
    links = tc.Constraints([(3, 4)], [(0, 1), (1, 4), (0, 3)])
    with pytest.raises(
        InputError, match="with 2 clusters: these 3 documents have cannot-links between all"
    ):
        tc.COPKMeans(2).fit(np.eye(5), constraints=links)


def test_constraints_of_another_kind_or_size_are_reported():
    with pytest.raises(InputError, match=r"constraints must be textclust\.Constraints; got list"):
        tc.COPKMeans(2).fit(np.eye(4), constraints=[(0, 1)])
    with pytest.raises(InputError, match="the last of 4 rows is 3"):
        tc.COPKMeans(2).fit(np.eye(4), constraints=tc.Constraints([(0, 9)]))


@pytest.mark.filterwarnings("ignore", category=ConvergenceWarning)
def test_one_block_of_everything_is_one_cluster():
    everything = tc.Constraints([(i, i + 1) for i in range(11)])
    model = tc.COPKMeans(3, random_state=0).fit(random_documents(12, 10), constraints=everything)
    assert set(model.labels_.tolist()) == {0}


def test_a_long_chain_and_thousands_of_cannot_links_are_taken_in_their_stride():
    n, k = 30_000, 5
    truth = np.where(np.arange(n) < 20_000, 0, np.arange(n) % k)
    chain = np.stack([np.arange(19_999), np.arange(1, 20_000)], axis=1)
    rng = RNG(0)
    pairs = rng.integers(n, size=(20_000, 2))
    pairs = pairs[truth[pairs[:, 0]] != truth[pairs[:, 1]]][:5_000]
    assert len(pairs) == 5_000
    links = tc.Constraints(chain, pairs)
    X = random_documents(n, 30, 0.1)
    model = tc.COPKMeans(k, init="random", n_init=1, max_iter=5, random_state=0)
    model.fit(X, constraints=links)
    assert not links.violated(model.labels_).any()
