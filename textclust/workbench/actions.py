"""What a person can say, as one line of the journal: its fields, and what they may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from textclust.errors import InputError, in_words
from textclust.supervision.links import KINDS

__all__ = ["ACTIONS", "LONGEST_NAME", "Action", "parse"]

LONGEST_NAME = 200  # characters
_ADDED = ("n", "at")  # by the journal to every line

Rows = Mapping[str, int]  # the row of every document by its id


@dataclass(frozen=True)
class Action:
    """An action whose fields were checked; documents are rows, in their order."""

    kind: str
    fields: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def get(self, name: str, default: Any = None) -> Any:
        """A field that may be missing."""
        return self.fields.get(name, default)


def _document(value: object, rows: Rows) -> int:
    if not isinstance(value, str):
        raise InputError(f"a document is named by its id, a text; got {value!r:.80}")
    if value not in rows:
        raise InputError(f"no document has the id {value[:80]!r}; check the id")
    return rows[value]


def _documents(value: object, rows: Rows) -> tuple[int, ...]:
    found = _any_documents(value, rows)
    if not found:
        raise InputError("no document is named; name one at least")
    return found


def _any_documents(value: object, rows: Rows) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise InputError(f"documents are a list of ids; got {value!r:.80}")
    return tuple(dict.fromkeys(_document(name, rows) for name in value))


def _number(value: object, rows: Rows) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"a cluster is named by its number; got {value!r:.80}")
    return value


def _number_or_none(value: object, rows: Rows) -> int | None:
    return None if value is None else _number(value, rows)


def _numbers(value: object, rows: Rows) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) < 2:
        raise InputError(f"clusters are a list of two numbers or more; got {value!r:.80}")
    return tuple(dict.fromkeys(_number(each, rows) for each in value))


def _name(value: object, rows: Rows) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_NAME or not value.isprintable():
        raise InputError(f"a name is one line of at most {LONGEST_NAME} characters")
    return value.strip()


def _flag(value: object, rows: Rows) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"hold is true or false; got {value!r:.80}")
    return value


def _one_of(*choices: str) -> Callable[[object, Rows], str]:
    def chosen(value: object, rows: Rows) -> str:
        if value not in choices:
            raise InputError(f"{value!r:.80} is not one of {in_words(list(choices))}")
        return str(value)

    return chosen


Field = Callable[[object, Rows], Any]
# The fields of every action; one whose name ends with ? may be missing.
ACTIONS: dict[str, dict[str, Field]] = {
    "move": {"documents": _documents, "cluster": _number},
    "merge": {"clusters": _numbers, "into": _number, "without?": _any_documents},
    "split": {"cluster": _number, "documents": _documents, "hold": _flag, "name?": _name},
    "new": {"documents": _documents, "name?": _name},
    "rename": {"cluster": _number, "name": _name},
    "lock": {"cluster": _number},
    "unlock": {"cluster": _number},
    "seed": {"documents": _documents},
    "unseed": {"documents": _documents},
    "link": {"left": _document, "right": _document, "kind": _one_of(*KINDS)},
    "unlink": {"left": _document, "right": _document},
    "discard": {"documents": _documents},
    "restore": {"documents": _documents},
    "answer": {"question": _one_of("pair", "set", "cluster")},
    "accept": {"cluster": _number, "name": _name},
    "refit": {},
    "undo": {},
    "redo": {},
}
_ANSWERS: dict[str, dict[str, Field]] = {
    "pair": {
        "left": _document,
        "right": _document,
        "answer": _one_of("same", "different", "unknown", "skip"),
    },
    "set": {
        "documents": _documents,
        "strangers": _any_documents,
        "answer": _one_of("settled", "unknown", "skip"),
    },
    "cluster": {"document": _document, "cluster": _number_or_none},
}


def parse(line: Mapping[str, object], rows: Rows) -> Action:
    """A line of the journal, or what a page has sent, checked against the documents by id."""
    given = {name: value for name, value in line.items() if name not in _ADDED}
    kind = given.pop("action", None)
    if not isinstance(kind, str) or kind not in ACTIONS:
        raise InputError(f"no action {kind!r:.80}; actions are {in_words(list(ACTIONS))}")
    fields = dict(ACTIONS[kind])
    if kind == "answer":
        asked = _checked("question", fields["question"], given, rows)
        fields.update(_ANSWERS[asked])
    unknown = given.keys() - {name.removesuffix("?") for name in fields}
    if unknown:
        raise InputError(f"{kind} has no field {min(unknown)!r:.80}; leave it out")
    found = {
        name.removesuffix("?"): _checked(name.removesuffix("?"), check, given, rows)
        for name, check in fields.items()
        if not name.endswith("?") or name.removesuffix("?") in given
    }
    return Action(kind, found)


def _checked(name: str, check: Field, given: Mapping[str, object], rows: Rows) -> Any:
    if name not in given:
        raise InputError(f"the field {name!r} is missing; give it")
    return check(given[name], rows)
