"""File names as document ids: readable everywhere, the same from folder and archive."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["folder_of", "hidden_part", "is_plain", "points_outside", "readable"]

_LITTER = {"__macosx", "thumbs.db", "desktop.ini"}
_ROOTED = re.compile(r"[\\/]|[A-Za-z]:[\\/]")
_PLAIN_PART = rb"(?!thumbs|desktop)[a-z\d][\w.-]*+"
_PLAIN = re.compile(rb"(?:%b/)*+%b" % (_PLAIN_PART, _PLAIN_PART), re.IGNORECASE)


def readable(raw: bytes) -> str:
    """A file name as text: NFC, so that it compares equal wherever the file was made."""
    return unicodedata.normalize("NFC", raw.decode("utf-8", "backslashreplace"))


def is_plain(raw: bytes) -> bool:
    """Whether a name is so ordinary that it need not be looked at any closer."""
    return _PLAIN.fullmatch(raw) is not None


def hidden_part(name: str) -> str | None:
    """The path up to and including the first hidden file or folder, if there is one."""
    parts = name.split("/")
    for depth, part in enumerate(parts, start=1):
        if part.startswith(".") or part.lower() in _LITTER:
            return "/".join(parts[:depth])
    return None


def points_outside(name: str) -> bool:
    """Whether a member's name would leave the folder it is unpacked to, on any system."""
    return bool(_ROOTED.match(name)) or (".." in name and ".." in re.split(r"[\\/]", name))


def folder_of(name: str) -> str:
    """The first-level folder a file lies in; empty for a file that lies in none."""
    folder, slash, _ = name.partition("/")
    return folder if slash else ""
