"""Models on disk: the same answers after a round trip, and nothing damaged is taken."""

from __future__ import annotations

import hashlib
import json
import re
import shutil

import numpy as np
import pytest

import textclust as tc
from tests.strategies import DISTORTIONS
from textclust.errors import ModelError, OutputError

FILES = ("manifest.json", "model.json", "arrays.npz")


@pytest.fixture(scope="module")
def saved(tmp_path_factory, sample):
    folder = tmp_path_factory.mktemp("saved") / "model"
    tc.cluster(sample, 3).save(folder)
    return folder


@pytest.fixture(scope="module")
def few(sample):
    """Every fifth post of the sample."""
    posts = tc.read_documents(sample)
    return posts.select(range(0, len(posts), 5))


@pytest.fixture
def copy(saved, tmp_path):
    return shutil.copytree(saved, tmp_path / "model")


@pytest.mark.parametrize("distortion", DISTORTIONS)
@pytest.mark.parametrize("stem", [None, "english"])
def test_a_loaded_clustering_gives_the_same_answers(few, tmp_path, distortion, stem):
    vectorizer = tc.TextVectorizer(stem=stem, ngram_range=(1, 2), stop_words={"the", "and"})
    before = tc.cluster(few, 3, distortion=distortion, vectorizer=vectorizer)
    before.save(tmp_path / "m")
    after = tc.load(tmp_path / "m")
    assert after.to_dict() == before.to_dict()
    assert after.explain(5) == before.explain(5)
    new = ["a bike with a camera", "the moon tonight", ""]
    np.testing.assert_array_equal(after.predict(new).labels, before.predict(new).labels)
    np.testing.assert_array_equal(after.predict(new).scores, before.predict(new).scores)


def test_all_that_a_vectorizer_can_be_given_survives(few, tmp_path):
    stops = tmp_path / "stops.txt"
    stops.write_text("the\nand\n")
    given = {
        "stop_words": stops,
        "token_pattern": "[a-z]{3,}",
        "max_features": 500,
        "numbers": False,
        "binary": True,
    }
    before = tc.cluster(few, 3, vectorizer=tc.TextVectorizer(**given))
    before.save(tmp_path / "m")
    stops.unlink()
    after = tc.load(tmp_path / "m")
    assert after.to_dict() == before.to_dict()
    assert after.vectorizer.get_params() == {
        **before.vectorizer.get_params(),
        "stop_words": ["and", "the"],
        "dtype": np.float64,
    }
    new = ["a bike with a camera", "the moon tonight", ""]
    np.testing.assert_array_equal(after.predict(new).scores, before.predict(new).scores)


@pytest.mark.parametrize("vocabulary", [["moon", "bike"], {"moon": 1, "bike": 0}, {"moon", "bike"}])
def test_a_vocabulary_that_was_given_survives(tmp_path, vocabulary):
    texts = ["moon", "moon bike", "bike", "moon moon"]
    before = tc.cluster(texts, 2, vectorizer=tc.TextVectorizer(vocabulary=vocabulary))
    before.save(tmp_path / "m")
    after = tc.load(tmp_path / "m")
    assert after.vectorizer.vocabulary_ == before.vectorizer.vocabulary_
    assert after.vectorizer.fit(texts).vocabulary_ == before.vectorizer.vocabulary_
    assert after.to_dict() == before.to_dict()


def test_a_model_from_before_there_were_these_parameters_loads(saved, tmp_path):
    import hashlib
    import json

    place = shutil.copytree(saved, tmp_path / "old")
    model = json.loads((place / "model.json").read_bytes())
    for name in ("token_pattern", "max_features", "numbers", "binary", "vocabulary"):
        del model["vectorizer"][name]
    data = json.dumps(model).encode()
    (place / "model.json").write_bytes(data)
    manifest = json.loads((place / "manifest.json").read_bytes())
    manifest["files"]["model.json"] = hashlib.sha256(data).hexdigest()
    (place / "manifest.json").write_text(json.dumps(manifest))
    new = ["a bike with a camera", "the moon tonight"]
    found, expected = tc.load(place).predict(new), tc.load(saved).predict(new)
    np.testing.assert_array_equal(found.scores, expected.scores)


def test_clusters_of_vectors_survive_too(sample, tmp_path):
    vectors = np.random.default_rng(0).random((225, 4)).astype(np.float32)
    before = tc.cluster(sample, 3, vectors=vectors)
    before.save(tmp_path / "m")
    after = tc.load(tmp_path / "m")
    np.testing.assert_array_equal(after.predict(vectors=vectors).labels, before.labels)


