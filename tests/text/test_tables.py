"""Tables become documents: columns, rows, dates, and errors that name the line."""

from __future__ import annotations

import builtins
import csv
import importlib
import io
import json
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textclust.errors import InputError
from textclust.text.cleaning import Cleaning
from textclust.text.documents import Documents, read_documents


def reading(folder: Path, name: str, content: str | bytes, **options: Any) -> Documents:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_documents(path, **options)


def lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def from_input(data: bytes, **options: Any) -> Documents:
    return read_documents("-", stream=io.BytesIO(data), **options)


@pytest.mark.parametrize(("name", "delimiter"), [("t.csv", ","), ("t.tsv", "\t"), ("T.CSV", ",")])
def test_a_row_is_a_document(tmp_path: Path, name: str, delimiter: str) -> None:
    rows = [
        ["id", "text", "label", "date", "other"],
        ["b", 'says "hi"\nin two lines', "x", "2024-05-06", "?"],
        ["a", f"with{delimiter} delimiter", "", "", ""],
    ]
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter).writerows(rows)

    documents = reading(tmp_path, name, buffer.getvalue())

    assert documents.ids == ["b", "a"]
    assert documents.texts == ['says "hi"\nin two lines', f"with{delimiter} delimiter"]
    assert documents.labels == ["x", None]
    assert documents.dates == [datetime(2024, 5, 6, tzinfo=UTC), None]


def test_only_the_text_column_is_needed(tmp_path: Path) -> None:
    documents = reading(tmp_path, "t.csv", "text\none\ntwo\n")

    assert documents == Documents(["1", "2"], ["one", "two"])


def test_columns_can_be_renamed_and_left_aside(tmp_path: Path) -> None:
    table = "key,body,class,label\n7,hello,c,l\n"

    documents = reading(
        tmp_path, "t.csv", table, text_column="body", id_column="key", label_column="class"
    )

    assert documents == Documents(["7"], ["hello"], ["c"])
    assert reading(tmp_path, "t.csv", "text,label\nx,y\n", label_column=None).labels is None


@pytest.mark.parametrize("kind", ["id", "label", "date"])
def test_a_renamed_column_must_be_there(tmp_path: Path, kind: str) -> None:
    option = {f"{kind}_column": "mine"}
    wanted = rf"no column 'mine', only 'text', 'who'; .*{kind}_column="

    with pytest.raises(InputError, match=wanted):
        reading(tmp_path, "t.csv", "text,who\nx,y\n", **option)
    with pytest.raises(InputError, match=wanted):
        reading(tmp_path, "t.jsonl", lines({"text": "x", "who": "y"}), **option)


def test_a_missing_text_column_lists_the_columns_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.csv: no column 'text', only 'a', 'b'; .*text_col"):
        reading(tmp_path, "t.csv", "a,b\n1,2\n")
    with pytest.raises(InputError, match=r"line 2: no column 'text', only 'a'; .*text_column="):
        reading(tmp_path, "t.jsonl", lines({"text": "x"}, {"a": 1}))


def test_an_empty_table_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the table is empty"):
        reading(tmp_path, "t.csv", "")
    with pytest.raises(InputError, match="no documents found"):
        reading(tmp_path, "t.csv", "text\n")
    with pytest.raises(InputError, match="no documents found"):
        reading(tmp_path, "t.jsonl", "\n\n")


@pytest.mark.parametrize("row", ["a", "a,b,c"])
def test_a_row_with_too_few_or_many_fields_is_reported_by_its_line(
    tmp_path: Path, row: str
) -> None:
    fields = row.count(",") + 1

    with pytest.raises(InputError, match=rf"line 4: {fields} fields, but the header has 2"):
        reading(tmp_path, "t.csv", f'id,text\n1,"two\nlines"\n{row}\n')


def test_blank_lines_in_a_csv_are_passed_over(tmp_path: Path) -> None:
    assert reading(tmp_path, "t.csv", "id,text\n\na,x\n\n\nb,y\n").ids == ["a", "b"]


@pytest.mark.parametrize("table", ['id,text\n1,ok\n2,"never closed\nand on', 'text\nok\n"a"b\n'])
def test_broken_quotes_are_reported_by_their_line(tmp_path: Path, table: str) -> None:
    with pytest.raises(InputError, match=r"line 3: .*quotes"):
        reading(tmp_path, "t.csv", table)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl"])
