"""Fetch a corpus once: downloaded beside its place, checked, then renamed into it."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPException
from pathlib import Path

from textclust.errors import InputError, OutputError
from textclust.progress import track
from textclust.text.cleaning import NOTHING
from textclust.text.documents import Documents, read_documents
from textclust.text.limits import ByteStream
from textclust.writing import staged_folder, writing_to

from .registry import REGISTRY, Corpus, cache_folder, find, path

__all__ = ["digest_of", "fetch"]

_BLOCK = 1 << 16
_LARGEST = 1 << 30
_PATIENCE = 30  # seconds without an answer
Download = Callable[[str, Path, str], None]  # an address, to a file, for the corpus of this name


def fetch(name: str, source: str | None = None, download: Download | None = None) -> Path:
    """Download a corpus to the user's cache, unless it is on this machine already.

    `source` is another address, or a file, to take it from. What comes is kept only if it holds
    the documents of the corpus, or, where these are not on record, as many of them in as many
    classes. A file in the cache is never replaced. `download` does the fetching, in the place of
    the network.
    """
    found = find(name)
    if found is not None and source is None:
        return found
    corpus = REGISTRY[name]
    address = source or corpus.url
    if address is None:
        return path(name)
    get = download or (_from_scikit_learn if address == "scikit-learn" else _download)
    place = cache_folder() / corpus.file
    if os.path.lexists(place):
        raise OutputError(f"{place}: there already; remove it to fetch {name} once more")
    with staged_folder(place.parent, [place.name], replaces=_nothing) as stage:
        file = stage / place.name
        with writing_to(cache_folder()):
            get(address, file, name)
        _check(corpus, file, address)
        with writing_to(cache_folder()), file.open("rb") as fetched:
            os.fsync(fetched.fileno())
    return place


def _nothing(place: Path) -> bool:
    """False: a corpus that is there may be the user's own copy."""
    return False


def digest_of(file: Path) -> str:
    """SHA-256 of the ids and texts of all documents, in the order of their ids."""
    return _digest(read_documents(file, cleaning=NOTHING))


def _digest(documents: Documents) -> str:
    sums = hashlib.sha256()
    for name, text in sorted(zip(documents.ids, documents.texts, strict=True)):
        for part in (name, text):
            sums.update(hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest())
    return sums.hexdigest()


def _check(corpus: Corpus, file: Path, address: str) -> None:
    if corpus.sha256 is not None:
        if hashlib.sha256(file.read_bytes()).hexdigest() != corpus.sha256:
            raise InputError(f"{address}: not the file that {corpus.name} is; try another address")
        return
    documents = read_documents(file, cleaning=NOTHING)
    classes = len(set(documents.labels or []))
    if (len(documents), classes) != (corpus.documents, corpus.classes):
        raise InputError(
            f"{address}: {len(documents)} documents in {classes} classes where {corpus.name} has "
            f"{corpus.documents} in {corpus.classes}; try another address with source="
        )
    if corpus.digest is not None and _digest(documents) != corpus.digest:
        raise InputError(
            f"{address}: as many documents as {corpus.name} has, but not the same (by SHA-256); "
            "try another address with source="
        )


def _download(address: str, place: Path, name: str) -> None:
    url = address if "://" in address else Path(address).resolve().as_uri()
    try:
        with urllib.request.urlopen(url, timeout=_PATIENCE) as answer, place.open("wb") as file:  # noqa: S310 - checked by its SHA-256
            size = int(answer.headers.get("Content-Length") or 0)
            for block in track(_blocks(answer), f"fetching {name}", -(-size // _BLOCK) or None):
                file.write(block)
    except (urllib.error.URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise InputError(
            f"{address}: cannot be fetched ({reason}); check the network, or give another "
            "address or a file with source="
        ) from error


def _blocks(answer: ByteStream) -> Iterator[bytes]:
    total = 0
    while block := answer.read(_BLOCK):
        total += len(block)
        if total > _LARGEST:
            raise InputError(f"more than {_LARGEST >> 20} MB: this is not the corpus")
        yield block


def _from_scikit_learn(address: str, place: Path, name: str) -> None:
    """The posts that scikit-learn's fetcher gets, and checks, as an archive of folders."""
    from sklearn.datasets import fetch_20newsgroups

    try:
        with tempfile.TemporaryDirectory(dir=place.parent) as home:
            posts = fetch_20newsgroups(subset="all", data_home=home)
    except (urllib.error.URLError, HTTPException, OSError) as error:
        raise InputError(
            f"{name}: scikit-learn cannot fetch it ({error}); check the network"
        ) from error
    groups = [posts.target_names[number] for number in posts.target]
    with tarfile.open(place, "w:gz", compresslevel=6) as archive:
        for group, file, text in zip(groups, posts.filenames, posts.data, strict=True):
            content = text.encode("latin-1")  # as scikit-learn decoded it
            entry = tarfile.TarInfo(f"{name}/{group}/{Path(str(file)).name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
