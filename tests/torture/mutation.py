"""Bytes changed at random: blindly, by the tokens of their kind, and inside what is packed."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from random import Random

Change = Callable[[Random, bytes], bytes]

ODD = [
    *(b"", b"\0", b"\r", b"\r\n", b"\n\n", b'"', b"'", b",", b";", b"\t", b"\\", b"\x1a", b"\xff"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80"),
    *(
        b"-1",
        b"0",
        b"1e400",
        b"NaN",
        b"9" * 30,
        b"99999999999",
        b"-0",
        b"2024-13-45",
        b"9999-12-31",
    ),
    *(b"null", b"{}", b"[]", b'"\\ud800"', b"[" * 3000, b'{"a":' * 2000, b"true", b"\\u0000"),
    *(
        b"<p>",
        b"</",
        b"<!--",
        b"<![CDATA[",
        b"<!DOCTYPE x [",
        b"&#x110000;",
        b"&#0;",
        b"&amp",
        b"&",
    ),
    *(b"<script>", b"<table>" * 500, b"<" * 500, b"&#" + b"9" * 5000 + b";"),
    *(b"=?utf-8?b?", b"?=", b"=?x'y?q?=ff?=", b"=?\xe9?q?a?=", b"charset=", b'charset="\xe9\x00"'),
    *(b"charset*0*=utf-8'en'", b"charset*=x''%ff", b"boundary=", b'boundary=""', b"--", b"base64"),
    *(b"Content-Type: multipart/mixed", b"Content-Transfer-Encoding: base64\n", b"uuencode"),
    *(b"Content-Type: message/rfc822\n\n", b"quoted-printable", b"idna", b"punycode", b"rot13"),
    *(
        b"utf-7",
        b"utf-16",
        b"unicode_escape",
        b"undefined",
        b"hex",
        b"zlib",
        b"mbcs",
        b"utf\0",
        b"=",
    ),
    *(b"From ", b">From ", b"Subject: Re: ", b"Date: Mon, 99 Foo 0 99:99:99 +9999", b"Date: 0"),
    *(b"endobj", b"stream\n", b"xref", b"0 0 R", b"/FlateDecode", b"/Kids[2 0 R]", b"%%EOF", b"<<"),
    *(b"PK\x03\x04", b"PK\x05\x06", b"PAR1", b"\x1f\x8b", b"../../x", b"/etc/passwd", b"C:\\x"),
]
TOKEN = re.compile(rb"[A-Za-z0-9_.-]+|[^A-Za-z0-9_.-]")
MOST = 1 << 20  # bytes of a mutated input


def mutated(rng: Random, data: bytes) -> bytes:
    """The bytes after a few changes of any kind."""
    for _ in range(1 + int(rng.expovariate(0.5))):
        data = rng.choice(CHANGES)(rng, data)[:MOST]
    return data


def flipped(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        if changed:
            changed[rng.randrange(len(changed))] ^= rng.randrange(1, 256)
    return bytes(changed)


def number_changed(rng: Random, data: bytes) -> bytes:
    """One to eight bytes as the ends of their range, where sizes and places are."""
    if not data:
        return data
    width, at = rng.choice([1, 2, 4, 8]), rng.randrange(len(data))
    value = rng.choice([0, 1, 127, 128, 255, 2**15, 2**16 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1])
    number = (value % 256**width).to_bytes(width, rng.choice(["little", "big"]))
    return data[:at] + number + data[at + width :]


def cut(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return rng.choice([data[:at], data[at:]])


def part_gone(rng: Random, data: bytes) -> bytes:
    first, last = _part(rng, data)
    return data[:first] + data[last:]


def part_again(rng: Random, data: bytes) -> bytes:
    first, last = _part(rng, data)
    return data[:last] + data[first:last] * rng.choice([1, 2, 50]) + data[last:]


def parts_swapped(rng: Random, data: bytes) -> bytes:
    a, b, c = sorted(rng.randrange(len(data) + 1) for _ in range(3))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


def odd_put_in(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(ODD) + data[at:]


def token_replaced(rng: Random, data: bytes) -> bytes:
    """A word or a mark of the text by another of it, by what is odd, or by nothing."""
    tokens = TOKEN.findall(data)
    if tokens:
        tokens[rng.randrange(len(tokens))] = rng.choice([rng.choice(tokens), rng.choice(ODD)])
    return b"".join(tokens)


def lines_changed(rng: Random, data: bytes) -> bytes:
    """A line doubled, dropped, or put elsewhere; all line ends of another kind."""
    lines = data.split(b"\n")
    match rng.randrange(4):
        case 0:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
        case 1:
            lines.pop(rng.randrange(len(lines)))
        case 2:
            rng.shuffle(lines)
        case 3:
            return data.replace(b"\n", rng.choice([b"\r", b"\r\n", b"\n\r", b"\x0b", b"\x85"]))
    return b"\n".join(lines)


def recoded(rng: Random, data: bytes) -> bytes:
    """Text in another encoding."""
    text = data.decode("utf-8", "replace")
    name = rng.choice(["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp1252", "utf-7", "koi8-r"])
    return text.encode(name, "replace")


def zip_changed(rng: Random, data: bytes) -> bytes:
    """A zip with one member changed, renamed, doubled or gone, and packed as it should be."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    at = rng.randrange(len(members))
    name, content = members[at]
    match rng.randrange(6):
        case 0:
            members.pop(at)
        case 1:
            members.append((name, mutated(rng, content)))
        case 2:
            members[at] = name + rng.choice(["", "/", "\0x", "../x", "é\udcff"]), content
        case _:
            members[at] = name, mutated(rng, content)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", rng.choice([0, 8, 12, 14])) as archive:
        for name, content in members:
            member = zipfile.ZipInfo(name.encode("utf-8", "replace").decode() or "x")
            member.compress_type = archive.compression
            archive.writestr(member, content)
    return packed.getvalue()


