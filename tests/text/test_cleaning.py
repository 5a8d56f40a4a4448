"""Cleaning takes out headers, signatures, quotations and markup, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.errors import InputError
from textclust.text.cleaning import AUTO, NOTHING, Cleaning, clean

HEADERS = """\
Xref: cantaloupe alt.atheism:49960
Path: cantaloupe!mantis!mathew
From: mathew <mathew@mantis.co.uk>
Newsgroups: alt.atheism,alt.atheism.moderated,
\tnews.answers
Subject: Re: Re: Atheist
  Resources
Summary: Books, addresses
Keywords: FAQ, books
Date: Mon, 29 Mar 1993 11:57:19 GMT
Lines: 290
"""
OWN = "These are words of my own, and there are more than twenty of them, so that " * 2


def cleaned(text: str, **switches: bool | str) -> str:
    return clean(text, Cleaning(**switches)).text  # type: ignore[arg-type]


def test_of_the_headers_only_what_tells_the_content_stays() -> None:
    result = clean(HEADERS + "\nThe body.\n")

    assert result.text == "Atheist Resources\nFAQ, books\nBooks, addresses\n\nThe body."
    assert result.sent == "Mon, 29 Mar 1993 11:57:19 GMT"


def test_windows_line_ends_make_no_difference() -> None:
    text = HEADERS + "\nThe body.\n"

    assert clean(text.replace("\n", "\r\n")) == clean(text)


def test_an_mbox_line_and_blank_lines_before_the_headers_are_tolerated() -> None:
    mbox = "\n\nFrom a@b Thu Jan  1 00:00:00 1970\nFrom: a@b\nSubject: s\n\nbody"

    assert cleaned(mbox) == "s\n\nbody"


@pytest.mark.parametrize(
    "prefix", ["Re: ", "RE:", "Fwd: Re: ", "Aw: AW: ", "Re[2]: ", "Re^3: ", "Fw:re: "]
)
def test_reply_marks_leave_the_subject(prefix: str) -> None:
    assert cleaned(f"From: a\nSubject: {prefix}Regarding: this\n\n") == "Regarding: this"


def test_encoded_subjects_are_decoded() -> None:
    subject = "=?utf-8?q?Gr=C3=BC=C3=9Fe?="

    assert cleaned(f"From: a\nSubject: Re: {subject}\n\nx") == "Grüße\n\nx"
    assert cleaned("From: a\nSubject: =?none?q?=C3?=\n\nx").endswith("x")


@pytest.mark.parametrize(
    "text",
    [
        "Note: this is prose.\n\nIt goes on.",
        "Title: a\nAuthor: b\nYear: 1999\n\nA text with fields of its own.",
        "From here on there are words only.\nSubject to change.",
        "Subject: only one known name\n\nbody",
        "12:30 lunch\n13:00 coffee\n",
        "  indented, with trailing space \n\n\n",
        "",
    ],
)
def test_a_text_that_is_no_message_is_left_alone(text: str) -> None:
    assert cleaned(text) == text


def test_a_newsgroups_line_alone_makes_a_message() -> None:
    assert cleaned("Newsgroups: rec.autos\n\nbody", headers=False) == "body"


def test_headers_true_removes_any_leading_block() -> None:
    assert cleaned("Title: a\nAuthor: b\n\nbody", headers=True) == "body"
    assert cleaned("Question: and then\nno blank line", headers=True).startswith("Question")


@pytest.mark.parametrize("headers", ["auto", True, False])
def test_what_gives_the_answer_away_never_stays(headers: bool | str) -> None:
    forwarded = "> Newsgroups: alt.atheism\n|>Path: a!b\n  Xref: c alt.atheism:1\nwords"
    text = HEADERS.replace("Lines", "References: <1@x>\nFollowup-To: alt.atheism\nLines")

    result = cleaned(f"{text}\n{OWN}\n{forwarded}", headers=headers, quotes=False)

    assert "alt.atheism" not in result
    assert "cantaloupe" not in result
    assert "news.answers" not in result
    assert result.endswith("words")


def test_headers_false_keeps_the_others() -> None:
    result = clean(HEADERS + "\nbody", NOTHING)

    assert result.text.startswith("From: mathew")
    assert "Lines: 290\n\nbody" in result.text
    assert result.sent is not None


def test_a_second_block_of_headers_goes_too() -> None:
    second = "Archive-name: atheism/resources\nLast-modified: 11 December 1992\nVersion: 1.0\n"

    result = cleaned(f"{HEADERS}\n{second}\nThe body.")

    assert result == "Atheist Resources\nFAQ, books\nBooks, addresses\n\nThe body."


def test_a_message_without_a_body_keeps_its_subject() -> None:
    assert cleaned(HEADERS).startswith("Atheist Resources")


def test_signatures_go_from_messages() -> None:
    body = "Words.\n-- \nJohn Doe\njohn@example.org"

    assert cleaned(HEADERS + "\n" + body).endswith("\n\nWords.")
    assert cleaned(HEADERS + "\n" + body, signatures=False).endswith("example.org")
    assert cleaned(body) == body
    assert cleaned(body, signatures=True) == "Words."


def test_only_the_last_mark_begins_a_signature_and_only_a_short_one() -> None:
    verse = "one\n--\ntwo\n--\nname"
    long = "one\n--\n" + "line\n" * 16

    assert cleaned(verse, signatures=True) == "one\n--\ntwo"
    assert cleaned(long, signatures=True) == long


QUOTES = [
    "> quoted words",
    ">> quoted words",
    "| quoted words",
    ": quoted words",
    "JS> quoted words",
    "|> quoted words",
    "  > quoted words",
    ":> quoted words",
]


@pytest.mark.parametrize("quote", QUOTES)
def test_quotations_go_with_their_introduction_when_asked(quote: str) -> None:
    message = f"{HEADERS}\njohn@x.org (John) writes:\n\n{quote}\n\n{OWN}"

    assert cleaned(message, quotes=True).endswith(f"addresses\n\n{OWN}")


@pytest.mark.parametrize("quote", QUOTES)
def test_quoted_words_stay_and_the_name_of_who_said_them_goes(quote: str) -> None:
    message = f"{HEADERS}\njohn@x.org (John) writes:\n\n{quote}\n\n{OWN}"

    text = cleaned(message)

    assert quote in text
    assert "John" not in text


@pytest.mark.parametrize(
    "attribution",
    [
        "In article <1@x> john@x (John) writes:",
        "In article <1@x>,\n   john@x (John) writes:",
        "On 21 Apr 93 02:59:52 GMT, John\n(john@x) wrote:",
        "John Doe says:",
        "In <1@x> john@x writes...",
    ],
)
def test_attributions_go_with_the_quotation(attribution: str) -> None:
    text = f"Before.\n{attribution}\n\n> quoted\n\nAfter."

    assert cleaned(text, quotes=True) == "Before.\n\nAfter."


def test_a_cited_article_goes_even_where_nothing_of_it_is_quoted() -> None:
    text = "In article <1@x>\njohn@x (John) writes:\n\n(Deletion)\n\nAfter."

    assert cleaned(text, quotes=True) == "(Deletion)\n\nAfter."


def test_own_words_before_a_quotation_stay() -> None:
    saying = "The poet wrote:\n\nno quotation follows"
    paragraph = "A whole paragraph on a single line. " * 20 + "Then she wrote:\n> quoted"

    assert cleaned(saying, quotes=True) == saying
    assert cleaned(paragraph, quotes=True).startswith("A whole paragraph")


PAGE = """<!DOCTYPE html>
<html><head><style>p { color: red }</style><title>Fish &amp; chips</title>
<script>if (a < b) document.write("<p>no</p>");</script></head>
<body class="x"><!-- hidden > words --><h1>Menu</h1><p>One<b>two</b><br/>three&nbsp;four
<a href="a>b">link</a> 5 < 6<table><tr><td>a</td><td>b</td></tr></table></body></html>"""


def test_html_becomes_what_a_reader_sees() -> None:
    assert cleaned(PAGE).split("\n") == [
        "Fish & chips",
        "Menu",
        "Onetwo",
        "three four",
        "link 5 < 6",
        "a b",
    ]


def test_the_title_comes_first_wherever_it_stands() -> None:
    assert cleaned("<html><p>text</p><title>Title</title>") == "Title\ntext"


def test_html_false_leaves_the_markup() -> None:
    assert cleaned(PAGE, html=False, entities=False) == PAGE
    assert cleaned("<p>Fish &amp; chips</p>" * 3, html=False) == "<p>Fish & chips</p>" * 3


def test_a_fragment_with_several_tags_is_html() -> None:
    assert cleaned("Good.<br /><br />Very <i>good</i>.") == "Good.\nVery good."


@pytest.mark.parametrize("text", ["a <b and c> d", "if x < 3 and y > 4", "mail <a@b.c>", "<b>"])
def test_a_few_angle_brackets_make_no_html(text: str) -> None:
    assert cleaned(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("One<br>two", "One\ntwo"),
        ("a <i>word</i>  and\n  another", "a word  and\n  another"),
        ("<b>a</b> <em x", "a <em x"),
        ("see <a href='http://x.org/a?b'>this page</a> < 3", "see this page < 3"),
        ("<font color=red>red", "red"),
        ("x<script>if (a > b) no()</script>y", "xy"),
        ("E = mc<sup>2</sup>", "E = mc2"),
        ("<p>First.\n\n  <P>Second.", "\nFirst.\n\n  \nSecond."),
    ],
)
def test_a_single_tag_goes_where_it_is_plainly_one(text: str, plain: str) -> None:
    assert cleaned(text) == plain
    assert cleaned(text, html=False) == text


def test_html_in_a_message_is_cleaned() -> None:
    assert cleaned("From: a\nSubject: s\n\n<html><p>body</p></html>") == "s\n\nbody"


@pytest.mark.parametrize(
    "markup",
    [
        "<html><p",
        "<html><!-- never closed",
        "<html><script>never closed",
        "<html></p></p></title>",
        "<html>&#" + "9" * 10_000 + ";",
        "<html>&#xD800; &#0; &bogus; &",
        "<html><title>a<title>b",
        "<html><a b='c>d",
    ],
)
def test_broken_markup_never_fails(markup: str) -> None:
    cleaned(markup).encode()


switches = st.sampled_from(["auto", True, False])
cleanings = st.builds(Cleaning, *[switches] * 6)
fragments = st.sampled_from(
    [
        *HEADERS.splitlines(keepends=True),
        *("\n", "\r\n", " ", "words ", "-- \n", "> ", "writes:\n", "&#1;", "=?utf-8?q?x"),
        *("<html>", "<title>", "<p>", "</p>", "<script>", "<!--", "-->", "<b>", "</b>", "<br/>"),
        *("&lt;", "&amp;", "&quot;", "#39;", "gt;", "b", "\\", "'", "{", "}", "e", "o", "{\\ss}"),
    ]
)


@given(st.text(), cleanings)
def test_any_text_can_be_cleaned(text: str, cleaning: Cleaning) -> None:
    clean(text, cleaning)


@given(st.lists(fragments).map("".join), cleanings)
def test_any_heap_of_fragments_can_be_cleaned(text: str, cleaning: Cleaning) -> None:
    result = clean(text, cleaning)

    assert len(result.text) <= len(text) + 2


@given(st.text(st.characters(exclude_characters=":", exclude_categories=["Cs"])))
def test_with_everything_off_only_line_ends_change(text: str) -> None:
    assert clean(text, NOTHING).text == text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_wrong_switch_is_reported() -> None:
    with pytest.raises(InputError, match="quotes='maybe': must be"):
        Cleaning(quotes="maybe")  # type: ignore[arg-type]


SIZE = 400_000
HOSTILE = [
    *(">", "> ", ">\n", " ", "\n", "\r", "\t\n", "<", "<a", "<a ", '<a "', "<a '<", "<!--", "<!"),
    *(
        "<p>",
        "</",
        "</script",
        "<script>",
        "<title>",
        "&",
        "&#",
        "&#9",
        "&amp",
        "&amp;",
        "&lt;b&gt;",
        "#39;",
        "quot;",
        ";",
        "\\",
        "\\'",
        "\\'e",
        "{\\",
        "{\\o",
        "a\\ss",
        "</b><b ",
        "<br =",
        "a",
        "a:",
        "a: b\n",
    ),
    *("From: a\n", "Subject: Re: ", "Re: ", "-- \n", "--\n", "writes:\n", "writes:\n>", "In <\n"),
    *("Newsgroups: a,\n", "Path:", "Newsgroups: ", ",", ", ", " ,\n", "=?", "=?a?q?", "JS>", "| "),
]
EVERYTHING = Cleaning(*[True] * 6)


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_cleaned_in_one_pass(unit: str) -> None:
    """A moment each; were any step quadratic, this would take hours."""
    text = unit * (SIZE // len(unit))
    inside = unit * (SIZE // 5 // len(unit))

    for hostile in (text, "From: a\nSubject: " + inside, "From: a\nTo: b\n\n<html>" + inside):
        assert isinstance(clean(hostile, AUTO).text, str)
        assert isinstance(clean(hostile, EVERYTHING).text, str)
