"""Forms of one word, and words of one family."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.result.forms import akin, root

WORDS = st.text(alphabet="abdeginrsty", min_size=1, max_size=12)


@pytest.mark.parametrize(
    "forms",
    [
        ("star", "stars", "Stars", "STAR"),
        ("galaxy", "galaxies"),
        ("box", "boxes"),
        ("glass", "glasses"),
        ("compute", "computing", "computed", "computes"),
        ("plan", "plans"),
        ("running", "run"),
        ("straße", "STRASSE"),
    ],
)
def test_forms_of_a_word_have_one_root(forms):
    assert len({root(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("bus", "bu"), ("glass", "gla"), ("king", "k"), ("red", "r"), ("is", "i")]
)
def test_what_only_looks_like_an_ending_stays(one, other):
    assert root(one) != root(other)


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ("car", "cars", True),
        ("religion", "religious", True),
        ("atheism", "atheists", True),
        ("encryption", "encrypted", True),
        ("star", "stereo", False),
        ("mac", "machinery", False),
        ("moon", "mood", False),
    ],
)
def test_words_of_one_family(one, other, are):
    assert akin(one, other) is are


@given(one=WORDS, other=WORDS)
def test_to_be_akin_is_mutual_and_includes_forms(one, other):
    assert akin(one, other) == akin(other, one)
    assert akin(one, one)
    assert akin(one, other) or root(one) != root(other)
