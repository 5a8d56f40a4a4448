"""Every estimator: scikit-learn's own checks, and ours."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import textclust as tc
from tests.checks import clustering_checks
from tests.strategies import DISTORTIONS, random_documents
from textclust.errors import InputError

ESTIMATORS = [
    tc.KMeans(),
    tc.SphericalKMeans(),
    *(tc.KMeans(distortion=distortion, n_init=2) for distortion in DISTORTIONS[1:]),
]


def expected_failures(estimator):
    """What scikit-learn asks that cannot hold, one by one, with the reason."""
    failures = {
        "check_sample_weight_equivalence_on_dense_data": (
            "starts are drawn from rows, so repeating rows draws others; from equal starts "
            "weights are repetitions: tests/methods/test_loop.py"
        ),
        "check_sample_weight_equivalence_on_sparse_data": "the same on sparse input",
    }
    if estimator.distortion in ("kl", "i-divergence"):
        failures["check_clustering"] = "fits standardised blobs, which have negative values"
    return failures


@pytest.mark.filterwarnings("ignore:.*distinct clusters found")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.parametrize("check", clustering_checks(), ids=lambda check: check.__name__)
def test_our_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be a whole number of at least 1; got 0"),
        ({"n_clusters": 2.5}, "n_clusters must be a whole number"),
        ({"distortion": "hamming"}, "distortion must be one of 'euclidean'"),
        ({"init": "best"}, "init must be one of 'auto'"),
        ({"n_init": 0}, "n_init must be a whole number of at least 1 or 'auto'"),
        ({"tol": -1}, "tol must be a number of at least 0"),
        ({"refine": "yes"}, "refine must be True or False"),
        ({"n_clusters": 61}, "n_clusters=61 is more than the n_samples=60 documents"),
    ],
)
def test_a_bad_parameter_is_named_with_its_rule(parameters, message):
    with pytest.raises(InputError, match=message):
        tc.KMeans(**parameters).fit(random_documents(60, 10))


def test_fewer_distinct_documents_than_clusters_is_told():
    from sklearn.exceptions import ConvergenceWarning

    with pytest.warns(ConvergenceWarning, match="1 distinct clusters found where n_clusters=2"):
        tc.KMeans(2).fit([[1.0, 1.0]] * 4)


def test_spherical_is_kmeans_with_cosine():
    X = random_documents(80, 150)
    spherical = tc.SphericalKMeans(4, random_state=3).fit(X)
    cosine = tc.KMeans(4, distortion="cosine", random_state=3).fit(X)
    assert spherical.labels_.tolist() == cosine.labels_.tolist()
    assert spherical.objective_ == cosine.objective_
