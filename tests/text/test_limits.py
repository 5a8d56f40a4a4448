"""What documents and ids may weigh, in tables as in folders; each bound can be raised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from textclust.cli.main import run

from textclust import InputError, read_documents
from textclust.text.limits import Limits

SMALL = Limits(document_bytes=100, name_length=10)


def table(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "texts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("large", ["x" * 101, "ü" * 51, "\U0001f6b2" * 26])
def test_a_text_in_a_table_that_is_too_large_is_left_out_and_reported(
    tmp_path: Path, large: str
) -> None:
    rows = [{"id": "a", "text": "one"}, {"id": "b", "text": large}, {"id": "c", "text": "two"}]
    documents = read_documents(table(tmp_path, rows), limits=SMALL)

    assert documents.ids == ["a", "c"]
    assert [(item.name, item.reason) for item in documents.skipped] == [
        ("b", "larger than 9.54e-05 MiB")
    ]
    assert read_documents(table(tmp_path, rows)).ids == ["a", "b", "c"]


def test_the_numbers_of_rows_without_ids_stay_those_of_the_rows(tmp_path: Path) -> None:
    path = table(tmp_path, [{"text": "one"}, {"text": "x" * 101}, {"text": "ü" * 50}])
    documents = read_documents(path, limits=SMALL)

    assert documents.ids == ["1", "3"]
    assert [item.name for item in documents.skipped] == ["line 2"]


@pytest.mark.parametrize("column", ["id", "label"])
def test_an_id_that_is_too_long_is_refused(tmp_path: Path, column: str) -> None:
    path = table(tmp_path, [{"text": "one", column: "x" * 10_001}])

    with pytest.raises(
        InputError, match=rf"line 1: '{column}' has 10,001 characters, at most 10,000"
    ):
        read_documents(path)
    assert len(read_documents(path, limits=Limits(name_length=10_001))) == 1


def test_options_raise_and_lower_each_bound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subjects = ("bike chain wheel", "dough oven bread")
    words = [{"id": f"{n:012}", "text": f"{subjects[n % 2]} {n % 3}"} for n in range(6)]
    path = str(table(tmp_path, [*words, {"id": "large", "text": "moon " * 3000}]))
    assert run(["cluster", path, "-k", "2", "--largest-document", "0.01"]) == 0
    said = capsys.readouterr()
    assert "6 documents in 2 clusters" in said.out
    assert "1 file left out: 1 larger than 0.01 MiB" in said.err
    assert run(["cluster", path, "-k", "2"]) == 0
    assert "7 documents in 2 clusters" in capsys.readouterr().out
    assert run(["cluster", path, "-k", "2", "--name-length", "11"]) == 2
    assert "shorten it, or raise --name-length" in capsys.readouterr().err
    assert run(["cluster", path, "-k", "2", "--largest-document", "nan"]) == 2
    assert "--largest-document must be more than 0" in capsys.readouterr().err


def test_an_archive_may_unpack_to_more_where_that_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(3):
            archive.writestr(f"{n}.txt", f"word{n} bike " * 1_200_000)
    path = str(tmp_path / "a.zip")
    assert run(["check", str(tmp_path / "none.csv"), path]) == 2
    (tmp_path / "pairs.csv").write_text("left,right,kind\n0.txt,1.txt,must-link\n")
    capsys.readouterr()
    assert run(["check", str(tmp_path / "pairs.csv"), path]) == 2
    assert "give the folder, or raise --expansion" in capsys.readouterr().err
    assert run(["check", str(tmp_path / "pairs.csv"), path, "--expansion", "100000"]) == 0
