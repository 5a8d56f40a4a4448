"""What a request asks for: its parameters and its body, checked before anything is done."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NoReturn
from urllib.parse import parse_qsl

from textclust.errors import in_words
from textclust.workbench.bench import Content

__all__ = ["Malformed", "Parameters", "body_of", "flag_in", "refuse_others"]

_MAX_LIST = 1000
_MAX_FIELDS = 20
_NUMBER = re.compile(r"[0-9]{1,9}")


class Malformed(Exception):  # noqa: N818 - a state of the request, no fault of ours
    """A request that cannot be understood; the message says why in one line."""


class Parameters:
    """The parameters of an address, each given once and known."""

    def __init__(self, query: bytes, known: Sequence[str]) -> None:
        try:
            pairs = parse_qsl(
                query.decode("ascii"),
                keep_blank_values=True,
                errors="strict",
                max_num_fields=_MAX_FIELDS,
            )
        except ValueError:
            raise Malformed(
                "the parameters are not encoded as UTF-8; correct the address"
            ) from None
        self._given = dict(pairs)
        if len(self._given) < len(pairs):
            raise Malformed("a parameter is given twice; give each once")
        refuse_others(self._given, known)

    def text(self, name: str, longest: int) -> str | None:
        """A text, or None where it is missing or empty."""
        value = self._given.get(name, "")
        if len(value) > longest:
            raise Malformed(f"{name} has {len(value)} characters; at most {longest} are possible")
        return value or None

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """One of some words; the first where it is missing."""
        value = self._given.get(name, choices[0])
        if value not in choices:
            raise Malformed(f"{name} is {value[:40]!r}; use {in_words(choices)}")
        return value

    def flag(self, name: str) -> bool:
        """0 or 1; 0 where it is missing."""
        return self.choice(name, ("0", "1")) == "1"

    def number(self, name: str, default: int, most: int = 10**9) -> int:
        """A whole number from 0 on."""
        found = self.optional_number(name)
        number = default if found is None else found
        if number > most:
            raise Malformed(f"{name} is {number}; at most {most} are possible")
        return number

    def optional_number(self, name: str) -> int | None:
        """The same, or None where it is missing."""
        return _number(name, self._given[name]) if name in self._given else None

    def required_number(self, name: str) -> int:
        """The same, which must be there."""
        if name not in self._given:
            raise Malformed(f"{name} is missing; add it to the address")
        return _number(name, self._given[name])

    def numbers(self, name: str) -> list[int] | None:
        """Whole numbers with commas between them, or None where they are missing."""
        if name not in self._given:
            return None
        parts = self._given[name].split(",") if self._given[name] else []
        if len(parts) > _MAX_LIST:
            raise Malformed(f"{name} has {len(parts)} numbers; at most {_MAX_LIST} are possible")
        return [_number(name, part) for part in parts]


def body_of(data: bytes) -> Content:
    """The JSON object that a body is; nothing stands for an empty one."""
    try:
        content = json.loads(data.decode("utf-8"), parse_constant=_refuse) if data else {}
    except (ValueError, RecursionError):
        raise Malformed("the body is not JSON in UTF-8; correct it") from None
    if not isinstance(content, dict):
        raise Malformed("the body is not a JSON object; put braces around it")
    return content


def flag_in(content: Content, name: str) -> bool:
    """Whether a field is true; it may be missing."""
    value = content.get(name, False)
    if not isinstance(value, bool):
        raise Malformed(f"{name} must be true or false")
    return value


def refuse_others(given: Content | dict[str, str], known: Sequence[str]) -> None:
    """Refuse names that nobody would look at."""
    for name in given:
        if name not in known:
            possible = f"there are {in_words(known, 'and')}" if known else "there are none"
            raise Malformed(f"{name[:40]!r} is not known here; {possible}")


def _number(name: str, text: str) -> int:
    if _NUMBER.fullmatch(text) is None:
        raise Malformed(f"{name} is {text[:40]!r}; use a whole number from 0 on")
    return int(text)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
