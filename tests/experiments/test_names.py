"""The experiment on names: when a class is said, and what runs on the sample."""

from __future__ import annotations

import pytest

from textclust.experiments.names import (
    _has_leftovers,
    _is_doubled,
    is_said,
    names_before_and_now,
    unit,
)
from textclust.experiments.names_of_classes import NAMES_OF_CLASSES
from textclust.experiments.plain_names import plain_names
from textclust.result.telling import TermEvidence
from textclust.result.terms import TermWeights


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Stars, moon", [True, False]),
        ("night, night sky", [False, True]),
        ("sky at night", [False]),
        ("starch", [False]),
    ],
)
def test_a_class_is_said_by_any_form_of_a_word_and_by_whole_phrases(name, said):
    assert is_said(name, "star, night sky") == said


def test_leftovers_and_doubled_forms_are_found():
    assert _has_leftovers("star, 000")
    assert _has_leftovers("said, star")
    assert not _has_leftovers("star, x11")
    assert _is_doubled("compute, computing, star")
    assert not _is_doubled("star, moon")


def test_the_sample_is_named_by_both_and_measured():
    case = {"collection": "newsgroups", "clusters": "classes", "stop words": "known"}
    rows = {row["names"]: row for row in unit(case, 0)}
    assert rows["now"]["named"] == rows["before"]["named"] == 1.0
    assert rows["now"]["as now"] == 1.0
    made = names_before_and_now("newsgroups", "classes")
    assert {label for _, label in made["now"]} == set(NAMES_OF_CLASSES["newsgroups"])


def test_the_plain_names_are_the_largest_terms_that_set_apart():
    import numpy as np
    import scipy.sparse as sp

    sums = sp.csr_array([[4.0, 3.0, 2.0, 1.0], [4.0, 3.0, 2.0, 1.0]])
    documents = sp.csr_array([[9.0, 1.0, 9.0, 9.0], [1.0, 9.0, 1.0, 1.0]])
    weights = TermWeights(TermEvidence(sums, documents, np.array([9.0, 9.0])))
    found = plain_names(weights, ["car", "road", "cars", "1995"])
    assert found == ["car", "road"]
