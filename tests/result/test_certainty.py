"""Scores that say how sure it is that a document belongs in its cluster."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.stats import norm

import textclust as tc
from tests.strategies import DISTORTIONS
from textclust.geometry.cosine import Cosine
from textclust.result.certainty import certainty, margin_scale
from textclust.result.placement import Space, place


def topical(n, k, own, common, seed=0, words=40):
    """Texts of so many words of their topic, and so many that all topics have."""
    rng = np.random.default_rng(seed)
    topics = [[f"topic{h}word{i}" for i in range(words)] for h in range(k)]
    shared = [f"common{i}" for i in range(10 * words)]
    return [
        " ".join([*rng.choice(topics[i % k], own), *rng.choice(shared, common)]) for i in range(n)
    ]


def test_a_share_of_new_draws():
    """A margin of one deviation: of two draws the spread is sqrt(2) deviations."""
    assert certainty(np.array([0.0, 1.0, 2.0, 50.0]), 1.0) == pytest.approx(
        [0.0, 2 * norm.cdf(1) - 1, 2 * norm.cdf(2) - 1, 1.0]
    )
    assert certainty(np.array([-3.0]), 1.0).tolist() == [0.0]


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=20), st.floats(1e-6, 1e6))
def test_scores_rise_with_the_margin(margins, scale):
    margins = np.sort(np.array(margins))
    scores = certainty(margins, scale)
    assert (np.diff(scores) >= 0).all()
    assert ((scores >= 0) & (scores <= 1)).all()


@pytest.mark.parametrize("distortion", DISTORTIONS)
def test_separate_clusters_are_sure(distortion):
    r = tc.cluster(topical(120, 3, 20, 8), 3, distortion=distortion)
    assert tc.metrics.nmi([i % 3 for i in range(120)], r.labels) == 1.0
    assert r.scores.mean() > 0.8


@pytest.mark.parametrize("k", [3, 8])
def test_noise_is_not(k):
    r = tc.cluster(topical(240, 3, 0, 25), k)
    assert r.scores.mean() < 0.5


def test_the_more_a_topic_is_mixed_the_less_sure():
    means = [tc.cluster(topical(150, 3, own, 24 - own), 3).scores.mean() for own in (20, 6, 3)]
    assert means == sorted(means, reverse=True)
    assert means[0] > means[2] + 0.3


def test_a_document_on_the_border_scores_nothing():
    space = Space(Cosine(), np.eye(2), 0.1)
    X = csr_array(np.array([[1.0, 1.0], [1.0, 0.9], [1.0, 0.0]]) / np.sqrt(2))
    scores = place(X, space).scores
    assert scores[0] == pytest.approx(0.0, abs=1e-12)
    assert 0 < scores[1] < scores[2] < 1 + 1e-12


def test_documents_elsewhere_and_without_terms_score_nothing():
    space = Space(Cosine(), np.eye(2), 0.1)
    X = csr_array(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))
    assert place(X, space, np.array([0, 1, 0])).scores[1:].tolist() == [0.0, 0.0]


def test_models_without_a_scale_keep_the_score_they_had():
    space = Space(Cosine(), np.eye(2))
    X = csr_array(np.array([[0.8, 0.6]]))
    assert place(X, space).scores == pytest.approx([(0.4 - 0.2) / 0.4])


def test_the_scale_brings_the_mean_to_that_of_what_was_held_out():
    """Against documents held out by hand, one fifth at a time."""
    X = tc.TextVectorizer().fit_transform(topical(200, 3, 5, 20))
    model = tc.SphericalKMeans(3, random_state=0).fit(X)
    labels, cosine = model.labels_, Cosine()
    form = cosine.affine(model.cluster_centers_)
    dense = np.asarray(X.todense())
    shares = []
    for held in np.array_split(np.random.default_rng(0).permutation(200), 5):
        rest = np.setdiff1d(np.arange(200), held)
        centres = np.array([dense[rest][labels[rest] == h].sum(axis=0) for h in range(3)])
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
        for i in held:
            near = centres @ dense[i]
            h = labels[i]
            rival = max((g for g in range(3) if g != h), key=lambda g: near[g])
            pulls = dense[i] * (centres[h] - centres[rival])
            z = pulls.sum() / np.sqrt((pulls**2).sum())
            shares.append(max(2 * norm.cdf(z / np.sqrt(2)) - 1, 0.0))
    scale = margin_scale(X, labels, cosine, form)
    scores = place(X, Space(cosine, model.cluster_centers_, scale)).scores
    assert scores.mean() == pytest.approx(np.mean(shares), abs=1e-6)


def test_the_same_scale_every_time_and_for_new_documents(sample, tmp_path):
    first, second = (tc.cluster(sample, 3) for _ in range(2))
    assert first.space.scale == second.space.scale
    first.save(tmp_path / "m")
    texts = tc.read_documents(sample).texts
    np.testing.assert_allclose(tc.load(tmp_path / "m").predict(texts).scores, first.scores)


def test_a_cluster_of_one_document_is_no_trouble():
    r = tc.cluster([*topical(40, 2, 20, 5), "lonely words nobody else ever wrote"], 3)
    assert np.isfinite(r.scores).all()
    r = tc.cluster(topical(3, 3, 5, 2), 3, vectorizer=tc.TextVectorizer(min_df=1))
    assert np.isfinite(r.scores).all()


def test_one_cluster_is_certain(sample):
    assert (tc.cluster(sample, 1).scores == 1).all()


def test_better_scores_are_better_placed(sample):
    """Of the surer half more documents are in the cluster of their class."""
    documents = tc.read_documents(sample)
    r = tc.cluster(documents, 3)
    truth = np.unique(documents.labels, return_inverse=True)[1]
    home = np.array([np.bincount(truth[r.labels == h]).argmax() for h in range(3)])
    right = truth == home[r.labels]
    sure = r.scores >= np.median(r.scores)
    assert right[sure].mean() > right[~sure].mean()
