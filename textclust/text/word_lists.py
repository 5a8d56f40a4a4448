"""Words by label, from a CSV table or a dict: those that speak for a class."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping

from textclust.errors import InputError
from textclust.text.decoding import encodable
from textclust.text.delimited import long_fields, whole_table
from textclust.writing import unquoted

__all__ = ["given_words", "read_words", "two_labels"]

_COLUMNS = ("label", "word")


def given_words(
    given: str | os.PathLike[str] | Mapping[str, Iterable[str]],
) -> dict[str, list[str]]:
    """The words of each label, each once; an InputError where one has none, or two have the same.

    >>> given_words({"sport": ["hockey", "goalie"], "space": ["orbit"]})
    {'sport': ['hockey', 'goalie'], 'space': ['orbit']}
    """
    if isinstance(given, str | os.PathLike):
        words, where = read_words(given), os.fspath(given)
    elif isinstance(given, Mapping):
        words, where = {encodable(str(k)): _listed(k, given[k]) for k in given}, "seed_words"
    else:
        raise InputError("seed_words must be the path of a table or a dict of words by label")
    if not words:
        raise InputError("seed_words has no words in it; give some for each label")
    label_of: dict[str, str] = {}
    for label, listed in words.items():
        for word in listed:
            if label_of.setdefault(word, label) != label:
                raise two_labels(where, word, label_of[word], label)
    return {label: list(dict.fromkeys(listed)) for label, listed in words.items()}


def two_labels(where: str, word: str, first: str, second: str) -> InputError:
    """What to say of a word that speaks for two classes."""
    return InputError(
        f"{where}: the word {word[:80]!r} is under {first!r} and under {second!r}; "
        "leave it out of one of them"
    )


def read_words(path: str | os.PathLike[str]) -> dict[str, list[str]]:
    """Read ``label,word`` rows, one for each word."""
    try:
        with long_fields(), open(path, encoding="utf-8-sig", newline="") as file:
            table, separator = whole_table(file, _COLUMNS[0])
            return _parse(csv.DictReader(table, delimiter=separator), str(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV table in UTF-8 ({error})") from error


def _parse(rows: csv.DictReader[str], where: str) -> dict[str, list[str]]:
    columns = list(rows.fieldnames or [])
    if not set(_COLUMNS) <= set(columns):
        raise InputError(
            f"{where}: needs the columns {' and '.join(_COLUMNS)}; "
            f"it has {', '.join(columns) or 'none'}"
        )
    words: dict[str, list[str]] = {}
    for row in rows:
        label, word = (row[column] for column in _COLUMNS)
        if label is None or word is None:
            raise InputError(f"{where}: line {rows.line_num} has too few fields")
        if not label.strip() or not word.strip():
            missing = "word" if label.strip() else "label"
            raise InputError(f"{where}: line {rows.line_num} has no {missing}; give both")
        words.setdefault(unquoted(label), []).append(unquoted(word))
    if not words:
        raise InputError(f"{where}: no words in it; give a row label,word for each")
    return words


def _listed(label: object, words: object) -> list[str]:
    """The words of a label from a dict."""
    if isinstance(words, str) or not isinstance(words, Iterable):
        raise InputError(f"seed_words has no list for {label!r}; put its words in a list")
    found = list(words)
    if not found or not all(isinstance(word, str) and word.strip() for word in found):
        raise InputError(f"seed_words has no words for {label!r}, or what is no word; give strings")
    return [encodable(word) for word in found]
