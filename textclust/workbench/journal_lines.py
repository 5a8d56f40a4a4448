"""A line of a journal: a JSON object with its number, its time and an action, as bytes and back."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime
from typing import NoReturn

from textclust.errors import InputError

__all__ = ["Line", "encoded", "is_beginning", "parsed", "without_frame"]

Line = dict[str, object]
_FRAME = ("n", "at")  # what the journal adds to an action
# Ends of lines to some readers, though not in JSON.
_ESCAPED = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def encoded(number: int, at: str, action: Mapping[str, object]) -> bytes:
    """An action as the line of this number; an InputError where JSON has no form of it."""
    name = action.get("action")
    if not isinstance(name, str):
        raise InputError("an action needs its name in the field 'action'")
    taken = [key for key in _FRAME if key in action]
    if taken:
        raise InputError(f"the field {taken[0]!r} is the journal's own; leave it out of {name!r}")
    try:
        line = {"n": number, "at": at, **action}
        text = json.dumps(line, ensure_ascii=False, allow_nan=False).translate(_ESCAPED)
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        raise InputError(
            f"{name!r} has half of a letter in a text (a lone surrogate); leave it out"
        ) from None
    except RecursionError:
        raise InputError(f"{name!r} is nested too deeply; make it flat") from None
    except ValueError:
        raise InputError(f"{name!r} has a number that is not finite; correct it") from None


def parsed(data: bytes, number: int, path: str | os.PathLike[str]) -> Line:
    """The line of this number; an InputError that says what is wrong with it."""
    try:
        line = json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        _wrong(path, number, "not JSON in UTF-8")
    if not isinstance(line, dict) or not isinstance(line.get("action"), str):
        _wrong(path, number, "no object with an action")
    if type(line.get("n")) is not int or line["n"] != number:
        _wrong(path, number, f"its number is {str(line.get('n'))[:20]}")
    if not _is_time(line.get("at")):
        _wrong(path, number, "it has no time with its zone in 'at'")
    return line


def is_beginning(data: bytes, number: int) -> bool:
    """Whether this can be what is left of the line of this number; after a crash with zeros."""
    left, frame = data.rstrip(b"\0"), f'{{"n": {number}, "at": "'.encode()
    return left.startswith(frame) or frame.startswith(left)


def without_frame(line: Line) -> Line:
    """The action of a line alone."""
    return {key: value for key, value in line.items() if key not in _FRAME}


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _wrong(path: str | os.PathLike[str], number: int, what: str) -> NoReturn:
    raise InputError(
        f"{path}: line {number}: not a line of a journal ({what}); restore the file as it was"
    )
