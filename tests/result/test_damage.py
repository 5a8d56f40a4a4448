"""Whatever a model file says, `load` gives a clustering or a ModelError, and does not wait."""

from __future__ import annotations

import os
import random
import resource
import socket

import numpy as np
import pytest

import textclust as tc
from tests.result import damage
from textclust.errors import ModelError

TEXTS = [
    "red lens camera",
    "dark moon star",
    "bike chain wheel",
    "camera lens film",
    "moon star night",
    "wheel bike road",
    "film camera red",
    "night dark moon",
    "road chain bike",
    "lens film camera",
    "star night moon",
    "chain wheel road",
]
LINKS = tc.Constraints([(0, 3)], [(0, 1)])
VECTORS = np.random.default_rng(0).random((len(TEXTS), 3))
TRIED = 200  # of some thousand damages of each model; a harness tries them all
ASKED = {
    "plain": {},
    "supervised": {
        "seeds": {"1": "photo", "2": "sky"},
        "constraints": tc.Constraints([(0, 3)], [(0, 1)]),
    },
    "groups and words": {"seed_words": {"photo": ["camera"], "sky": ["moon"]}, "outliers": True},
    "beside vectors": {"embed": "auto", "vectors": VECTORS},
    "vectors": {"vectors": VECTORS},
    "later": {"previous": "first"},
    "beside older": {"background": tc.Documents.from_texts(TEXTS[:6], labels=["a", "b", "c"] * 2)},
    "weights": {"method": "mpckmeans", "constraints": LINKS},
    "mixture": {"method": "vmf"},
    "min size": {"min_size": 2},
    "stable": {"stability": True, "outliers": True},
    "added": {"extended": True, "levels": 2},
}


def clustered(name):
    """A clustering of the texts that uses a part of the format."""
    asked = dict(ASKED[name])
    if "previous" in asked:
        asked["previous"] = clustered("plain")
    texts = TEXTS[:9] if asked.pop("extended", False) else TEXTS
    found = tc.cluster(texts, 3, vectorizer=tc.TextVectorizer(min_df=1), **asked)
    if len(texts) == len(TEXTS):
        return found
    ids = [f"later {number}" for number in range(len(TEXTS) - len(texts))]
    return found.extended(tc.Documents.from_texts(TEXTS[len(texts) :], ids=ids))


@pytest.fixture(scope="module", params=ASKED)
def model(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("damaged") / "model"
    return damage.Model.read(clustered(request.param).save(folder))


def test_an_undamaged_model_is_loaded(model, tmp_path):
    assert damage.prove(model, tmp_path / "m") == "loaded"
    assert damage.prove(model.with_arrays(model.arrays), tmp_path / "m") == "loaded"


def test_a_damaged_model_is_refused_or_can_be_used(model, tmp_path):
    every = list(damage.every(model))
    for name, damaged in random.Random(0).sample(every, min(TRIED, len(every))):
        try:
            damage.prove(damaged, tmp_path / "m")
        except Exception as error:
            raise AssertionError(f"{name}: {type(error).__name__}") from error


def described(kind, folder):
    """The model's own file moved away, and something else in its place."""
    place = folder / "arrays.npz"
    place.unlink()
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "device":
        place.symlink_to("/dev/zero")
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            os.chdir(folder)
            one.bind("arrays.npz")
    else:
        place.mkdir()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
@pytest.mark.parametrize("kind", ["fifo", "device", "socket", "folder"])
def test_what_is_no_regular_file_is_refused_and_not_waited_for(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = clustered("plain").save(tmp_path / "m")
    described(kind, folder)
    with pytest.raises(ModelError, match=r"arrays\.npz: cannot be read"):
        tc.load(folder)


def test_a_manifest_that_is_a_fifo_is_not_waited_for(tmp_path):
    folder = clustered("plain").save(tmp_path / "m")
    (folder / "manifest.json").unlink()
    os.mkfifo(folder / "manifest.json")
    with pytest.raises(ModelError):
        tc.load(folder)
    with pytest.raises(tc.OutputError):
        clustered("plain").save(folder)


def test_links_to_the_files_of_a_model_are_followed(tmp_path):
    folder = clustered("plain").save(tmp_path / "m")
    elsewhere = tmp_path / "linked"
    elsewhere.mkdir()
    for name in os.listdir(folder):
        (elsewhere / name).symlink_to(folder / name)
    assert tc.load(elsewhere).to_dict() == tc.load(folder).to_dict()


def test_zeros_that_no_model_needs_are_not_unpacked(tmp_path):
    """Nor a tenth of 200 MB, which is what these members claim."""
    model = damage.Model.read(clustered("plain").save(tmp_path / "m"))
    damages = [each for name, each in damage.of_archive(model) if "200 MB" in name]
    assert len(damages) == 5
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for each in damages:
        assert damage.prove(each, tmp_path / "x") == "refused"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_a_table_that_was_written_sparse_is_not_a_thousand_times_its_file(tmp_path):
    model = damage.Model.read(clustered("plain").save(tmp_path / "m"))
    arrays = model.arrays
    arrays["excerpts"] = np.zeros(1 << 20, dtype=np.uint8)  # makes the file large
    k = arrays["prototypes_shape"][0]
    arrays["prototypes_shape"] = np.array([k, (800 << 20) // 8 // k])
    folder = model.with_arrays(arrays).write(tmp_path / "m")
    with pytest.raises(ModelError, match="prototypes_shape"):
        tc.load(folder)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda c: c["vectorizer"].update(ngram_range=[1, 10**8]), "vectorizer.ngram_range"),
        (lambda c: c["cards"]["title"].pop(), "cards.title"),
        (lambda c: c["vectorizer"].update(stop_words="/dev/zero"), "vectorizer.stop_words"),
        (lambda c: c["settings"].update(collection=3), "settings.collection"),
        (lambda c: c["settings"].update(parameters=damage.DEEP), "nested more than"),
        (lambda c: c.update(objective=float("nan")), "objective"),
        (lambda c: c.update(later=1), "later"),
        (lambda c: c["distortion"].update(name="os.system"), "distortion"),
        (lambda c: c["fitted"]["terms"].append("moon"), "fitted.terms"),
    ],
)
def test_the_field_that_is_wrong_is_named(tmp_path, change, named):
    model = damage.Model.read(clustered("plain").save(tmp_path / "m"))
    content = model.content
    change(content)
    folder = model.with_content(content).write(tmp_path / "m")
    with pytest.raises(ModelError, match=named):
        tc.load(folder)


@pytest.mark.parametrize("name", ["idf", "prototypes_data", "scores", "texts_data"])
def test_numbers_that_are_not_finite_are_refused_by_the_name_of_their_array(tmp_path, name):
    model = damage.Model.read(clustered("plain").save(tmp_path / "m"))
    arrays = model.arrays
    arrays[name].ravel()[0] = np.nan
    with pytest.raises(ModelError, match=rf"arrays\.npz.*{name} has a value"):
        tc.load(model.with_arrays(arrays).write(tmp_path / "m"))