def test_tables_are_read_in_their_encoding(tmp_path: Path, name: str, encoding: str) -> None:
    table = "text\nnaïve café\n"
    if name.endswith("jsonl"):
        table = json.dumps({"text": "naïve café"}, ensure_ascii=False) + "\n"

    assert reading(tmp_path, name, table.encode(encoding)).texts == ["naïve café"]


def test_nul_bytes_and_very_long_fields_are_tolerated(tmp_path: Path) -> None:
    long = "word " * 100_000
    limit = csv.field_size_limit()

    assert reading(tmp_path, "t.csv", "text\na\0b\n").texts == ["a\0b"]
    assert reading(tmp_path, "t.csv", f"text\n{long}\n").texts == [long]
    assert csv.field_size_limit() == limit


def test_two_rows_with_one_id_are_both_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2 and line 4 have the same id 'a'"):
        reading(tmp_path, "t.csv", "id,text\na,x\nb,x\na,x\n")
    with pytest.raises(InputError, match="line 1 and line 3 have the same id '7'"):
        reading(tmp_path, "t.jsonl", b'{"id": 7, "text": ""}\n\n{"id": "7", "text": ""}\n')


def test_either_every_row_has_an_id_or_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3 has no id"):
        reading(tmp_path, "t.csv", "id,text\na,x\n,x\n")
    assert reading(tmp_path, "t.csv", "id,text\n,x\n,y\n").ids == ["1", "2"]


def test_numbers_become_text_in_ids_and_labels() -> None:
    documents = from_input(
        lines(
            {"id": 1, "text": "x", "label": 2.5},
            {"id": "a", "text": "x", "label": True},
            {"id": 10**20, "text": "x", "label": None},
            {"id": "b", "text": "x", "label": " "},
        )
    )

    assert documents.ids == ["1", "a", "1" + "0" * 20, "b"]
    assert documents.labels == ["2.5", "true", None, None]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{broken", "line 2: not valid JSON"),
        (b"[" * 100_000, "line 2: not valid JSON"),
        (b'{"text": ' + b"9" * 5000 + b"}", "line 2: not valid JSON"),
        (b"[1, 2]", "line 2: not a JSON object"),
        (b'"text"', "line 2: not a JSON object"),
        (b'{"text": 3}', "line 2: 'text' is not text but int"),
        (b'{"text": null}', "line 2: 'text' is not text but NoneType"),
        (b'{"text": "x", "id": [1]}', "line 2: 'id' is neither text nor a number"),
        (b'{"text": "x", "label": {}}', "line 2: 'label' is neither text nor a number"),
    ],
)
def test_a_broken_json_line_is_reported_by_its_number(line: bytes, problem: str) -> None:
    with pytest.raises(InputError, match=f"standard input: {problem}") as caught:
        from_input(b'{"text": "ok"}\n' + line + b"\n")
    assert "\n" not in str(caught.value)


def test_standard_input_is_read_without_being_asked_for_a_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Input:
        buffer = io.BytesIO(b'{"text": "x"}\n\n{"text": "y"}')

    monkeypatch.setattr(sys, "stdin", Input)

    assert read_documents("-").texts == ["x", "y"]


def test_half_characters_in_json_cannot_spoil_what_is_written_later() -> None:
    documents = from_input(rb'{"id": "\ud800", "text": "\ud83d\ude00 \udc00"}')

    assert documents.texts == ["😀 \ufffd"]
    assert documents.ids[0].encode()


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("1993-03-29", datetime(1993, 3, 29, tzinfo=UTC)),
        ("1993-03-29T11:57:19Z", datetime(1993, 3, 29, 11, 57, 19, tzinfo=UTC)),
        ("1993-03-29 11:57", datetime(1993, 3, 29, 11, 57, tzinfo=UTC)),
        (
            "1993-03-29T11:57:19+02:00",
            datetime(1993, 3, 29, 11, 57, 19, tzinfo=timezone(timedelta(hours=2))),
        ),
        ("Mon, 29 Mar 1993 11:57:19 GMT", datetime(1993, 3, 29, 11, 57, 19, tzinfo=UTC)),
        ("yesterday", None),
        ("", None),
        (True, None),
    ],
)
def test_dates_are_iso_or_as_in_mail_and_have_a_time_zone(
    value: object, moment: datetime | None
) -> None:
    documents = from_input(lines({"text": "x", "date": value}, {"text": "y", "date": "2000-01-01"}))

    assert documents.dates == [moment, datetime(2000, 1, 1, tzinfo=UTC)]


