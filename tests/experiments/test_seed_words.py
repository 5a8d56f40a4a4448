"""The experiment on seed words, briefly."""

from __future__ import annotations

import numpy as np
import pytest

from textclust.experiments import experiment, seed_words
from textclust.experiments.words_of_classes import OTHERS, WORDS

NAME = "newsgroups"


def lists(kind, run=0):
    terms = seed_words._terms(NAME)
    return terms, seed_words.LISTS[kind](terms, NAME, np.random.default_rng(run))


@pytest.mark.parametrize("kind", ["none", "words", "random"])
def test_words_are_measured_with_and_without_named_documents(kind):
    each = experiment("seed-words")
    for named in (0, 2):
        (row,) = each.unit({"collection": NAME, "words": kind, "named": named}, 0)
        assert row.keys() == {"accuracy", "best match", "NMI"}
        assert row["best match"] > 0.8  # poor words do no harm


@pytest.mark.parametrize("kind", [kind for kind in seed_words.LISTS if kind != "other words"])
def test_poor_lists_have_as_many_words_as_good_ones(kind):
    terms, found = lists(kind)
    good = lists("words")[1]
    assert found.keys() == good.keys()
    assert sum(map(len, found.values())) == sum(map(len, good.values()))
    assert all(word in terms.names for words in found.values() for word in words)
    assert all(found.values())


def test_so_many_words_are_under_another_class():
    good, mixed = (lists(kind)[1] for kind in ("words", "30% under another class"))
    moved = sum(len(set(mixed[label]) - set(good[label])) for label in good)
    assert moved == round(0.3 * sum(map(len, good.values())))


def test_every_class_has_words():
    every = [
        words for lists in (WORDS, OTHERS) for each in lists.values() for words in each.values()
    ]
    assert all(len(words.split()) >= 3 for words in every)
    cases = experiment("seed-words").cases
    assert {case["collection"] for case in cases if case["words"] == "other words"} == set(OTHERS)
