"""Pieces of a collection: together they are what one machine reads, wherever the cuts are."""

from __future__ import annotations

import json
import os
import shutil
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.cli.running import write_files
from textclust.errors import InputError
from textclust.text.reading import NothingToReadError, open_documents
from textclust.text.splitting import Piece, ReadingSettings, split_source

HOW = ReadingSettings()


def read(pieces):
    """Ids and texts of all pieces, one after the other."""
    ids, texts = [], []
    for piece in pieces:
        try:
            reading = piece.open(HOW)
            found = list(reading)
        except NothingToReadError:
            continue
        catalogue = reading.catalogue()
        ids += catalogue.ids
        texts += [found[row] for row in catalogue.rows]
    return ids, texts


def read_whole(path):
    documents = tc.read_documents(path)
    return list(documents.ids), list(documents.texts)


def jsonl(texts, end="\n"):
    rows = enumerate(texts)
    return end.join(
        json.dumps({"id": f"d{i}", "text": text}, ensure_ascii=False) for i, text in rows
    )


TEXTS = st.lists(
    st.text(st.sampled_from('ab é€𝄞\u2028\x85\\"'), max_size=12), min_size=1, max_size=12
)


@given(
    texts=TEXTS,
    size=st.integers(1, 200),
    end=st.sampled_from(["\n", "\r\n", "\n\n", "\r\n \r\n"]),
    last=st.sampled_from(["", "\n", "\r\n\r\n"]),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
)
def test_every_line_is_in_one_piece_wherever_it_is_cut(
    tmp_path_factory, texts, size, end, last, mark
):
    path = tmp_path_factory.mktemp("cut") / "docs.jsonl"
    path.write_bytes(mark + (jsonl(texts, end) + last).encode())
    pieces = split_source(path, size=size)
    assert [piece.begin for piece in pieces if piece.end is not None] == [
        begin for begin in range(0, path.stat().st_size, size) if path.stat().st_size > size
    ]
    assert read(pieces) == read_whole(path)
    shutil.rmtree(path.parent)


