"""Small valid files of the kinds that programs for offices write, made by hand."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Sequence
from datetime import datetime
from xml.sax.saxutils import escape

__all__ = ["docx", "mailbox", "pdf", "xlsx", "zipped"]

_WHEN = re.compile(rb"\d{4}-\d\d-\d\dT[0-9:]+Z")
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def zipped(parts: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in parts.items():
            member = zipfile.ZipInfo(name)  # of no time, so that the bytes are the same each time
            member.compress_type = method
            archive.writestr(member, content)
    return buffer.getvalue()


def docx(
    *paragraphs: str, body: str = "", prologue: str = "", main: str = "word/document.xml"
) -> bytes:
    """A Word document: plain paragraphs, then `body` as it is."""
    plain = "".join(f"<w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p>" for text in paragraphs)
    relation = f'<Relationship Id="a" Type="{_R}/officeDocument" Target="/{main}"/>'
    return zipped(
        {
            "_rels/.rels": f"<Relationships>{relation}</Relationships>",
            main: f'<?xml version="1.0"?>{prologue}<w:document xmlns:w="{_W}">'
            f"<w:body>{plain}{body}</w:body></w:document>",
        }
    )


def xlsx(*sheets: Sequence[Sequence[str | float | datetime | None]]) -> bytes:
    """A workbook of these sheets, as a spreadsheet program writes it."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    with zipfile.ZipFile(buffer) as archive:  # the bytes are to be the same each time
        parts = {name: archive.read(name) for name in archive.namelist()}
    core = "docProps/core.xml"
    return zipped({**parts, core: _WHEN.sub(b"2024-05-06T07:08:09Z", parts[core])})


def pdf(*pages: str, trailer: str = "", compressed: bool = False) -> bytes:
    """A document with a page for each of these texts, a line of each shown by itself."""
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for i, text in enumerate(pages):
        shown = " T* ".join(f"({line}) Tj" for line in text.split("\n"))
        stream = f"BT /F1 12 Tf 14 TL 72 700 Td {shown} ET".encode("latin-1")
        filtered = "/Filter/FlateDecode" if compressed else ""
        stream = zlib.compress(stream) if compressed else stream
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {5 + 2 * i} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>".encode()
        )
        head = f"<</Length {len(stream)}{filtered}>>".encode()
        objects.append(head + b"stream\n" + stream + b"\nendstream")
    made, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(made))
        made += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    return (
        made
        + (
            f"xref\n0 {size}\n0000000000 65535 f \n{table}"
            f"trailer\n<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{len(made)}\n%%EOF\n"
        ).encode()
    )


def mailbox(*messages: str) -> bytes:
    """Messages as an .mbox file has them."""
    dated = "From someone@example Thu Jan  1 00:00:00 2026\n"
    return "\n".join(f"{dated}{message}\n" for message in messages).encode()
