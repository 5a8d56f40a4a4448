"""How a file or folder that textclust wrote is recognised: by what is in it, not by its name.

model/        its manifest.json says what it is and lists the files; there are no others
*.json        a manifest, the summary of a clustering, or the settings of an experiment
*.html        the generator that the head of a page names
*.png ...     the program that the metadata of a picture name
*.csv         exactly the columns that we write, and in each line just such values as we write
"""

from __future__ import annotations

import json
import os
import stat
from functools import lru_cache
from pathlib import Path
from typing import Any

from textclust.writing.tables import is_our_table

__all__ = ["MODEL_FORMAT", "PICTURE_METADATA", "is_ours"]

MODEL_FORMAT = "textclust model"
# What matplotlib writes into a picture, by its format.
PICTURE_METADATA = {
    "png": {"Software": "textclust"},
    "svg": {"Creator": "textclust"},
    "pdf": {"Creator": "textclust"},
}
_MANIFEST = "manifest.json"
_GENERATOR = b'<meta name="generator" content="textclust">'
_PICTURES = {  # how a file of the format begins, and the mark in it
    b"\x89PNG\r\n\x1a\n": b"tEXtSoftware\0textclust",
    b"<?xml ": b"<cc:Agent>\n      <dc:title>textclust</dc:title>",
    b"%PDF-": b"/Creator (textclust)",
}
_HEAD = 1 << 16  # bytes in which the mark of a page or picture stands, from its beginning or end


def is_ours(place: str | os.PathLike[str]) -> bool:
    """Whether textclust wrote what is at this place; False where that cannot be told."""
    try:
        found = os.lstat(place)
        if stat.S_ISDIR(found.st_mode):
            return _is_model(Path(place))
        if not stat.S_ISREG(found.st_mode):
            return False
        if os.path.basename(place) in _files(Path(place).parent / _MANIFEST):
            return True
        unchanged = (found.st_ino, found.st_size, found.st_mtime_ns)
        return _is_our_file(os.path.abspath(place), unchanged)
    except (OSError, ValueError, RecursionError):
        return False


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


def _is_model(folder: Path) -> bool:
    """Whether a folder holds a model and nothing else."""
    files = _files(folder / _MANIFEST)
    return bool(files) and set(os.listdir(folder)) <= {_MANIFEST, *files}


def _files(manifest: Path) -> list[str]:
    """The files that the manifest of a model lists; none where it is no manifest."""
    try:
        content = json.loads(manifest.read_bytes())
    except (OSError, ValueError):
        return []
    return list(content["files"]) if _is_manifest(content) else []


def _is_manifest(content: Any) -> bool:
    known = isinstance(content, dict) and content.get("format") == MODEL_FORMAT
    return known and isinstance(content.get("files"), dict)


def _is_our_json(place: Path) -> bool:
    content = json.loads(place.read_bytes())
    if _is_manifest(content) or set(content) == {"textclust"}:
        return True
    settings = content.get("settings")
    versions = settings.get("versions") if isinstance(settings, dict) else None
    return {"k", "documents", "objective", "clusters"} <= set(content) and (
        isinstance(versions, dict) and "textclust" in versions
    )