@given(content=st.lists(st.sampled_from([b"\n", b"x", b"\r", b"\xc3\xa9"])).map(b"".join))
def test_stretches_put_together_are_the_file(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "stretches.jsonl"
    path.write_bytes(content)
    for size in range(1, len(content) + 2):
        for piece in split_source(path, size=size):
            assert piece.end is None or piece.begin < piece.end <= len(content)
        lines = [
            piece._lines().read()
            for piece in split_source(path, size=size)
            if piece.end is not None
        ]
        assert b"".join(lines) == (content if len(content) > size else b"")
        assert all(line.endswith(b"\n") for line in lines[:-1] if line and content.endswith(b"\n"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-32-be"])
def test_where_a_line_break_is_more_than_a_byte_nothing_is_cut(tmp_path, encoding):
    path, mark = tmp_path / "wide.jsonl", "\ufeff" if encoding.endswith("be") else ""
    path.write_bytes((mark + jsonl([f"text Ċ {i}" for i in range(9)], "\n")).encode(encoding))
    assert split_source(path, size=20) == [Piece(str(path))]
    assert read(split_source(path, size=20)) == read_whole(path)


def test_a_small_file_and_one_of_another_kind_are_not_cut(tmp_path):
    rows = "id,text\n" + "".join(f"{i},text {i}\n" for i in range(9))
    write_files(tmp_path, {"a.jsonl": jsonl(["x", "y"]), "b.csv": rows, "C.JSONL": jsonl("zzzz")})
    for name, size in (("a.jsonl", 1000), ("b.csv", 10)):
        assert split_source(tmp_path / name, size=size) == [Piece(str(tmp_path / name))]
    assert len(split_source(tmp_path / "C.JSONL", size=10)) > 1


def test_what_a_piece_is_called(tmp_path):
    write_files(tmp_path, {"a.jsonl": jsonl([f"text {i}" for i in range(200)])})
    whole = tmp_path / "a.jsonl"
    assert split_source(whole)[0].where == str(whole)
    first, second, *_ = split_source(whole, size=2000)
    assert (first.where, second.where) == (str(whole), f"{whole} from byte 2,000 on")


NAMES = ["b/x", "b.txt", "a/2", "a/10", "a/é", "B/y", "z", "a-b/c", "a/b/c"]


@pytest.fixture
def folder(tmp_path):
    return write_files(tmp_path / "docs", {name: f"the text of {name}" for name in NAMES})


@pytest.mark.parametrize("files", [1, 2, 5, 100])
def test_a_folder_is_in_the_order_of_one_machine(folder, files, monkeypatch):
    monkeypatch.setattr("textclust.text.splitting._FILES", files)
    write_files(folder, {"empty": "", ".hidden": "no", "a/picture": bytes(range(256))})
    pieces = split_source(folder)
    assert len(pieces[0].files) == min(files, len(NAMES) + 3)
    assert read(pieces) == read_whole(folder)
    labels = [label for piece in pieces for label in labels_of(piece)]
    assert labels == [label or None for label in tc.read_documents(folder).labels]


def labels_of(piece):
    try:
        catalogue = piece.open(HOW).catalogue()
    except NothingToReadError:
        return []
    return catalogue.labels or [None] * len(catalogue)


def test_results_in_a_folder_can_be_left_out(folder):
    found = split_source(folder, leave_out=lambda names: ("a/", "z"))
    assert read(found)[0] == [name for name in read_whole(folder)[0] if name[:2] not in ("a/", "z")]


def test_patterns_and_several_paths_come_in_their_order(tmp_path, folder):
    files = {f"{name}.jsonl": jsonl([f"text of {name}"]) for name in ("b", "a", "10", "9")}
    write_files(tmp_path, files)
    with tarfile.open(tmp_path / "docs.tar.gz", "w:gz") as archive:
        archive.add(folder, "docs")
    by_pattern = [os.path.basename(p.path) for p in split_source(str(tmp_path / "*.jsonl"))]
    assert by_pattern == ["10.jsonl", "9.jsonl", "a.jsonl", "b.jsonl"]
    paths = [tmp_path / "b.jsonl", folder, str(tmp_path / "[0-9]*.jsonl"), tmp_path / "docs.tar.gz"]
    found = [os.path.basename(piece.path) for piece in split_source(iter(paths))]
    assert found == ["b.jsonl", "docs", "10.jsonl", "9.jsonl", "docs.tar.gz"]
    assert read(split_source(tmp_path / "docs.tar.gz")) == read_whole(folder)


def test_a_name_with_the_letters_of_a_pattern_is_that_name(tmp_path):
    write_files(tmp_path, {"a[1].jsonl": jsonl(["x"]), "a1.jsonl": jsonl(["y"])})
    named = split_source(tmp_path / "a[1].jsonl")
    assert [os.path.basename(piece.path) for piece in named] == ["a[1].jsonl"]


def test_what_is_not_there_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("missing.jsonl", "*.jsonl", "missing/"):
        with pytest.raises(InputError, match="no such file or folder") as refusal:
            split_source(tmp_path / name)
        assert str(tmp_path / name) in str(refusal.value)
    for nothing in ([], tmp_path / "empty"):
        with pytest.raises(InputError, match="there is nothing to read; give a path"):
            split_source(nothing)


def test_columns_are_those_of_the_settings(tmp_path):
    rows = "".join(json.dumps({"key": f"k{i}", "body": f"text {i}"}) + "\n" for i in range(20))
    write_files(tmp_path, {"a.jsonl": rows})
    columns = {"text_column": "body", "id_column": "key"}
    whole = open_documents(tmp_path / "a.jsonl", **columns).catalogue()
    how = ReadingSettings(columns=type(HOW.columns)("body", "key"))
    for size in (100, 1000):
        parts = [piece.open(how) for piece in split_source(tmp_path / "a.jsonl", size=size)]
        assert [name for part in parts for name in part.catalogue().ids] == whole.ids
