"""Letters spelt as in LaTeX are composed; backslashes of programs, data and folders stay."""

from __future__ import annotations

from unicodedata import is_normalized

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.text.cleaning import Cleaning, clean
from textclust.text.latex import with_accents


@pytest.mark.parametrize(
    ("text", "composed"),
    [
        (r"Schr\"odinger and Schr\"{o}dinger, Schr{\"o}dinger, Schr{\"{o}}dinger", "Schrödinger"),
        (r"Poincar\'e, Poincar\'{e} and Poincar{\'e}", "Poincaré"),
        (r"Mart\'\i nez, Mart\'{\i}nez, Mart{\'\i}nez, Mart{\'{\i}}nez", "Martínez"),
        (r"Fran\c{c}ois, Fran{\c c}ois", "François"),
        (r"\v{S}koda and {\v S}koda", "Škoda"),
        (r"Erd\H{o}s, Erd{\H{o}}s", "Erdős"),
        (r"Stra\ss e, Stra{\ss}e, Stra\ss{}e", "Straße"),
        (r"S{\o}ren, S\o{}ren, S{\o }ren", "Søren"),
        (r"Kr\aa kow, Kr{\aa}kow", "Kråkow"),
        (r"\L{}ukasz, {\L}ukasz", "Łukasz"),
        (r"\'Etude, \'{E}tude", "Étude"),
        (r"\"Uber, {\"U}ber", "Über"),
        (r"\'Sniadecki, \'{S}niadecki", "Śniadecki"),
        (r"Espa\~na, Espa\~{n}a", "España"),
        (r"citt\`a, citt{\`a}", "città"),
        (r"\.{Z}urek, {\.Z}urek", "Żurek"),
        (r"Rom\u{a}nia, K\r{u}ra, W\k{a}s, D\d{a}", ""),
    ],
)
def test_letters_are_composed(text: str, composed: str) -> None:
    found = with_accents(text)
    assert "\\" not in found
    assert "{" not in found
    assert is_normalized("NFC", found)
    assert set(found.replace(" and", ",").split(", ")) == {composed} or not composed


@pytest.mark.parametrize(
    "text",
    [
        r"\"text\" in C, printf(\"an apple\\n\")",
        r'{"key": "a \"useful\" value", "{\"a\": 1}": 2}',
        r"{\"key\":\"value\", \"other\":\"apple\"}",
        r"don\'t and it\'s, I\'m here, y\'all, \'quoted\'",
        r"C:\old\o and D:\music\aa, \\server\ss",
        r"\s+\w\d{3}\b \.com \^a \~user [\"\'aeiou]",
        r"\alpha \omega \sin \left( \oint \lambda \ell \ssmall \over",
        r"a\nb\tc\r\v \u00e9 \u{1F600} \x41",
        r"w\o doubt, I\O, and\or",
        r"satire \'sa-tir\ n, a dictionary has it",
        r"{\bf bold} {\it italic} {\em so}",
        r"\\\"odd \\'e \\{o}",
        "\\",
        "ends with \\",
        r"\{ \} \' \" \= \~",
    ],
)
def test_other_backslashes_stay(text: str) -> None:
    assert with_accents(text) == text


def test_one_use_as_an_escape_speaks_for_its_sign_alone() -> None:
    assert with_accents(r"\"so\" said Poincar\'e") == r"\"so\" said Poincaré"
    assert with_accents(r"it\'s Poincar\'e or Poincar{\'e}") == r"it\'s Poincar\'e or Poincaré"


def test_anywhere_when_asked() -> None:
    assert clean(r"\'ecole, don\'t", Cleaning(latex=True)).text == r"école, don\'t"
    assert clean(r"it\'s Poincar\'e", Cleaning(latex=True)).text == "itś Poincaré"
    assert clean(r"Poincar\'e", Cleaning(latex=False)).text == r"Poincar\'e"
    assert clean(r"Poincar\'e").text == "Poincaré"


PIECES = [*"\\\\\\{}'\"`^~=.", "o", "e", "ss", "i", "c", "v", "b", " ", "x", "E"]


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.booleans())
def test_texts_get_no_longer_and_lose_no_letter(text: str, anywhere: bool) -> None:
    found = with_accents(text, anywhere=anywhere)
    assert len(found) <= len(text)
    if "\\" not in text:
        assert found == text
