"""The text of a .pdf file, page after page."""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterator
from io import BytesIO
from time import monotonic
from types import ModuleType

from textclust.text.catalogue import UnreadableError, damage_is_a_reason
from textclust.text.decoding import encodable
from textclust.text.limits import Limits

__all__ = ["text_of_pdf"]

_MARK = b"%PDF-"
_HEAD = 1024  # bytes in which it stands
_SECONDS = 120  # for one file; an ordinary page takes a hundredth of one
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\n(?=[^\W\d_])")  # at the end of a line
_LIGATURES = re.compile("[\ufb00-\ufb06]")
_SILENT = logging.NullHandler()  # for a library that tells of every oddity


def text_of_pdf(data: bytes, limits: Limits) -> str | None:
    """The text of all pages, words put together that a line end divides."""
    if _MARK not in data[:_HEAD]:
        return None
    try:
        import pypdf
    except ImportError:
        raise UnreadableError("install textclust[files]") from None
    logging.getLogger("pypdf").addHandler(_SILENT)
    with damage_is_a_reason():
        text = "\n".join(_pages(pypdf, data, limits))
    if not text.strip():
        raise UnreadableError("no text in it (scanned?)")
    text = _LIGATURES.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    return encodable(_HYPHEN.sub("", text))


def _pages(pypdf: ModuleType, data: bytes, limits: Limits) -> Iterator[str]:
    """The texts of the pages, as long as they are no more than is reasonable."""
    reader = pypdf.PdfReader(BytesIO(data), strict=False)
    if reader.is_encrypted and not _opens_without_password(reader):
        raise UnreadableError("encrypted")
    room = max(limits.harmless_bytes, len(data) * limits.expansion)
    length, until = 0, monotonic() + _SECONDS
    for page in reader.pages:
        contents = page.get_contents()
        room -= 0 if contents is None else len(contents.get_data())
        if room < 0:
            raise UnreadableError(f"unpacks to over {limits.expansion} times its size")
        text = page.extract_text()
        length += len(text)
        if length > limits.document_bytes:
            raise UnreadableError(limits.too_large)
        if monotonic() > until:
            raise UnreadableError("takes too long")
        yield text


def _opens_without_password(reader: object) -> bool:
    """Whether only the right to change it is protected."""
    try:
        return bool(reader.decrypt(""))  # type: ignore[attr-defined]
    except Exception:  # what decrypts may not be installed
        return False
