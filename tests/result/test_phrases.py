"""Phrases: hand-solved counts, and what is none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import power_divergence

from tests.result.naming import read
from textclust.result.phrases import Phrases, _likelihood_gain

NUMBERS = "one two three four five six seven eight nine ten eleven twelve"
FILLED = NUMBERS.split(" ")
RIGHTS = [
    f"{a} human rights {b}, then human rights {c}"
    for a, b, c in zip(*[iter(FILLED)] * 3, strict=True)
]


def phrases(texts, weights):
    found = Phrases(read(texts, [weights]))
    return {found.written(phrase): phrase for phrase in found.of(0)}


def test_a_phrase_carries_its_share_of_the_weight_of_its_words():
    texts = [*RIGHTS, "the rights of some, and rights", "human"]
    found = phrases(texts, {"human": 0.4, "right": 0.5})["human rights"]
    assert found.roots == ("human", "right")
    assert found.carried == (8 / 9, 8 / 10)
    assert found.weight == pytest.approx(1.3 * (0.4 * 8 / 9 + 0.5 * 8 / 10))
    assert found.replaces


def test_a_phrase_with_few_of_the_occurrences_does_not_replace_its_words():
    texts = [*RIGHTS, *(f"rights {word} rights in {word}, rights" for word in FILLED)]
    found = phrases(texts, {"human": 0.1, "right": 0.9})["human rights"]
    assert found.carried[1] == 8 / 44
    assert not found.replaces


def test_two_documents_are_too_few():
    assert not phrases(RIGHTS[:2], {"human": 0.4, "right": 0.5})


def test_words_side_by_side_by_chance_are_no_phrase():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(["red", "blue", "green", "grey"], 40)) for _ in range(40)]
    assert not phrases(texts, {"red": 0.5, "blue": 0.5, "green": 0.5, "grey": 0.5})


def test_a_stop_between_words_keeps_them_apart():
    texts = [f"{word} human, rights {word}. human. Rights {word}" for word in FILLED]
    assert not phrases(texts, {"human": 0.4, "right": 0.5})


def test_a_name_may_begin_with_a_word_that_is_no_term():
    texts = [
        f"he {word} left New York, saw New York {word} and York; New York is New York"
        for word in FILLED
    ]
    found = phrases(texts, {"york": 1.0})
    assert found["New York"].replaces
    assert not any(text.startswith("and") for text in found)


def test_three_words():
    texts = [f"{word} the machine learning method {word}" for word in FILLED]
    found = phrases(texts, {"machin": 0.3, "learn": 0.2, "method": 0.2})
    longest = found["machine learning method"]
    assert longest.carried == (1.0, 1.0, 1.0)
    assert longest.weight == max(phrase.weight for phrase in found.values())


@pytest.mark.parametrize(
    ("sign", "text"), [("-", "anti-war"), (".", "anti.war"), ("\n", "anti war")]
)
def test_words_are_joined_as_in_the_text(sign, text):
    assert set(phrases([f"{w} anti{sign}war {w}" for w in FILLED], {"anti": 1.0, "war": 1.0})) == {
        text
    }


def test_capitals_of_a_phrase_are_those_within_sentences():
    texts = [f"Human rights {word}. Seen the human rights in {word}" for word in FILLED]
    assert set(phrases(texts, {"human": 1.0, "right": 1.0})) == {"human rights"}


def test_a_number_is_in_no_phrase():
    assert not phrases([f"{w} in april 1993 {w}" for w in FILLED], {"april": 1.0, "1993": 1.0})


def test_the_likelihood_ratio_is_that_of_a_table_of_counts():
    both, one, other, n = 30.0, 10.0, 20.0, 500.0
    table = np.array([[both, one], [other, n - both - one - other]])
    expected = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / n
    ratio = power_divergence(table.ravel(), expected.ravel(), lambda_="log-likelihood").statistic
    found = _likelihood_gain(*(np.array([each]) for each in (both, one, other)), n)
    assert 2 * found[0] == pytest.approx(ratio)
