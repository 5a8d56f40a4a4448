"""A collection's texts go by one at a time; what stays puts them in order."""

from __future__ import annotations

import gzip
import importlib
import io
import json
import random
import tarfile
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import textclust as tc
from textclust.errors import InputError
from textclust.text import decompression
from textclust.text.documents import Documents, Skipped, read_documents
from textclust.text.reading import Reading, open_documents

MANY, LONG = 160, 80_000
MOST = 4_000_000


def text(i: int) -> str:
    letters = random.Random(i).randbytes(LONG // 62 * 30).hex()
    return " ".join(letters[start : start + 30] for start in range(0, len(letters), 30))


def write_folder(path: Path) -> Path:
    path.mkdir()
    for i in range(MANY):
        (path / str(i)).write_text(text(i))
    return path


def write_tar(path: Path) -> Path:
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for i in range(MANY):
            info = tarfile.TarInfo(f"corpus/{i}")
            data = text(i).encode()
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def write_zip(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(MANY):
            archive.writestr(f"corpus/{i}", text(i))
    return path


def write_jsonl(path: Path) -> Path:
    with path.open("w") as file:
        file.writelines(json.dumps({"text": text(i)}) + "\n" for i in range(MANY))
    return path


def write_wide_jsonl(path: Path) -> Path:
    with path.open("w", encoding="utf-16") as file:
        file.writelines(json.dumps({"text": text(i)}) + "\n" for i in range(MANY))
    return path


def write_csv(path: Path) -> Path:
    with path.open("w") as file:
        file.write("text\n")
        file.writelines(text(i) + "\n" for i in range(MANY))
    return path


def write_lines(path: Path) -> Path:
    with path.open("w") as file:
        file.writelines(text(i) + "\n" for i in range(MANY))
    return path


def write_mailbox(path: Path) -> Path:
    with path.open("w") as file:
        for i in range(MANY):
            file.write(f"From a@b Thu Jan  1 00:00:00 2026\nSubject: x\n\n{text(i)}\n\n")
    return path


SOURCES: dict[str, Callable[[Path], Path]] = {
    "folder": write_folder,
    "corpus.tar.gz": write_tar,
    "corpus.zip": write_zip,
    "corpus.jsonl": write_jsonl,
    "wide.jsonl": write_wide_jsonl,
    "corpus.csv": write_csv,
    "corpus.txt": write_lines,
    "corpus.mbox": write_mailbox,
}


@pytest.mark.parametrize("name", SOURCES)
def test_the_texts_are_never_all_in_memory(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decompression, "_AHEAD", 2)  # what is unpacked ahead has its own bound
    reading = open_documents(SOURCES[name](tmp_path / name))
    total = 0
    tracemalloc.start()
    try:
        for one in reading:
            total += len(one)
        catalogue = reading.catalogue()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert len(catalogue) == MANY
    assert peak < MOST < total / 3


@pytest.mark.parametrize("name", SOURCES)
def test_a_reading_that_was_begun_has_the_same_texts(tmp_path: Path, name: str) -> None:
    path = SOURCES[name](tmp_path / name)
    begun, plain = open_documents(path).begun(), open_documents(path)
    assert list(begun) == list(plain)
    assert begun.catalogue() == plain.catalogue()


def test_parquet_comes_a_batch_at_a_time(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    arrow = importlib.import_module("pyarrow")
    path = tmp_path / "t.parquet"
    parquet.write_table(arrow.table({"text": [f"text {i}" for i in range(3000)]}), path)

    reading = iter(open_documents(path))

    assert next(reading) == "text 0"
    assert sum(1 for _ in reading) == 2999


def test_standard_input_is_answered_line_by_line() -> None:
    read: list[int] = []

    class Pipe(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            read.append(1)
            return super().readline(size)

        def __next__(self) -> bytes:
            read.append(1)
            return super().__next__()

    pipe = Pipe(b'{"text": "one"}\n{"text": "two"}\n{"text": "three"}\n')
    texts = iter(open_documents("-", stream=pipe))

    assert next(texts) == "one"
    assert len(read) == 1
    assert list(texts) == ["two", "three"]


def tarred(files: list[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


names = st.text(st.sampled_from("abcé./"), min_size=1, max_size=5)
contents = st.one_of(
    st.binary(max_size=30),
    st.text(max_size=30).map(str.encode),
    st.sampled_from([b"From: a\nSubject: s\nDate: 29 Mar 93 06:57:19 -0500\n\nbody", b"\0"]),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(names, contents), max_size=8))
def test_a_stream_and_its_rows_are_the_documents(files: list[tuple[str, bytes]]) -> None:
    with tempfile.TemporaryDirectory() as home:
        archive = Path(home) / "corpus.tar"
        archive.write_bytes(tarred([(f"top/{name}", data) for name, data in files]))
        try:
            documents = read_documents(archive)
        except InputError:
            return
        reading = open_documents(archive)
        arrived = list(reading)
        catalogue = reading.catalogue()
        kept = list(reading.without_replaced())
        again = reading.without_replaced().catalogue()

    assert [arrived[row] for row in catalogue.rows] == documents.texts
    assert [kept[row] for row in again.rows] == documents.texts
    assert len(kept) == len(documents)
    for other in (catalogue, again, documents.reading().catalogue()):
        assert other.ids == documents.ids
        assert other.labels == documents.labels
        assert other.dates == documents.dates
        assert other.skipped == documents.skipped
        assert other.provenance == documents.provenance
        assert other.titles == [documents.title(i) for i in range(len(documents))]
        assert other.excerpts == [one[:400] for one in documents.texts]
        assert other.sha256() == catalogue.sha256()


def test_a_catalogue_can_be_had_without_looking_at_the_texts(tmp_path: Path) -> None:
    for name in ("b/2", "a/1"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(f"Date: 29 Mar 1993 11:57:19 GMT\nFrom: x\n\n{name}")

    catalogue = open_documents(tmp_path).catalogue()

    assert catalogue.ids == ["a/1", "b/2"]
    assert catalogue.labels == ["a", "b"]
    assert catalogue.dates == [datetime(1993, 3, 29, 11, 57, 19, tzinfo=UTC)] * 2
    assert catalogue.titles == ["a/1", "b/2"]


def test_the_digest_tells_ids_texts_and_their_order_apart() -> None:
    collections = [
        Documents(["a", "b"], ["x", "y"]),
        Documents(["a", "b"], ["y", "x"]),
        Documents(["b", "a"], ["x", "y"]),
        Documents(["b", "a"], ["y", "x"]),
        Documents(["ab", ""], ["x", "y"]),
        Documents(["a"], ["x"]),
    ]

    digests = {documents.reading().catalogue().sha256() for documents in collections}

    assert len(digests) == len(collections)


def test_a_reading_that_failed_has_no_catalogue(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"text": "x"}\nbroken\n')
    reading = open_documents(tmp_path / "t.jsonl")

    with pytest.raises(InputError, match="line 2: not valid JSON"):
        list(reading)
    with pytest.raises(InputError, match="open the documents again"):
        reading.catalogue()


def test_names_can_be_left_out_before_they_are_read(tmp_path: Path) -> None:
    for name in ("keep/1", "drop/2", "drop/.3"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    asked: list[str] = []

    def leave_out(names: list[str]) -> tuple[str, ...]:
        asked.extend(names)
        return ("drop/",)

    catalogue = open_documents(tmp_path, leave_out=leave_out).catalogue()

    assert asked == ["drop/2", "keep/1"]
    assert catalogue.ids == ["keep/1"]
    assert catalogue.skipped == []


def csv_rows(path: Path, rows: int) -> Path:
    path.write_text("text\n" + ("word " * 50_000 + "\n") * rows)
    return path


def test_tables_can_be_read_side_by_side(tmp_path: Path) -> None:
    one = iter(open_documents(csv_rows(tmp_path / "one.csv", 1)))
    two = iter(open_documents(csv_rows(tmp_path / "two.csv", 3)))

    assert next(one)
    assert next(two)
    assert list(one) == []
    assert len(list(two)) == 2


WORDS = {
    "bicycles": "wheel chain saddle brake pedal",
    "moon": "crater orbit lunar dust eclipse",
}


def sentences() -> Iterator[tuple[str, bytes]]:
    rng = random.Random(0)
    for label, words in WORDS.items():
        for i in range(8):
            yield f"{label}/{i}", " ".join(rng.choices(words.split(), k=12)).encode()


@pytest.mark.parametrize("backwards", [False, True])
def test_a_clustering_does_not_depend_on_the_order_of_arrival(
    tmp_path: Path, backwards: bool
) -> None:
    files = sorted(sentences(), reverse=backwards)
    replaced = ("moon/3", b"wheel wheel unheard unheard")
    (tmp_path / "corpus.tar.gz").write_bytes(gzip.compress(tarred([replaced, *files])))
    documents = read_documents(tmp_path / "corpus.tar.gz")

    expected = tc.cluster(documents, k=2)
    found = tc.cluster(tmp_path / "corpus.tar.gz", k=2)

    assert found.ids == expected.ids == sorted(name for name, _ in files)
    assert found.cards == expected.cards
    assert found.labels.tolist() == expected.labels.tolist()
    assert found.settings == expected.settings
    assert (found.texts != expected.texts).nnz == 0
    assert documents.skipped == [
        Skipped("moon/3", "replaced by a later file of the same name"),
    ]


def test_texts_are_counted_as_they_come(tmp_path: Path) -> None:
    class Listening(tc.TextVectorizer):
        def fit_transform(self, texts: Any, y: Any = None, **more: Any) -> Any:
            assert not hasattr(texts, "__len__")
            return super().fit_transform(texts, y, **more)

    for name, data in sentences():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)

    assert isinstance(open_documents(tmp_path), Reading)
    assert tc.cluster(tmp_path, k=2, vectorizer=Listening(min_df=1)).k == 2
