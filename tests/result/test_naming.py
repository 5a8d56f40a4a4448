"""Names: what they are made of, and the promises they make."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.result.naming import names, naming
from textclust.result.forms import root
from textclust.result.naming import name_key

SKY = [f"a {word} star and its planet, many stars" for word in ("red", "dim", "old", "hot")]
ROAD = [f"the {word} car on a road, and cars" for word in ("red", "dim", "old", "hot")]
LABELS = [0] * 4 + [1] * 4

FORMS = "star stars Star moon moons MOON galaxy galaxies 1995 000 x don't a_b"
WORDS = st.sampled_from(FORMS.split(" "))
ANY = st.text(
    alphabet=st.characters(codec="utf-8", categories=("L", "N", "P", "C", "Z", "M")), max_size=30
)


def test_words_that_set_a_cluster_apart_come_before_those_that_are_everywhere():
    texts = [f"system system {text}" for text in SKY + ROAD]
    first, second = names(texts, LABELS)
    assert "star" in first
    assert "car" in second
    assert "system" not in first + second


def test_forms_of_a_word_are_one_and_the_commonest_is_shown():
    texts = [f"star {word} stars shine on stars" for word in ("red", "dim")] + ["car", "road"]
    (first, *_), _ = (name.split(", ") for name in names(texts, [0, 0, 1, 1]))
    assert first == "stars"
    assert "star," not in names(texts, [0, 0, 1, 1])[0]


def test_numbers_and_leftovers_are_in_no_name_while_there_are_words():
    sky = [f"000 39 don't write to a@uni.edu, {text}" for text in SKY]
    name = name_key(names([*sky, *ROAD], LABELS)[0])
    assert not name & {"000", "39", "don", "edu", "uni"}


def test_leftovers_are_better_than_nothing():
    texts = ["don't", "don't", "car", "road"]
    assert names(texts, [0, 0, 1, 1])[0] == "don"


def test_a_phrase_stands_for_its_words():
    texts = [f"{w} neural networks {w}, and a neural network" for w in ("red", "dim", "old", "hot")]
    assert names([*texts, *ROAD], LABELS)[0].split(", ")[0] in ("neural networks", "neural network")


def test_a_word_that_mostly_stands_beside_one_of_the_name_joins_it():
    texts = [
        f"modem {w} port, modem on the serial port {w}, a modem"
        for w in ("red", "dim", "old", "hot")
    ]
    assert "serial port" in names([*texts, *ROAD], LABELS)[0]


def test_terms_of_several_words_are_shown_once():
    texts = [f"black hole {w}" for w in ("red", "dim", "old", "hot")]
    found = names([*texts, *ROAD], LABELS, ngram_range=(1, 2))[0]
    assert found.count("hole") == 1


def test_one_cluster_is_named_by_what_it_shares():
    assert "star" in names(SKY, [0] * 4)[0]


def test_clusters_without_terms_still_have_names():
    texts = ["car", "road", "1", "2"]
    found = names(texts, [0, 0, 1, 2])
    assert found[1:] == ["without terms", "without terms (3)"]


def test_what_people_named_is_not_taken_again():
    free = naming([*SKY, *ROAD], LABELS).names()
    found = naming([*SKY, *ROAD], LABELS).names(taken=[free[0]])
    assert found[0] != free[0]
    assert name_key(found[0]) != name_key(free[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("star, moon", "moon, star"),
        ("stars, moon", "Star, moons"),
        ("neural network", "network, Neural"),
    ],
)
def test_names_of_the_same_words_have_one_key(one, other):
    assert name_key(one) == name_key(other)


@given(
    st.lists(
        st.tuples(st.lists(WORDS, min_size=1, max_size=6), st.integers(0, 4)),
        min_size=3,
        max_size=12,
    )
)
def test_no_two_names_have_the_same_words(documents):
    texts = [*(" ".join(words) for words, _ in documents), *(f"filler{i} moon" for i in range(5))]
    labels = [*(label for _, label in documents), *range(5)]
    found = names(texts, labels)
    assert len({name_key(name) for name in found}) == len(found) == 5
    assert found == names(texts, labels)


@given(st.lists(ANY, min_size=4, max_size=8))
def test_any_text_gives_names_that_can_be_shown(texts):
    labels = np.arange(len(texts) + 2) % 2
    for name in names([*texts, "moon here", "star there"], labels):
        assert name == name.strip()
        assert name
        assert not any(unicodedata.category(sign)[0] in "C" for sign in name)
        assert "\n" not in name


def test_terms_of_a_tokenizer_are_made_harmless():
    texts = ["evil\x1b[31m\u202edeer|x", "evil\x1b[31m\u202edeer|y", "car|z", "car|w"]
    found = names(texts, [0, 0, 1, 1], tokenizer=lambda text: text.split("|"))
    assert found[0].split(", ")[0] == "evil [31m deer"


def test_other_languages_keep_their_letters_and_capitals():
    texts = [
        f"{w} die Regierung und der Bürgermeister, die Regierungen" for w in ("am", "im", "um")
    ]
    texts += [f"{w} ein schöner Fußball und das Tor beim Fußball" for w in ("am", "im", "um")]
    first, second = names(texts, [0, 0, 0, 1, 1, 1])
    assert "Bürgermeister" in first
    assert "Regierung" in first
    assert "Fußball" in second


GROUPED = {
    "hockey": "sport team hockey puck",
    "golf": "sport team golf club",
    "moon": "science nature moon orbit",
    "cell": "science nature cell gene",
}


def test_a_group_is_named_by_what_its_members_share():
    kinds = list(GROUPED)
    texts = [f"{GROUPED[kind]} {i}" for kind in kinds for i in range(6)]
    labels = [number for number, _ in enumerate(kinds) for _ in range(6)]
    made = naming(texts, labels)
    sport, science = made.names([(0, 1), (2, 3)])
    assert name_key(sport) >= {"sport", "team"}
    assert name_key(science) >= {"science".removesuffix("e"), "natur"}
    assert "hockey" not in sport.split(", ")[:2]


def test_siblings_are_set_apart_from_each_other_alone():
    texts = [f"{words} {i}" for words in GROUPED.values() for i in range(6)]
    made = naming(texts, [number for number in range(4) for _ in range(6)])
    hockey, golf = made.names([(0,), (1,)])
    assert not name_key(hockey) & {"sport", "team"}
    assert "hockey" in hockey
    assert "golf" in golf
    assert made.names([(0,), (1,), (2,), (3,)]) == made.names()


@pytest.fixture(scope="module")
def clustering():
    return tc.cluster(tc.corpora.path("newsgroups"), k=3)


def test_the_sample_is_named_well(clustering):
    said = [name_key(name) for name in clustering.names]
    assert said[0] >= {root("bike"), root("wheel")}
    assert said[1] >= {root(word) for word in ("film", "camera", "lens")}
    assert said[2] >= {root("star"), root("telescope")}


def test_a_loaded_model_has_the_same_names(clustering, tmp_path):
    loaded = tc.load(clustering.save(tmp_path / "model"))
    assert loaded.names == clustering.names
    assert loaded.naming.names([(0, 1), (2,)]) == clustering.naming.names([(0, 1), (2,)])


def test_names_do_not_depend_on_the_native_core(clustering, monkeypatch):
    from textclust import native

    monkeypatch.setattr(native, "module", lambda name: None)
    again = tc.cluster(tc.corpora.path("newsgroups"), k=3)
    assert again.names == clustering.names


def test_clusters_of_seeds_keep_their_names(clustering):
    seeds = {clustering.representatives(h)[0]: label for h, label in enumerate(["A", "B"])}
    found = tc.cluster(tc.corpora.path("newsgroups"), k=3, seeds=seeds)
    assert found.names[:2] == ["A", "B"]