def gzip_changed(rng: Random, data: bytes) -> bytes:
    """A compressed file whose content is changed."""
    return gzip.compress(mutated(rng, gzip.decompress(data)), 1, mtime=0)


def tar_changed(rng: Random, data: bytes) -> bytes:
    """A tar with a header of an odd kind before it, compressed."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        member = tarfile.TarInfo(rng.choice(["a/b", "../x", "/x", "é", "x" * 300, "a\udcff"]))
        member.type = rng.choice([*tarfile.SUPPORTED_TYPES, b"X", b"?"])
        member.size = rng.choice([0, 0, 5])
        member.linkname = "a/b"
        member.mtime = rng.choice([0, -1, 2**33, 1.5])
        archive.addfile(member, io.BytesIO(b"hello"[: member.size]))
    return gzip.compress(made.getvalue()[:1024] + gzip.decompress(data), 1, mtime=0)


def _part(rng: Random, data: bytes) -> tuple[int, int]:
    first = rng.randrange(len(data) + 1)
    return first, min(len(data), first + rng.choice([1, 4, 30, 1000]))


CHANGES: list[Change] = [
    *(flipped, number_changed, cut, part_gone, part_again, parts_swapped, odd_put_in),
    *(odd_put_in, token_replaced, token_replaced, lines_changed),
]
INSIDE: dict[str, list[Change]] = {
    ".zip": [zip_changed],
    ".docx": [zip_changed],
    ".xlsx": [zip_changed],
    ".gz": [gzip_changed, tar_changed],
    ".text": [recoded],
}
_BROKEN = (zipfile.BadZipFile, OSError, EOFError, zlib.error, ValueError, RuntimeError)


def mutated_file(rng: Random, name: str, data: bytes) -> bytes:
    """The content of a file of this name, changed as its kind allows, or blindly."""
    inside = next((found for end, found in INSIDE.items() if name.endswith(end)), [recoded])
    if rng.random() < (0.7 if inside != [recoded] else 0.1):
        with suppress(*_BROKEN, NotImplementedError, LookupError):
            data = rng.choice(inside)(rng, data)
            if rng.random() < 0.7:
                return data
    return mutated(rng, data)
