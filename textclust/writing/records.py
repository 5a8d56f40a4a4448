"""What clusters.json says of the tables beside it: their SHA-256, so that an edit shows.

The summary of an earlier version says nothing of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeGuard

from textclust.regular_files import parsed_json, read_regular

__all__ = [
    "MEMBERSHIPS",
    "OVER_TIME",
    "RECORDED",
    "has_version",
    "is_summary",
    "record_of",
    "recorded",
    "summary_beside",
]

MEMBERSHIPS = "memberships.csv"
OVER_TIME = "over_time.csv"
RECORDED = ("labels.csv", MEMBERSHIPS, OVER_TIME)
_SUMMARY = "clusters.json"
_TABLES = "tables"
_KEYS = {"k", "documents", "objective", "clusters", "settings"}


def record_of(tables: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What to add to the summary about tables, given by their names."""
    sums = {name: hashlib.sha256(text.encode("utf-8")) for name, text in tables.items()}
    return {_TABLES: {name: found.hexdigest() for name, found in sums.items()}}


def recorded(summary: Mapping[str, object]) -> dict[str, str] | None:
    """The SHA-256 of each table; None where the summary does not say."""
    tables = summary.get(_TABLES)
    return tables if isinstance(tables, dict) else None


def summary_beside(place: Path) -> dict[str, object] | None:
    """The summary of a clustering in the same folder; None where there is none of ours."""
    try:
        content = parsed_json(read_regular(place.parent / _SUMMARY))
    except (OSError, ValueError):
        return None
    return content if is_summary(content) else None


def is_summary(content: object) -> TypeGuard[dict[str, object]]:
    """Whether this is the content of a clusters.json."""
    if not isinstance(content, dict) or not set(content) >= _KEYS:
        return False
    settings = content["settings"]
    return isinstance(settings, dict) and has_version(settings.get("versions"))


def has_version(content: object) -> bool:
    """Whether a version of textclust is named, and not something else of this name."""
    version = content.get("textclust") if isinstance(content, dict) else None
    return isinstance(version, str) and version[:1].isdigit()
