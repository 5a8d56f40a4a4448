"""Messages of the library in the words of the command line: parameters become options."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["in_options"]

_VALUE = r"'[^']*'|\"[^\"]*\"|[\w.+-]*\w"
_QUOTES = "'\""
_BEFORE = r"(?<![\w/.'\"-])"  # not within a path, nor in quotes: those are words of the user
_AFTER = r"(?=[\s,;)]|\.?(?:\s|$))"


def in_options(message: str, options: Mapping[str, str]) -> str:
    """The message with parameters as they are typed; `options` has the spelling of each.

    >>> options = {"n_clusters": "--k", "refine": "--refine"}
    >>> in_options("n_clusters=9 is more than there are; set refine=False", options)
    '--k 9 is more than there are; set --no-refine'
    """
    names = "|".join(sorted(options, key=len, reverse=True))
    long = "|".join(name for name in options if "_" in name)

    def assigned(found: re.Match[str]) -> str:
        return _assigned(options[found[1]], found[2])

    def named(found: re.Match[str]) -> str:
        return options[found[1]]

    message = re.sub(rf"{_BEFORE}({names})=({_VALUE})?{_AFTER}", assigned, message)
    message = re.sub(rf"parameter '({names})'", lambda found: f"option {named(found)}", message)
    message = re.sub(rf"^({names})(?= must be )", named, message)
    message = re.sub(r"^--[\w-]+ must be [^;]*", _with_none, message)
    return re.sub(rf"{_BEFORE}({long}){_AFTER}", named, message)


def _with_none(rule: re.Match[str]) -> str:
    """A rule with None as it is typed."""
    return re.sub(r"\bNone\b", "'none'", rule[0])


def _assigned(option: str, value: str | None) -> str:
    if value is None or value == "True":
        return option
    if value == "False":
        return f"--no-{option[2:]}"
    return f"{option} {'none' if value == 'None' else value.strip(_QUOTES)}"
