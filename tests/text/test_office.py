"""Word files, PDF, pages and mail: among other files, and alone; whatever is in them."""

from __future__ import annotations

import builtins
import io
import tarfile
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.text.office import docx, mailbox, pdf, xlsx, zipped
from textclust.errors import InputError
from textclust.text.catalogue import UnreadableError
from textclust.text.cleaning import AUTO, Cleaning
from textclust.text.contents import named_file_reader
from textclust.text.documents import Documents, read_documents
from textclust.text.limits import Limits
from textclust.text.splitting import ReadingSettings, split_source

MAIL = (
    "From: a@b.example\nTo: c@d.example\nDate: Mon, 5 Jan 2026 10:00:00 +0000\nSubject: {}\n\n{}\n"
)
TEXTS = {
    "a.docx": docx("The wheel.", "The chain."),
    "b.pdf": pdf("The moon\nand stars.", compressed=True),
    "c.xlsx": xlsx([["colour", "price"], ["red", 5]]),
    "d.html": b"Bread &amp; butter<br>and jam",
    "e.eml": MAIL.format("Rain", "It rained.").encode(),
    "f.mbox": mailbox(MAIL.format("One", "First."), MAIL.format("Two", "Second.")),
    "g.txt": b"a note\nof two lines",
}
EXPECTED = {
    "a.docx": "The wheel.\nThe chain.",
    "b.pdf": "The moon\nand stars.",
    "c.xlsx": "colour\tprice\nred\t5",
    "d.html": "Bread & butter\nand jam",
    "e.eml": "Rain\n\nIt rained.",
    "f.mbox/1": "One\n\nFirst.",
    "f.mbox/2": "Two\n\nSecond.",
    "g.txt": "a note\nof two lines",
}


def read_one(folder: Path, name: str, data: bytes, **options: Any) -> Documents:
    (folder / name).write_bytes(data)
    return read_documents(folder / name, **options)


def reason_for(folder: Path, name: str, data: bytes, **options: Any) -> str:
    """Why a file is left out of a folder, in which there is another; alone it is an error."""
    with pytest.raises(InputError, match=rf"{name}: ") as refused:
        read_one(folder, name, data, **options)
    (folder / "other").write_text("other")
    (skipped,) = read_documents(folder, **options).skipped
    assert skipped.name == name
    assert skipped.reason in str(refused.value)
    return skipped.reason


def test_files_of_all_kinds_lie_in_one_folder(tmp_path: Path) -> None:
    for name, data in TEXTS.items():
        (tmp_path / name).write_bytes(data)

    documents = read_documents(tmp_path)

    assert dict(zip(documents.ids, documents.texts, strict=True)) == EXPECTED
    assert documents.skipped == []
    assert documents.dates is not None
    assert documents.dates[4:7] == [datetime(2026, 1, 5, 10, tzinfo=UTC)] * 3


def test_an_archive_of_them_has_the_same_documents(tmp_path: Path) -> None:
    (tmp_path / "all.zip").write_bytes(zipped({**TEXTS}))
    with tarfile.open(tmp_path / "all.tar.gz", "w:gz") as archive:
        for name, data in TEXTS.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))

    for path in (tmp_path / "all.zip", tmp_path / "all.tar.gz"):
        documents = read_documents(path)
        assert dict(zip(documents.ids, documents.texts, strict=True)) == EXPECTED


def test_pieces_of_a_folder_have_them_too(tmp_path: Path) -> None:
    for name, data in TEXTS.items():
        (tmp_path / name).write_bytes(data)

    (piece,) = split_source(tmp_path)

    assert list(piece.open(ReadingSettings())) == list(EXPECTED.values())


@pytest.mark.parametrize("name", ["a.docx", "b.pdf", "d.html", "e.eml"])
def test_a_file_alone_is_a_collection_of_one(tmp_path: Path, name: str) -> None:
    documents = read_one(tmp_path, name, TEXTS[name])
    assert documents.ids == [name]
    assert documents.texts == [EXPECTED[name]]
    assert documents.labels is None


@pytest.mark.parametrize("name", ["A.DOCX", "B.Pdf"])
def test_names_may_be_in_capitals(tmp_path: Path, name: str) -> None:
    assert read_one(tmp_path, name, TEXTS[name.lower()]).texts == [EXPECTED[name.lower()]]


