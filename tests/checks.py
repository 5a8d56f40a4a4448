"""Behaviour that every clustering estimator promises.

`clustering_checks` yields them; tests/test_estimators.py runs them for every estimator.
"""

from __future__ import annotations

import itertools
import pickle
import warnings
from unittest.mock import patch

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from tests.strategies import random_documents
from textclust import HMRFEM, OverlappingKMeans, SemiFuzzy, SemiHard, native
from textclust.estimators.distances import PrototypeClusterer
from textclust.estimators.mixtures import BaseMixture
from textclust.geometry import Distortion, affine
from textclust.geometry.capabilities import without_direction
from textclust.metrics import adjusted_rand_index


def clustering_checks():
    """All checks, each a function of an unfitted estimator."""
    return [value for name, value in globals().items() if name.startswith("check_")]


def fitted(estimator, X, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return clone(estimator).set_params(random_state=0, **parameters).fit(X)


def fitted_to(estimator, n, d, n_clusters):
    """The estimator fitted to random documents, once for all checks that only look at it."""
    key = repr(estimator), n, d, n_clusters
    if key not in _FITTED:
        _FITTED[key] = fitted(estimator, random_documents(n, d), n_clusters=n_clusters)
    return _FITTED[key]


_FITTED = {}


def check_labels_are_what_predict_says(estimator):
    X = random_documents(120, 150)
    model = fitted_to(estimator, 120, 150, 8)
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def check_rows_are_nearest_to_the_prototype_that_predict_says(estimator):
    if not isinstance(estimator, PrototypeClusterer):
        assert not hasattr(estimator, "transform")
        return
    X = random_documents(120, 150)
    model = fitted_to(estimator, 120, 150, 8)
    distances = model.transform(X)
    assert distances.shape == (120, len(model.cluster_centers_))
    if not isinstance(model, BaseMixture | OverlappingKMeans):  # which have more to go by
        near = np.take_along_axis(distances, model.predict(X)[:, None], axis=1)[:, 0]
        np.testing.assert_allclose(near, distances.min(axis=1), rtol=1e-6, atol=1e-9)


def check_score_is_minus_the_distortion_and_knows_weights(estimator):
    if not isinstance(estimator, PrototypeClusterer):
        return
    X = random_documents(90, 40)
    model, every = fitted_to(estimator, 90, 40, 5), np.ones(90)
    apart = [model.score(X[rows]) for rows in (slice(0, 30), slice(30, 90))]
    assert model.score(X) == pytest.approx(sum(apart), rel=1e-6)
    assert model.score(X, sample_weight=2 * every) == pytest.approx(2 * model.score(X))
    more_than_that = HMRFEM | SemiHard | SemiFuzzy | OverlappingKMeans  # is in the energy of these
    if not isinstance(model, more_than_that):
        assert model.score(X) == pytest.approx(-model.objective_, rel=1e-6)


def check_distances_come_as_a_frame_where_that_is_asked_for(estimator):
    if not isinstance(estimator, PrototypeClusterer):
        return
    X, model = random_documents(60, 30), fitted_to(estimator, 60, 30, 3)
    frame = clone(model).set_output(transform="pandas")
    frame.__dict__.update({name: value for name, value in vars(model).items() if name[-1] == "_"})
    found = frame.transform(X)
    assert list(found.columns) == list(model.get_feature_names_out())
    np.testing.assert_array_equal(found.to_numpy(), model.transform(X))


def check_containers_and_dense_give_the_same_labels(estimator):
    X = random_documents(60, 30)
    expected = fitted_to(estimator, 60, 30, 3)
    for container in (sp.csr_matrix, sp.csc_array, lambda matrix: matrix.toarray()):
        other = fitted(estimator, container(X), n_clusters=3)
        np.testing.assert_array_equal(expected.labels_, other.labels_)


def check_float32_is_accepted_and_agrees(estimator):
    X = random_documents(60, 30)
    single = fitted(estimator, X.astype(np.float32), n_clusters=3)
    double = fitted_to(estimator, 60, 30, 3)
    assert adjusted_rand_index(double.labels_, single.labels_) > 0.9


def check_the_objective_never_rises_and_ends_the_history(estimator):
    others = (
        fitted(estimator, random_documents(90, 40, seed=seed), n_clusters=5) for seed in (1, 2)
    )
    for model in (fitted_to(estimator, 90, 40, 5), *others):
        pairs = itertools.pairwise([*model.objective_history_, model.objective_])
        assert all(later <= earlier + 1e-9 * (1 + abs(earlier)) for earlier, later in pairs)


def check_however_little_time_there_is_the_result_is_whole(estimator):
    X = random_documents(90, 40)
    patient = fitted_to(estimator, 90, 40, 5)
    model = fitted(estimator, X, n_clusters=5, max_seconds=1e-9)
    assert model.stopped_.reason == "time"
    assert patient.stopped_ is None
    assert model.labels_.shape == (90,)
    np.testing.assert_array_equal(model.labels_, model.predict(X))
    pairs = itertools.pairwise([*model.objective_history_, model.objective_])
    assert all(later <= earlier + 1e-9 * (1 + abs(earlier)) for earlier, later in pairs)
    of_labels = isinstance(model.fitted_distortion_, Distortion) and not hasattr(model, "weights_")
    if of_labels and np.isclose(patient.objective_, distortion_of(patient, X)):  # nothing else
        np.testing.assert_allclose(model.objective_, distortion_of(model, X))


def distortion_of(model, X):
    """What documents cost at the prototypes of their clusters."""
    space = model.fitted_distortion_
    X = space.prepare(X)
    costs = affine.costs(X, space.affine(model.cluster_centers_)) + space.own_costs(X)[:, None]
    counted = ~without_direction(space, X)
    return costs[np.arange(X.shape[0]), model.labels_][counted].sum()


def check_same_seed_same_result_whatever_the_threads(estimator):
    X = random_documents(80, 150)
    with patch("textclust.geometry.native_rows._WORTH_SHARING", 0.0):  # however little there is
        alone, together = fitted(estimator, X, n_jobs=1), fitted(estimator, X, n_jobs=2)
    np.testing.assert_array_equal(alone.labels_, together.labels_)
    np.testing.assert_array_equal(alone.cluster_centers_, together.cluster_centers_)


def check_same_labels_with_and_without_the_native_core(estimator):
    compiled = fitted_to(estimator, 120, 150, 8)
    with native.without():
        readable = fitted(estimator, random_documents(120, 150), n_clusters=8)
    np.testing.assert_array_equal(compiled.labels_, readable.labels_)
    np.testing.assert_allclose(compiled.cluster_centers_, readable.cluster_centers_, atol=1e-9)


def check_permuting_documents_permutes_labels(estimator):
    X = random_documents(60, 30)
    centres = X[:3].toarray() + 0.01
    order = np.random.default_rng(1).permutation(60)
    straight = fitted(estimator, X, n_clusters=3, init=centres)
    shuffled = fitted(estimator, X[order], n_clusters=3, init=centres)
    assert adjusted_rand_index(straight.labels_[order], shuffled.labels_) == 1.0


def check_clusters_come_largest_first(estimator):
    model = fitted_to(estimator, 90, 40, 5)
    sizes = np.bincount(model.labels_, minlength=5)
    assert (np.diff(sizes) <= 0).all()


def check_duplicates_share_a_label(estimator):
    X = random_documents(30, 20)
    model = fitted(estimator, sp.vstack([X, X], format="csr"), n_clusters=4)
    np.testing.assert_array_equal(model.labels_[:30], model.labels_[30:])


def check_rows_of_zeros_survive(estimator):
    X = sp.vstack([random_documents(30, 20), sp.csr_array((4, 20))], format="csr")
    model = fitted(estimator, X, n_clusters=3)
    assert np.isfinite(model.cluster_centers_).all()
    assert set(model.labels_.tolist()) == {0, 1, 2}
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def check_one_cluster_and_a_cluster_each(estimator):
    X = random_documents(12, 20, density=0.5)
    assert set(fitted(estimator, X, n_clusters=1).labels_.tolist()) == {0}
    assert len(set(fitted(estimator, X, n_clusters=12).labels_.tolist())) == 12


def check_identical_documents_end_in_one_cluster(estimator):
    X = sp.csr_array(np.ones((6, 4)))
    assert len(set(fitted(estimator, X, n_clusters=3).labels_.tolist())) == 1


def check_input_is_not_changed(estimator):
    X = random_documents(40, 20)
    before = X.copy()
    fitted(estimator, X, n_clusters=3).predict(X)
    assert (before != X).nnz == 0


def check_entries_stored_twice_are_added_up(estimator):
    X = random_documents(30, 20)
    halves = sp.csr_matrix(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr), X.shape
    )
    twice, once = fitted(estimator, halves, n_clusters=3), fitted_to(estimator, 30, 20, 3)
    np.testing.assert_array_equal(twice.labels_, once.labels_)
    assert np.isclose(twice.objective_, once.objective_)
    assert halves.nnz == 2 * X.nnz  # the caller's matrix is left alone


