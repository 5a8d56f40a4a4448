"""Every estimator: scikit-learn's own checks, and ours."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import textclust as tc
from tests.checks import clustering_checks
from tests.strategies import DISTORTIONS, random_documents
from textclust.errors import InputError

ESTIMATORS = [
    tc.KMeans(n_init=1),
    tc.SphericalKMeans(n_init=1),
    *(tc.KMeans(distortion=distortion, n_init=1) for distortion in DISTORTIONS[1:]),
    tc.SeededKMeans(n_init=1),
    tc.ConstrainedKMeans(distortion="cosine", n_init=1),
    tc.GuidedClustering(n_init=1),
    tc.PCKMeans(n_init=1),
    tc.HMRFKMeans(n_init=1),
    tc.COPKMeans(n_init=1),
    tc.MKMeans(n_init=1),
    tc.MPCKMeans(n_init=1),
    tc.SemiHard(n_init=1),
    tc.SemiFuzzy(distortion="euclidean", n_init=1),
    tc.SSKernelKMeans(n_init=1),
    tc.AdaptiveSSKernelKMeans(n_init=1),
    tc.VonMisesFisherMixture(n_init=1),
    tc.HMRFEM(n_init=1),
    tc.OverlappingKMeans(n_init=1),
    tc.ConsensusClustering(n_init=1, n_runs=3),
]
# Other settings of the same classes: what scikit-learn asks of a class is asked once.
VARIANTS = [
    tc.HMRFKMeans(learn=True, n_init=1),
    tc.HMRFKMeans(distortion="kl", learn=True, n_init=1),
    tc.HMRFKMeans(learn=True, metric="local", n_init=1),
    tc.HMRFKMeans(distortion="kl", learn=True, metric="local", n_init=1),
    tc.MPCKMeans(metric="local", n_init=1),
    tc.MPCKMeans(matrix="full", n_init=1),
    tc.VonMisesFisherMixture(concentration="own", n_init=1),
    tc.HMRFEM(distortion="euclidean", n_init=1),
    tc.HMRFEM(distortion="kl", n_init=1),
    tc.OverlappingKMeans(3, distortion="euclidean", n_init=1),
    tc.OverlappingKMeans(3, distortion="kl", n_init=1),
]


TAKE_SEEDS = (
    tc.SeededKMeans,
    tc.ConstrainedKMeans,
    tc.GuidedClustering,
    tc.VonMisesFisherMixture,
)
SETS_ONE_CLUSTER = (
    "check_dont_overwrite_parameters",
    "check_fit2d_1feature",
    "check_fit2d_predict1d",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
)


# A consensus begins at no centres, and a document of it may be nearer to another prototype.
OF_PROTOTYPES = (
    "check_labels_are_what_predict_says",
    "check_however_little_time_there_is_the_result_is_whole",
    "check_rows_of_zeros_survive",
    "check_permuting_documents_permutes_labels",
    "check_score_is_minus_the_distortion_and_knows_weights",
    "check_a_weight_of_zero_removes_a_document",
)


def expected_failures(estimator):
    """What scikit-learn asks that cannot hold, one by one, with the reason."""
    failures = {
        "check_sample_weight_equivalence_on_dense_data": (
            "starts are drawn from rows, and single documents are moved, so repeating rows is "
            "another search; the loop itself takes weights as repetitions: "
            "tests/engine/test_loop.py"
        ),
        "check_sample_weight_equivalence_on_sparse_data": "the same on sparse input",
    }
    if isinstance(
        estimator, tc.ConstrainedKMeans | tc.VonMisesFisherMixture
    ):  # all its documents are seeds there
        failures.clear()
    if estimator.distortion in ("kl", "i-divergence", "itakura-saito"):
        failures["check_clustering"] = "fits standardised blobs, which have negative values"
    if isinstance(estimator, TAKE_SEEDS):
        for check in SETS_ONE_CLUSTER:
            failures[check] = "asks for one cluster and gives seeds of several classes"
    if hasattr(estimator, "predict_proba"):
        for container in ("array", "matrix"):
            failures[f"check_estimator_sparse_{container}"] = (
                "takes whatever has predict_proba and sparse input for a classifier; "
                "ours: check_containers_and_dense_give_the_same_labels"
            )
    return failures


@pytest.mark.filterwarnings("ignore:.*distinct clusters found")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS + VARIANTS, ids=repr)
@pytest.mark.parametrize("check", clustering_checks(), ids=lambda check: check.__name__)
def test_our_checks(estimator, check):
    if isinstance(estimator, tc.ConsensusClustering) and check.__name__ in OF_PROTOTYPES:
        pytest.skip("not of a consensus; tests/methods/test_consensus.py has what is")
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


def test_fewer_distinct_documents_than_clusters_is_reported():
    from sklearn.exceptions import ConvergenceWarning

    with pytest.warns(ConvergenceWarning, match="1 distinct clusters found for n_clusters=2"):
        tc.KMeans(2).fit([[1.0, 1.0]] * 4)


def test_spherical_is_kmeans_with_cosine():
    X = random_documents(80, 150)
    spherical = tc.SphericalKMeans(4, random_state=3).fit(X)
    cosine = tc.KMeans(4, distortion="cosine", random_state=3).fit(X)
    assert spherical.labels_.tolist() == cosine.labels_.tolist()
    assert spherical.objective_ == cosine.objective_


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("offset", [0.0, 1e3, 1e4])
def test_blobs_far_from_the_origin_are_found_and_the_energy_falls(dtype, offset):
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 20)
    centres = rng.normal(0, 5, (4, 3))
    X = (centres[truth] + rng.normal(0, 0.1, (80, 3)) + offset).astype(dtype)
    model = tc.KMeans(4, random_state=0).fit(X)
    assert tc.metrics.nmi(truth, model.labels_) == pytest.approx(1.0)
    assert model.objective_ > 0
    assert (np.diff(model.objective_history_) <= 1e-6 * abs(model.objective_)).all()


@pytest.mark.parametrize("scale", [1e-7, 1.0, 1e7])
def test_the_result_does_not_depend_on_the_scale(scale):
    X = random_documents(60, 30).toarray()
    expected = tc.KMeans(4, init="perturbed", random_state=0).fit(X).labels_
    scaled = tc.KMeans(4, init="perturbed", random_state=0).fit(scale * X).labels_
    assert scaled.tolist() == expected.tolist()


def test_values_too_large_to_square_are_reported():
    with pytest.raises(InputError, match="too large to be squared"):
        tc.KMeans(2).fit(random_documents(20, 5).toarray() * 1e160)


def test_centres_given_as_counts_start_kl_as_distributions():
    X = random_documents(60, 30)
    rows = X[[0, 31]].toarray()
    raw = tc.KMeans(2, distortion="kl", init=rows).fit(X)
    scaled = tc.KMeans(2, distortion="kl", init=rows / rows.sum(axis=1, keepdims=True)).fit(X)
    assert raw.labels_.tolist() == scaled.labels_.tolist()


def test_centres_that_are_no_numbers_are_reported():
    with pytest.raises(InputError, match="not finite"):
        tc.KMeans(2, init=np.full((2, 5), np.nan)).fit(random_documents(20, 5))


def test_distances_and_scores_are_those_of_scikit_learn():
    from sklearn.cluster import KMeans

    X = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0], [0.0, 1.0]])
    starts = X[[0, 2]]
    ours = tc.KMeans(2, init=starts, refine=False).fit(X)
    theirs = KMeans(2, init=starts, n_init=1).fit(X)
    theirs.cluster_centers_[:] = ours.cluster_centers_
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X))
    assert ours.score(X) == pytest.approx(theirs.score(X))
    assert list(ours.get_feature_names_out()) == ["kmeans0", "kmeans1"]


def test_a_pipeline_ends_in_distances_of_one_minus_the_cosine():
    from sklearn.pipeline import make_pipeline

    texts = ["red lens", "red lens", "dark star", "dark star"]
    pipe = make_pipeline(tc.TextVectorizer(min_df=1), tc.SphericalKMeans(2, random_state=0))
    frame = pipe.set_output(transform="default").fit(texts).transform(texts)
    np.testing.assert_allclose(np.sort(frame, axis=1), [[0.0, 1.0]] * 4, atol=1e-7)
    assert pipe.score(texts) == pytest.approx(0.0, abs=1e-6)


def test_trees_and_examples_score_too():
    X = random_documents(40, 20)
    tree = tc.HAC(3).fit(X)
    assert tree.transform(X).shape == (40, 3)
    assert tree.score(X) >= -tree.objective_ - 1e-9  # no row is nearer to its own than to any
    model = tc.CLUE(random_state=0).fit(X, examples=[[0, 1, 2], [3, 4, 5]])
    assert model.transform(X).shape[1] == len(model.get_feature_names_out())
    assert model.score(X) <= 0


def test_what_a_kernel_places_has_no_distances_to_prototypes():
    assert not hasattr(tc.SSKernelKMeans(2), "transform")
    assert not hasattr(tc.AdaptiveSSKernelKMeans(2), "score")
