"""Folders become documents: ids, labels, order, encodings, and what is left out."""

from __future__ import annotations

import io
import os
import re
import socket
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.errors import InputError
from textclust.progress import reporting
from textclust.text.decoding import decode, encoding_of, looks_binary
from textclust.text.documents import Documents, Skipped, read_documents
from textclust.text.limits import Limits
from textclust.text.reading import open_documents

as_root = hasattr(os, "geteuid") and os.geteuid() == 0
posix_only = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX file system")


def plant(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write a folder of files."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def test_every_file_below_a_folder_is_a_document(tmp_path: Path) -> None:
    plant(tmp_path, {"b/two.txt": "two", "a/deep/one": "one", "top.txt": "top"})

    documents = read_documents(tmp_path)

    assert documents.ids == ["a/deep/one", "b/two.txt", "top.txt"]
    assert documents.texts == ["one", "two", "top"]
    assert documents.labels == ["a", "b", None]
    assert documents.dates is None
    assert documents.skipped == []
    assert len(documents) == 3


def test_a_flat_folder_has_no_labels(tmp_path: Path) -> None:
    assert read_documents(plant(tmp_path, {"a": "x", "b": "y"})).labels is None


def test_a_path_may_be_a_string_and_end_in_a_slash(tmp_path: Path) -> None:
    plant(tmp_path, {"a/x": "x"})

    assert read_documents(f"{tmp_path}/") == read_documents(tmp_path)


def test_order_does_not_depend_on_the_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, {f"{folder}/{i}": f"{i}" for folder in "bac" for i in (10, 9, 1)})
    expected = read_documents(tmp_path)
    scandir = os.scandir

    class Backwards:
        def __init__(self, path: str) -> None:
            self.entries = sorted(scandir(path), key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self.entries)

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(os, "scandir", Backwards)

    assert read_documents(tmp_path) == expected
    assert expected.ids == sorted(expected.ids)


def test_an_empty_file_is_an_empty_document(tmp_path: Path) -> None:
    documents = read_documents(plant(tmp_path, {"empty": b"", "full": "words"}))

    assert documents.texts == ["", "words"]


def test_hidden_and_binary_files_are_left_out_and_reported(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            ".git/config": "x",
            "a/.hidden": "x",
            "a/text": "kept",
            "a/image.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            "a/noise": bytes(range(1, 7)) * 20,
            "__MACOSX/a": "x",
            "a/Thumbs.db": "x",
            "a/desktop.ini": "x",
        },
    )

    documents = read_documents(tmp_path)

    assert documents.ids == ["a/text"]
    assert documents.skipped == [
        Skipped(".git", "hidden"),
        Skipped("__MACOSX", "hidden"),
        Skipped("a/.hidden", "hidden"),
        Skipped("a/Thumbs.db", "hidden"),
        Skipped("a/desktop.ini", "hidden"),
        Skipped("a/image.png", "binary"),
        Skipped("a/noise", "binary"),
    ]


def test_a_hidden_folder_given_by_name_is_read(tmp_path: Path) -> None:
    assert read_documents(plant(tmp_path / ".corpus", {"a": "x"})).ids == ["a"]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1"]
)
def test_texts_are_read_in_their_encoding(tmp_path: Path, encoding: str) -> None:
    text = "naïve café, déjà vu"

    assert read_documents(plant(tmp_path, {"a": text.encode(encoding)})).texts == [text]


@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize("width", [16, 32])
def test_big_and_little_endian_marks_are_understood(width: int, order: str) -> None:
    data = "\ufeffgrüße €".encode(f"utf-{width}-{order}")

    assert decode(data) == "grüße €"
    assert not looks_binary(data)


def test_windows_quotes_come_before_latin_1() -> None:
    assert decode(b"\x93quoted\x94") == "“quoted”"
    assert decode(b"\x81\xe9") == "\x81é"


@given(st.binary())
def test_decoding_never_fails(data: bytes) -> None:
    assert isinstance(decode(data), str)
    assert looks_binary(data) in (True, False)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_utf_8_is_read_as_it_was_written(text: str) -> None:
    data = text.encode("utf-8-sig")

    assert decode(data) == text


@given(st.binary(max_size=50))
def test_a_stream_is_decoded_as_its_bytes_are(data: bytes) -> None:
    encoding = encoding_of(io.BytesIO(data))

    assert data.decode(encoding, "replace") == decode(data)


def test_ids_are_nfc_whatever_the_file_system_holds(tmp_path: Path) -> None:
    plant(tmp_path, {unicodedata.normalize("NFD", "é/ü"): "x"})

    documents = read_documents(tmp_path)

    assert documents.ids == ["é/ü"]
    assert documents.labels == ["é"]


@posix_only
def test_undecodable_file_names_are_escaped(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff")).write_text("x")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")

    assert read_documents(tmp_path).ids == ["a\\xff"]


