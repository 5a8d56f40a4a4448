"""Valid files of every kind that is read, small, and with most of what their kinds have."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from datetime import UTC, datetime
from functools import cache
from random import Random

import numpy as np

from tests.text.office import docx, mailbox, pdf, xlsx, zipped
from textclust.workbench.journal_lines import encoded

TEXT = "The bike has a new chain, and the wheel is true again. Naïve café, 日本語, שלום.\n"
WHEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
NEWS = (
    "From: Ann <ann@example.org>\nSubject: Re: =?utf-8?q?lens_=C3=A9?= test\n"
    "Date: 29 Mar 93 06:57:19 -0500\nNewsgroups: rec.photo\nLines: 4\n\n"
    "In article <1@x> john@example.org (John) writes:\n> a quoted line\n: another\n\n"
    "My own words &amp; Poincar\\'e of the lens.\n-- \nAnn\n"
)
PARTS = (
    'From: a@b.c\nSubject: parts\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="xx"\n'
    '\n--xx\nContent-Type: text/plain; charset="iso-8859-1"\n'
    "Content-Transfer-Encoding: quoted-printable\n\nThe caf=E9 and the wheel=\n go on.\n"
    "--xx\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    "PGh0bWw+PHA+VGhlIDxiPm1vb248L2I+ICZhbXA7IHN0YXI8L3A+PC9odG1sPg==\n"
    '--xx\nContent-Type: application/pdf; name="a.pdf"\nContent-Disposition: attachment\n'
    "Content-Transfer-Encoding: base64\n\nAAAA\n--xx--\n"
)
PLAIN = (
    "From: a@b.c\nSubject: =?iso-8859-1?b?6eg=?= and more\nContent-Type: text/plain; "
    "charset*=utf-8''utf-8\nContent-Transfer-Encoding: base64\n\nVGhlIG1vb24gYW5kIHRoZSBzdGFy\n"
)
PAGE = (
    "<!DOCTYPE html><html><head><meta charset=utf-8><title>A &eacute; page</title>"
    "</head><body><h1>Moon</h1><!-- a comment --><p>One<br>two &lt; three &#233; &#x1F6B2;</p>"
    "<table><tr><td>a</td><td>b</td></tr></table><script>alert('x')</script><pre>kept\n  so</pre>"
    "</body></html>"
)
ROWS = [
    {"id": f"{group}/{n}", "text": f"{TEXT} {group} {n}", "label": group, "date": WHEN.isoformat()}
    for group in ("bikes", "moon")
    for n in range(3)
]


def csv_table(separator: str = ",") -> bytes:
    lines = [separator.join(ROWS[0])]
    lines += [separator.join(f'"{cell}"' for cell in row.values()) for row in ROWS]
    return ("\n".join(lines) + '\n1,"says ""hi""\nin two lines",x,2024-05-06\n').encode()


def parquet() -> bytes:
    import pyarrow as pa
    from pyarrow import parquet as files

    table = pa.table(
        {
            "id": pa.array([row["id"] for row in ROWS]),
            "text": pa.array([row["text"] for row in ROWS]),
            "label": pa.array([row["label"] for row in ROWS]).dictionary_encode(),
            "date": pa.array([WHEN] * len(ROWS), pa.timestamp("us", "UTC")),
        }
    )
    sink = io.BytesIO()
    files.write_table(table, sink, compression="none", use_dictionary=["label"])
    return sink.getvalue()


def odd_parquet(rng: Random) -> bytes:
    """A sound Parquet table with cells that are no text, no date, or of odd types."""
    import pyarrow as pa
    from pyarrow import parquet as files

    def raw(kind: str) -> object:
        wrong = [bytes(rng.randrange(256) for _ in range(rng.randrange(12))) for _ in range(4)]
        moments = [rng.choice([0, 1, -1]) * 2 ** rng.randrange(63) for _ in range(4)]
        match kind:
            case "bytes":
                return pa.array(wrong, pa.binary())
            case "text":
                offsets = pa.array(wrong, pa.binary())
                return pa.Array.from_buffers(pa.string(), 4, offsets.buffers())
            case "moment":
                unit, zone = rng.choice(["ms", "us", "ns"]), rng.choice([None, "UTC", "+05:30"])
                return pa.array(moments, pa.int64()).cast(pa.timestamp(unit, zone), safe=False)
            case "day":
                return pa.array([moment % 2**31 for moment in moments], pa.int32()).cast(
                    pa.date32()
                )
            case "list":
                return pa.array([[1], [], None, [2, 3]])
            case "numbers":
                return pa.array([1.5, float("nan"), None, -0.0])
        return pa.array(["a", "b", None, "d"])

    kinds = ["bytes", "text", "moment", "day", "list", "numbers", "plain"]
    names = ("id", "text", "label", "date")
    columns = {name: raw(rng.choice([*kinds, "plain", "text"])) for name in names}
    sink = io.BytesIO()
    files.write_table(pa.table(columns), sink)
    return sink.getvalue()


def tar_gz() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in folder().items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 1, mtime=0)


def folder() -> dict[str, bytes]:
    return {
        "photo/1": NEWS.encode(),
        "photo/2.eml": PARTS.encode(),
        "moon/1.txt": TEXT.encode("utf-16"),
        "moon/2.html": PAGE.encode(),
        "moon/3": TEXT.encode("latin-1", "replace"),
    }


def vectors(kind: str = "<f4") -> bytes:
    """A table of numbers in numpy's format, a row for each of the documents."""
    packed = io.BytesIO()
    np.save(packed, np.arange(8, dtype=kind).reshape(4, 2))
    return packed.getvalue()


