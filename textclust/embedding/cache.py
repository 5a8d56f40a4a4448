"""Vectors that were computed before, by the hash of the text; for speed alone.

A file of SQLite for each model, in the user's cache: several processes may use it at once, it holds
nothing but hashes and numbers, and the oldest vectors leave when it is full. Whatever goes wrong
with it, vectors are computed as if it were not there. `TEXTCLUST_VECTOR_CACHE=off` does without,
and another value is the folder to use.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from platformdirs import user_cache_dir

from textclust.geometry.affine import Array

if TYPE_CHECKING:
    from sqlite3 import Connection

__all__ = ["VARIABLE", "cached", "folder"]

T = TypeVar("T")

VARIABLE = "TEXTCLUST_VECTOR_CACHE"
_BYTES = 1 << 28  # of vectors of one model at most
_ASKED = 500  # hashes in a query
_PATIENCE = 5.0  # seconds for another process to finish writing


def folder() -> Path | None:
    """Where vectors are kept; None where they are not."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named.lower() in ("", "0", "off", "no", "none") else Path(named)
    return Path(user_cache_dir("textclust", appauthor=False)) / "vectors"


def cached(
    identity: str, size: int, encode: Callable[[Sequence[str]], Array], texts: Sequence[str]
) -> Array:
    """A vector of so many numbers for each text; `encode` computes those not known yet."""
    hashes = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
    places: dict[bytes, list[int]] = {}
    for row, each in enumerate(hashes):
        places.setdefault(each, []).append(row)
    found = np.zeros((len(texts), size), dtype=np.float32)
    known = _known(identity, size, list(places))
    for each, vector in known.items():
        found[places[each]] = vector
    missing = [each for each in places if each not in known]
    if missing:
        computed = encode([texts[places[each][0]] for each in missing])
        for each, vector in zip(missing, computed, strict=True):
            found[places[each]] = vector
        _keep(identity, missing, computed)
    return found


def _known(identity: str, size: int, hashes: list[bytes]) -> dict[bytes, Array]:
    """The vectors that are there; one that is not as it should be is not."""

    def ask(file: Connection) -> dict[bytes, Array]:
        rows: dict[bytes, Array] = {}
        for some in _parts(hashes):
            marks = ",".join("?" * len(some))
            query = f"SELECT hash, vector FROM vectors WHERE hash IN ({marks})"  # noqa: S608 - question marks
            for key, data in file.execute(query, some):
                if isinstance(data, bytes) and len(data) == 4 * size:
                    vector = np.frombuffer(data, dtype="<f4")
                    if np.isfinite(vector).all():
                        rows[bytes(key)] = vector
        return rows

    return _with_file(identity, ask) or {}


def _keep(identity: str, hashes: list[bytes], vectors: Array) -> None:
    """Write new vectors, and let the oldest go."""
    most = max(1, _BYTES // max(4 * vectors.shape[1], 1))
    pairs = list(zip(hashes, vectors, strict=True))[-most:]

    def write(file: Connection) -> None:
        with file:
            rows = [(key, vector.astype("<f4").tobytes()) for key, vector in pairs]
            file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
            file.execute(
                "DELETE FROM vectors WHERE rowid <= "
                "(SELECT rowid FROM vectors ORDER BY rowid DESC LIMIT 1 OFFSET ?)",
                (most,),
            )

    _with_file(identity, write)


def _parts(hashes: list[bytes]) -> Iterator[list[bytes]]:
    for begin in range(0, len(hashes), _ASKED):
        yield hashes[begin : begin + _ASKED]


def _with_file(identity: str, use: Callable[[Connection], T]) -> T | None:
    """What is made of the file of a model; None where there is none, or it is of no use."""
    place = folder()
    if place is None:
        return None
    try:
        import sqlite3
    except ModuleNotFoundError:  # a Python without it
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(sqlite3.connect(place / f"{identity}.sqlite", timeout=_PATIENCE)) as file:
            file.execute(
                "CREATE TABLE IF NOT EXISTS vectors (hash BLOB NOT NULL UNIQUE, vector BLOB)"
            )
            return use(file)
    except (sqlite3.Error, OSError):
        return None
