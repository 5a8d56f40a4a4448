"""Character references of HTML are decoded in every text, and the tags they hid go."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from textclust.text.cleaning import Cleaning, clean
from textclust.text.entities import decoded


def cleaned(text: str, **switches: bool | str) -> str:
    return clean(text, Cleaning(**switches)).text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Fish &amp; chips", "Fish & chips"),
        (
            "the world&#39;s, the world&#x27;s, the world&rsquo;s",
            "the world's, the world's, the world’s",
        ),
        ("caf&eacute; &Ccaron;apek &#352;koda", "café Čapek Škoda"),
        ("3&nbsp;four in&shy;formation", "3 four information"),
        ("&#150; as Windows has it", "– as Windows has it"),
        ("one&#13;two", "one\ntwo"),
        ("&lt;b&gt;Reuters&lt;/b&gt; - Oil &lt;GOOG.O&gt;", "Reuters - Oil <GOOG.O>"),
        ('&lt;A HREF="http://x.org/q?t=GOOG.O"&gt;GOOG.O&lt;/A&gt; fell', "GOOG.O fell"),
        ("&amp;lt;p&amp;gt;escaped twice&amp;lt;/p&amp;gt;", "\nescaped twice\n"),
        ("AT&amp;amp;T", "AT&T"),
        ("the world #39;s quot;largest quot; #8212; so far", 'the world \'s "largest " — so far'),
    ],
)
def test_references_become_letters(text: str, plain: str) -> None:
    assert cleaned(text) == plain
    assert cleaned(text, entities=False) == text


@pytest.mark.parametrize(
    "text",
    [
        "AT&T; R&D & more",
        "http://x.org/?a=1&lt=2&copy=3",
        "&unheardof; &; &#; &#x; &#12345678;",
        "p { color: #333; background: #369; border: #336699; }",
        "issue #39 and #390; item#39;",
        "an amp; a guitar",
        "for (;;) f(&x, &y);",
        "if a < b and c > d; x&y;",
        "a < b, <foo@bar.org>, <1993Apr1@x>",
    ],
)
def test_what_is_none_stays(text: str) -> None:
    assert cleaned(text) == text


def test_those_without_a_semicolon_when_asked() -> None:
    assert cleaned("caf&eacute &copy 2020", entities=True) == "café © 2020"


def test_a_page_shows_what_its_author_escaped() -> None:
    assert cleaned("<html><p>5 &lt; 6, and &lt;b&gt; is bold</p>") == "5 < 6, and <b> is bold"


def test_an_escaped_page_is_a_page() -> None:
    page = "<html><head><style>p {}</style></head><p>Fish &amp; chips</p><p>Menu</p></html>"
    assert cleaned(html.escape(page)) == "Fish & chips\nMenu"
    assert cleaned(html.escape(html.escape(page))) == "Fish & chips\nMenu"


def test_messages_are_decoded_before_their_quotations_are_found() -> None:
    message = "Subject: R&amp;D\nDate: x\n\nJohn writes:\n&gt; quoted &quot;words&quot;\nown words"
    assert cleaned(message) == 'R&D\n\n> quoted "words"\nown words'
    assert cleaned(message, quotes=True) == "R&D\n\nown words"


def test_texts_at_hand_are_decoded_and_keep_what_only_files_have() -> None:
    texts = ["AT&amp;T &lt;b&gt;fell&lt;/b&gt;", r"Poincar\'e", "Subject: a\nDate: b\n\n-- \nJohn"]
    assert tc.Documents.from_texts(texts).texts == ["AT&T fell", "Poincaré", texts[2]]
    assert tc.Documents(["1", "2", "3"], texts).texts == texts


def test_new_texts_are_decoded_as_the_clustered_ones_were() -> None:
    texts = ["caf&eacute; crème", "caf&eacute; noir", "moon star", "moon sky"]
    found = tc.cluster(texts, 2)
    assert found.predict(texts).labels.tolist() == found.labels.tolist()
    assert found.predict(["caf&eacute;"]).scores.tolist() == found.predict(["café"]).scores.tolist()
    assert "café" in found.vectorizer.vocabulary_


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\xa0\xad")))
def test_what_was_escaped_is_what_it_was(text: str) -> None:
    if ";" not in text:
        assert decoded(html.escape(text)) == text


@given(st.lists(st.sampled_from(["&", "#", ";", "3", "9", "lt", "x", "amp", " ", "é", "quot"])))
def test_decoding_never_makes_a_text_longer(pieces: list[str]) -> None:
    text = "".join(pieces)
    decoded(text).encode()
    assert len(decoded(text)) <= len(text)
