"""Which corpora there are and where they lie on this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_dir

from textclust.errors import InputError

__all__ = ["REGISTRY", "Corpus", "cache_folder", "data_folders", "find", "path"]

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Corpus:
    """A collection with known classes.

    `url` is where it can be fetched, if anywhere: an address, or "scikit-learn" for its fetcher,
    which checks what it gets. `digest` identifies the documents that our figures were measured
    on: SHA-256 of all ids and texts, whatever archive they come in; `sha256` that of its
    one file, where it is no archive. What does not match is refused.
    """

    name: str
    file: str
    about: str
    documents: int
    classes: int
    url: str | None = None
    digest: str | None = None
    sha256: str | None = None


_CORPORA = (
    Corpus(
        "newsgroups",
        "newsgroups",
        "three newsgroups about cycling, photography and astronomy; in the package",
        225,
        3,
    ),
    Corpus(
        "20newsgroups",
        "20newsgroups.tar.gz",
        "the original 20 Newsgroups with full headers",
        19_997,
        20,
        "http://qwone.com/~jason/20Newsgroups/20news-19997.tar.gz",
        digest="75fbf0c91fb92be1496aeaa264a53afa32d8655968cd7d116bf2be4c425c46ac",
    ),
    Corpus(
        "classic4",
        "classic4.tar.gz",
        "abstracts: computing, information science, aerodynamics, medicine",
        7_097,
        4,
        digest="028bb11477e9ccd9f686be0d5864fba873cde8e6a522f14b512e402981ce183e",
    ),
    Corpus(
        "20newsgroups-bydate",
        "20newsgroups-bydate.tar.gz",
        "20 Newsgroups as scikit-learn has it: sorted by date, fewer headers, no duplicates",
        18_846,
        20,
        "scikit-learn",
    ),
    Corpus(
        "yahoo-news",
        "cluto/k1a.mat",
        "the K1 set of Yahoo! News: counts of terms, not texts",
        2_340,
        20,
        sha256="387521efa5116fa939cbab58d23c70b7c365e3a57a5a42ec218e08caf93db4f8",
    ),
)
REGISTRY = {corpus.name: corpus for corpus in _CORPORA}


def path(name: str) -> Path:
    """Where a corpus lies; an error that says how to get it if it is not here."""
    corpus = _known(name)
    found = find(name)
    if found is None:
        how = f"textclust corpora fetch {name}"
        if corpus.url is None:
            how = f"put {corpus.file} into {cache_folder()} or set TEXTCLUST_DATA to its folder"
        raise InputError(f"corpus {name!r} is not on this machine; to get it: {how}")
    return found


def find(name: str) -> Path | None:
    """Where a corpus lies, or None."""
    file = _known(name).file
    places = (_HERE, *data_folders(), cache_folder())
    return next((place / file for place in places if (place / file).exists()), None)


def cache_folder() -> Path:
    """The user's own place for fetched corpora."""
    return Path(user_cache_dir("textclust", appauthor=False))


def data_folders() -> list[Path]:
    """Where corpora and other data may lie beside the package."""
    named = os.environ.get("TEXTCLUST_DATA")
    return [Path(named)] if named else [_HERE.parents[1] / "shared" / "data"]


def _known(name: str) -> Corpus:
    if name not in REGISTRY:
        raise InputError(f"no corpus {name!r}; there are {', '.join(REGISTRY)}")
    return REGISTRY[name]
