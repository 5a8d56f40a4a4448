"""Learned metrics: the papers' sums on random inputs, hand-solved cases, promises."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from tests.examples import slow_hu
from textclust import learned_metrics
from textclust.errors import InputError
from textclust.learned_metrics import LEARNERS, RCA, CLUEMetric, MetricLearner, Xing, YeungChang
from textclust.learned_metrics.diagonal import diagonal_weights

few = settings(max_examples=20)


@st.composite
def rows_and_examples(draw):
    n, d = draw(st.integers(7, 12)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    order = rng.permutation(n).tolist()
    examples = [sorted(order[:3]), sorted(order[3:5])][: draw(st.integers(1, 2))]
    return rng.normal(size=(n, d)) * rng.uniform(0.5, 3.0, d), examples


@pytest.mark.parametrize("name", ["rca", "clue", "yeung-chang"])
@few
@given(given_rows=rows_and_examples(), regularisation=st.sampled_from([1e-3, 0.1, 1.0]))
def test_the_matrix_is_that_of_the_paper(name, given_rows, regularisation):
    X, examples = given_rows
    found = LEARNERS[name](regularisation).fit(X, examples).matrix_
    expected = slow_hu.matrix(name, X, examples, regularisation)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["rca", "clue", "yeung-chang"])
@few
@given(given_rows=rows_and_examples(), seed=st.integers(0, 99))
def test_further_links_count_pair_by_pair(name, given_rows, seed):
    X, examples = given_rows
    rng = np.random.default_rng(seed)
    pairs = {tuple(sorted(rng.choice(len(X), 2, replace=False).tolist())) for _ in range(5)}
    graph = sp.lil_array((len(X), len(X)))
    for left, right in pairs:
        graph[left, right] = 2.0  # whatever is there, and in either half
    found = LEARNERS[name](0.1).fit(X, examples, links=graph).matrix_
    np.testing.assert_allclose(
        found, slow_hu.matrix(name, X, examples, 0.1, links=pairs), rtol=1e-6, atol=1e-9
    )


def test_rca_by_hand():
    """The example scatters by 4 and 1 in its features, whatever the others do."""
    X = [[-2.0, 1.0], [2.0, 1.0], [0.0, 1.0 + np.sqrt(2)], [0.0, 1.0 - np.sqrt(2)], [50.0, 60.0]]
    found = RCA(0.0).fit(X, [[0, 1, 2, 3]])
    np.testing.assert_allclose(found.matrix_, [[1 / 2, 0], [0, 1]], atol=1e-9)
    np.testing.assert_allclose(found.transform([[2.0, 3.0]]), [[np.sqrt(2), 3.0]], atol=1e-6)


def test_clue_by_hand():
    """In one feature M = A_CL / A_ML: others at squared distance 9 and 25, the example's own 1."""
    X = [[-1.0], [1.0], [3.0], [-5.0]]
    assert CLUEMetric(0.0).fit(X, [[0, 1]]).matrix_.item() == pytest.approx(17.0)


def test_yeung_and_chang_by_hand():
    """Pairs apart at 4^2, 2^2, 4^2, 6^2, those of the example at 2^2."""
    X = [[-1.0], [1.0], [3.0], [-5.0]]
    found = YeungChang(0.0).fit(X, [[0, 1]]).matrix_.item()
    assert found == pytest.approx((16 + 4 + 16 + 36) / 4 / 4)


def xing_objective(M, X, examples):
    """The sum of cannot-linked distances where that of squared must-linked ones is 1."""

    def lengths(pairs):
        return [max((X[i] - X[j]) @ M @ (X[i] - X[j]), 0.0) for i, j in pairs]

    near = sum(lengths(slow_hu.must_pairs(examples)))
    far = sum(np.sqrt(lengths(slow_hu.cannot_pairs(len(X), examples))))
    return far / np.sqrt(near)