@pytest.mark.parametrize("name", ["a.docx", "b.pdf", "c.xlsx"])
def test_text_by_such_a_name_is_read_as_text_but_not_alone(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"{name}: .*no[t]? "):
        read_one(tmp_path, name, b"plain words")
    assert read_documents(tmp_path).texts == ["plain words"]


@pytest.mark.parametrize("name", ["a.docx", "c.xlsx"])
def test_what_has_a_password_is_left_out(tmp_path: Path, name: str) -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    assert reason_for(tmp_path, name, data) == "encrypted, or of an older format"


@pytest.mark.parametrize(("name", "library"), [("b.pdf", "pypdf"), ("c.xlsx", "openpyxl")])
def test_without_the_library_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, library: str
) -> None:
    found = builtins.__import__

    def without(wanted: str, *others: Any, **more: Any) -> Any:
        if wanted.split(".")[0] == library:
            raise ImportError(wanted)
        return found(wanted, *others, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    (tmp_path / name).write_bytes(TEXTS[name])
    with pytest.raises(InputError, match=r"install .*textclust\[files\]") as refused:
        read_documents(tmp_path / name)
    assert "\n" not in str(refused.value)
    (tmp_path / "other").write_text("other")
    (skipped,) = read_documents(tmp_path).skipped
    assert skipped.reason == "install textclust[files]"


# Word


def test_tables_breaks_and_tabs_of_a_word_file(tmp_path: Path) -> None:
    def cell(*words: str) -> str:
        return f"<w:tc>{''.join(f'<w:p><w:r><w:t>{w}</w:t></w:r></w:p>' for w in words)}</w:tc>"

    body = (
        f"<w:tbl><w:tr>{cell('a', 'b')}{cell('c')}</w:tr>"
        f"<w:tr>{cell('d')}{cell('e')}</w:tr></w:tbl>"
        "<w:p><w:r><w:t>x</w:t><w:tab/><w:t>y</w:t><w:br/><w:t>z</w:t></w:r></w:p>"
        "<w:p><w:r><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText></w:r></w:p>"
    )
    lines = read_one(tmp_path, "a.docx", docx(body=body)).texts[0].split("\n")
    assert [line.split() for line in lines] == [
        ["a", "b", "c"], ["d", "e"], ["x", "y"], ["z"],
    ]  # fmt: skip


def test_words_split_by_the_program_are_whole(tmp_path: Path) -> None:
    runs = "<w:p><w:r><w:t>clus</w:t></w:r><w:proofErr/><w:r><w:t>ters</w:t></w:r></w:p>"
    assert read_one(tmp_path, "a.docx", docx(body=runs)).texts == ["clusters"]


def test_the_main_part_may_have_another_name(tmp_path: Path) -> None:
    data = docx("words", main="word/document2.xml")
    assert read_one(tmp_path, "a.docx", data).texts == ["words"]


def test_entities_are_never_expanded(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    data = docx(body="<w:p><w:r><w:t>&b;</w:t></w:r></w:p>", prologue=bomb)
    assert reason_for(tmp_path, "a.docx", data) == "declares a document type"


def test_nor_in_a_workbook(tmp_path: Path) -> None:
    parts = dict(_parts(TEXTS["c.xlsx"]))
    begin = parts["xl/workbook.xml"].index(b"<workbook")
    parts["xl/workbook.xml"] = b'<!DOCTYPE a [<!ENTITY a "ha">]>' + parts["xl/workbook.xml"][begin:]
    assert reason_for(tmp_path, "c.xlsx", zipped(parts)) == "declares a document type"


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


@pytest.mark.parametrize("name", ["a.docx", "c.xlsx"])
def test_a_compression_bomb_is_left_out(tmp_path: Path, name: str) -> None:
    small = Limits(harmless_bytes=1 << 16)
    data = zipped({**_parts(TEXTS[name]), "more": b"\0" * (1 << 20)})
    assert reason_for(tmp_path, name, data, limits=small) == "unpacks to over 100 times its size"


def test_a_large_file_may_unpack_to_less(tmp_path: Path) -> None:
    small = Limits(harmless_bytes=1 << 10, document_bytes=1 << 10)
    data = zipped({**_parts(TEXTS["a.docx"]), "more": b"\0" * (1 << 15)})
    assert 16 * (1 << 10) < 1 << 15 < 100 * len(data)
    reason = reason_for(tmp_path, "a.docx", data, limits=small)
    assert reason.startswith("unpacks to over ")


def test_a_text_that_is_too_long_is_left_out(tmp_path: Path) -> None:
    small = Limits(document_bytes=2000)
    data = docx(*["the same words"] * 200)
    assert len(data) < 2000
    assert "larger than" in reason_for(tmp_path, "a.docx", data, limits=small)


@pytest.mark.parametrize("name", ["a.docx", "c.xlsx"])
def test_unusual_compression_is_refused(tmp_path: Path, name: str) -> None:
    data = zipped(_parts(TEXTS[name]), zipfile.ZIP_BZIP2)
    assert reason_for(tmp_path, name, data) == "unusual compression"


def test_a_zip_file_of_other_things_is_no_word_file(tmp_path: Path) -> None:
    assert reason_for(tmp_path, "a.docx", zipped({"x": b"x"})) == "no document in it"


# PDF


def test_words_that_a_line_end_divides_are_put_together(tmp_path: Path) -> None:
    found = read_one(tmp_path, "b.pdf", pdf("we cluster-\ning text - and", "more"))
    assert found.texts[0].split() == ["we", "clustering", "text", "-", "and", "more"]


def test_scanned_and_encrypted_pages_are_left_out(tmp_path: Path) -> None:
    assert reason_for(tmp_path, "b.pdf", pdf("")) == "no text in it (scanned?)"
    locked = "/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<{0}>/U<{0}>>>/ID[<00><00>]"
    data = pdf("secret", trailer=locked.format("41" * 32))
    assert reason_for(tmp_path, "b.pdf", data) == "encrypted"


def test_pages_that_unpack_absurdly_are_left_out(tmp_path: Path) -> None:
    data = pdf(*["word " * 20_000] * 3, compressed=True)
    small = Limits(harmless_bytes=1000, expansion=10)
    assert reason_for(tmp_path, "b.pdf", data, limits=small) == "unpacks to over 10 times its size"


def test_a_damaged_pdf_says_so_and_nothing_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert reason_for(tmp_path, "b.pdf", b"%PDF-1.4\nnothing") == "damaged"
    assert capfd.readouterr().err == ""


# Pages and mail


def test_a_page_is_html_whatever_it_begins_with(tmp_path: Path) -> None:
    data = b"Bread &amp; butter <br> is a < b"
    shown = read_one(tmp_path, "d.htm", data).texts[0]
    assert " ".join(shown.split()) == "Bread & butter is a < b"
    kept = read_one(tmp_path, "d.htm", data, cleaning=Cleaning(html=False, entities=False))
    assert kept.texts == [data.decode()]


def test_a_mailbox_alone_has_its_messages_in_order(tmp_path: Path) -> None:
    messages = [MAIL.format(f"No {i}", f"Body {i}.") for i in range(12)]

    documents = read_one(tmp_path, "f.mbox", mailbox(*messages))

    assert documents.ids == [str(i) for i in range(1, 13)]
    assert documents.texts == [f"No {i}\n\nBody {i}." for i in range(12)]
    assert documents.dates == [datetime(2026, 1, 5, 10, tzinfo=UTC)] * 12
    assert documents.labels is None


def test_a_line_of_the_text_may_begin_with_from(tmp_path: Path) -> None:
    body = "Words.\n\n>From here on it was quoted.\n\nFrom there on it was not.\n>>From: kept one"
    documents = read_one(tmp_path, "f.mbox", mailbox(MAIL.format("x", body), MAIL.format("y", "z")))

    assert len(documents) == 2
    assert "\nFrom here on" in documents.texts[0]
    assert "\nFrom there on" in documents.texts[0]


def test_line_ends_of_windows_and_lines_without_a_date(tmp_path: Path) -> None:
    plain = ["From a@b\n" + MAIL.format(i, "text") for i in "xy"]
    data = "\n".join(plain).replace("\n", "\r\n").encode()
    assert read_one(tmp_path, "f.mbox", data).texts == ["x\n\ntext", "y\n\ntext"]


def test_parts_of_mail_in_a_mailbox_are_decoded(tmp_path: Path) -> None:
    head = "From: a\nTo: b\nSubject: =?utf-8?q?Caf=C3=A9?=\nContent-Transfer-Encoding: base64"
    data = mailbox(f"{head}\nContent-Type: text/plain; charset=latin-1\n\nR3L832U=")
    assert read_one(tmp_path, "f.mbox", data).texts == ["Café\n\nGrüße"]


def test_a_message_that_is_too_large_is_left_out(tmp_path: Path) -> None:
    data = mailbox(MAIL.format("x", "word " * 500), MAIL.format("y", "z"))
    found = read_one(tmp_path, "f.mbox", data, limits=Limits(document_bytes=1000))
    assert found.texts == ["y\n\nz"]
    assert [item.name for item in found.skipped] == ["1"]


def test_what_is_no_mailbox_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a mailbox"):
        read_one(tmp_path, "f.mbox", MAIL.format("x", "y").encode())
    with pytest.raises(InputError, match="no column 'body', only 'text'"):
        read_one(tmp_path, "f.mbox", TEXTS["f.mbox"], text_column="body")


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1), max_size=5
    )
)
def test_a_mailbox_gives_back_what_was_put_in(bodies: list[str]) -> None:
    import mailbox as library
    import tempfile
    from email.message import EmailMessage

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.mbox")
        box = library.mbox(str(path))
        for body in bodies:
            message = EmailMessage()
            message["Subject"], message["From"] = "s", "a@b"
            message.set_content(body)
            box.add(message)
        box.close()
        if bodies:
            texts = read_documents(path).texts
            assert [text.split() for text in texts] == [["s", *body.split()] for body in bodies]


