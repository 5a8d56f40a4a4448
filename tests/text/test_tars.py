"""The core finds the same files in a .tar archive as the readable way."""

from __future__ import annotations

import tarfile

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.core import needs_core
from textclust import native
from textclust.text.tars import ordinary_files

pytestmark = needs_core

FORMATS = [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]
KINDS = [tarfile.REGTYPE] * 5 + [tarfile.AREGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE]
LARGEST = 2000

names = st.sampled_from(["a/b", "", "a/", "x" * 99, "x" * 100, "x/" * 80 + "y", "caf\xe9"])
sizes = st.sampled_from([0, 1, 511, 512, 513, LARGEST, LARGEST + 1])


def header(name: str, size: int, kind: bytes, form: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(form) + b"x" * size + bytes(-size % 512)


members = st.builds(header, names, sizes, st.sampled_from(KINDS), st.sampled_from(FORMATS))
pieces = st.lists(members, max_size=4).map(b"".join)


def summed(piece: bytes) -> bytes:
    """The piece with the right sum in its first header."""
    blank = piece[:148] + b" " * 8 + piece[156:]
    return blank[:148] + b"%06o\0 " % sum(blank[:512]) + piece[156:]


def assert_found_alike(piece: bytes, place: int = 0) -> None:
    found = native.module("tars").ordinary_files(piece, place, LARGEST)

    assert found == ordinary_files(piece, place, LARGEST)


@given(pieces, st.integers(0, 3000), st.integers(0, 2))
@example(b"", 0, 0)
def test_both_ways_find_the_same_files(piece: bytes, end: int, block: int) -> None:
    assert_found_alike(piece, 512 * block)
    assert_found_alike(piece[:end], 512 * block)


@settings(max_examples=500)
@given(pieces, st.integers(0, 511), st.binary(max_size=8))
@example(header("a", 5, b"0", tarfile.GNU_FORMAT), 124, b"77777777")
@example(header("a", 5, b"0", tarfile.GNU_FORMAT), 124, b"-0000000")
@example(header("a", 5, b"0", tarfile.GNU_FORMAT), 345, b"prefix")
@example(header("a", 5, b"0", tarfile.GNU_FORMAT), 99, b"\xff")
def test_both_ways_judge_odd_headers_alike(piece: bytes, place: int, odd: bytes) -> None:
    piece = piece[:place] + odd + piece[place + len(odd) :]
    assert_found_alike(piece)
    assert_found_alike(summed(piece))


def test_what_is_ordinary_is_found_natively() -> None:
    """Else both ways might agree on nothing."""
    piece = b"".join(header(f"a/{size}", size, b"0", form) for form in FORMATS for size in (0, 700))
    files, end = native.module("tars").ordinary_files(piece + bytes(1024), 0, LARGEST)

    assert files == 3 * [(b"a/0", b""), (b"a/700", b"x" * 700)]
    assert end == len(piece)


def test_every_byte_of_a_header_counts() -> None:
    whole = bytearray(header("a/b", 3, b"0", tarfile.USTAR_FORMAT))
    for place in range(512):
        for value in (0, 32, 47, 48, 55, 56, 255):
            odd = bytearray(whole)
            odd[place] = value
            assert_found_alike(bytes(odd))
            assert_found_alike(summed(bytes(odd)))
