"""On real posts: the defaults stay as good as they are. Needs the 20 Newsgroups archive."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import textclust as tc
from textclust.experiments import defaults, questions
from textclust.experiments.collections import collection

PAGE = Path(__file__).resolve().parents[1] / "docs" / "measured" / "starts.md"
MARGIN = 0.02  # results repeat exactly on one machine; this is for other processors and libraries
RUNS = {300: 10, 7_097: 2, 19_997: 1}  # random states, up to so many documents; the page has ten


def claims():
    """The rows of the table: a collection, its documents, k, and the NMI of each."""
    row = re.compile(r"^\| ([\w-]+) \| (\d+) \| (\d+) \| (0\.\d+) \| (0\.\d+) \|$", re.MULTILINE)
    for name, n, k, ours, theirs in row.findall(PAGE.read_text(encoding="utf-8")):
        yield pytest.param(name, int(n), int(k), float(ours), float(theirs), id=name)


def test_there_is_a_row_for_every_collection_that_is_measured():
    assert [claim.id for claim in claims()] == list(defaults.COLLECTIONS)


@pytest.mark.parametrize(("name", "n", "k", "claimed", "theirs"), list(claims()))
def test_the_defaults_are_as_good_as_the_page_says(data, name, n, k, claimed, theirs):
    """No worse, and not much better either: then the page is out of date."""
    documents = collection(name)
    assert len(documents) == n
    runs = next(runs for most, runs in RUNS.items() if n <= most)
    scores = [tc.cluster(documents, k, random_state=s).agreement()["nmi"] for s in range(runs)]
    assert np.mean(scores) == pytest.approx(claimed, abs=MARGIN)
    assert np.mean(scores) > theirs


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
    assert near >= tc.metrics.nmi(documents.labels, fitted) - 0.02  # as docs/large.md says


@pytest.mark.parametrize(
    ("name", "measured"),
    [
        ("3-news-different-100", (0.726, 0.830, 0.857)),
        ("3-news-related-100", (0.306, 0.411, 0.485)),
        ("3-news-similar-100", (0.218, 0.273, 0.370)),
    ],
)
def test_explore_and_consolidate_stay_as_good_as_they_are(data, monkeypatch, name, measured):
    """With 50, 100 and 200 questions, four runs; random pairs are far behind."""
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
    assert (active >= np.array(measured) - MARGIN).all()
    assert (active > at_random + 0.12).all()
