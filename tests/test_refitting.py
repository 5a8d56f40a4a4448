"""The documents of a clustering once more, from what it keeps."""

from __future__ import annotations

import numpy as np
import pytest

import textclust as tc


@pytest.fixture(scope="module")
def docs():
    return tc.read_documents(tc.corpora.path("newsgroups"))


@pytest.fixture(scope="module")
def without_sky(docs):
    return np.flatnonzero(np.array(docs.labels) != "sci.astro")


def test_a_class_that_was_added_becomes_a_cluster_and_the_others_stay(docs, without_sky, tmp_path):
    r = tc.cluster(docs.select(without_sky), 2).renamed({0: "Mine"})
    more = r.extended(docs)
    again = tc.refit(more)
    assert again.k == 3
    assert again.names[0] == "Mine"
    assert again.identity.numbers == (1, 2, 3)
    assert again.additions is None
    assert again.n_fitted == again.n_documents == 225
    assert again.settings["collection"]["sha256"] == more.settings["collection"]["sha256"]
    assert again.changes.shared == 225
    assert again.agreement()["nmi"] > more.agreement()["nmi"]
    more.save(tmp_path / "model")
    assert (tc.refit(tc.load(tmp_path / "model")).labels == again.labels).all()
    third = again.extended(["A crater on the moon"])
    assert third.names == again.names


def test_what_was_given_and_asked_for_is_kept(docs):
    seeds = {docs.ids[i]: docs.labels[i] for i in (0, 1, 100, 101, 200, 201)}
    links = tc.Constraints(must_link=[(2, 3)], cannot_link=[(2, 120)])
    r = tc.cluster(
        docs.select(range(0, 225)),
        3,
        seeds=seeds,
        constraints=links,
        levels=2,
        outliers=0.02,
        by="month",
        stability=True,
    )
    again = tc.refit(r)
    assert again.outcome.seeds == 6
    assert again.outcome.links == 2
    assert again.settings["levels"] == 2
    assert again.settings["outliers"] == 0.02
    assert again.settings["by"] == "month"
    assert again.stability.runs == 20
    assert len(again.stability.documents) == 225
    assert tc.refit(r, stability=False).stability is None
    assert again.names[:3] == r.names


def test_seed_words_are_kept(docs):
    words = {"sky": ["telescope", "moon"], "wheels": ["bike", "wheel"]}
    again = tc.refit(tc.cluster(docs, 3, seed_words=words))
    assert {"sky", "wheels"} <= set(again.names)
    assert again.outcome.words.words == {name: tuple(given) for name, given in words.items()}


def test_what_does_not_keep_enough_is_refused(docs):
    some = docs.select(range(0, 225, 5))
    vectors = np.random.default_rng(0).normal(size=(45, 4))
    with pytest.raises(tc.InputError, match="made from vectors"):
        tc.refit(tc.cluster(some, 2, vectors=vectors))
    with pytest.raises(tc.InputError, match=r"none of the vectors.*previous="):
        tc.refit(tc.cluster(some, 2, vectors=vectors, embed="auto"))
    grouped = tc.Documents.from_texts(some.texts, groups=some.labels)
    with pytest.raises(tc.InputError, match="in groups"):
        tc.refit(tc.cluster(grouped, 2))
