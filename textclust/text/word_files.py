"""The text of a .docx file: a line for each paragraph, the cells of a table with tabs between."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

from textclust.text.catalogue import UnreadableError
from textclust.text.limits import Limits
from textclust.text.packages import feed_part, is_encrypted, is_package, opened_package, xml_parser

__all__ = ["text_of_docx"]

_MAIN = "word/document.xml"
_RELATIONS = "_rels/.rels"
_MAIN_KIND = "/officeDocument"  # how the type of the relation to the main part ends
_DEEPEST = 1_000  # elements within elements
_UNSEEN = frozenset({"Fallback", "instrText", "delText"})  # said already, or not shown
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def text_of_docx(data: bytes, limits: Limits) -> str | None:
    """The text of the main part, without headers, notes and what was deleted."""
    if is_encrypted(data):
        raise UnreadableError("encrypted, or of an older format")
    if not is_package(data):
        return None
    with opened_package(BytesIO(data), len(data), limits) as package:
        names = set(package.namelist())
        main = _MAIN if _MAIN in names else _named_main(package, names)
        if main is None:
            raise UnreadableError("no document in it")
        shown = _Shown(limits)
        for _ in feed_part(package, main, shown.parser):
            pass
    return shown.text()


def _named_main(package: ZipFile, names: set[str]) -> str | None:
    """The main part where it has another name than usual."""
    found: list[str] = []
    if _RELATIONS not in names:
        return None

    def start(name: str, attributes: dict[str, str]) -> None:
        if attributes.get("Type", "").endswith(_MAIN_KIND):
            found.append(attributes.get("Target", "").lstrip("/"))

    parser = xml_parser()
    parser.StartElementHandler = start
    for _ in feed_part(package, _RELATIONS, parser):
        pass
    return found[0] if found and found[0] in names else None


class _Shown:
    """Collects what a reader sees while the parser goes through the elements."""

    def __init__(self, limits: Limits) -> None:
        self.parser = xml_parser()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self._limits = limits
        self._pieces: list[str] = []
        self._length = 0
        self._depth = 0
        self._texts = 0  # open elements of text
        self._unseen = 0  # open elements whose content is not shown
        self._rows = 0  # open rows of tables

    def text(self) -> str:
        lines = (line.rstrip(" ") for line in "".join(self._pieces).split("\n"))
        return "\n".join(line for line in lines if line.strip())

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableError("damaged")
        local = name.rpartition(" ")[2]
        self._unseen += local in _UNSEEN
        self._texts += local == "t"
        self._rows += local == "tr"
        if local in _BREAKS:
            self._add(_BREAKS[local])

    def _end(self, name: str) -> None:
        self._depth -= 1
        local = name.rpartition(" ")[2]
        self._unseen -= local in _UNSEEN
        self._texts -= local == "t"
        self._rows -= local == "tr"
        if local == "p":
            self._add(" " if self._rows else "\n")
        elif local == "tc":
            self._add("\t")
        elif local == "tr":
            self._add("\n")

    def _characters(self, text: str) -> None:
        if self._texts:
            self._add(text)

    def _add(self, text: str) -> None:
        if self._unseen:
            return
        self._length += len(text)
        if self._length > self._limits.document_bytes:
            raise UnreadableError(self._limits.too_large)
        self._pieces.append(text)
