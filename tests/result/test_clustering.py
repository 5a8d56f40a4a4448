"""What a clustering can answer."""

from __future__ import annotations

import numpy as np
import pytest

import textclust as tc
from tests.strategies import DISTORTIONS
from textclust.errors import InputError
from textclust.geometry.affine import costs


@pytest.fixture(scope="module", params=DISTORTIONS)
def clustering(request, sample):
    return tc.cluster(sample, 3, distortion=request.param)


@pytest.fixture(scope="module")
def vectors(sample):
    """Latent vectors of the sample, standing in for embeddings."""
    from textclust.engine.latent_starts import latent_vectors

    texts = tc.read_documents(sample).texts
    X = tc.TextVectorizer(sublinear_tf=True).fit_transform(texts)
    return latent_vectors(X, 8, np.random.default_rng(0))


def test_every_document_has_a_cluster_and_k_is_honoured(clustering):
    assert len(clustering.labels) == len(clustering.ids) == 225
    assert sum(clustering.sizes) == 225
    assert clustering.k == 3 == len(clustering.names) == len(set(clustering.names))
    assert min(clustering.sizes) > 0


def test_scores_lie_between_border_and_prototype(clustering):
    assert (clustering.scores >= 0).all()
    assert (clustering.scores <= 1).all()


def test_representatives_are_the_cheapest_members(clustering):
    for h in range(3):
        members = np.flatnonzero(clustering.labels == h)
        cheapest = members[clustering.placement.costs[members].argmin()]
        assert clustering.representatives(h, 1) == [clustering.ids[cheapest]]


def test_borderline_documents_are_those_of_lowest_score(clustering):
    for h in range(3):
        members = np.flatnonzero(clustering.labels == h)
        lowest = members[clustering.scores[members].argmin()]
        assert clustering.borderline(h, 1) == [clustering.ids[lowest]]


def test_pulls_add_up_to_the_margin(clustering):
    space = clustering.space
    X = space.distortion.prepare(clustering.texts)
    table = costs(X, space.distortion.affine(space.prototypes))
    for row in range(0, 225, 7):
        why = clustering.explain(row)
        pulls = sum(pull.weight for pull in [*why.here, *why.there]) + why.rest
        assert why.cluster == clustering.labels[row]
        assert why.margin == pytest.approx(pulls)
        assert why.margin == pytest.approx(table[row, why.runner_up] - table[row, why.cluster])
        assert why.runner_up != why.cluster


def test_explaining_by_id_by_row_and_by_text_agree(clustering):
    document = clustering.ids[17]
    assert clustering.explain(document) == clustering.explain(17)
    assert document in str(clustering.explain(17))
    text = clustering.cards[17].title
    assert clustering.explain_text(text).cluster in range(3)


def test_predicting_the_same_texts_gives_the_same_labels(clustering, sample):
    texts = tc.read_documents(sample).texts
    np.testing.assert_array_equal(clustering.predict(texts).labels, clustering.labels)


def test_the_sample_is_sorted_much_as_its_folders_are(sample):
    clustering = tc.cluster(sample, 3)
    assert clustering.agreement()["nmi"] > 0.55
    about = {frozenset(clustering.terms(h, 6)) & {"bike", "film", "telescope"} for h in range(3)}
    assert about == {frozenset({"bike"}), frozenset({"film"}), frozenset({"telescope"})}


def test_agreement_needs_a_class_for_every_document():
    texts = ["red lens", "dark star", "red film", "dark moon"]
    assert tc.cluster(texts, 2).agreement() is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: r.terms(3), "no cluster 3; clusters are 0 to 2"),
        (lambda r: r.terms(0, kind="best"), "descriptive"),
        (lambda r: r.explain("rec.photo/none"), "no document 'rec.photo/none'"),
        (lambda r: r.explain(225), "rows are 0 to 224"),
        (lambda r: r.predict(vectors=np.ones((2, 2))), "give texts"),
    ],
)
def test_questions_without_an_answer_are_refused_with_the_reason(clustering, call, message):
    with pytest.raises(InputError, match=message):
        call(clustering)


def test_clusters_of_vectors_have_names_and_terms_from_the_texts(sample, vectors):
    clustering = tc.cluster(sample, 3, vectors=vectors)
    assert clustering.of_vectors
    assert clustering.space.prototypes.shape == (3, 8)
    assert all(clustering.terms(h, 5) for h in range(3))
    assert clustering.agreement()["nmi"] > 0.4
    why = clustering.explain(3)
    assert why.cluster == clustering.labels[3]
    np.testing.assert_array_equal(clustering.predict(vectors=vectors).labels, clustering.labels)
    with pytest.raises(InputError, match="give vectors"):
        clustering.predict(["a text"])
    with pytest.raises(InputError, match="8 columns"):
        clustering.predict(vectors=np.ones((2, 3)))


def test_one_cluster_can_be_asked_too(sample):
    clustering = tc.cluster(sample, 1)
    why = clustering.explain(0)
    assert why.cluster == why.runner_up == 0
    assert "only cluster" in str(why)
    assert (clustering.scores == 1).all()


def test_documents_without_terms_are_counted_and_score_nothing():
    texts = ["red lens", "dark star", "red film", "dark moon", "", "of the"]
    clustering = tc.cluster(texts, 2)
    assert clustering.settings["collection"]["without_terms"] == 2
    assert clustering.scores[4:].tolist() == [0, 0]
    assert clustering.labels[4:].tolist() == [0, 0]
    assert not {"5", "6"} & {i for h in range(2) for i in clustering.borderline(h, 9)}


def test_vectors_of_any_number_type_are_placed_as_they_were_clustered(sample):
    for dtype in (np.int64, np.float16, np.float32):
        vectors = np.random.default_rng(0).integers(0, 50, (225, 4)).astype(dtype)
        clustering = tc.cluster(sample, 3, vectors=vectors)
        placed = clustering.predict(vectors=vectors)
        np.testing.assert_array_equal(placed.labels, clustering.labels)
        np.testing.assert_array_equal(placed.scores, clustering.scores)
    with pytest.raises(InputError, match="finite numbers"):
        clustering.predict(vectors=np.full((1, 4), np.nan))


def test_settings_say_enough_to_repeat_a_run(sample):
    from textclust.geometry import KL

    kl = KL(smoothing=0.3, floor=0.3)
    settings = tc.cluster(sample, 2, distortion=kl, random_state=np.int64(3)).settings
    assert settings["parameters"]["random_state"] == 3
    assert settings["parameters"]["distortion"] == {
        "name": "kl",
        "smoothing": 0.3,
        "floor": 0.3,
        "cooling": 0.5,
    }
