"""What separates the fields of a table, workbooks as tables, and Parquet with odd cells."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.text.office import xlsx
from textclust.errors import InputError
from textclust.supervision.constraint_files import read_links
from textclust.text.delimited import separator_of
from textclust.text.documents import Documents, read_documents
from textclust.text.labels import read_labels
from textclust.text.word_lists import read_words

SEPARATORS = [",", ";", "\t", "|"]


def table(rows: list[list[str]], separator: str, quoting: Any = csv.QUOTE_MINIMAL) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=separator, quoting=quoting).writerows(rows)
    return buffer.getvalue()


def reading(folder: Path, name: str, content: str | bytes, **options: Any) -> Documents:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_documents(path, **options)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_any_of_four_separators_is_found(
    tmp_path: Path, name: str, separator: str, encoding: str
) -> None:
    rows = [
        ["id", "Größe, in cm; oder | mehr", "text", "label"],
        ["a", "1", 'Käse, "alt"; oder\nneu\tund | so', "x"],
        ["b", "2", "so, so; la | la", "y"],
    ]

    documents = reading(tmp_path, name, table(rows, separator).encode(encoding))

    assert documents == Documents(["a", "b"], [rows[1][2], rows[2][2]], ["x", "y"])


@given(
    st.lists(st.text("ab ,;|\t\"'\n"), min_size=1, max_size=4),
    st.sampled_from(SEPARATORS),
    st.booleans(),
)
def test_the_text_column_decides(others: list[str], separator: str, every: bool) -> None:
    header = [*others, "text"]
    quoting = csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL
    written = table([header], separator, quoting)
    ambiguous = [
        each for each in SEPARATORS[: SEPARATORS.index(separator)]
        if "text" in [name.strip() for row in _rows(written, each) for name in row]
    ]  # fmt: skip
    assume(not ambiguous)

    assert separator_of(written, "text") == separator


def _rows(written: str, separator: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(written, newline=""), delimiter=separator, strict=True))
    except csv.Error:
        return []


def test_a_table_of_one_column_needs_no_separator(tmp_path: Path) -> None:
    assert reading(tmp_path, "t.csv", "text\none\ntwo\n").texts == ["one", "two"]


def test_the_separator_goes_by_the_column_that_is_named(tmp_path: Path) -> None:
    content = "text;body, in full\nx;y\n"
    assert reading(tmp_path, "t.csv", content).texts == ["x"]
    assert reading(tmp_path, "t.csv", content, text_column="body, in full").texts == ["y"]


def test_without_the_column_the_error_lists_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no column 'text', only 'id', 'words, all', 'x';"):
        reading(tmp_path, "t.csv", "id;words, all;x\n1;2;3\n")


def test_lines_are_counted_from_the_top(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3: 1 fields, but the header has 2"):
        reading(tmp_path, "t.csv", "id;text\n1;x\n2\n")


@pytest.mark.parametrize("declared", ["sep=;\n", '"sep=;"\r\n', "SEP=;\r\n"])
def test_a_spreadsheet_may_declare_it(tmp_path: Path, declared: str) -> None:
    found = reading(tmp_path, "t.csv", f"{declared}id;text\n1;x,y\n")
    assert found == Documents(["1"], ["x,y"])
    with pytest.raises(InputError, match="line 4"):
        reading(tmp_path, "t.csv", f"{declared}id;text\n1;x\n1;2;3\n")


# Workbooks


def test_rows_of_a_sheet_are_documents(tmp_path: Path) -> None:
    sheet = [
        ["id", "text", "label", "date", None],
        ["b", "words", "x", datetime(2024, 5, 6, 7), 1],
        [None, None, None, None, None],
        [7, 2020, None, None, None],
        [8, None, "y", "2024-01-01", None],
    ]

    documents = reading(tmp_path, "t.xlsx", xlsx([["notes"], ["of no use"]], sheet))

    assert documents.ids == ["b", "7", "8"]
    assert documents.texts == ["words", "2020", ""]
    assert documents.labels == ["x", None, "y"]
    assert documents.dates == [
        datetime(2024, 5, 6, 7, tzinfo=UTC),
        None,
        datetime(2024, 1, 1, tzinfo=UTC),
    ]


def test_columns_of_a_sheet_can_be_renamed(tmp_path: Path) -> None:
    data = xlsx([["Ticket", "Body"], ["T-1", "words"]])
    found = reading(tmp_path, "t.xlsx", data, text_column="Body", id_column="Ticket")
    assert found == Documents(["T-1"], ["words"])
    with pytest.raises(InputError, match=r"t.xlsx: no column 'text', only 'Ticket', 'Body'"):
        reading(tmp_path, "t.xlsx", data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"id,text\n1,x\n", "not an .xlsx file"),
        (b"PK\3\4 and no more", "damaged"),
        (xlsx([]), "the table is empty"),
    ],
    ids=["another format", "cut off", "empty"],
)
def test_what_is_no_workbook_is_an_input_error(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=rf"t.xlsx: .*{reason}"):
        reading(tmp_path, "t.xlsx", data)


def test_a_row_number_beyond_the_format_costs_no_more_than_the_format(tmp_path: Path) -> None:
    import zipfile

    data = xlsx([["text"], ["x"]])
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"].replace(b'r="2"', b'r="999999999999"')
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'r="A2"', b"")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name, content in parts.items():
            package.writestr(name, content)

    with pytest.raises(InputError, match="no documents found"):
        reading(tmp_path, "t.xlsx", buffer.getvalue())


# Parquet


def parquet(folder: Path, **columns: Any) -> Path:
    arrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    files.write_table(arrow.table(columns), folder / "t.parquet")
    return folder / "t.parquet"


def test_text_that_is_not_utf8_is_an_input_error(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    bad = arrow.array([b"good", b"\xff\xfe"]).view(arrow.string())
    path = parquet(tmp_path, id=["a", "b"], text=bad)

    with pytest.raises(
        InputError, match=r"t.parquet: rows 1 to 2: a cell of 'text' cannot be read"
    ):
        read_documents(path)


def test_names_of_columns_that_are_not_utf8_are_damage(tmp_path: Path) -> None:
    path = parquet(tmp_path, body=["x"], text=["y"])
    path.write_bytes(path.read_bytes().replace(b"body", b"bo\xf3\xff"))

    with pytest.raises(InputError, match=r"t.parquet: the table is damaged .*; write it again"):
        read_documents(path)


@pytest.mark.parametrize("days", [-800_000, 4_000_000])
@pytest.mark.parametrize("kind", ["date32", "seconds"])
def test_dates_that_no_calendar_has_are_an_input_error(
    tmp_path: Path, days: int, kind: str
) -> None:
    arrow = pytest.importorskip("pyarrow")
    if kind == "date32":
        dates = arrow.array([days], arrow.int32()).cast(arrow.date32())
    else:
        dates = arrow.array([days * 86_400], arrow.int64()).cast(arrow.timestamp("s"))
    path = parquet(tmp_path, text=["x"], date=dates)

    with pytest.raises(
        InputError, match=r"t.parquet: rows 1 to 1: a cell of 'date' cannot be read"
    ):
        read_documents(path)


# Tables of what is known


@pytest.mark.parametrize("separator", SEPARATORS)
def test_tables_of_seeds_words_and_links_may_have_any_separator(
    tmp_path: Path, separator: str
) -> None:
    def write(*rows: list[str]) -> Path:
        (tmp_path / "t.csv").write_text(table(list(rows), separator))
        return tmp_path / "t.csv"

    path = write(["id", "label"], ["a, b; c", "x|y"])
    assert read_labels(path) == {"a, b; c": "x|y"}
    assert read_words(write(["label", "word"], ["x", "one"])) == {"x": ["one"]}
    (link,) = read_links(write(["left", "right", "kind"], ["a", "b,c", "must-link"]))
    assert (link.left, link.right, link.line) == ("a", "b,c", 2)


def test_such_a_table_may_come_from_a_pipe(tmp_path: Path) -> None:
    import os
    from threading import Thread

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=("id;label\na;x\n",))
    writer.start()
    assert read_labels(pipe) == {"a": "x"}
    writer.join()