def journal() -> bytes:
    """What a workbench writes down while somebody works."""
    actions = [
        {"action": "move", "documents": ["bikes/1", "moon/2"], "cluster": 2},
        {"action": "rename", "cluster": 1, "name": "Wheels é"},
        {"action": "answer", "left": "bikes/0", "right": "moon/0", "kind": "cannot-link"},
        {"action": "undo"},
    ]
    return b"".join(encoded(n, WHEN.isoformat(), line) for n, line in enumerate(actions, start=1))


@cache
def files() -> dict[str, dict[str, bytes]]:
    """Valid files by the test that reads them, and by name."""
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
    table = [list(ROWS[0]), *(list(row.values()) for row in ROWS)]
    return {
        "mail and pages": {
            "news": NEWS.encode(),
            "parts.eml": PARTS.encode(),
            "plain.eml": PLAIN.encode(),
            "box.mbox": mailbox(NEWS, PARTS, PLAIN),
            "page.html": PAGE.encode(),
            "text": TEXT.encode(),
        },
        "tables": {
            "t.csv": csv_table(),
            "t.tsv": csv_table("\t"),
            "t.jsonl": lines.encode(),
            "t.txt": TEXT.encode() * 3,
            "t.parquet": parquet(),
        },
        "office files": {
            "t.xlsx": xlsx(table, [["text"], ["x", 1.5, WHEN.replace(tzinfo=None)]]),
            "t.docx": docx("One paragraph.", TEXT, "The moon & the star."),
            "t.pdf": pdf("The moon and\nthe star.", "A second page."),
            "c.pdf": pdf("The moon and the star, compressed.", compressed=True),
        },
        "archives": {
            "t.zip": zipped(dict(folder())),
            "t.tar.gz": tar_gz(),
            "t.tar": gzip.decompress(tar_gz()),
        },
        "vectors": {
            "single.npy": vectors(),
            "double.npy": vectors(">f8"),
            "whole.npy": vectors("<i8"),
        },
        "journals": {"journal.jsonl": journal()},
        "tables of ours": {
            "labels.csv": b'id,label\na,x\n\'=b,y\n"c,d","says ""z"""\n',
            "links.csv": b"left,right,kind,weight\na,b,must-link,1\nb,'=c,cannot-link,2.5\n",
            "words.csv": b'label,word\nbikes,wheel\n\'=b,moon\n"c,d",moon\n',
            "answers.csv": b"left,right,kind,set\na,b,must-link,1\nb,c,dont-know,\n",
        },
    }