def test_a_model_is_found_in_the_folder_of_a_run(saved):
    assert tc.load(saved.parent).ids == tc.load(saved).ids


def is_harmless(before, after):
    """White space of the manifest may change without changing what it says."""
    try:
        return json.loads(before) == json.loads(after)
    except ValueError:
        return False


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_byte_is_noticed_wherever_it_matters(copy, name):
    data = (copy / name).read_bytes()
    expected = tc.load(copy).to_dict()
    for position in np.linspace(0, len(data) - 1, 25).astype(int):
        broken = bytearray(data)
        broken[position] ^= 0x41
        (copy / name).write_bytes(bytes(broken))
        if is_harmless(data, bytes(broken)):
            assert tc.load(copy).to_dict() == expected
            continue
        with pytest.raises(ModelError, match=re.escape(str(copy))):
            tc.load(copy)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_or_cut_file_is_reported(copy, name):
    data = (copy / name).read_bytes()
    (copy / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(ModelError):
        tc.load(copy)
    (copy / name).unlink()
    with pytest.raises(ModelError):
        tc.load(copy)


def test_a_model_of_the_first_format_is_read(copy):
    expected = tc.load(copy)
    with np.load(copy / "arrays.npz") as file:
        arrays = {name: file[name] for name in file.files if not name.startswith("excerpt")}
    np.savez_compressed(copy / "arrays.npz", **arrays)
    model = json.loads((copy / "model.json").read_text())
    ids, titles, truth = model["cards"].values()
    excerpts = [card.excerpt for card in expected.cards]
    model["cards"] = {"id": ids, "title": titles, "excerpt": excerpts, "truth": truth}
    (copy / "model.json").write_text(json.dumps(model, indent=1))
    sums = {name: hashlib.sha256((copy / name).read_bytes()).hexdigest() for name in FILES[1:]}
    manifest = {"format": "textclust model", "version": 1, "files": sums}
    (copy / "manifest.json").write_text(json.dumps(manifest))
    found = tc.load(copy)
    assert found.cards == expected.cards
    assert found.to_dict() == expected.to_dict()


def test_prototypes_that_are_mostly_zeros_are_written_sparse(sample, tmp_path):
    few, many = (tc.cluster(sample, k=k, max_iter=2) for k in (1, 60))
    for found, name in ((few, "prototypes"), (many, "prototypes_indptr")):
        folder = found.save(tmp_path / str(found.k))
        with np.load(folder / "arrays.npz") as arrays:
            assert name in arrays.files
        loaded = tc.load(folder)
        np.testing.assert_array_equal(loaded.space.prototypes, found.space.prototypes)
        assert loaded.to_dict() == found.to_dict()


@pytest.mark.parametrize("shape", [[60], [60, 1], [59, 10**6], [-60, 5], [60, 10**15]])
def test_sparse_prototypes_of_another_shape_are_refused(sample, tmp_path, shape):
    folder = tc.cluster(sample, k=60, max_iter=2).save(tmp_path / "m")
    with np.load(folder / "arrays.npz") as file:
        arrays = {**file, "prototypes_shape": np.array(shape)}
    np.savez(folder / "arrays.npz", **arrays)
    manifest = json.loads((folder / "manifest.json").read_text())
    digest = hashlib.sha256((folder / "arrays.npz").read_bytes()).hexdigest()
    manifest["files"]["arrays.npz"] = digest
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError):
        tc.load(folder)


def test_a_newer_format_is_refused_with_the_remedy(copy):
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["version"] = 99
    (copy / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match=r"format 99.*upgrade textclust"):
        tc.load(copy)


@pytest.mark.parametrize("content", ["[]", "{}", '{"format": "other"}', "null", "not json"])
def test_something_else_is_not_a_model(copy, content):
    (copy / "manifest.json").write_text(content)
    with pytest.raises(ModelError):
        tc.load(copy)


def test_a_folder_that_is_no_model_is_reported(tmp_path):
    with pytest.raises(ModelError, match=r"no manifest\.json"):
        tc.load(tmp_path)


def test_saving_again_replaces_the_model_and_leaves_nothing_else(saved, tmp_path, sample):
    place = tmp_path / "m"
    tc.cluster(sample, 2).save(place)
    tc.load(saved).save(place)
    assert tc.load(place).k == 3
    assert [entry.name for entry in tmp_path.iterdir()] == ["m"]
    assert sorted(entry.name for entry in place.iterdir()) == sorted(FILES)


