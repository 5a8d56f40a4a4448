"""Fetch a corpus once: downloaded beside its place, read through, then renamed into it."""

from __future__ import annotations

import shutil
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any

from textclust.errors import InputError, OutputError
from textclust.progress import track
from textclust.text.reading import open_documents

from .registry import REGISTRY, Corpus, cache_folder, find, path

__all__ = ["fetch"]

_BLOCK = 1 << 16
_LARGEST = 1 << 30
_PATIENCE = 30  # seconds without an answer


def fetch(name: str, source: str | None = None) -> Path:
    """Download a corpus to the user's cache, unless it is on this machine already.

    `source` is another address, or a file, to take it from. The archive is kept only if it
    holds as many documents and classes as the corpus has.
    """
    found = find(name)
    if found is not None and source is None:
        return found
    corpus = REGISTRY[name]
    address = source or corpus.url
    if address is None:
        return path(name)
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache_folder(), prefix=".fetch-") as stage:
            archive = Path(stage) / corpus.file
            _download(address, archive, name)
            _check(corpus, archive, address)
            return Path(shutil.move(archive, cache_folder() / corpus.file))
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"{cache_folder()}: cannot be written ({reason})") from error


def _download(address: str, place: Path, name: str) -> None:
    url = address if "://" in address else Path(address).resolve().as_uri()
    try:
        with urllib.request.urlopen(url, timeout=_PATIENCE) as answer, place.open("wb") as file:
            size = int(answer.headers.get("Content-Length") or 0)
            for block in track(_blocks(answer), f"fetching {name}", -(-size // _BLOCK) or None):
                file.write(block)
    except (urllib.error.URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise InputError(
            f"{address}: cannot be fetched ({reason}); check the network, or give another "
            f"address or a file with --from"
        ) from error


def _blocks(answer: Any) -> Iterator[bytes]:
    total = 0
    while block := answer.read(_BLOCK):
        total += len(block)
        if total > _LARGEST:
            raise InputError(f"more than {_LARGEST >> 20} MB: this is not the corpus")
        yield block


def _check(corpus: Corpus, archive: Path, address: str) -> None:
    documents = open_documents(archive).catalogue()
    classes = len(set(documents.labels or []))
    if (len(documents), classes) != (corpus.documents, corpus.classes):
        raise InputError(
            f"{address}: {len(documents)} documents in {classes} classes where {corpus.name} has "
            f"{corpus.documents} in {corpus.classes}; try another address with --from"
        )
