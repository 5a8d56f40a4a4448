"""Labellers and what they are asked, against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import NearestNeighbors

import textclust as tc
from tests.background.slow_gao import discrimination
from tests.strategies import random_documents
from textclust.errors import InputError
from textclust.geometry import get
from textclust.geometry.cosine import Cosine
from textclust.geometry.euclidean import Euclidean
from textclust.supervision.background.placed import PlacedBackground
from textclust.supervision.background.predicted_labels import cluster_weights, predict_labels

RNG = np.random.default_rng


@pytest.mark.parametrize("smoothing", [0.1, 1.0])
def test_plain_naive_bayes_is_that_of_scikit_learn(smoothing):
    X, y = random_documents(60, 20, seed=1), RNG(0).integers(0, 4, 60)
    new = random_documents(30, 20, seed=2)
    plain = tc.NaiveBayesLabeller(smoothing, fit_prior=True, normalize=False, temperature=1.0)
    ours = plain.fit(X, y).predict_proba(new)
    theirs = MultinomialNB(alpha=smoothing).fit(X, y).predict_proba(new)
    np.testing.assert_allclose(ours, theirs)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_nearest_distances_are_those_of_a_search(metric):
    X, y = random_documents(40, 15, seed=3), np.arange(40) % 3
    new = random_documents(25, 15, seed=4)
    model = tc.NearestNeighbourLabeller(metric=metric, delta=1.0, alpha=0.5).fit(X, y)
    expected = np.column_stack(
        [
            NearestNeighbors(n_neighbors=1, metric=metric).fit(X[y == c]).kneighbors(new)[0]
            for c in range(3)
        ]
    )
    np.testing.assert_allclose(model.distances(new), expected, atol=1e-7)
    confidence = 1 / (0.5 + expected)
    np.testing.assert_allclose(
        model.predict_proba(new), confidence / confidence.sum(axis=1, keepdims=True), atol=1e-7
    )
    np.testing.assert_array_equal(model.knows(new), expected.min(axis=1) < 1.0)


def test_hellinger_is_the_distance_of_the_square_roots_of_shares():
    old, new = np.array([[4.0, 1.0, 0.0], [0.0, 0.0, 3.0]]), np.array([[2.0, 2.0, 0.0], [0, 0, 0]])
    model = tc.NearestNeighbourLabeller(metric="hellinger").fit(old, [0, 1])
    shares = [row / row.sum() for row in (old[0], new[0])]
    apart = np.sqrt(((np.sqrt(shares[0]) - np.sqrt(shares[1])) ** 2).sum() / 2)
    np.testing.assert_allclose(model.distances(new), [[apart, 1.0], [1.0, 1.0]])
    np.testing.assert_allclose(model.distances(sp.csr_array(new)), model.distances(new))
    assert model.knows(new).tolist() == [True, False]


@pytest.mark.parametrize(
    ("distortion", "metric"),
    [
        ("cosine", "cosine"),
        ("euclidean", "euclidean"),
        ("kl", "hellinger"),
        ("i-divergence", "hellinger"),
    ],
)
def test_the_metric_goes_with_the_distortion_unless_it_is_given(distortion, metric):
    labeller = tc.NearestNeighbourLabeller(delta=0.5)
    assert labeller.under(get(distortion)) == tc.NearestNeighbourLabeller(delta=0.5, metric=metric)
    given = tc.NearestNeighbourLabeller(metric="euclidean")
    assert given.under(get(distortion)).metric == "euclidean"


@pytest.mark.parametrize("metric", ["cosine", "hellinger"])
def test_without_a_term_in_common_nothing_is_known(metric):
    """Three labelled documents of different terms: by the quantile delta would be above 1."""
    model = tc.NearestNeighbourLabeller(metric=metric).fit(np.eye(4)[:3], [0, 1, 2])
    assert model.delta_ == 1.0
    assert model.knows([[1.0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]).tolist() == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("distortion", ["cosine", "kl", "i-divergence"])
@pytest.mark.parametrize("method", [tc.SemiHard, tc.SemiFuzzy])
def test_texts_are_labelled_by_the_nearest_whatever_their_length(sample, method, distortion):
    """By the Euclidean distance the nearest post is the shortest: half of the labels are wrong."""
    posts = tc.read_documents(sample)
    count = [posts.labels[:row].count(name) for row, name in enumerate(posts.labels)]
    old, new = (
        posts.select(row for row, before in enumerate(count) if (before < 20) == is_old)
        for is_old in (True, False)
    )
    before, now = tc.TextVectorizer(), tc.TextVectorizer()
    names = before.fit(old.texts).get_feature_names_out()
    background = tc.Background(before.transform(old.texts), old.labels, names)
    X = now.fit_transform(new.texts)
    labeller = tc.NearestNeighbourLabeller()
    model = method(3, labeller=labeller, distortion=distortion, random_state=0)
    model.fit(X, background=background, feature_names=now.get_feature_names_out())
    known = model.known_ >= 0
    truth = np.array([background.classes.index(name) for name in new.labels])
    assert (model.known_ != truth)[known].mean() < 0.2
    assert (model.labels_ != truth).mean() < 0.18
    assert labeller == tc.NearestNeighbourLabeller()
    assert not hasattr(labeller, "delta_")


def test_delta_and_alpha_are_taken_from_the_labelled_documents():
    X = np.array([[0.0], [1.0], [3.0], [6.0], [10.0]])  # nearest others: 1 1 2 3 4
    model = tc.NearestNeighbourLabeller().fit(X, [0, 0, 1, 1, 1])
    assert model.alpha_ == pytest.approx(2.2)
    assert model.delta_ == pytest.approx(3.6)
    single = tc.NearestNeighbourLabeller().fit([[1.0]], [0])
    assert single.delta_ == np.inf
    assert single.knows([[1e9]]).all()


def test_only_shared_features_are_seen_and_a_document_without_any_is_not_known():
    old = tc.Background([[5.0, 0.0, 9.0], [0.0, 5.0, 9.0]], ["a", "b"], ["x", "y", "gone"])
    new = sp.csr_array([[1.0, 0.0, 7.0], [0.0, 1.0, 7.0], [0.0, 0.0, 7.0]])
    placed = PlacedBackground.of(old, new, ["x", "y", "fresh"])
    predicted = predict_labels("naive-bayes", placed, "auto", Cosine())
    assert predicted.labels[:2].tolist() == [0, 1]
    assert predicted.confident.tolist() == [True, True, False]


def test_any_classifier_with_probabilities_is_a_labeller_and_is_left_as_it_was():
    X, y = random_documents(60, 20, seed=1), RNG(0).integers(0, 2, 60)
    classifier = LogisticRegression()
    model = tc.SemiHard(2, labeller=classifier, threshold=0.5, R=1e9)
    new = random_documents(30, 20, seed=5)
    model.fit(new, background=tc.Background(X, y))
    assert not hasattr(classifier, "coef_")
    np.testing.assert_array_equal(model.labels_, LogisticRegression().fit(X, y).predict(new))
    with pytest.raises(InputError, match="a labeller needs predict_proba; KMeans has none"):
        tc.SemiHard(2, labeller=tc.KMeans()).fit(new, background=tc.Background(X, y))


def test_cluster_weights_are_those_of_the_paper():
    X, labels = random_documents(30, 8, 0.6, seed=6).toarray() + 0.1, np.arange(30) % 3
    old = tc.Background(X[:3, [1, 4, 6]], [0, 1, 2], ["b", "e", "g"])
    placed = PlacedBackground.of(old, X, list("abcdefgh"))
    predicted = predict_labels(_Knows(labels), placed, 0.0, Euclidean())
    found = cluster_weights(placed, predicted, Euclidean(), 4)
    part = discrimination(X[:, [1, 4, 6]], labels, 3)
    np.testing.assert_allclose(found, [*(part / discrimination(X, labels, 3)), 1.0])


class _Knows:
    """A labeller that says what it was given."""

    def __init__(self, labels):
        self.labels = labels

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return np.eye(3)[self.labels]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0]], []), "a background needs a label for each row"),
        (([[1.0]], [None]), "no document of the background has a label"),
        (([[np.nan]], [1]), "not finite"),
        (([[1.0, 2.0]], [1], ["a", "a"]), "2 feature names that differ"),
    ],
)
def test_a_background_that_says_nothing_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        tc.Background(*arguments)


def test_unlabelled_rows_are_left_out_and_classes_are_in_order():
    old = tc.Background([[1.0], [2.0], [3.0]], ["b", None, "a"])
    as_strings = tc.Background([[1.0], [2.0], [3.0]], np.array(["b", -1, "a"]))
    assert as_strings.classes == old.classes
    assert (old.classes, old.y.tolist(), len(old)) == (("a", "b"), [1, 0], 2)


def test_features_that_cannot_be_matched_are_reported():
    old = tc.Background([[1.0, 2.0]], ["a"])
    with pytest.raises(InputError, match="2 columns and the new documents 3"):
        PlacedBackground.of(old, np.ones((1, 3)))
    with pytest.raises(InputError, match="shares no feature"):
        PlacedBackground.of(tc.Background([[1.0]], ["a"], ["x"]), np.ones((1, 1)), ["y"])


def test_missing_labels_are_left_out_and_an_order_is_kept():
    old = tc.Background([[1.0]] * 4, [2.0, float("nan"), -1, 1.0], order=[2.0, 5.0, 1.0])
    assert old.classes == (2.0, 1.0)
    with pytest.raises(InputError, match="naive Bayes needs counts"):
        tc.NaiveBayesLabeller().fit([[-1.0]], [0])


def test_a_threshold_is_refused_by_a_labeller_that_knows_by_itself():
    X = random_documents(20, 6, seed=2)
    old = tc.Background(X, ["a", "b"] * 10)
    with pytest.raises(InputError, match="threshold is not for NearestNeighbourLabeller"):
        tc.SemiHard(2, labeller="nearest", threshold=0.5).fit(X, background=old)
