"""HAC: the tree of the definition, with and without links, and no table of all pairs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, is_valid_linkage, linkage
from scipy.spatial.distance import pdist
from sklearn.cluster import AgglomerativeClustering
from sklearn.utils.estimator_checks import parametrize_with_checks

import textclust as tc
from tests import checks
from tests.methods import slow_hac
from tests.strategies import counts, random_documents
from textclust.errors import InputError
from textclust.methods import hierarchy
from textclust.methods.hierarchy import linkages, postings
from textclust.methods.hierarchy.tree import tree_of

LINKAGES = pytest.mark.parametrize("how", hierarchy.LINKAGES)
DISTORTIONS = pytest.mark.parametrize("distortion", ["cosine", "euclidean"])
ESTIMATORS = [
    tc.HAC(),
    tc.HAC(linkage="ward"),
    tc.HAC(linkage="complete"),
    tc.HAC(linkage="single", distortion="euclidean"),
    tc.HAC(linkage="average", distortion="euclidean"),
]
# Of the behaviour of all estimators, what does not speak of starts, weights or nearest centres.
SHARED = [
    checks.check_containers_and_dense_give_the_same_labels,
    checks.check_float32_is_accepted_and_agrees,
    checks.check_same_seed_same_result_whatever_the_threads,
    checks.check_same_labels_with_and_without_the_native_core,
    checks.check_clusters_come_largest_first,
    checks.check_duplicates_share_a_label,
    checks.check_one_cluster_and_a_cluster_each,
    checks.check_identical_documents_end_in_one_cluster,
    checks.check_input_is_not_changed,
    checks.check_entries_stored_twice_are_added_up,
    checks.check_pickling_keeps_predictions,
    checks.check_read_only_and_wide_index_arrays_are_taken,
    checks.check_a_single_nonzero_row_among_many_features,
]


@pytest.mark.filterwarnings("ignore:.*distinct clusters found")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.parametrize("check", SHARED, ids=lambda check: check.__name__)
def test_shared_checks(estimator, check):
    check(estimator)


def numbers(n=40, d=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def scipys(X, how, distortion):
    if distortion == "cosine" and how == "ward":
        return linkage(X / np.linalg.norm(X, axis=1, keepdims=True), how)
    return linkage(pdist(X, distortion), how)


def fitted(X, k=3, **parameters):
    return tc.HAC(k, **parameters).fit(X)


@LINKAGES
@DISTORTIONS
@pytest.mark.parametrize("shift", [0.0, 1000.0])
def test_the_tree_is_that_of_scipy(how, distortion, shift):
    for seed in range(3):
        X = numbers(seed=seed) + shift
        expected = scipys(X, how, distortion)
        model = fitted(X, 4, linkage=how, distortion=distortion)
        np.testing.assert_allclose(model.distances_, expected[:, 2], rtol=1e-6, atol=1e-10)
        if shift == 0.0:
            np.testing.assert_array_equal(model.children_, expected[:, :2])
            cut = fcluster(expected, 4, "maxclust")
            assert tc.metrics.nmi(cut, model.labels_) == pytest.approx(1.0)


@LINKAGES
def test_the_tree_is_that_of_scikit_learn(how):
    X = numbers()
    model = fitted(X, 4, linkage=how, distortion="euclidean")
    peer = AgglomerativeClustering(4, linkage=how, compute_distances=True).fit(X)
    np.testing.assert_allclose(model.distances_, peer.distances_)
    assert tc.metrics.nmi(peer.labels_, model.labels_) == pytest.approx(1.0)


@LINKAGES
@DISTORTIONS
@settings(max_examples=25)
@given(table=counts(max_rows=9, max_columns=4))
def test_every_height_is_the_distance_of_the_two_clusters_it_joins(how, distortion, table):
    """Counts are full of ties, duplicates and rows of zeros; there are many right trees."""
    model = fitted(sp.csr_array(table), 1, linkage=how, distortion=distortion)
    n = len(table)
    assert (np.diff(model.distances_) >= 0).all()
    full = np.column_stack([model.children_, model.distances_, np.full(n - 1, 2.0)])
    clusters = slow_hac.members(model.children_.tolist(), n)
    full[:, 3] = [len(c) for c in clusters[n:]]
    assert is_valid_linkage(full)
    zero = ~table.any(axis=1) if distortion == "cosine" else np.zeros(n, dtype=bool)
    for (left, right), height in zip(model.children_, model.distances_, strict=True):
        if zero[clusters[left]].any() or zero[clusters[right]].any():
            continue
        expected = slow_hac.distance(table, clusters[left], clusters[right], how, distortion)
        assert height == pytest.approx(expected, abs=1e-6)


@LINKAGES
@DISTORTIONS
@settings(max_examples=15)
@given(seed=st.integers(0, 999), data=st.data())
def test_links_are_kept_as_by_the_definition(how, distortion, seed, data):
    n, rng = 10, np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    truth = rng.integers(4, size=n)  # so that links never contradict
    pairs = [tuple(rng.choice(n, 2, replace=False)) for _ in range(data.draw(st.integers(0, 8)))]
    must = [(i, j) for i, j in pairs if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in pairs if truth[i] != truth[j]]
    heights, levels = slow_hac.merge_all(X, how, distortion, must, cannot)
    k = len(levels[-1])
    links = tc.Constraints(must, cannot)
    model = tc.HAC(k, linkage=how, distortion=distortion).fit(X, constraints=links)
    np.testing.assert_allclose(model.distances_, heights, atol=1e-9)
    expected = np.empty(n)
    for number, rows in enumerate(levels[-1]):
        expected[rows] = number
    assert tc.metrics.adjusted_rand_index(expected, model.labels_) == pytest.approx(1.0)
    assert all(model.labels_[i] == model.labels_[j] for i, j in must)
    assert all(model.labels_[i] != model.labels_[j] for i, j in cannot)


def test_four_points_on_a_line_by_hand():
    """0, 1, 3, 7: {0, 1} at 1; then {0, 1} and 3 at 3 (complete), 2.5 (mean), 2 (single)."""
    X = np.array([[0.0], [1.0], [3.0], [7.0]])
    heights = {
        "complete": [1, 3, 7],
        "average": [1, 2.5, (7 + 6 + 4) / 3],
        "single": [1, 2, 4],
        "ward": [1, np.sqrt(4 / 3) * 2.5, np.sqrt(3 / 2) * (7 - 4 / 3)],
    }
    for how, expected in heights.items():
        model = fitted(X, 2, linkage=how, distortion="euclidean")
        np.testing.assert_allclose(model.distances_, expected)
        assert model.children_.tolist() == [[0, 1], [2, 4], [3, 5]]
        assert model.labels_.tolist() == [0, 0, 0, 1]


@LINKAGES
def test_the_centres_and_the_objective_are_those_of_the_labels(how):
    X = random_documents(50, 30)
    model = fitted(X, 4, linkage=how)
    unit = X.toarray() / np.linalg.norm(X.toarray(), axis=1, keepdims=True)
    cosines = 0.0
    for h in range(4):
        mean = unit[model.labels_ == h].sum(axis=0)
        np.testing.assert_allclose(model.cluster_centers_[h], mean / np.linalg.norm(mean))
        cosines += np.linalg.norm(mean)
    assert model.objective_ == pytest.approx(50 - cosines)
    nearest = (unit @ model.cluster_centers_.T).argmax(axis=1)
    assert model.predict(X).tolist() == nearest.tolist()


def test_a_cut_never_parts_rows_that_coincide():
    X = np.repeat(numbers(5), 3, axis=0)
    for how in hierarchy.LINKAGES:
        with pytest.warns(UserWarning, match="5 distinct clusters found for n_clusters=7"):
            model = fitted(X, 7, linkage=how, distortion="euclidean")
        assert (model.distances_[:10] == 0).all()
        assert (model.labels_.reshape(5, 3) == model.labels_[::3, None]).all()


@LINKAGES
def test_rows_of_zeros_join_last_and_take_no_cluster(how):
    X = sp.vstack([sp.csr_array((2, 20)), random_documents(30, 20)], format="csr")
    model = fitted(X, 3, linkage=how)
    alone = fitted(X[2:], 3, linkage=how)
    assert model.labels_[2:].tolist() == alone.labels_.tolist()
    assert model.labels_[:2].tolist() == [0, 0]
    assert model.children_.shape == (31, 2)
    assert np.sort(model.children_.ravel()).tolist() == list(range(62))
    assert {0, 1} <= set(model.children_[-2:].ravel().tolist())
    with pytest.raises(InputError, match="every row of X is zero"):
        fitted(sp.csr_array((3, 4)), 2)


def test_rows_of_zeros_weigh_nothing():
    X = np.array([[1.0, 0.2], [1.0, 0.1], [0.1, 1.0], [0.0, 0.0]])
    kmeans = tc.SphericalKMeans(2, random_state=0).fit(X)
    assert tc.HAC(2).fit(X).objective_ == pytest.approx(kmeans.objective_)


def test_few_kept_vectors_make_the_same_tree(monkeypatch):
    X = random_documents(60, 30)
    for how, distortion in (("complete", "cosine"), ("average", "euclidean")):
        expected = fitted(X, 3, linkage=how, distortion=distortion)
        monkeypatch.setattr(linkages, "_KEPT", 0)
        found = fitted(X, 3, linkage=how, distortion=distortion)
        np.testing.assert_allclose(found.distances_, expected.distances_)
        monkeypatch.undo()


def test_both_ways_to_multiply_make_the_same_tree(monkeypatch):
    X = random_documents(60, 30)
    expected = fitted(X, 3)
    monkeypatch.setattr(postings, "_SLOWER", 0)
    np.testing.assert_allclose(fitted(X, 3).distances_, expected.distances_)


def test_no_table_of_all_pairs_is_made():
    """500 rows: their distances, each once, would take 1 MB."""
    import tracemalloc

    X = random_documents(500, 300, density=0.02)
    for how in ("average", "ward", "single"):
        tracemalloc.start()
        fitted(X, 3, linkage=how)
        assert tracemalloc.get_traced_memory()[1] < 0.7e6
        tracemalloc.stop()


def test_heights_that_rounding_has_put_below_their_parts_are_raised():
    tree = tree_of(3, [(0, 1, 1.0), (1, 2, 1.0 - 1e-16)])
    assert tree.merges.tolist() == [[0, 1], [2, 3]]
    assert tree.heights.tolist() == [1.0, 1.0]


def test_what_links_rule_out_is_an_error_that_says_so():
    X = numbers(6)
    triangle = tc.Constraints(cannot_link=[(0, 1), (1, 2), (0, 2)])
    with pytest.raises(
        InputError, match="impossible with 2 clusters: these 3 documents have cannot-links"
    ):
        tc.HAC(2).fit(X, constraints=triangle)
    contradiction = tc.Constraints([(0, 1)], [(0, 1)])
    with pytest.raises(InputError, match="contradiction"):
        tc.HAC(2).fit(X, constraints=contradiction)
    joined = tc.Constraints(must_link=[(0, 1), (1, 2), (3, 4)])
    with pytest.raises(InputError, match="must-links leave 3 groups"):
        tc.HAC(4).fit(X, constraints=joined)


def test_a_dead_end_is_an_error_that_says_where():
    """Greedy merging takes 0 with 1, which leaves three clusters that are all apart."""
    X = np.array([[0.0], [0.1], [5.0], [9.0]])
    links = tc.Constraints(cannot_link=[(0, 2), (1, 3), (2, 3)])
    model = tc.HAC(3, distortion="euclidean").fit(X, constraints=links)
    assert model.labels_.tolist() == [0, 0, 1, 2]
    assert len(model.children_) == 1
    with pytest.raises(InputError, match=r"merging ends at 3 clusters.*or use COPKMeans"):
        tc.HAC(2, distortion="euclidean").fit(X, constraints=links)
    assert len(set(tc.COPKMeans(2).fit(X, constraints=links).labels_)) == 2


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"linkage": "median"}, "linkage must be one of 'average'"),
        ({"distortion": "kl"}, "distortion must be one of 'cosine', 'euclidean'"),
        ({"n_clusters": 99}, "n_clusters=99 is more than"),
    ],
)
def test_a_bad_parameter_is_named_with_its_rule(parameters, message):
    with pytest.raises(InputError, match=message):
        tc.HAC(**parameters).fit(numbers())
