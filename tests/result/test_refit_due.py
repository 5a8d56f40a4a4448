"""When a refit is due: quiet where nothing is new, and it says what is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import textclust as tc
from textclust.result.refit_due import ClusterDrift, _ranked, _shares, _sizes_differ, _unknown


@pytest.fixture(scope="module")
def docs():
    return tc.read_documents(tc.corpora.path("newsgroups"))


def test_ranks_are_those_of_mann_and_whitney():
    rng = np.random.default_rng(0)
    for shift in (0.0, 0.5, 3.0):
        old, new = rng.normal(size=40), rng.normal(size=30) - shift
        peer = stats.mannwhitneyu(old, new, alternative="greater", method="asymptotic")
        share, beyond = _ranked(old, new)
        assert share == pytest.approx(peer.statistic / (40 * 30))
        assert beyond == (peer.pvalue < 1e-4)
    assert _ranked(np.array([1.0, 2.0]), np.array([1.0, 2.0]))[0] == 0.5
    assert _ranked(np.array([1.0]), np.array([-np.inf]))[0] == 1.0


def test_shares_differ_only_beyond_chance():
    old = np.repeat([True, False], [20, 1980])
    assert not _shares(old, np.repeat([True, False], [12, 988])).beyond_chance
    found = _shares(old, np.repeat([True, False], [40, 960]))
    assert (found.before, found.added, found.beyond_chance) == (0.01, 0.04, True)
    assert not _shares(old, np.array([True] * 5)).beyond_chance  # too few to say
    assert not _shares(np.zeros(50, dtype=bool), np.zeros(50, dtype=bool)).beyond_chance


def test_sizes_are_compared_by_chi_squared():
    for table in ([[90, 10], [80, 20]], [[900, 100], [700, 300]], [[50, 0], [50, 0]]):
        counts = np.array(table)
        expected = bool(counts[:, 1].any()) and (
            stats.chi2_contingency(counts, correction=False).pvalue < 1e-4
        )
        assert _sizes_differ(counts) == expected


def test_unknown_terms_are_counted_as_if_each_document_were_not_there(docs):
    """Slowly: the vocabulary of all other documents, learned anew for each."""
    some = docs.select(range(0, 225, 3))
    r = tc.cluster(some, 3, vectorizer=tc.TextVectorizer(min_df=2, max_df=1.0))
    found = _unknown(r.extended(docs.select([1])))
    for row in range(0, len(some), 10):
        others = some.select([i for i in range(len(some)) if i != row])
        vectorizer = tc.TextVectorizer(min_df=2, max_df=1.0).fit(others.texts)
        _, share = vectorizer.transform_with_shares([some.texts[row]])
        assert found[row] == pytest.approx(1 - share[0])


@pytest.mark.parametrize("seed", range(6))
def test_a_random_part_of_the_collection_is_no_reason(docs, seed):
    order = np.random.default_rng(seed).permutation(225)
    r = tc.cluster(docs.select(np.sort(order[:150])), 3, random_state=seed)
    more = r.extended(docs.select(np.sort(order[150:])))
    assert not more.drift.due, more.drift.sentence()
    assert (
        more.drift.sentence() == "No refit is needed: the 75 added documents fit as the others do"
    )


@pytest.mark.parametrize("left_out", ["rec.bicycles", "rec.photo", "sci.astro"])
def test_a_class_that_was_not_there_is(docs, left_out, tmp_path):
    mask = np.array(docs.labels) == left_out
    rng = np.random.default_rng(0)
    later = (rng.random(225) < 0.3) | mask
    r = tc.cluster(docs.select(np.flatnonzero(~later)), 2)
    more = r.extended(docs.select(np.flatnonzero(later)))
    drift = more.drift
    assert drift.due
    assert drift.sentence().startswith("A refit is due: ")
    assert drift.worse > 0.6
    assert drift.documents + drift.fitted == 225
    more.save(tmp_path / "model")
    assert tc.load(tmp_path / "model").drift == drift
    content = more.to_dict()["added"]
    assert content["due"] is True
    assert content["reasons"] == drift.reasons
    assert sum(each["added"] for each in content["clusters"]) == drift.documents


def test_of_many_clusters_the_sentence_names_those_that_differ_most(docs):
    drift = tc.cluster(docs, 3).extended(["A bike on the moon"]).drift
    clusters = tuple(
        ClusterDrift(h, f"name {h}", 50, 20, worse, True)
        for h, worse in enumerate([0.7, 0.9, 0.63, 0.8, 0.65, 0.5])
    )
    many = replace(drift, clusters=clusters)
    assert [f"cluster {h}, " in many.sentence() for h in range(6)] == [True, True, 0, True, 0, 0]
    assert many.sentence().endswith("; so are those of 2 more clusters")
    assert len(many.reasons) == 5
    assert many.reasons[0].startswith("20 documents added to cluster 1, name 1, are unlike")
    assert "more cluster" not in replace(drift, clusters=clusters[:3]).sentence()


def test_small_batches_add_up(docs):
    mask = np.array(docs.labels) == "sci.astro"
    r = tc.cluster(docs.select(np.flatnonzero(~mask)), 2)
    whole, found = r.extended(docs.select(np.flatnonzero(mask))).drift, []
    for part in np.array_split(np.flatnonzero(mask), 15):
        r = r.extended(docs.select(part))
        found.append(r.drift.due)
    assert not found[0]  # of five documents nothing can be said
    assert found[-1]
    assert r.drift.documents == whole.documents
    assert r.drift.worse == pytest.approx(whole.worse, abs=0.02)


def test_old_documents_that_would_be_elsewhere_are_counted():
    """b pulls the cluster of c away to itself, which takes "a b b" from that of a."""
    space = tc.TextVectorizer(
        min_df=1, max_df=1.0, use_idf=False, token_pattern=r"\w", stop_words=None
    )
    texts = ["a"] * 6 + ["a b b"] + ["c"] * 6 + ["c b b"] * 2
    r = tc.cluster(texts, 2, vectorizer=space)
    assert r.labels.tolist() == [1] * 7 + [0] * 8
    flood = tc.Documents.from_texts(["b"] * 30, ids=[f"new {i}" for i in range(30)])
    more = r.extended(flood)
    assert set(more.labels[15:].tolist()) == {0}
    assert more.drift.displaced == 1
    assert more.labels[6] == 1  # though it stays
    assert "1 of the 15 documents of before would be in another cluster" in more.drift.sentence()
    assert more.drift.sizes_differ


def test_without_additions_there_is_no_drift(docs):
    r = tc.cluster(docs.select(range(30)), 2)
    assert r.drift is None
    assert "added" not in r.to_dict()
