"""Documents that are added to a clustering: the old ones stay, and the clusters move."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.sparse import csr_array

import textclust as tc
from textclust.methods import METHODS
from textclust.result.adding import add_documents

FIRST, LATER = range(0, 225, 2), range(1, 225, 2)


@pytest.fixture(scope="module")
def docs():
    return tc.read_documents(tc.corpora.path("newsgroups"))


@pytest.fixture(scope="module")
def first(docs):
    return tc.cluster(docs.select(FIRST), k=3)


@pytest.fixture(scope="module")
def both(docs, first):
    return first.extended(docs.select(LATER))


def supervision(docs, name):
    """What a method cannot do without, or what is usual for it."""
    method, old = METHODS[name], docs.select(FIRST)
    by_class = {c: [i for i, d in zip(old.ids, old.labels, strict=True) if d == c] for c in CLASSES}
    if "examples" in method.supervision:
        return {"examples": {name: ids[:8] for name, ids in list(by_class.items())[:2]}}
    if method.supervision == {"background"}:
        return {"background": docs.select(range(1, 60, 2))}
    if "seeds" in method.accepts:
        return {"seeds": {each: name for name, ids in by_class.items() for each in ids[:3]}}
    return {}


CLASSES = ("rec.bicycles", "rec.photo", "sci.astro")


def assert_the_old_stay(old, new):
    """Everything that is said of the documents of before."""
    n = len(old.cards)
    np.testing.assert_array_equal(new.labels[:n], old.labels)
    np.testing.assert_array_equal(new.scores[:n], old.scores)
    assert new.ids[:n] == old.ids
    assert new.names == old.names
    assert new.identity == old.identity
    assert new.cards[:n] == old.cards


def assert_means_of_their_documents(clustering):
    for h in range(clustering.k):
        total = np.asarray(clustering.texts[clustering.labels == h].sum(axis=0)).ravel()
        np.testing.assert_allclose(clustering.space.prototypes[h], total / np.linalg.norm(total))


@pytest.mark.parametrize("name", METHODS)
def test_documents_of_every_method_stay_where_they_are_or_it_is_refused(docs, tmp_path, name):
    r = tc.cluster(docs.select(FIRST), 3, method=name, **supervision(docs, name))
    if METHODS[name].has_memberships:
        with pytest.raises(tc.InputError, match=r"in several clusters.*predict.*previous="):
            r.extended(docs.select(LATER))
        return
    before = r.labels.copy(), r.space.prototypes.copy()
    more = r.extended(docs.select(LATER))
    assert_the_old_stay(r, more)
    np.testing.assert_array_equal(r.labels, before[0])  # and the clustering is unchanged
    np.testing.assert_array_equal(r.space.prototypes, before[1])
    predicted = r.predict([docs.texts[i] for i in LATER])
    assert (more.labels[len(r.cards) :] == predicted.labels).mean() > 0.95  # by more terms now
    assert sum(more.sizes) == 225
    more.save(tmp_path / "model")
    again = tc.load(tmp_path / "model")
    assert again.to_dict() == more.to_dict()
    for row in (0, 224):
        assert again.explain(row=row).cluster == more.labels[row]
    third = again.extended(["A new saddle for the bike"])
    assert_the_old_stay(more, third)


def test_each_cluster_is_the_mean_of_all_its_documents(both):
    assert_means_of_their_documents(both)


@pytest.mark.parametrize("distortion", ["cosine", "euclidean", "kl", "itakura-saito"])
def test_the_clusters_are_those_of_partial_fit(docs, distortion):
    """Where the vocabulary does not grow, adding is a step of `KMeans.partial_fit`."""
    words = tc.TextVectorizer().fit(docs.texts).get_feature_names_out()
    vectorizer = tc.TextVectorizer(vocabulary=words)
    r = tc.cluster(docs.select(FIRST), 3, distortion=distortion, vectorizer=vectorizer)
    more = r.extended(docs.select(LATER))
    peer = tc.KMeans(3, distortion=r.space.distortion, init=r.labels, n_init=1)
    peer.partial_fit(r.texts)
    assert (peer.labels_ == r.labels).all()
    peer.partial_fit(more.texts[len(r.cards) :])
    assert (peer.labels_ == more.labels[len(r.cards) :]).all()
    np.testing.assert_allclose(peer.cluster_centers_, more.space.prototypes, atol=1e-12)


def test_prototypes_that_are_sparse_become_a_table(docs, first, both):
    sparse = csr_array(first.space.prototypes)
    found = dataclasses.replace(first, space=dataclasses.replace(first.space, prototypes=sparse))
    found = found.extended(docs.select(LATER))
    np.testing.assert_array_equal(found.labels, both.labels)
    np.testing.assert_array_equal(found.space.prototypes, both.space.prototypes)


def test_the_order_of_a_batch_does_not_matter(docs, first, both):
    turned = first.extended(docs.select(reversed(LATER)))
    assert dict(zip(turned.ids, turned.labels, strict=True)) == dict(
        zip(both.ids, both.labels, strict=True)
    )
    np.testing.assert_allclose(turned.space.prototypes, both.space.prototypes, atol=1e-12)


def test_in_two_batches_the_clusters_are_the_means_of_their_documents_too(docs, first, both):
    """They are the same but for a few: the second half is placed by what the first has moved."""
    in_two = first.extended(docs.select(range(1, 113, 2))).extended(docs.select(LATER))
    order = [in_two.ids.index(name) for name in both.ids]
    assert (in_two.labels[order] == both.labels).mean() > 0.97
    assert_means_of_their_documents(in_two)
    assert in_two.drift.documents == both.drift.documents == 112
    assert in_two.settings["collection"]["documents"] == 225


def test_new_terms_enter_and_the_old_keep_their_columns_and_weights(first, both):
    old, new = first.vectorizer, both.vectorizer
    assert list(new.vocabulary_)[: len(old.vocabulary_)] == list(old.vocabulary_)
    np.testing.assert_array_equal(new.idf_[: len(old.idf_)], old.idf_)
    added = set(new.vocabulary_) - set(old.vocabulary_)
    assert added
    assert both.texts[: len(first.cards), len(old.idf_) :].nnz == 0
    assert (first.texts - both.texts[: len(first.cards), : len(old.idf_)]).nnz == 0
    word = max(added, key=lambda term: both.texts[:, new.vocabulary_[term]].sum())
    placed = both.explain_text(f"{word} {word}")
    assert both.terms(placed.cluster, 2000).count(word) == 1  # it speaks for its cluster by now


def test_documents_that_are_there_are_left_out_and_other_texts_of_their_ids_refused(docs, first):
    added = add_documents(first, docs)
    assert len(added.already) == len(FIRST)
    assert [added.clustering.ids[row] for row in added.rows] == [docs.ids[i] for i in LATER]
    same = add_documents(first, docs.select(FIRST))
    assert same.clustering is first
    assert (len(same.rows), same.fits.tolist()) == (0, [])
    other = tc.Documents.from_texts(["x y"] * 4, ids=[*docs.ids[0:8:2]])
    with pytest.raises(tc.InputError, match=r"bicycles/10204', .* and 1 more: .* another text"):
        first.extended(other)
    earlier = dataclasses.replace(first, digests=None)
    with pytest.raises(tc.InputError, match="of an earlier version"):
        earlier.extended(docs)


def test_the_digest_of_the_collection_is_that_of_all_documents(docs, first, both):
    every = docs.select([*FIRST, *LATER])
    known = tc.cluster(every, 3).settings["collection"]
    assert both.settings["collection"]["sha256"] == known["sha256"]
    assert both.settings["collection"]["documents"] == 225


def test_what_fits_nowhere_is_set_apart_and_moves_no_cluster(docs):
    r = tc.cluster(docs.select(FIRST), 3, outliers=True)
    strange = [" ".join(f"q{i}x{j}" for j in range(30)) + " bike" for i in range(20)]
    ids = [f"s{i}" for i in range(20)]
    more = r.extended(tc.Documents.from_texts(strange, ids=ids))
    assert_the_old_stay(r, more)
    assert (more.labels[-20:] == -1).all()
    assert more.n_outliers == r.n_outliers + 20
    np.testing.assert_allclose(
        more.space.prototypes[:, : r.texts.shape[1]], r.space.prototypes, atol=1e-12
    )


def test_the_groups_of_a_hierarchy_keep_their_names(docs, tmp_path):
    r = tc.cluster(docs.select(range(0, 225, 3)), 6, levels=3)
    rest = docs.select([i for i in range(225) if i % 3])
    more = r.extended(rest)

    def names(clustering):
        return [{n.clusters: n.name for n in level} for level in clustering.levels.levels]

    assert names(more) == names(r)
    assert more.levels.levels[0][0].size == sum(
        more.sizes[h] for h in r.levels.levels[0][0].clusters
    )
    more.save(tmp_path / "model")
    assert names(tc.load(tmp_path / "model")) == names(r)


def test_vectors_alone_and_beside_the_terms(docs):
    rng = np.random.default_rng(0)
    centres = {c: rng.normal(size=12) for c in CLASSES}
    vectors = np.array([centres[c] + 0.3 * rng.normal(size=12) for c in docs.labels])
    old, new, kept = docs.select(FIRST), docs.select(LATER), list(LATER)
    for options in ({}, {"embed": "auto"}):
        r = tc.cluster(old, 3, vectors=vectors[list(FIRST)], **options)
        more = r.extended(new, vectors=vectors[kept])
        assert_the_old_stay(r, more)
        assert tc.metrics.nmi(docs.select([*FIRST, *LATER]).labels, more.labels) > 0.9
        assert not more.drift.due
        assert more.drift.displaced is None
        with pytest.raises(tc.InputError, match="vectors"):
            r.extended(new)
        with pytest.raises(tc.InputError, match="vectors for"):
            r.extended(new, vectors=vectors[:3])
    r = tc.cluster(old, 3, vectors=vectors[list(FIRST)])
    more = r.extended(new, vectors=vectors[kept])
    unit = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    for h in range(3):
        total = unit[[*FIRST, *LATER]][more.labels == h].sum(axis=0)
        np.testing.assert_allclose(more.space.prototypes[h], total / np.linalg.norm(total))
    with pytest.raises(tc.InputError, match="12 columns"):
        r.extended(new, vectors=vectors[kept][:, :5])
    with pytest.raises(tc.InputError, match="texts alone"):
        tc.cluster(old, 3).extended(new, vectors=vectors[kept])


def test_beside_a_background_it_is_said_how_new_documents_are(docs):
    may = tc.cluster(docs.select(range(0, 225, 3)), 3)
    june = tc.cluster(docs.select(range(1, 225, 3)), previous=may).renamed({0: "Mine"})
    more = june.extended(docs.select(range(2, 225, 3)))
    assert_the_old_stay(june, more)
    novelty = more.outcome.background.novelty
    n = len(june.cards)
    np.testing.assert_array_equal(novelty[:n], june.outcome.background.novelty)
    assert ((novelty[n:] >= 0) & (novelty[n:] <= 1)).all()
    assert np.ptp(novelty[n:]) > 0.5


def test_numbers_of_an_index_go_on():
    pd = pytest.importorskip("pandas")
    texts = [f"bike wheel {w}" for w in "abcd"] + [f"moon star {w}" for w in "abcd"]
    r = tc.cluster(pd.Series(texts, index=range(10, 18)), 2)
    more = r.extended(pd.Series(["bike wheel e"], index=[99]))
    assert more.ids == [*range(10, 18), 99]
    assert more.to_frame().index[-1] == 99
    assert r.extended(["moon star f"]).ids[-1] == "1"


def test_groups_and_parts_of_a_collection_are_refused(docs):
    grouped = tc.Documents.from_texts(docs.texts, ids=docs.ids, groups=docs.labels)
    r = tc.cluster(grouped, 2)
    with pytest.raises(tc.InputError, match="in groups"):
        r.extended(["x"])


def test_files_are_cleaned_as_those_of_the_clustering_were(docs, tmp_path):
    r = tc.cluster(tc.corpora.path("newsgroups"), 3)
    assert r.extended(tc.corpora.path("newsgroups")) is r
    kept = tc.open_documents(tc.corpora.path("newsgroups"), cleaning=tc.Cleaning(headers=False))
    whole = tc.cluster(kept, 3)
    assert whole.extended(tc.corpora.path("newsgroups")) is whole


def test_many_small_batches_keep_little_but_the_documents(docs, first):
    more = first
    for i in LATER:
        more = more.extended(docs.select([i]))
    assert more.additions.batches == 112
    assert_the_old_stay(first, more)
    assert len(more.additions.waiting.frequencies) < 20_000
    assert more.fit.reference.rows.shape[0] <= len(FIRST)
