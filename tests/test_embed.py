"""Vectors beside the terms, from texts to clusters, new texts, explanations and models on disk."""

from __future__ import annotations

import numpy as np
import pytest

import textclust as tc
from tests.cli.conftest import TEXTS
from tests.embedding.small import write_topics
from textclust.errors import InputError, ModelError

DOCUMENTS = tc.Documents(list(TEXTS), list(TEXTS.values()), [name.split("/")[0] for name in TEXTS])
NEW = ["A crater and a planet at night", "Salt the dough", "zzz", ""]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return write_topics(tmp_path_factory.mktemp("topics"))


@pytest.fixture(scope="module")
def r(model):
    return tc.cluster(DOCUMENTS, 3, embed=model, embed_weight=0.4)


def vectors_by_hand(model):
    from textclust.embedding.models import open_model

    return open_model(model).encode(DOCUMENTS.texts)


def test_off_is_what_it_was():
    plain, off = tc.cluster(DOCUMENTS, 3), tc.cluster(DOCUMENTS, 3, embed="off")

    assert plain.settings == off.settings
    assert "embedding" not in plain.settings
    np.testing.assert_array_equal(plain.labels, off.labels)


def test_titles_that_share_no_word_come_together(model):
    titles = [
        *["old bike", "chain true", "wheel brake", "tyre wobbles", "new bike", "brake skips"],
        *["flour", "yeast rise", "knead dough", "oven", "bake bread", "damp salt"],
    ]
    truth = np.repeat([0, 1], 6)
    settings = {"random_state": 0, "vectorizer": tc.TextVectorizer(min_df=1)}
    terms = tc.cluster(titles, 2, **settings)
    both = tc.cluster(titles, 2, embed=model, embed_weight=0.5, **settings)

    assert tc.metrics.nmi(truth, both.labels) == pytest.approx(1.0)
    assert tc.metrics.nmi(truth, terms.labels) < 0.5


def test_the_result_says_what_counted(r, model):
    said = r.settings["embedding"]

    assert (said["model"], said["weight"], said["size"]) == (str(model), 0.4, 4)
    assert said["reason"] == "as asked for"
    assert len(r.space.prototypes[0]) == len(r.vectorizer.vocabulary_) + 4
    assert not any(name.startswith("embedding") for name in r.terms(0))


def test_new_texts_go_where_the_same_texts_are(r):
    again = r.predict(DOCUMENTS.texts)

    np.testing.assert_array_equal(again.labels, r.labels)
    np.testing.assert_allclose(again.costs, r.placement.costs, atol=1e-6)
    by_topic = {name.split("/")[0]: label for name, label in zip(r.ids, r.labels, strict=True)}
    assert r.predict(NEW).labels[:2].tolist() == [by_topic["moon"], by_topic["bread"]]


def test_terms_and_vector_add_up_to_the_margin(r):
    for row in range(len(DOCUMENTS)):
        why = r.explain(row)
        terms = sum(pull.weight for pull in [*why.here, *why.there])
        assert why.cluster == r.labels[row]
        assert why.margin == pytest.approx(terms + why.vectors + why.rest, abs=1e-5)
        assert why.margin >= -1e-6


def test_a_text_is_explained_as_the_document_is(r):
    for row, text in enumerate(DOCUMENTS.texts):
        kept, new = r.explain(row), r.explain_text(text)
        assert (kept.cluster, kept.runner_up) == (new.cluster, new.runner_up)
        assert kept.margin == pytest.approx(new.margin, abs=1e-5)
        assert kept.vectors == pytest.approx(new.vectors, abs=1e-5)
        assert [pull.term for pull in kept.here] == [pull.term for pull in new.here]
    assert "its vector says" in str(r.explain(0))


@pytest.mark.parametrize("weight", [0.0, 0.4, 1.0])
def test_a_document_without_a_vector_or_terms_is_explained_too(model, weight):
    texts = [*DOCUMENTS.texts, "zzz qqq zzz", "qqq zzz qqq", "", "cold"]
    vectorizer = tc.TextVectorizer(min_df=2)
    r = tc.cluster(texts, 3, embed=model, embed_weight=weight, vectorizer=vectorizer)
    for row, text in enumerate(texts):
        kept, new = r.explain(row), r.explain_text(text)
        assert kept.margin == pytest.approx(new.margin if kept.cluster == new.cluster else 0.0)


def test_a_model_on_disk_has_the_same_answers(r, tmp_path):
    again = tc.load(r.save(tmp_path / "saved"))

    np.testing.assert_array_equal(again.predict(NEW).labels, r.predict(NEW).labels)
    assert again.explain(3) == r.explain(3)
    assert again.names == r.names
    assert again.beside.to_dict() == r.beside.to_dict()
    again.report(tmp_path / "page.html")
    assert "at weight 0.4" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_new_texts_need_the_same_embedding_model(tmp_path):
    folder = write_topics(tmp_path / "model")
    kept = tc.load(
        tc.cluster(DOCUMENTS, 3, embed=folder, embed_weight=0.4).save(tmp_path / "saved")
    )
    rng = np.random.default_rng(1)
    from tests.embedding.small import write_model

    write_model(folder, {word: rng.normal(size=4).tolist() for word in ("bike", "moon")})
    with pytest.raises(InputError, match=r"made with another version of .* than is here now"):
        kept.predict(NEW)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    again = tc.load(tmp_path / "saved")
    with pytest.raises(InputError, match=r"placing new texts takes the vectors of .*model"):
        again.predict(NEW)
    assert again.explain(0).vectors is not None  # what is kept needs no model


