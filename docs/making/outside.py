"""What the pages of a site would load from elsewhere: python docs/making/outside.py FOLDER.

It prints each such thing with its page, and ends with exit code 1 where there is one. Links that a
reader may follow are no matter. What scripts load is watched in a browser (tests/browser).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

__all__ = ["loaded_by_page", "loaded_by_style", "main"]

_SOURCES = ("src", "srcset", "poster", "data", "background")
_NOT_LOADED = {"alternate", "author", "canonical", "help", "license", "next", "prev", "search"}
_ELSEWHERE = re.compile(r"(?:https?:)?//[^\s\"'()<>]+", re.IGNORECASE)
_IN_STYLE = re.compile(r"(?:@import\s*|url\(\s*)[\"']?((?:https?:)?//[^\s\"')]+)", re.IGNORECASE)


def loaded_by_style(text: str) -> list[str]:
    """The addresses that a style sheet loads.

    >>> loaded_by_style('@import "https://a.org/b.css"; a { background: url(local.png) }')
    ['https://a.org/b.css']
    """
    return _IN_STYLE.findall(text)


def loaded_by_page(text: str) -> list[str]:
    """The addresses that a page loads.

    >>> loaded_by_page('<a href="https://a.org">A</a><script src="//a.org/b.js"></script>')
    ['//a.org/b.js']
    """
    page = _Page()
    page.feed(text)
    return page.found


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._in_style = tag == "style"
        for name in _SOURCES:
            self.found += _ELSEWHERE.findall(given.get(name, ""))
        if tag == "link" and not _NOT_LOADED.issuperset(given.get("rel", "").split()):
            self.found += _ELSEWHERE.findall(given.get("href", ""))
        self.found += loaded_by_style(given.get("style", ""))

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.found += loaded_by_style(data)


def main(folder: Path) -> int:
    """Print what would be loaded; 1 where there is anything, or no page at all."""
    pages = sorted(folder.rglob("*.html"))
    found = [*_found(pages, loaded_by_page), *_found(folder.rglob("*.css"), loaded_by_style)]
    for line in found if pages else [f"{folder}: no page in it"]:
        print(line, file=sys.stderr)
    return 1 if found or not pages else 0


def _found(files: Iterable[Path], loaded: Callable[[str], list[str]]) -> Iterator[str]:
    for file in files:
        for address in loaded(file.read_text(encoding="utf-8")):
            yield f"{file} loads {address}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
