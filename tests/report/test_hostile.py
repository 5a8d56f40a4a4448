"""Documents are untrusted: whatever they say, the page stays the page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.pages import dressed, made, page_of, small
from textclust.plain import passage, plain, unwrapped
from textclust.report.elements import Markup, data, tag
from textclust.result.clustering import Card

HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "]]> --> <![CDATA[",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "&lt;b&gt; &amp; &#x3C;script>",
    "line\u2028separator\u2029here",
    "lone \ud800 surrogate \udfff",
    "nul \x00 bell \x07 escape \x1b[31m",
    "override \u202egnp.exe isolate \u2066 open",
    "$title ${data} %s {0} \\u003c",
    "</title></style></textarea><svg onload=alert(1)>",
    "javascript:alert(1) http://evil.example/ https://evil.example/",
    "{{constructor.constructor('alert(1)')()}}",
    "مرحبا بالعالم <b>",
    "",
]


@pytest.fixture(scope="module")
def clustering():
    return small(3)


@pytest.fixture(scope="module")
def calm(clustering, tmp_path_factory):
    return page_of(clustering, tmp_path_factory.mktemp("calm"))


def skeleton(page):
    """The elements and attributes that run or load something."""
    return [
        e.name
        for e in page.elements
        if e.name in {"script", "style", "img", "svg", "meta", "title", "form", "input", "iframe"}
    ]


@pytest.mark.parametrize("field", ["id", "title", "excerpt", "truth"])
def test_hostile_text_stays_text(clustering, calm, field, tmp_path):
    plain_cards = clustering.cards[: len(HOSTILE)]
    cards = [
        card._replace(**{field: text}) for card, text in zip(plain_cards, HOSTILE, strict=True)
    ]
    page = page_of(dressed(clustering, cards), tmp_path)
    assert skeleton(page) == skeleton(calm)
    for element in page.elements:
        assert not any(name.startswith("on") for name in element.attributes)
    for bad in ("\u2028", "\u2029", "\x00", "\x1b", "\u202e", "\u2066", "http:/", "https:/"):
        assert bad not in page.source


def test_hostile_names_terms_and_settings_stay_text(tmp_path):
    clustering = made(30, 2, d=16)
    terms = [f"{text}{i}" for i, text in enumerate(HOSTILE)]
    state = {"terms": terms, "surface_forms": {}, "min_df": 1, "n_pruned": {}}
    clustering.vectorizer.restore(state, clustering.vectorizer.idf_)
    hostile = dict(zip(HOSTILE, HOSTILE, strict=True))
    settings = {"method": HOSTILE[0], "parameters": hostile, HOSTILE[3]: HOSTILE[0]}
    settings["collection"] = {"source": f"/tmp/{HOSTILE[3]}</title>"}
    page = page_of(replace(clustering, settings=settings), tmp_path)
    assert len(page.all("script")) == 2
    assert not page.all("img")
    assert not any(name.startswith("on") for e in page.elements for name in e.attributes)


def test_what_is_shown_is_what_was_written(clustering, tmp_path):
    card = Card("a<b>&c", "Tom & <Jerry> at http://example.org/", "x < y && y > z", "a&b")
    page = page_of(dressed(clustering, [card]), tmp_path)
    assert page.data["ids"][0] == "a<b>&c"
    assert page.data["titles"][0] == card.title
    assert page.data["excerpts"][0] == card.excerpt
    assert card.title in page.one("tbody", id="rows").text


def test_an_enormous_title_is_cut(clustering, calm, tmp_path):
    cards = [
        Card("long" * 10**6, "word " * 10**6, "text " * 10**6, "class" * 10**6),
        Card("2", "<" * 5 * 10**6, "\U0001f600" * 10**6, "<" * 10**6),
    ]
    page = page_of(dressed(clustering, cards), tmp_path)
    assert len(page.source) < len(calm.source) + 50_000


def test_pages_of_nothing_but_escapes_stay_small(tmp_path):
    nasty = "<" * 400
    cards = [Card(f"{i}{nasty}", nasty, nasty, None) for i in range(15_000)]
    page = page_of(made(15_000, 3, cards=cards), tmp_path)
    assert len(page.source.encode()) < 15_000_000


@given(st.text(st.characters(), max_size=50))
def test_any_text_becomes_writable_text(text):
    for cleaned in (plain(text, 20), passage(text, 20)):
        assert len(cleaned) <= 20
        cleaned.encode("utf-8")
        assert not {"\x00", "\x1b", "\u202e", "\u2028", "\r"} & set(cleaned)
    assert "\n" not in plain(text, 20)
    assert plain(plain(text, 20), 20) == plain(text, 20)


@given(st.text(max_size=50))
def test_data_cannot_end_its_script_and_says_the_same(text):
    import json

    written = data({"text": text})
    assert not {"<", ">", "&", "\u2028", "\u2029"} & set(written)
    assert json.loads(written) == {"text": text}


def test_elements_escape_all_but_markup():
    assert tag("b", "<i>", title='"x"') == '<b title="&quot;x&quot;">&lt;i&gt;</b>'
    assert tag("p", tag("b", "x"), hidden=True, class_=None) == "<p hidden><b>x</b></p>"
    assert tag("p", Markup("<br>"), data_c=3) == '<p data-c="3"><br></p>'


def test_broken_lines_are_joined_and_lists_kept():
    long = "a line that was broken because it had grown so long"
    assert unwrapped(f"{long}\nagain\nshort\nlines\n\n> quoted") == (
        f"{long} again\nshort\nlines\n\n> quoted"
    )
    assert unwrapped(f"{long}\n> quoted\n  indented") == f"{long}\n> quoted\n  indented"
