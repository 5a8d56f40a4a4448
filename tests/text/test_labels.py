"""Labels by id from CSV files."""

from __future__ import annotations

import pytest

from textclust.errors import InputError
from textclust.text.labels import read_labels


def write(tmp_path, content):
    file = tmp_path / "labels.csv"
    file.write_text(content, encoding="utf-8")
    return file


@pytest.mark.parametrize("column", ["label", "cluster"])
def test_labels_are_read_by_id(tmp_path, column):
    file = write(tmp_path, f"id,{column},name\na/1,x,n\nb/2,y,n\nc/3,,n\n")
    assert read_labels(file) == {"a/1": "x", "b/2": "y"}


def test_a_column_of_another_name_can_be_asked_for(tmp_path):
    assert read_labels(write(tmp_path, "id,topic\n1,x\n"), "topic") == {"1": "x"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,topic\n1,x\n", "needs the columns id and label or cluster; it has id, topic"),
        ("", "it has none"),
        ("id,label\n", "no labels in it"),
        ("id,label\n1,x\n1,y\n", "line 3 gives '1' a second label"),
        ("id,label\n1\n", "line 2 has too few fields"),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(tmp_path, content, message):
    with pytest.raises(InputError, match=message):
        read_labels(write(tmp_path, content))


def test_a_missing_or_binary_file_is_reported(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_labels(tmp_path / "none.csv")
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a CSV table"):
        read_labels(tmp_path / "b.csv")