def test_a_tokenizer_of_ones_own_cannot_be_saved(tmp_path):
    vectorizer = tc.TextVectorizer(tokenizer=str.split)
    clustering = tc.cluster(["red lens", "dark star", "dark moon"], 2, vectorizer=vectorizer)
    with pytest.raises(OutputError, match="holds no code"):
        clustering.save(tmp_path / "m")
    assert not list(tmp_path.iterdir())


def test_numpy_numbers_and_lone_surrogates_can_be_saved(tmp_path):
    texts = ["red lens \ud800", "dark star", "dark moon"]
    vectorizer = tc.TextVectorizer(min_df=np.int64(1), ngram_range=tuple(np.array([1, 2])))
    tc.cluster(texts, 2, vectorizer=vectorizer).save(tmp_path / "m")
    assert tc.load(tmp_path / "m").k == 2


LEARNED = [
    {"method": "mpckmeans"},
    {"method": "mpckmeans", "metric": "local"},
    {"method": "mkmeans"},
    {"method": "hmrf", "learn": True},
    {"method": "hmrf", "learn": True, "distortion": "kl"},
    {"method": "hmrf", "learn": True, "distortion": "i-divergence"},
    {"method": "hmrf", "learn": True, "metric": "local"},
    {"method": "hmrf", "learn": True, "metric": "local", "distortion": "kl"},
    {"method": "hmrf", "learn": True, "metric": "local", "distortion": "i-divergence"},
]


@pytest.mark.parametrize("asked", LEARNED, ids=lambda asked: "-".join(map(str, asked.values())))
def test_what_was_learned_survives(few, tmp_path, asked):
    links = tc.Constraints([(0, 1), (0, 2), (0, 20)], [(0, 16), (16, 32), (1, 3)])
    before = tc.cluster(few, 3, constraints=links, n_init=2, **asked)
    before.save(tmp_path / "m")
    after = tc.load(tmp_path / "m")
    assert after.to_dict() == before.to_dict()
    for document in (0, 5, 20):
        why = after.explain(document)
        assert why == before.explain(document)
        whole = sum(pull.weight for pull in why.here + why.there) + why.rest
        assert whole == pytest.approx(why.margin)  # the pulls add up, each term once
        names = [pull.term for pull in why.here + why.there]
        assert len(names) == len(set(names))
    texts = [*few.texts[:5], "the moon tonight", ""]
    found = after.predict(texts)
    np.testing.assert_array_equal(found.labels, before.predict(texts).labels)
    np.testing.assert_array_equal(found.scores, before.predict(texts).scores)
    assert ((found.scores >= 0) & (found.scores <= 1)).all()
    page = after.report(tmp_path / "r.html").read_text("utf-8")
    assert after.settings["description"] in page
    assert ("Of the weights it learned" in page) == (asked.get("metric") != "local")


def test_a_full_matrix_survives(sample, tmp_path):
    vectors = np.random.default_rng(0).normal(size=(225, 5))
    asked = {"method": "mpckmeans", "matrix": "full", "vectors": vectors, "n_init": 2}
    before = tc.cluster(sample, 3, constraints=tc.Constraints([(0, 1)], [(0, 80)]), **asked)
    before.save(tmp_path / "m")
    after = tc.load(tmp_path / "m")
    assert after.to_dict() == before.to_dict()
    np.testing.assert_array_equal(after.space.distortion.weights, before.space.distortion.weights)
    page = after.report(tmp_path / "r.html").read_text("utf-8")
    assert after.settings["description"] in page


@pytest.fixture(scope="module", params=LEARNED[:1] + LEARNED[3:5])
def learned(request, tmp_path_factory, few):
    """A saved model with learned weights."""
    clustering = tc.cluster(few, 3, n_init=1, max_iter=2, **request.param)
    return clustering.save(tmp_path_factory.mktemp("learned") / "model")


@pytest.mark.parametrize(
    "forge",
    [
        lambda weights: weights[..., 1:],
        lambda weights: -weights,
        lambda weights: weights * np.nan,
        lambda weights: weights.astype(int),
        lambda weights: np.vstack([weights, weights]),
    ],
)
def test_forged_weights_are_refused(learned, tmp_path, forge):
    folder = shutil.copytree(learned, tmp_path / "model")
    with np.load(folder / "arrays.npz") as file:
        arrays = dict(file)
    arrays["distortion_weights"] = forge(arrays["distortion_weights"])
    np.savez(folder / "arrays.npz", **arrays)
    manifest = json.loads((folder / "manifest.json").read_text())
    data = (folder / "arrays.npz").read_bytes()
    manifest["files"]["arrays.npz"] = hashlib.sha256(data).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="the model is inconsistent"):
        tc.load(folder)
