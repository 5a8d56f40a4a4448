"""How words are written: capitals, the commonest form, and what is left over from other words."""

from __future__ import annotations

import numpy as np
import pytest

from tests.result.naming import read
from textclust.result.forms import root
from textclust.result.spelling import Spelling
from textclust.result.wording import Joint, Wording, sampled_rows


def written(texts, word, **options):
    return Spelling(read(texts, [{root(word): 1.0}], **options)).written(0, root(word))


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("the launch by NASA and later NASA plans, which NASA denied", "nasa", "NASA"),
        ("we run Windows here, or old Windows there, and more Windows", "windows", "Windows"),
        ("open windows and closed windows, and old windows. Windows", "window", "windows"),
        ("made for iPhone users by iPhone makers of an iPhone", "iphone", "iPhone"),
        ("in der Regierung, und die Regierung, keine Regierung", "regierung", "Regierung"),
    ],
)
def test_capitals_are_those_of_the_text(text, word, expected):
    assert written([text], word) == expected


def test_beginnings_of_sentences_do_not_count():
    texts = ["Stars shine. Stars burn. Stars die! Stars? Stars: and some stars"]
    assert written(texts, "star") == "stars"


def test_headlines_and_shouting_do_not_count():
    titles = [f"Another Big Planet Seen By {i} Old Men\nnothing" for i in ("Five", "Six", "Seven")]
    shouted = [f"BUY THIS PLANET {word} NOW" for word in ("RIGHT", "HERE", "TODAY")]
    assert written([*titles, *shouted], "planet") == "planet"
    assert written([*titles, *shouted, "on the planet"], "planet") == "planet"


def test_a_capital_inside_tells_even_in_a_headline():
    texts = [f"How NASA Went To {place}" for place in ("Mars", "Venus", "Pluto")]
    assert written(texts, "nasa") == "NASA"


def test_few_occurrences_in_a_cluster_are_judged_by_all_clusters():
    texts = ["Israel", "from Israel to Israel and in Israel"]
    spelling = Spelling(read(texts, [{"israel": 1.0}, {}], labels=[0, 1]))
    assert spelling.written(0, "israel") == "Israel"


def test_the_commonest_form_is_shown_and_of_equals_the_shortest():
    assert written(["a galaxy, two galaxies, three galaxies"], "galaxy") == "galaxies"
    assert written(["a cat, two cats"], "cat") == "cat"


def test_a_word_that_was_not_read_is_not_known():
    assert written(["a galaxy"], "star") is None


@pytest.mark.parametrize(
    ("text", "word", "left"),
    [
        ("I don't, you don't, they don’t", "don", True),
        ("we've seen; they've gone", "ve", True),
        ("ann@cs.uni.edu and bob@math.uni.edu", "edu", True),
        ("see http://www.host.com/page", "com", True),
        ("Israel's borders, and Israel's towns", "israel", False),
        ("l'eau et l'eau", "eau", False),
        ("the car. A car, my car", "car", False),
    ],
)
def test_parts_of_addresses_and_of_cut_words_are_left_over(text, word, left):
    assert Spelling(read([text], [{word: 1.0}])).is_left_over(0, word) is left


def test_what_many_documents_have_to_the_letter_is_read_once():
    texts = [f"Re: the same old title\nsomething {word}" for word in ("new", "else", "third")]
    wording = Wording.of(texts, np.zeros(3, np.intp), 1)
    said = [wording.words[wording.word_of[form]] for form in wording.form.tolist()]
    assert said.count("title") == 1
    assert said.count("something") == 3


def test_the_joints_between_words():
    wording = Wording.of(["a-b c.d e'f, g\n\nh i@j"], np.zeros(1, np.intp), 1)
    joints = [Joint(joint).name for joint in wording.joint]
    expected = "HYPHEN SPACE DOT SPACE APOSTROPHE APART APART SPACE TIGHT APART"
    assert " ".join(joints) == expected


def test_a_large_cluster_is_read_evenly_and_each_has_its_share():
    labels = np.repeat([0, 1, -1], [10_000, 5, 50])
    rows = sampled_rows(labels, 2)
    large, small = rows[labels[rows] == 0], rows[labels[rows] == 1]
    assert len(small) == 5
    assert len(large) == 400
    assert len(large) + len(small) == len(rows)
    assert np.ptp(np.diff(np.sort(large))) <= 1
    assert np.ptp(np.diff(np.sort(large[:50]))) < 3 * 10_000 / 50