def check_read_only_and_wide_index_arrays_are_taken(estimator):
    X = random_documents(30, 20)
    expected = fitted_to(estimator, 30, 20, 3)
    wide = sp.csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), X.shape)
    for array in (wide.data, wide.indices, wide.indptr):
        array.flags.writeable = False
    np.testing.assert_array_equal(expected.labels_, fitted(estimator, wide, n_clusters=3).labels_)


def check_a_single_nonzero_row_among_many_features(estimator):
    X = sp.csr_array(([1.0], ([3], [5])), shape=(10, 200))
    assert set(fitted(estimator, X, n_clusters=1).labels_.tolist()) == {0}


def check_pickling_keeps_predictions(estimator):
    X = random_documents(60, 30)
    model = fitted_to(estimator, 60, 30, 3)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.predict(X), copy.predict(X))


def check_a_weight_of_zero_removes_a_document(estimator):
    X = random_documents(40, 20)
    centres = X[:3].toarray() + 0.01
    weights = np.ones(40)
    weights[30:] = 0
    model = clone(estimator).set_params(n_clusters=3, init=centres)
    part = clone(model).fit(X[:30])
    weighted = clone(model).fit(X, sample_weight=weights)
    assert adjusted_rand_index(part.labels_, weighted.labels_[:30]) == 1.0
