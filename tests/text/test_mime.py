"""Mail as it is today: encoded bodies, several parts, attachments."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.text.cleaning import clean


def mail(**content):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@x.example", "b@x.example", "Café"
    message.set_content(content.pop("text", "Plain words."), **content)
    return message


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "8bit"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1"])
def test_an_encoded_body_is_read(encoding, charset):
    message = mail(text="Grüße aus Zürich\n", cte=encoding, charset=charset)
    raw = message.as_bytes().decode(charset)
    assert clean(raw).text == "Café\n\nGrüße aus Zürich"


def test_of_two_alternatives_the_plain_one_is_read():
    message = mail(text="Plain words.")
    message.add_alternative("<p>Words in <b>HTML</b>.</p>", subtype="html")
    assert clean(message.as_string()).text == "Café\n\nPlain words."


def test_html_is_read_where_nothing_else_is_there():
    message = mail(
        text="<html><body><p>Only <b>HTML</b>.</p></body></html>", subtype="html", cte="base64"
    )
    assert clean(message.as_string()).text.split() == ["Café", "Only", "HTML."]


def test_attachments_are_left_out():
    message = mail(text="See the list.")
    message.add_attachment("secret,words\n", subtype="csv", filename="list.csv")
    message.add_attachment(b"\x00\x01", maintype="image", subtype="png", filename="a.png")
    assert clean(message.as_string()).text == "Café\n\nSee the list."


@pytest.mark.parametrize(
    "headers",
    [
        "Content-Type: multipart/mixed; boundary=x",
        "Content-Transfer-Encoding: base64",
        "Content-Type: text/plain; charset=klingon\nContent-Transfer-Encoding: quoted-printable",
    ],
)
@given(body=st.text(max_size=80))
def test_what_is_broken_does_not_break_reading(headers, body):
    assert isinstance(clean(f"From: a\nTo: b\n{headers}\n\n{body}").text, str)


def test_parts_within_parts_end_somewhere():
    part = "--b{0}\nContent-Type: multipart/mixed; boundary=b{1}\n\n"
    deep = "".join(part.format(i, i + 1) for i in range(3000))
    text = f"From: a\nTo: b\nContent-Type: multipart/mixed; boundary=b0\n\n{deep}"
    assert isinstance(clean(text).text, str)


BROKEN = ["=?ü?q?x?=", "=?\udc80?b?YQ==?=", "=?x\0?q?a?=", "=?utf-8?b?x?=", "=?klingon?q?a?="]


@pytest.mark.parametrize("word", BROKEN)
def test_a_charset_that_is_no_name_leaves_the_subject_as_it_is(word):
    cleaned = clean(f"From: a\nTo: b\nSubject: {word}\n\nThe body.")
    assert cleaned.text.endswith("The body.")


@pytest.mark.parametrize("charset", ["ü", "\udcff", '"\0"', "*=utf-8''%FF", "undefined", "hex"])
@pytest.mark.parametrize("encoding", ["base64", "quoted-printable"])
def test_a_charset_that_is_no_name_leaves_the_body_readable(charset, encoding):
    head = f"From: a\nTo: b\nContent-Transfer-Encoding: {encoding}"
    kind = f"Content-Type: text/plain; charset={charset}"
    body = "d29yZHM=" if encoding == "base64" else "words"
    assert clean(f"{head}\n{kind}\n\n{body}").text.strip() in ("words", body)
