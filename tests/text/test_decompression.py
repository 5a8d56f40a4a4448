"""Compressed streams are decompressed ahead: the same bytes, the same errors, no thread left."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import threading
from collections.abc import Callable, Iterator

import pytest

from textclust.text import decompression
from textclust.text.decompression import decompressed

LARGE = random.Random(0).randbytes(1 << 20) * 3
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 1),
    "bzip2": lambda data: bz2.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0),
    "plain": bytes,
}


@pytest.mark.parametrize("data", [b"", b"small", LARGE], ids=["empty", "small", "large"])
@pytest.mark.parametrize("kind", PACKERS)
def test_what_was_packed_is_unpacked(kind: str, data: bytes) -> None:
    assert b"".join(decompressed(io.BytesIO(PACKERS[kind](data)))) == data


def test_only_what_is_long_takes_a_thread() -> None:
    before = threading.active_count()
    for _ in decompressed(io.BytesIO(gzip.compress(LARGE[: 1 << 18]))):
        assert threading.active_count() == before
    most = max(threading.active_count() for _ in decompressed(io.BytesIO(gzip.compress(LARGE, 1))))
    assert most == before + 1
    assert threading.active_count() == before


def test_breaking_off_leaves_no_thread() -> None:
    before = threading.active_count()
    stream = decompressed(io.BytesIO(gzip.compress(LARGE, 1)))
    while threading.active_count() == before:
        next(stream)
    stream.close()
    assert threading.active_count() == before


def test_so_much_is_unpacked_ahead_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompression, "_AHEAD", 3)
    made, all_ahead = 0, threading.Event()

    def pieces() -> Iterator[bytes]:
        nonlocal made
        for made in range(1, 21):
            if made == decompression._FEW + 3:
                all_ahead.set()
            yield b"piece"

    monkeypatch.setattr(decompression, "_gunzipped", lambda file: pieces())
    stream = decompressed(io.BytesIO(gzip.compress(b"")))
    next(stream)
    assert all_ahead.wait(10)
    stream.close()
    assert made == decompression._FEW + 3


@pytest.mark.parametrize("kept", [0.5, 0.999])
def test_an_error_far_into_the_stream_comes_through(kept: float) -> None:
    before = threading.active_count()
    packed = gzip.compress(LARGE, 1)
    with pytest.raises(EOFError, match="in the middle"):
        for _ in decompressed(io.BytesIO(packed[: int(kept * len(packed))])):
            pass
    assert threading.active_count() == before
