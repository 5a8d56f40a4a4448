"""How a file or folder that textclust wrote is recognised: by what is in it, not by its name.

model/        its manifest.json says what it is and lists the files; there are no others
labels/       the same, and the files are as it says by their SHA-256
*.json        a manifest, the summary of a clustering, the settings of an experiment, or the
              record of a command
*.html        the generator that the head of a page names
*.png ...     the program that the metadata of a picture name
*.csv         exactly the columns that we write, and in each line only values as we write them;
              for labels.csv and memberships.csv, the SHA-256 in the clusters.json beside them
"""

from __future__ import annotations

import hashlib
import os
import stat
from functools import lru_cache
from pathlib import Path
from typing import TypeGuard

from textclust.regular_files import parsed_json, read_regular
from textclust.writing.records import (
    MEMBERSHIPS,
    RECORDED,
    has_version,
    is_summary,
    recorded,
    summary_beside,
)
from textclust.writing.tables import are_memberships, is_our_table

__all__ = ["LABELS_FORMAT", "MODEL_FORMAT", "PICTURE_METADATA", "is_ours", "why_not_ours"]

MODEL_FORMAT, LABELS_FORMAT = "textclust model", "textclust labels"
# What matplotlib writes into a picture, by its format.
PICTURE_METADATA = {
    "png": {"Software": "textclust"},
    "svg": {"Creator": "textclust"},
    "pdf": {"Creator": "textclust"},
}
_UNKNOWN = "not recognised as written by textclust"
_CHANGED = "changed since textclust wrote it"
_MANIFEST = "manifest.json"
_OF_THE_SYSTEM = {".DS_Store", "Thumbs.db", "desktop.ini"}  # file managers leave them anywhere
_GENERATOR = b'<meta name="generator" content="textclust">'
_PICTURES = {  # how a file of the format begins, and the mark in it
    b"\x89PNG\r\n\x1a\n": b"tEXtSoftware\0textclust",
    b"<?xml ": b"<cc:Agent>\n      <dc:title>textclust</dc:title>",
    b"%PDF-": b"/Creator (textclust)",
}
_HEAD = 1 << 16  # bytes in which the mark of a page or picture stands, from its beginning or end


def is_ours(place: str | os.PathLike[str]) -> bool:
    """Whether textclust wrote what is at this place; False where that is unknown."""
    return not why_not_ours(place)


def why_not_ours(place: str | os.PathLike[str]) -> str:
    """Why something is not taken for ours, or nothing where it is."""
    try:
        found = os.lstat(place)
        if stat.S_ISDIR(found.st_mode):
            return _why_not_our_folder(Path(place))
        if not stat.S_ISREG(found.st_mode):
            return _UNKNOWN
        if os.path.basename(place) in _files(Path(place).parent / _MANIFEST):
            return ""
        if os.path.basename(place) in RECORDED and (summary := summary_beside(Path(place))):
            return _why_not_beside(summary, Path(place))
        unchanged = (found.st_ino, found.st_size, found.st_mtime_ns)
        return "" if _is_our_file(os.path.abspath(place), unchanged) else _UNKNOWN
    except (OSError, ValueError, RecursionError):
        return _UNKNOWN


def _why_not_beside(summary: dict[str, object], table: Path) -> str:
    """The same for a table beside the summary of a clustering."""
    tables = recorded(summary)
    if tables is None:
        known = are_memberships if table.name == MEMBERSHIPS else is_our_table
        return "" if known(table) else _UNKNOWN
    if table.name not in tables:
        return _UNKNOWN
    same = hashlib.sha256(table.read_bytes()).hexdigest() == tables[table.name]
    return "" if same else _CHANGED


@lru_cache(maxsize=32)
def _is_our_file(path: str, unchanged: tuple[int, ...]) -> bool:
    """The same for a regular file; read once as long as it is unchanged."""
    place = Path(path)
    with open(place, "rb") as file:
        head = file.read(_HEAD)
        file.seek(max(0, file.seek(0, os.SEEK_END) - _HEAD))
        tail = file.read()
    for beginning, mark in _PICTURES.items():
        if head.startswith(beginning):
            return mark in head or mark in tail
    if head.startswith(b"<!DOCTYPE html>\n"):
        return _GENERATOR in head.partition(b"<title>")[0]
    if head.startswith(b"{"):
        return _is_our_json(place)
    return is_our_table(place)


def _why_not_our_folder(folder: Path) -> str:
    """The same for a folder, which must hold a model or tables of labels, and nothing else."""
    files = _files(folder / _MANIFEST)
    others = set(os.listdir(folder)) - {_MANIFEST, *files} - _OF_THE_SYSTEM
    if others or not files:
        return f"{_UNKNOWN} because of {min(others)} in it" if others else _UNKNOWN
    tables = [(folder / name, digest) for name, digest in files.items() if name.endswith(".csv")]
    return "" if all(_has_digest(*table) for table in tables) else _CHANGED


def _has_digest(place: Path, digest: object) -> bool:
    with open(place, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == digest


def _files(manifest: Path) -> dict[str, object]:
    """The files that the manifest of a folder lists; none where it is no manifest."""
    try:
        content = parsed_json(read_regular(manifest))
    except (OSError, ValueError):
        return {}
    return content["files"] if _is_manifest(content) else {}


def _is_manifest(content: object) -> TypeGuard[dict[str, dict[str, object]]]:
    formats = (MODEL_FORMAT, LABELS_FORMAT)
    if not isinstance(content, dict) or content.get("format") not in formats:
        return False
    return isinstance(content.get("files"), dict)


def _is_our_json(place: Path) -> bool:
    content = parsed_json(read_regular(place))
    settings = set(content) - {"run", "added"} == {"textclust"} and has_version(content)
    return settings or _is_manifest(content) or is_summary(content)
