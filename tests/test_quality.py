"""On real posts: the defaults stay as good as they are. Needs the 20 Newsgroups archive."""

from __future__ import annotations

import numpy as np
import pytest

import textclust as tc
from textclust.experiments import questions
from textclust.experiments.collections import collection


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("3-news-different-100", 0.80),
        ("3-news-related-100", 0.32),
        ("3-news-similar-100", 0.08),
        ("3-news-different-1000", 0.86),
        ("3-news-related-1000", 0.39),
        ("3-news-similar-1000", 0.34),
    ],
)
def test_the_defaults_find_the_newsgroups(data, name, least):
    documents = collection(name)
    scores = [tc.cluster(documents, 3, random_state=s).agreement()["nmi"] for s in range(2)]
    assert np.mean(scores) >= least


def test_the_defaults_find_the_four_abstract_collections(data):
    assert tc.cluster(collection("classic4"), 4).agreement()["nmi"] >= 0.65


def test_the_latent_start_beats_the_papers_start_on_a_small_collection(data):
    X = tc.TextVectorizer().fit_transform(collection("3-news-different-100").texts)
    latent = tc.SphericalKMeans(3, init="lsa", refine=False, random_state=0).fit(X)
    papers = tc.SphericalKMeans(3, init="perturbed", refine=False, random_state=0).fit(X)
    assert latent.objective_ < papers.objective_


@pytest.mark.parametrize("init", ["perturbed", "k-means++", "lsa"])
def test_the_first_variation_lowers_the_energy_of_every_start(data, init):
    X = tc.TextVectorizer().fit_transform(collection("3-news-similar-100").texts)
    plain, refined = (
        tc.SphericalKMeans(3, init=init, n_init=2, refine=refine, random_state=0).fit(X).objective_
        for refine in (False, True)
    )
    assert refined < plain


def test_batches_come_near_to_one_fit_of_20_newsgroups(data):
    documents = collection("20newsgroups")
    X = tc.TextVectorizer(sublinear_tf=True).fit_transform(documents.texts)
    order = np.random.default_rng(0).permutation(X.shape[0])
    batches, whole = (tc.SphericalKMeans(20, random_state=0) for _ in range(2))
    for rows in np.array_split(order, 10):
        batches.partial_fit(X[rows])
    learned, fitted = (m.predict(X) for m in (batches, whole.fit(X)))
    near = tc.metrics.nmi(documents.labels, learned)
    assert near >= tc.metrics.nmi(documents.labels, fitted) - 0.05


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("3-news-different-100", (0.66, 0.76, 0.84)),
        ("3-news-related-100", (0.31, 0.36, 0.46)),
        ("3-news-similar-100", (0.14, 0.23, 0.30)),
    ],
)
def test_explore_and_consolidate_are_as_good_as_published(data, monkeypatch, name, least):
    """With 50, 100 and 200 questions, within what few runs differ; random pairs are far behind."""
    monkeypatch.setattr(questions, "BUDGETS", (50, 100, 200))
    active, at_random = (
        np.mean(
            [
                [row["NMI"] for row in questions.unit({"collection": name, "variant": v}, run)]
                for run in range(4)
            ],
            axis=0,
        )
        .reshape(2, 3)
        .mean(axis=0)
        for v in ("thesis", "thesis, random pairs")
    )
    assert (active >= np.array(least) - 0.03).all()
    assert (active > at_random + 0.1).all()