@pytest.mark.parametrize(
    "change",
    [{"weight": 2.0}, {"size": 0}, {"size": 7}, {"weight": "much"}],
)
def test_a_model_with_a_wrong_description_is_refused(r, tmp_path, change):
    from textclust.result import model as files

    folder = r.save(tmp_path / "saved")
    described = files._description(r)
    described["beside"] = {**described["beside"], **change}
    data = files._json(described)
    (folder / "model.json").write_bytes(data)
    import hashlib
    import json

    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["model.json"] = hashlib.sha256(data).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="inconsistent"):
        tc.load(folder)


def test_clusterings_are_compared_by_their_terms(r, model):
    other = tc.cluster(DOCUMENTS.select(range(1, 12)), 3, embed=model, embed_weight=0.2)

    assert len(tc.diff(r, other).moved_rows) == 0
    with pytest.raises(InputError, match="leave the embedding out"):
        tc.cluster(DOCUMENTS, 3, previous=r, embed=model)
    assert tc.cluster(DOCUMENTS, 3, previous=r).k == 3


def test_vectors_given_count_beside_the_terms(model, r, tmp_path):
    vectors = vectors_by_hand(model)
    given = tc.cluster(DOCUMENTS, 3, vectors=vectors, embed="auto", embed_weight=0.4)

    np.testing.assert_array_equal(given.labels, r.labels)
    assert given.objective == pytest.approx(r.objective)
    kept = tc.load(given.save(tmp_path / "given"))
    np.testing.assert_array_equal(
        kept.predict(DOCUMENTS.texts, vectors=vectors).labels, given.labels
    )
    with pytest.raises(InputError, match="give vectors of the texts too"):
        kept.predict(DOCUMENTS.texts)
    with pytest.raises(InputError, match="one for each text, of 4 columns"):
        kept.predict(DOCUMENTS.texts, vectors=vectors[:, :3])


def test_vectors_alone_still_take_the_place_of_terms(model):
    vectors = vectors_by_hand(model)

    assert tc.cluster(DOCUMENTS, 3, vectors=vectors).of_vectors


def test_the_weight_is_chosen_where_none_is_given(model):
    texts = DOCUMENTS.texts * 4
    found = tc.cluster(texts, 3, embed=model)

    said = found.settings["embedding"]
    assert 0.0 <= said["weight"] <= 1.0
    assert next(row["weight"] for row in said["table"]) == 0.0
    assert said["reason"].startswith("terms and vectors of different halves agree")


@pytest.mark.parametrize("method", ["kmeans", "guided", "seeded", "constrained", "hmrf"])
def test_methods_take_seeds_as_ever(model, method):
    seeds = {"bicycles/1": "b", "bread/1": "c", "moon/1": "a", "moon/2": "a"}
    known = {} if method == "kmeans" else {"seeds": seeds}
    found = tc.cluster(DOCUMENTS, 3, method=method, embed=model, embed_weight=0.4, **known)

    assert sorted(found.sizes) == [4, 4, 4]


def test_seed_words_are_terms_as_ever(model):
    words = {"space": ["moon", "planet"], "food": ["bread", "flour"]}
    found = tc.cluster(DOCUMENTS, 3, seed_words=words, embed=model, embed_weight=0.3)

    assert {"space", "food"} <= set(found.names)


def test_links_take_part_and_are_evidence(model):
    links = tc.Constraints(must_link=[(0, 1), (4, 5)], cannot_link=[(0, 4)])
    found = tc.cluster(DOCUMENTS, 3, constraints=links, embed=model)

    assert found.labels[0] == found.labels[1] != found.labels[4]


def test_the_same_again_whatever_the_threads(model):
    settings = {"embed": model, "random_state": 3}
    one, two = (tc.cluster(DOCUMENTS.texts * 3, 3, n_jobs=n, **settings) for n in (1, 2))

    assert one.settings["embedding"] == two.settings["embedding"]
    np.testing.assert_array_equal(one.labels, two.labels)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"embed_weight": 1.5}, r"embed_weight must be auto, or from 0 .* got 1.5"),
        ({"embed_weight": "much"}, "embed_weight must be auto"),
        ({"distortion": "kl"}, "an embedding goes with distortion 'cosine' or 'euclidean'"),
        ({"background": DOCUMENTS}, "leave the embedding out"),
        ({"examples": {"x": ["moon/1", "moon/2"]}, "k": "auto"}, "leave the embedding out"),
        ({"embed": "no-such-model"}, "no embedding model 'no-such-model'"),
        ({"vectors": np.ones((12, 3))}, "vectors= and embed='.*' were both given; leave one out"),
        ({"vectors": np.ones((3, 3)), "embed": "auto"}, "3 vectors for 12 documents"),
    ],
)
def test_what_does_not_go_together_is_said(model, settings, message):
    settings = {"k": 3, "embed": model, **settings}

    with pytest.raises(InputError, match=message):
        tc.cluster(DOCUMENTS, **settings)


def test_a_weight_without_vectors_is_refused():
    with pytest.raises(InputError, match="there are none; give embed= too"):
        tc.cluster(DOCUMENTS, 3, embed_weight=0.3)
