"""Labels by document id, from a CSV table: truth, seeds, or the labels.csv of a run.

The ' that tables have before what a spreadsheet would run is no part of an id or a label.
"""

from __future__ import annotations

import csv
import os

from textclust.errors import InputError
from textclust.text.delimited import long_fields, whole_table
from textclust.writing import unquoted

__all__ = ["read_labels"]

_LABEL_COLUMNS = ("label", "cluster")


def read_labels(path: str | os.PathLike[str], label_column: str | None = None) -> dict[str, str]:
    """Read ``id,label`` (or ``id,cluster``) rows; an empty label is left out."""
    try:
        with long_fields(), open(path, encoding="utf-8-sig", newline="") as file:
            table, separator = whole_table(file, "id")
            return _parse(csv.DictReader(table, delimiter=separator), str(path), label_column)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV table in UTF-8 ({error})") from error


def _parse(rows: csv.DictReader[str], where: str, label_column: str | None) -> dict[str, str]:
    columns = list(rows.fieldnames or [])
    wanted = _LABEL_COLUMNS if label_column is None else (label_column,)
    column = next((name for name in wanted if name in columns), None)
    if "id" not in columns or column is None:
        raise InputError(
            f"{where}: needs the columns id and {' or '.join(wanted)}; "
            f"it has {', '.join(columns) or 'none'}"
        )
    labels: dict[str, str] = {}
    for row in rows:
        name, label = row["id"], row[column]
        if name is None or label is None:
            raise InputError(f"{where}: line {rows.line_num} has too few fields")
        name, label = unquoted(name), unquoted(label)
        if name in labels and labels[name] != label:
            raise InputError(f"{where}: line {rows.line_num} gives {name!r} a second label")
        if label:
            labels[name] = label
    if not labels:
        raise InputError(f"{where}: no labels in it")
    return labels
