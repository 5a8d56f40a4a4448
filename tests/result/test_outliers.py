"""What fits nowhere: among new documents, and in the collection itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from textclust.errors import InputError, ModelError
from textclust.knowledge import read_background
from textclust.result.fit import Fit, compared
from textclust.result.wanted import Wanted

TOPICS = (
    ["bread", "flour", "dough", "yeast", "oven", "crust", "loaf", "bake", "rye", "wheat"],
    ["orbit", "moon", "planet", "comet", "rocket", "star", "launch", "probe", "crater", "eclipse"],
    [
        "goal",
        "match",
        "referee",
        "striker",
        "league",
        "penalty",
        "keeper",
        "pitch",
        "corner",
        "cup",
    ],
)
COMMON = ["today", "people", "first", "year", "time", "place"]


def text(topic, rng, words=9):
    return " ".join([*rng.choice(TOPICS[topic], words), *rng.choice(COMMON, 3)])


def texts(n, seed=0):
    rng = np.random.default_rng(seed)
    return [text(i % 3, rng) for i in range(n)]


def strangers(n, seed=1):
    """Each about something of its own, in words of its own but for a few common ones."""
    rng = np.random.default_rng(seed)
    own = [[f"thing{i}word{j}" for j in range(9)] for i in range(n)]
    return [" ".join([*rng.permutation(words), *rng.choice(COMMON, 2)]) for words in own]


@pytest.fixture(scope="module")
def plain():
    return tc.cluster(texts(150), 3)


@pytest.fixture(scope="module")
def apart():
    return tc.cluster(texts(150) + strangers(8), 3, outliers=True)


# New documents


def test_new_documents_of_the_collection_fit(plain):
    found = plain.predict(texts(300, seed=5))
    assert found.fits.mean() >= 0.93


def test_what_is_about_nothing_in_the_collection_fits_nowhere(plain):
    found = plain.predict(["xyzzy", "", "the of and", *strangers(40, seed=9)])
    assert found.fits.dtype == bool
    assert not found.fits.any()


def test_a_stranger_that_uses_one_known_word_does_not_fit(plain):
    foreign = " ".join(f"unheard{i}" for i in range(30))
    assert plain.predict([f"bread {foreign}", "bread flour oven dough"]).fits.tolist() == [
        False,
        True,
    ]


def test_labels_stay_where_outliers_were_not_looked_for(plain):
    found = plain.predict(["xyzzy", "moon orbit comet"])
    assert (found.labels >= 0).all()
    assert found.fits.tolist() == [False, True]
    assert plain.outliers is None
    assert plain.n_outliers == 0


@pytest.mark.parametrize("distortion", ["cosine", "kl", "euclidean"])
def test_what_fits_is_a_matter_of_words_under_every_distortion(distortion):
    r = tc.cluster(texts(90), 3, distortion=distortion)
    assert r.predict([text(0, np.random.default_rng(3)), "xyzzy"]).fits.tolist() == [True, False]


def test_a_model_says_the_same(plain, apart, tmp_path):
    new = [*texts(20, seed=7), *strangers(5, seed=8), "xyzzy"]
    for name, r in (("plain", plain), ("apart", apart)):
        r.save(tmp_path / name)
        again = tc.load(tmp_path / name)
        np.testing.assert_array_equal(again.predict(new).fits, r.predict(new).fits)
        np.testing.assert_array_equal(again.predict(new).labels, r.predict(new).labels)
        np.testing.assert_array_equal(again.labels, r.labels)
        assert again.to_dict() == r.to_dict()


def test_a_model_with_a_forged_mask_is_refused(apart, tmp_path):
    broken = replace(apart, outliers=apart.outliers.astype(np.uint8))
    broken.save(tmp_path / "m")
    with pytest.raises(ModelError, match=r"arrays\.npz: .*: outliers (has numbers of type|is for)"):
        tc.load(tmp_path / "m")


def test_models_of_earlier_versions_say_what_fits_too(plain):
    """They do not know which share of the words of a document they had kept."""
    found = replace(plain, known=None).predict(["xyzzy", *texts(30, seed=2)])
    assert not found.fits[0]
    assert found.fits[1:].mean() > 0.8


# The collection


def test_planted_strangers_are_found(apart):
    outliers = apart.labels == -1
    assert outliers[150:].all()
    assert outliers[:150].mean() <= 0.05
    assert apart.n_outliers == outliers.sum()
    assert sum(apart.sizes) + apart.n_outliers == apart.n_documents == 158


def test_a_clean_collection_keeps_nearly_all():
    r = tc.cluster(texts(300), 3, outliers=True)
    assert r.n_outliers <= 0.06 * 300


def test_a_rate_can_be_given():
    few, many = (tc.cluster(texts(200), 3, outliers=rate).n_outliers for rate in (0.01, 0.2))
    assert few < many <= 0.3 * 200


@pytest.mark.parametrize("wrong", [0.0, 0.5, 2, "yes", -0.1])
def test_a_rate_is_a_share(wrong):
    with pytest.raises(InputError, match="outliers must be True or False, or a share"):
        Wanted(outliers=wrong)


def test_outliers_are_named_and_have_no_score(apart):
    assert apart.name_of(-1) == "fits nowhere"
    assert apart.name_of(0) == apart.names[0]
    with pytest.raises(InputError, match="there is no cluster 3"):
        apart.name_of(3)
    assert (apart.scores[apart.labels == -1] == 0).all()
    assert all(apart.labels[row] == h for h in range(3) for row in apart.nearest_rows(h, 200))


def test_outliers_take_no_part_in_terms(apart):
    said = {term for h in range(3) for term in apart.terms(h, 200)}
    assert not any(term.startswith("thing") for term in said)


def test_an_outlier_is_explained_by_the_nearest_cluster(apart):
    why = apart.explain(155)
    assert not why.fits
    assert "fits nowhere; nearest is" in str(why)
    assert apart.explain(0).fits
    assert not apart.explain_text("xyzzy").fits


def test_predictions_have_the_label_too(apart):
    found = apart.predict([*strangers(3, seed=11), text(1, np.random.default_rng(0))])
    assert found.labels[:3].tolist() == [-1, -1, -1]
    assert found.labels[3] == apart.labels[1]
    assert (found.scores[:3] == 0).all()


def test_agreement_counts_them_as_one_more_cluster():
    documents = tc.Documents.from_texts(texts(150) + strangers(8))
    documents = replace(documents, labels=[*(str(i % 3) for i in range(150)), *["odd"] * 8])
    r = tc.cluster(documents, 3, outliers=True)
    assert r.agreement()["nmi"] == pytest.approx(tc.metrics.nmi(documents.labels, r.labels))
    assert r.agreement()["documents"] == 158


def test_summary_says_how_many(apart):
    found = apart.to_dict()
    assert found["outliers"]["size"] == apart.n_outliers
    assert found["outliers"]["cluster"] == -1
    assert len(found["outliers"]["documents"]) == 5
    assert found["settings"]["outliers"] == 0.02
    assert sum(cluster["size"] for cluster in found["clusters"]) == sum(apart.sizes)


def test_a_document_with_a_class_stays_where_it_is():
    given = texts(150) + strangers(8)
    ids = [str(i) for i in range(158)]
    documents = tc.Documents.from_texts(given, ids=ids)
    r = tc.cluster(documents, 3, seeds={"0": "bread", "1": "sky", "157": "sky"}, outliers=True)
    assert r.labels[157] >= 0
    assert (r.labels[150:157] == -1).all()


def test_no_cluster_is_left_empty():
    same = ["alone in the dark forest"] * 3
    r = tc.cluster(texts(60) + same, 4, outliers=True)
    assert min(r.sizes) > 0
    assert len(set(r.labels[60:].tolist())) == 1


def test_identical_texts_share_a_cluster():
    odd = strangers(3)
    r = tc.cluster(texts(90) + odd * 2, 3, outliers=True)
    assert (r.labels[90:93] == r.labels[93:]).all()


def test_a_background_of_them_leaves_them_out(apart):
    known = read_background(apart)
    assert len(known) == sum(apart.sizes)
    assert list(known.classes) == apart.names


def test_vectors_have_outliers_too():
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(3, 20)) * 4
    near = centres[np.arange(120) % 3] + rng.normal(size=(120, 20))
    vectors = np.concatenate([near, -centres.sum(axis=0) + rng.normal(size=(2, 20))])
    r = tc.cluster([f"word{i % 3} text" for i in range(122)], 3, vectors=vectors, outliers=True)
    assert (r.labels[120:] == -1).all()
    assert (r.labels[:120] == -1).mean() < 0.07
    assert r.predict(vectors=vectors[-2:]).fits.tolist() == [False, False]
    assert r.predict(vectors=near[:9]).fits.mean() > 0.8


def test_a_model_of_many_machines_says_so(plain):
    from textclust.result.clustering import Whole

    several = replace(plain, whole=Whole(tuple(plain.names), tuple(plain.sizes)))
    with pytest.raises(InputError, match="too few of them to say what fits"):
        _ = several.predict(["bread"]).fits


# The measure


def slow_values(X, labels, k, known):
    """Of documents held against all others, one by one."""
    X = np.asarray(X.todense())
    found = []
    for i, row in enumerate(X):
        others = np.delete(np.arange(len(X)), i)
        cosines = []
        for h in range(k):
            centre = X[others[labels[others] == h]].sum(axis=0)
            length = np.linalg.norm(centre)
            cosines.append(row @ centre / length if length > 1e-9 else 0.0)
        near = np.sort(X[others] @ row)[::-1][:5].mean()
        terms = row > 0
        shared = (X[others][:, terms] > 0).any(axis=0).mean()
        found.append(max(cosines) * near * shared * known[i])
    return np.array(found)


def test_a_document_is_held_against_all_others_but_itself(monkeypatch):
    monkeypatch.setattr("textclust.result.fit._ROUNDS", 0)
    X = tc.TextVectorizer(min_df=1).fit_transform(texts(24))
    labels, known = np.arange(24) % 3, np.linspace(0.5, 1, 24)
    fit = Fit.of(X, labels, 3, known)
    np.testing.assert_allclose(fit.own, slow_values(X, labels, 3, known), atol=1e-9)


@given(seed=st.integers(0, 1000), n=st.integers(3, 40), k=st.integers(1, 3))
def test_values_are_shares_whatever_the_rows(seed, n, k):
    rng = np.random.default_rng(seed)
    rows = rng.random((n, 6)) * (rng.random((n, 6)) < 0.4)
    rows[0, 0] = 1.0
    from scipy.sparse import csr_array

    fit = Fit.of(csr_array(rows), rng.integers(0, k, n), k, np.ones(n))
    assert ((fit.own >= 0) & (fit.own <= 1 + 1e-9)).all()
    values = fit.values(csr_array(rows), np.ones(n))
    assert ((values >= 0) & (values <= 1 + 1e-9)).all()
    assert not fit.judged(csr_array(rows), np.ones(n))[~rows.any(axis=1)].any()


def test_many_documents_are_compared_with_some():
    assert compared(5).tolist() == [0, 1, 2, 3, 4]
    rows = compared(100_001)
    assert len(rows) == 2000
    assert (rows[0], rows[-1]) == (0, 100_000)
    assert (np.diff(rows) > 0).all()


def test_shares_of_known_terms():
    space = tc.TextVectorizer(min_df=2, stop_words=None)
    space.fit_transform(["red bike", "red car", "blue bike"])
    assert space.known_shares_.tolist() == [1.0, 0.5, 0.5]
    X, shares = space.transform_with_shares(["red moon rock", "", "bike bike"])
    assert shares.tolist() == pytest.approx([1 / 3, 0.0, 1.0])
    np.testing.assert_array_equal(X.data, space.transform(["red moon rock", "", "bike bike"]).data)


def test_templates_are_not_strangers_for_small_differences():
    """Nearly all are made of the same words; one is not."""
    cyclic = [
        " ".join(TOPICS[h][(i + j) % 8] for j in range(6)) for h in range(3) for i in range(30)
    ]
    r = tc.cluster([*cyclic, "quarterly invoice remittance ledger bread"], 3, outliers=True)
    assert np.flatnonzero(r.labels == -1).tolist() == [90]


def test_documents_that_stay_together_do_so_outside_too():
    """A stranger whose group has other documents stays with them; a group of strangers leaves."""
    given = texts(150) + strangers(4)
    groups = [str(i) for i in range(150)] + ["0", "odd", "odd", "odd"]
    documents = replace(tc.Documents.from_texts(given), groups=groups)
    r = tc.cluster(documents, 3, outliers=True)
    assert r.labels[150] == r.labels[0] >= 0
    assert r.labels[151:].tolist() == [-1, -1, -1]
    assert sum(r.group_sizes) == 150


def test_beside_vectors_the_terms_decide(monkeypatch):
    """Also of documents beyond those that all are compared with."""
    monkeypatch.setattr("textclust.result.fit._MOST", 60)
    given, rng = texts(150) + strangers(4), np.random.default_rng(0)
    plain = tc.cluster(given, 3, outliers=True)
    vectors = np.eye(3)[np.arange(len(given)) % 3] + 0.1 * rng.normal(size=(len(given), 3))
    terms = tc.cluster(given, 3, embed="auto", embed_weight=0.3, vectors=vectors, outliers=True)
    assert terms.beside is not None
    assert (terms.labels[150:] == -1).all()
    assert abs(terms.n_outliers - plain.n_outliers) <= 8


def test_frames_leave_them_out_of_the_means(apart):
    pytest.importorskip("pandas")
    means = [apart.scores[apart.labels == h].mean() for h in range(3)]
    assert apart.info()["score"].to_list() == pytest.approx(means)
