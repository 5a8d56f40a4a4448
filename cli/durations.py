"""Times as they are typed: 90, 60s, 2m, 1h30m."""

from __future__ import annotations

import re

from textclust.errors import InputError

__all__ = ["METAVAR", "seconds"]

METAVAR = "DURATION"
_NUMBER = r"(\d+(?:\.\d*)?|\.\d+)"
_PARTS = re.compile(rf"(?:{_NUMBER}h)?(?:{_NUMBER}m)?(?:{_NUMBER}s)?", re.ASCII)
_ALONE = re.compile(_NUMBER, re.ASCII)
_MOST = 1e9  # seconds, which is 31 years


def seconds(typed: str, option: str = "--time") -> float:
    """The seconds that are meant, a number alone being seconds; an InputError if that is unclear.

    >>> seconds("90"), seconds("2m"), seconds("1h30m"), seconds("0.5s")
    (90.0, 120.0, 5400.0, 0.5)
    """
    if _ALONE.fullmatch(typed):
        found = float(typed)
    else:
        parts = _PARTS.fullmatch(typed)
        each = parts.groups(default="0") if parts else ("0", "0", "0")
        hours, minutes, rest = map(float, each)
        found = 3600 * hours + 60 * minutes + rest
    if not 0 < found < _MOST:
        raise InputError(f"{option} must be a time such as 90, 60s, 2m or 1h30m; got {typed}")
    return found
