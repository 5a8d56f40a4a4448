"""The files of the page: those that are installed beside this module, by their names alone."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

__all__ = ["PAGE", "StaticFiles"]

PAGE = "index.html"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}


class StaticFiles:
    """The files of one folder; a name is compared with theirs, and never made a path."""

    def __init__(self, folder: Traversable | None = None) -> None:
        """Those of the package, or of another folder."""
        self._folder = files("textclust.workbench") / "static" if folder is None else folder

    def read(self, name: str) -> tuple[bytes, str] | None:
        """The content and the type of a file; None where there is no such file."""
        kind = _TYPES.get(PurePosixPath(name).suffix)
        if kind is None or not self._folder.is_dir():
            return None
        for entry in self._folder.iterdir():
            if entry.name == name and entry.is_file():
                return entry.read_bytes(), kind
        return None