@few
@given(given_rows=rows_and_examples(), seed=st.integers(0, 99))
def test_no_other_metric_does_better_than_that_of_xing(given_rows, seed):
    X, examples = given_rows
    X = X[:, :2]  # so that the examples span all directions
    found = xing_objective(Xing(1e-9, max_iter=2000).fit(X, examples).matrix_, X, examples)
    rng = np.random.default_rng(seed)
    for _ in range(30):
        root = rng.normal(size=(X.shape[1], X.shape[1]))
        assert xing_objective(root @ root.T, X, examples) <= found * (1 + 1e-3)


def test_xing_draws_pairs_where_they_are_many():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1.0, 1.0, 5.0]
    examples = [list(range(20))]
    best = xing_objective(Xing().fit(X, examples).matrix_, X, examples)
    some = xing_objective(Xing(most_pairs=400).fit(X, examples).matrix_, X, examples)
    assert 0.95 * best <= some < best


def test_a_diagonal_of_one_feature_by_hand():
    """a s - log(sqrt(a) t) is least at a = 1 / (2 s): here s = 2^2, whatever the others do."""
    X = [[-1.0], [1.0], [3.0], [-5.0]]
    assert Xing(0.0, diagonal=True).fit(X, [[0, 1]]).matrix_.item() == pytest.approx(1 / 8)


def test_a_diagonal_of_two_features_by_hand():
    """Cannot-links that lie along one feature each, p long and q long.

    With b = sqrt(a), 2 b1 s1 = p / t and 2 b2 s2 = q / t, where t = b1 p + b2 q, so that
    t^2 = p^2 / (2 s1) + q^2 / (2 s2).
    """
    s, p, q = np.array([4.0, 9.0]), 3.0, 5.0
    t = np.sqrt(p**2 / 8 + q**2 / 18)
    found = diagonal_weights(s, np.array([[p**2, 0.0], [0.0, q**2]]), 100)
    np.testing.assert_allclose(found, [(p / 8 / t) ** 2, (q / 18 / t) ** 2], rtol=1e-6)


def test_a_single_cannot_link_leaves_the_feature_that_tells_most():
    """With one pair only the largest ratio of its square to that of the must-links counts."""
    found = diagonal_weights(np.array([1.0, 2.0, 4.0]), np.array([[1.0, 6.0, 8.0]]), 100)
    np.testing.assert_allclose(found, [0.0, 1 / 4, 0.0], atol=1e-6)


@few
@given(given_rows=rows_and_examples(), linked=st.booleans())
def test_the_diagonal_is_that_of_another_optimiser(given_rows, linked):
    X, examples = given_rows
    free = [row for row in range(len(X)) if not any(row in rows for rows in examples)]
    pairs = [tuple(free[:2])] if linked else []
    graph = sp.coo_array(([1.0] * len(pairs), np.array(pairs).reshape(-1, 2).T), shape=[len(X)] * 2)
    found = Xing(1e-3, diagonal=True).fit(X, examples, links=graph if linked else None)
    weights = np.diag(found.matrix_)
    expected, least = slow_hu.diagonal(X, examples, 1e-3, pairs)
    assert slow_hu.xing_g(weights, X, examples, 1e-3, pairs) <= least + 1e-7
    np.testing.assert_allclose(weights, expected, rtol=5e-3, atol=1e-3 * expected.max())


def test_a_diagonal_of_many_sparse_features_stays_sparse():
    """More features than any full matrix could have; dense rows say the same."""
    X = sp.random_array(
        (60, 4100), density=0.015, random_state=np.random.default_rng(0), format="csr"
    )
    examples = [range(12), range(20, 30)]
    learner = Xing(0.1, diagonal=True)
    Z = learner.fit_transform(X, examples)
    assert sp.issparse(Z)
    assert sp.issparse(learner.matrix_)
    assert Z.nnz <= X.nnz
    weights = learner.matrix_.diagonal()
    dense = Xing(0.1, diagonal=True).fit(X.toarray(), examples)
    np.testing.assert_allclose(np.diag(dense.components_) ** 2, weights, atol=1e-3 * weights.max())
    g = [slow_hu.xing_g(w, X.toarray(), examples, 0.1) for w in (weights, 0.9 * weights)]
    assert g[0] < g[1]
    with pytest.raises(InputError, match="diagonal must be True or False; got 'yes'"):
        Xing(diagonal="yes").fit(X, examples)
    X.data[0] = np.nan
    with pytest.raises(InputError, match="not finite"):
        learner.fit(X, examples)