@posix_only
def test_links_to_files_are_followed_and_broken_ones_reported(tmp_path: Path) -> None:
    outside = plant(tmp_path / "outside", {"far": "far"})
    corpus = plant(tmp_path / "corpus", {"near": "near"})
    (corpus / "linked").symlink_to(outside / "far")
    (corpus / "broken").symlink_to(outside / "nowhere")
    (corpus / "itself").symlink_to("itself")

    documents = read_documents(corpus)

    assert documents.ids == ["linked", "near"]
    assert documents.texts == ["far", "near"]
    assert documents.skipped == [Skipped("broken", "broken link"), Skipped("itself", "link loop")]


@posix_only
def test_links_to_folders_are_read_once_and_loops_end(tmp_path: Path) -> None:
    outside = plant(tmp_path / "outside", {"x": "x"})
    corpus = plant(tmp_path / "corpus", {"a/y": "y"})
    (corpus / "linked").symlink_to(outside)
    (corpus / "twice").symlink_to(outside)
    (corpus / "a" / "loop").symlink_to(corpus)
    (corpus / "above").symlink_to(tmp_path)
    (corpus / "A").symlink_to(corpus / "a")

    documents = read_documents(corpus)

    assert documents.ids == ["a/y", "linked/x"]
    assert documents.labels == ["a", "linked"]
    assert documents.skipped == [
        Skipped("A", "link to a folder that is read already"),
        Skipped("a/loop", "link loop"),
        Skipped("above", "link loop"),
        Skipped("twice", "link to a folder that is read already"),
    ]


@posix_only
def test_folders_that_link_to_each_other_do_not_multiply(tmp_path: Path) -> None:
    for i in range(20):
        plant(tmp_path / "outside" / str(i), {"x": "x"})
        for side in "lr":
            target = tmp_path / "outside" / str((i + 1) % 20)
            (tmp_path / "outside" / str(i) / side).symlink_to(target)
    corpus = plant(tmp_path / "corpus", {"a": "x"})
    (corpus / "in").symlink_to(tmp_path / "outside" / "0")

    assert len(read_documents(corpus)) == 21


@posix_only
def test_special_files_are_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {"a": "x"})
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "device").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)  # a socket's whole path must be short
        server.bind("socket")

        documents = read_documents(tmp_path)

    assert documents.ids == ["a"]
    assert documents.skipped == [
        Skipped(name, "not a regular file") for name in ("device", "fifo", "socket")
    ]


@posix_only
@pytest.mark.skipif(as_root, reason="root may read everything")
def test_unreadable_files_and_folders_are_reported(tmp_path: Path) -> None:
    plant(tmp_path, {"a": "x", "closed/b": "x", "secret": "x"})
    (tmp_path / "secret").chmod(0)
    (tmp_path / "closed").chmod(0)
    try:
        documents = read_documents(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)

    assert documents.ids == ["a"]
    assert documents.skipped == [
        Skipped("closed", "no permission to read it"),
        Skipped("secret", "no permission to read it"),
    ]


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "I/O")])
def test_a_file_that_cannot_be_opened_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    plant(tmp_path, {"a": "x", "b": "x"})
    stat = os.stat

    def refuse(path: str, **options: object) -> os.stat_result:
        if str(path).endswith("b"):
            raise error
        return stat(path)

    monkeypatch.setattr(os, "stat", refuse)

    documents = read_documents(tmp_path)

    assert documents.ids == ["a"]
    assert [skipped.name for skipped in documents.skipped] == ["b"]


def test_a_file_that_vanishes_is_reported(tmp_path: Path) -> None:
    plant(tmp_path, {"a": "x", "b": "x"})

    def vanishing(items, label, total):  # type: ignore[no-untyped-def]
        (tmp_path / "b").unlink()
        yield from items

    with reporting(vanishing):
        documents = read_documents(tmp_path)

    assert documents.ids == ["a"]
    assert documents.skipped == [Skipped("b", "vanished while reading")]


def test_a_file_larger_than_the_limit_is_reported(tmp_path: Path) -> None:
    plant(tmp_path, {"exact": "x" * 1024, "large": "x" * 1025})

    documents = read_documents(tmp_path, limits=Limits(document_bytes=1024))

    assert documents.ids == ["exact"]
    assert documents.skipped == [Skipped("large", "larger than 0.000977 MiB")]


def test_progress_is_reported_file_by_file(tmp_path: Path) -> None:
    plant(tmp_path, {"a": "x", "b": "x"})
    labels: list[tuple[str, int | None]] = []

    def listening(items, label, total):  # type: ignore[no-untyped-def]
        labels.append((label, total))
        yield from items

    with reporting(listening):
        read_documents(tmp_path)

    assert labels == [("reading", 2)]


def test_dates_come_from_message_headers_with_a_time_zone(tmp_path: Path) -> None:
    head = "From: a@b.c\nSubject: s\nDate: "
    plant(
        tmp_path,
        {
            "1": head + "Mon, 29 Mar 1993 11:57:19 GMT\n\nbody",
            "2": head + "29 Mar 93 06:57:19 -0500\n\nbody",
            "3": head + "soon\n\nbody",
            "4": "no message",
            "5": head + "19 Apr 93 16:15:19 +3000\n\nbody",
        },
    )

    moment = datetime(1993, 3, 29, 11, 57, 19, tzinfo=UTC)
    april = datetime(1993, 4, 19, 16, 15, 19, tzinfo=UTC)
    assert read_documents(tmp_path).dates == [moment, moment, None, None, april]