def test_a_message_in_a_cell_is_cleaned_and_dates_itself() -> None:
    message = "From: a@b\nSubject: Re: news\nDate: Mon, 29 Mar 1993 11:57:19 GMT\n\nbody"

    documents = from_input(lines({"text": message}, {"text": message, "date": "2000-01-01"}))

    assert documents.texts == ["news\n\nbody"] * 2
    assert [date.year for date in documents.dates or [] if date] == [1993, 2000]


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"))


@settings(deadline=None)
@given(st.lists(cells, min_size=1))
def test_what_was_written_is_what_is_read(texts: list[str]) -> None:
    untouched = Cleaning(headers=False, signatures=False, quotes=False, html=False)

    documents = from_input(lines(*({"text": text} for text in texts)), cleaning=untouched)

    assert documents.texts == texts


@settings(deadline=None)
@given(st.binary())
def test_any_bytes_give_documents_or_an_input_error(data: bytes) -> None:
    complaint = ""
    try:
        from_input(data)
    except InputError as error:
        complaint = str(error)
    assert "\n" not in complaint


@pytest.fixture
def arrow() -> Any:
    pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    return importlib.import_module("pyarrow")


def write_parquet(path: Path, arrow: Any, columns: dict[str, Any]) -> Path:
    importlib.import_module("pyarrow.parquet").write_table(arrow.table(columns), path)
    return path


def test_a_parquet_table_is_read(tmp_path: Path, arrow: Any) -> None:
    moment = datetime(2024, 5, 6, 7, 8, 9)
    columns = {
        "id": [1, 2, 3],
        "text": ["one", None, "three"],
        "label": arrow.array(["a", "b", None]).dictionary_encode(),
        "date": arrow.array([moment, None, None], arrow.timestamp("ns")),
        "other": [[1], [2], [3]],
    }

    documents = read_documents(write_parquet(tmp_path / "t.parquet", arrow, columns))

    assert documents == Documents(
        ["1", "2", "3"],
        ["one", "", "three"],
        ["a", "b", None],
        [moment.replace(tzinfo=UTC), None, None],
    )


def test_parquet_dates_fractions_and_bytes_are_understood(tmp_path: Path, arrow: Any) -> None:
    columns = {
        "text": [b"caf\xe9"],
        "label": [float("nan")],
        "date": [date(2024, 5, 6)],
    }

    documents = read_documents(write_parquet(tmp_path / "t.parquet", arrow, columns))

    assert documents == Documents(["1"], ["café"], None, [datetime(2024, 5, 6, tzinfo=UTC)])


def test_a_parquet_table_with_nanoseconds_is_read(tmp_path: Path, arrow: Any) -> None:
    columns = {"text": ["x"], "date": arrow.array([1_000_000_001], arrow.timestamp("ns", "UTC"))}

    documents = read_documents(write_parquet(tmp_path / "t.parquet", arrow, columns))

    assert documents.dates == [datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)]


def test_parquet_troubles_are_reported(tmp_path: Path, arrow: Any) -> None:
    path = write_parquet(tmp_path / "t.parquet", arrow, {"body": ["x"], "text": [3]})

    with pytest.raises(InputError, match="row 1: 'text' is not text but int"):
        read_documents(path)
    with pytest.raises(InputError, match="no column 'words', only 'body', 'text'"):
        read_documents(path, text_column="words")
    with pytest.raises(InputError, match=r"t\.parquet: the table is damaged"):
        reading(tmp_path, "t.parquet", path.read_bytes()[:-5])


def test_without_pyarrow_the_way_to_it_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest, **more)

    for name in [name for name in sys.modules if name.startswith("pyarrow")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(InputError, match=r'pip install "textclust\[parquet\]"'):
        reading(tmp_path, "t.parquet", b"PAR1")