# A line is a document


def test_a_text_alone_has_a_document_in_each_line(tmp_path: Path) -> None:
    found = read_one(tmp_path, "g.txt", " café \r\n\r\nsecond\nthird".encode("cp1252"))
    assert found == Documents(["1", "2", "3"], ["café", "second", "third"])
    assert read_one(tmp_path, "h.txt", "один\nдва\n".encode("utf-16")).texts == ["один", "два"]


# Whatever happened to them


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Some bytes changed, cut out, repeated or put in."""
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data)))
        match draw(st.integers(0, 3)):
            case 0:
                data = data[:place] + draw(st.binary(max_size=8)) + data[place + 1 :]
            case 1:
                data = data[:place] + data[place + draw(st.integers(1, 200)) :]
            case 2:
                data = data[:place] + data[max(0, place - draw(st.integers(1, 200))) :]
            case _:
                data = data[:place]
    return data


@pytest.mark.parametrize("name", sorted(TEXTS))
@settings(max_examples=60)
@given(choices=st.data())
def test_damage_is_a_reason_or_other_words_and_never_a_crash(
    name: str, choices: st.DataObject
) -> None:
    data = choices.draw(damaged(TEXTS[name]))
    with suppress(UnreadableError):
        read = named_file_reader(AUTO)(name, data)
        assert read is None or isinstance(read[0], str)


@pytest.mark.parametrize("name", ["a.docx", "c.xlsx"])
@settings(max_examples=60)
@given(choices=st.data())
def test_damage_inside_a_package_neither(name: str, choices: st.DataObject) -> None:
    parts = _parts(TEXTS[name])
    part = choices.draw(st.sampled_from(sorted(parts)))
    data = zipped({**parts, part: choices.draw(damaged(parts[part]))})
    with suppress(UnreadableError):
        assert named_file_reader(AUTO)(name, data) is not None


@pytest.mark.parametrize("name", ["c.xlsx", "f.mbox", "g.txt"])
@settings(max_examples=40)
@given(choices=st.data())
def test_damaged_tables_are_input_errors(name: str, choices: st.DataObject) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(choices.draw(damaged(TEXTS[name])))
        with suppress(InputError):
            read_documents(path, text_column="colour" if name == "c.xlsx" else "text")
