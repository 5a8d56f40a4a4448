"""What became of seed words, from `textclust.cluster` and from a model file."""

from __future__ import annotations

import numpy as np
import pytest

import textclust as tc
from textclust.result.words_outcome import WordsOutcome

WORDS = {"bikes": ["bike", "wheel"], "photos": ["camera", "lens"], "stars": ["planet", "orbit"]}


@pytest.fixture(scope="module")
def found(sample):
    return tc.cluster(sample, 3, seed_words=WORDS)


def test_the_outcome_counts_what_words_named(found):
    words = found.outcome.words
    assert found.names == list(WORDS) == list(words.clusters)
    assert sum(words.counts.values()) == len(words.named)
    inside = [row for row, cluster in words.named.items() if found.labels[row] == cluster]
    assert sum(words.kept.values()) == len(inside)
    assert found.outcome
    assert not found.outcome.mentioned
    assert found.agreement()["documents"] == len(found.ids)
    assert found.outcome.sentences()[0].startswith(f"Seed words named {len(words.named)} documents")
    assert found.outcome.notes() == []


def test_more_clusters_than_words_are_new(sample):
    r = tc.cluster(sample, 4, seed_words={"stars": WORDS["stars"]})
    assert r.names[0] == "stars"
    assert r.known_names == ["stars", None, None, None]
    assert tc.cluster(sample, seed_words=WORDS).k >= 3


def test_words_beside_seeds_links_and_a_background(sample):
    docs = tc.read_documents(sample)
    seeds = {"rec.photo/20331": "photos", "sci.astro/30133": "stars"}
    links = tc.Constraints(must_link=[(0, 1)])
    r = tc.cluster(docs, 3, seeds=seeds, seed_words=WORDS, constraints=links)
    assert r.names == list(WORDS)
    assert r.outcome.kept_seeds == 2
    assert r.outcome.mentioned == {0, 1, *(r.ids.index(name) for name in seeds)}
    assert not any(r.ids[row] in seeds for row in r.outcome.words.named)
    old = [i for i, label in enumerate(docs.labels) if label == "rec.photo" and i % 2]
    new = docs.select(sorted({*range(len(docs.ids))} - {*old}))
    words = {"rec.photo": WORDS["photos"], "stars": WORDS["stars"], "bikes": WORDS["bikes"]}
    for k in (3, "auto"):
        r = tc.cluster(new, k, background=docs.select(old), seed_words=words)
        assert r.names[:3] == ["rec.photo", "bikes", "stars"]
        assert list(r.outcome.words.clusters.values()) == [1, 0, 2]


def test_ready_made_vectors_are_clustered_by_words_too(sample):
    docs = tc.read_documents(sample)
    kinds = np.array([sorted(set(docs.labels)).index(label) for label in docs.labels])
    vectors = np.eye(3)[kinds] + np.random.default_rng(0).normal(size=(len(kinds), 3)) / 5
    r = tc.cluster(docs, 3, seed_words=WORDS, vectors=vectors)
    assert (r.labels == kinds).mean() > 0.95


def test_a_model_keeps_the_words(found, tmp_path):
    found.save(tmp_path / "model")
    loaded = tc.load(tmp_path / "model")
    assert loaded.outcome == found.outcome
    assert loaded.names == found.names
    assert loaded.settings["seed_words"] == WORDS


@pytest.mark.parametrize(
    "wrong",
    [
        {"clusters": {"a": 3}},
        {"clusters": {"b": 0}},
        {"named": [[9, 0]]},
        {"named": [[0, 1]]},
        {"words": {"a": "x"}},
        {"unknown": ["y"]},
    ],
)
def test_words_that_do_not_fit_a_model_are_refused(wrong):
    labels = np.array([0, 1, 1])
    data = {"words": {"a": ["x"]}, "unknown": [], "clusters": {"a": 0}, "named": [[0, 0], [1, 0]]}
    assert WordsOutcome.from_file(data, labels, 3).kept == {"a": 1}
    with pytest.raises(ValueError, match="do not fit"):
        WordsOutcome.from_file({**data, **wrong}, labels, 3)