@pytest.mark.parametrize("name", LEARNERS)
@few
@given(given_rows=rows_and_examples(), shift=st.floats(-100, 100))
def test_distances_are_those_of_the_matrix_wherever_the_rows_lie(name, given_rows, shift):
    X, examples = given_rows
    learner = LEARNERS[name](0.1)
    Z, M = learner.fit_transform(X, examples), learner.matrix_
    difference = X[0] - X[-1]
    assert ((Z[0] - Z[-1]) ** 2).sum() == pytest.approx(difference @ M @ difference, abs=1e-9)
    assert (np.linalg.eigvalsh(M) >= -1e-9 * np.abs(M).max()).all()
    moved = LEARNERS[name](0.1).fit(X + shift, examples).matrix_
    np.testing.assert_allclose(moved, M, rtol=1e-4, atol=1e-6 * np.abs(M).max())


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_is_a_transformer_like_others(name):
    X = sp.random_array((20, 5), density=0.5, random_state=np.random.default_rng(0), format="csr")
    learner = LEARNERS[name](0.5)
    copy = clone(learner)
    assert copy.get_params() == learner.get_params()
    sparse = copy.fit_transform(X, [range(8)])
    sparse = sparse.toarray() if sp.issparse(sparse) else sparse
    np.testing.assert_allclose(sparse, learner.fit_transform(X.toarray(), [range(8)]), atol=1e-9)
    assert copy.set_params(regularisation=2.0).regularisation == 2.0
    with pytest.raises(InputError, match="no parameter 'nothing'"):
        learner.set_params(nothing=1)
    with pytest.raises(InputError, match="X has 3 features, but the metric was learned from 5"):
        learner.transform(np.ones((2, 3)))


@pytest.mark.parametrize("name", LEARNERS)
def test_examples_that_say_nothing_leave_finite_numbers(name):
    X = np.random.default_rng(0).normal(size=(9, 3))
    for examples in ([[0]], [[0, 1, 2], [3]], [range(9)]):
        assert np.isfinite(LEARNERS[name]().fit_transform(X, examples)).all()
    np.testing.assert_array_equal(LEARNERS[name]().fit(X).matrix_, np.eye(3))
    np.testing.assert_array_equal(MetricLearner().fit(X, [[0, 1]]).matrix_, np.eye(3))


def test_what_cannot_be_learned_from_is_reported():
    X = np.ones((4, 2))
    with pytest.raises(InputError, match="regularisation must be a number of at least 0"):
        RCA(-1.0).fit(X, [[0, 1]])
    with pytest.raises(InputError, match="there is no row 9"):
        RCA().fit(X, [[0, 9]])
    with pytest.raises(InputError, match=r"examples\[0\] has no rows"):
        RCA().fit(X, [[]])
    with pytest.raises(InputError, match="links must be 4 x 4"):
        RCA().fit(X, [[0, 1]], links=np.eye(3))
    with pytest.raises(InputError, match="not finite"):
        RCA().fit([[np.nan]], [[0]])
    with pytest.raises(InputError, match=r"9,000 features takes 2.6 GB; reduce them first"):
        RCA().fit(sp.csr_array((3, 9000)), [[0, 1]])
    with pytest.raises(InputError, match="RCA is not fitted yet; call fit first"):
        RCA().transform(X)


def test_the_module_is_public():
    assert set(learned_metrics.__all__) >= {"RCA", "Xing", "YeungChang", "CLUEMetric"}