@pytest.mark.parametrize("name", ["notes.rst", "book.odt", "plain"])
def test_other_kinds_of_file_are_refused_with_a_list_of_what_is_read(
    tmp_path: Path, name: str
) -> None:
    plant(tmp_path, {name: "x"})

    with pytest.raises(InputError, match=r"give a folder, a table \(\.csv.*\.zip.*standard input"):
        read_documents(tmp_path / name)


@pytest.mark.parametrize("name", ["missing", "missing.csv", "file/below", "nul\0byte", ""])
def test_a_path_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    plant(tmp_path, {"file": "x"})

    with pytest.raises(InputError, match="no such file or folder"):
        read_documents(f"{tmp_path}/{name}" if name else "")


@posix_only
def test_a_special_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")

    with pytest.raises(InputError, match="neither a file nor a folder"):
        read_documents(tmp_path / "pipe.csv")


@posix_only
def test_a_name_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_documents(tmp_path / ("x" * 5000))


def test_a_folder_without_documents_says_what_was_left_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no documents found; check"):
        read_documents(tmp_path)

    plant(tmp_path, {".a": "x", ".b": "x", "c": b"\0"})

    with pytest.raises(InputError, match=r"3 left out \(2 hidden, 1 binary\)"):
        read_documents(tmp_path)


def test_messages_are_one_line(tmp_path: Path) -> None:
    plant(tmp_path, {"x.rst": "x"})
    for name in ("missing", "x.rst"):
        with pytest.raises(InputError, match=r"\A[^\n]+\Z"):
            read_documents(tmp_path / name)


def test_a_selection_keeps_what_belongs_together(tmp_path: Path) -> None:
    plant(tmp_path, {"a/1": "one", "b/2": "two", "top": "three"})

    documents = read_documents(tmp_path).select([2, 0])

    assert documents == Documents(["top", "a/1"], ["three", "one"], [None, "a"])
    assert documents.select([0]).labels is None
    assert len(documents.select([])) == 0


def test_texts_at_hand_are_numbered_from_one() -> None:
    assert Documents.from_texts(["x", "y"]).ids == ["1", "2"]
    assert Documents.from_texts(iter(["x"]), ids=["a"]).ids == ["a"]


def test_texts_and_ids_must_match() -> None:
    with pytest.raises(InputError, match="single string"):
        Documents.from_texts("one text")
    with pytest.raises(InputError, match="1 ids but 2 texts"):
        Documents.from_texts(["x", "y"], ids=["a"])
    with pytest.raises(InputError, match="'a' is given twice"):
        Documents.from_texts(["x", "y"], ids=["a", "a"])


def test_a_title_is_the_first_line_that_says_anything() -> None:
    long = "word " * 40
    documents = Documents.from_texts(["\n  \n  A \t title \nbody", " \n", long, "x" * 100])

    assert documents.title(0) == "A title"
    assert documents.title(1) == "2"
    assert documents.title(2).endswith("word…")
    assert all(len(documents.title(i)) <= 80 for i in range(4))


def test_importing_is_light() -> None:
    code = "import sys, textclust.text.documents; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()

    assert not {"email", "html", "csv", "zipfile", "tarfile", "json", "pyarrow"} & set(modules)


@pytest.fixture(scope="module")
def newsgroups() -> Documents:
    home = Path(__file__).parents[2]
    data = Path(os.environ.get("TEXTCLUST_DATA", home / "../shared/data"))
    archive = data / "20newsgroups.tar.gz"
    if not archive.exists():
        pytest.skip(f"needs {archive}; set TEXTCLUST_DATA")
    return read_documents(archive)


def test_the_newsgroups_are_read_whole(newsgroups: Documents) -> None:
    assert len(newsgroups) == 19_997
    assert len(set(newsgroups.labels or [])) == 20
    assert None not in (newsgroups.labels or [None])
    assert None not in (newsgroups.dates or [None])
    assert newsgroups.skipped == []
    assert {date.year for date in newsgroups.dates or [] if date} == {1992, 1993}


def test_no_newsgroup_text_gives_its_group_away(newsgroups: Documents) -> None:
    clue = re.compile(r"^[ \t>|:]*(newsgroups|xref|path):", re.IGNORECASE | re.MULTILINE)

    assert [
        i for i, text in zip(newsgroups.ids, newsgroups.texts, strict=True) if clue.search(text)
    ] == []


def test_a_reading_says_what_it_reads_and_a_folder_has_no_columns(tmp_path):
    (tmp_path / "a.txt").write_text("words")
    assert repr(open_documents(tmp_path)) == f"<Reading of {tmp_path}: its texts, one at a time>"
    with pytest.raises(InputError, match="a folder has no columns; leave group_column out"):
        open_documents(tmp_path, group_column="who")
