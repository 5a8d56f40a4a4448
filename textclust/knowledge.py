"""Where a background comes from: labelled documents, a table, a model, or last month's run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from textclust.comparison.continuing import PreviousLike, earlier_clustering
from textclust.errors import InputError
from textclust.result.clustering import Clustering
from textclust.supervision.background.labelled import Background
from textclust.text.documents import Documents, read_documents
from textclust.text.termspace import TermSpace

__all__ = ["BackgroundLike", "earlier_run", "is_model", "read_background", "split_at"]

BackgroundLike = str | os.PathLike[str] | Documents | Clustering | Background


def read_background(given: BackgroundLike, vectorizer: TermSpace | None = None) -> Background:
    """A background from whatever says what it is.

    A path of labelled documents or of a model, `Documents`, a `Clustering`, or a `Background`.
    Documents are counted as the new ones are, in a vocabulary of their own.
    """
    if isinstance(given, Background):
        return given
    if isinstance(given, str | os.PathLike):
        given = _read(os.fspath(given))
    if isinstance(given, Clustering):
        names = given.lasting_names
        placed = given.labels >= 0  # what fits nowhere is an example of nothing
        labels = [names[h] for h in given.labels[placed].tolist()]
        terms = list(given.vectorizer.vocabulary_)
        return Background(given.texts[placed], labels, terms, order=names)
    if not isinstance(given, Documents):
        kind = type(given).__name__
        raise InputError(f"background must be a path, Documents or a Clustering; got {kind}")
    if given.labels is None:
        raise InputError(
            "the background has no labels: put its documents in a folder for each class, "
            "or name the column that has them"
        )
    space = TermSpace() if vectorizer is None else type(vectorizer)(**vectorizer.get_params())
    X = space.fit_transform(given.texts)
    return Background(X, given.labels, list(space.vocabulary_))


def earlier_run(
    previous: PreviousLike | None,
    background: BackgroundLike | None,
    before: str | date | None = None,
) -> Clustering | None:
    """The clustering to go on from, which a background may be too; None where there is none.

    Documents that were clustered by vectors are a background, but their clusters do not go on.
    """
    if previous is not None:
        if background is not None or before is not None:
            raise InputError(
                "previous= is itself the background; leave background= and background_before= out"
            )
        return earlier_clustering(previous)
    found: object = background
    if isinstance(background, str | os.PathLike) and is_model(os.fspath(background)):
        found = _read(os.fspath(background))
    return found if isinstance(found, Clustering) and not found.of_vectors else None


def _read(path: str) -> Clustering | Documents:
    from textclust.result.model import load

    return load(path) if is_model(path) else read_documents(path)


def is_model(path: str) -> bool:
    """Whether a path is that of a model, or of a folder that has one."""
    places = (path, os.path.join(path, "model"))
    return any(os.path.isfile(os.path.join(place, "manifest.json")) for place in places)


def split_at(documents: Documents, before: str | date) -> tuple[Documents, Documents]:
    """The labelled documents of before a date, and all of later ones; undated ones are later."""
    if documents.dates is None:
        raise InputError("no document has a date to split the collection by")
    moment = _moment(before)
    early = [given is not None and given < moment for given in documents.dates]
    labels: Sequence[str | None] = documents.labels or [None] * len(documents)
    old = [i for i, is_old in enumerate(early) if is_old and labels[i] is not None]
    new = [i for i, is_old in enumerate(early) if not is_old]
    if not old or not new:
        what = "labelled document is older" if not old else "document is newer"
        dated = sorted(given for given in documents.dates if given is not None)
        span = f"{dated[0]:%Y-%m-%d} to {dated[-1]:%Y-%m-%d}"
        raise InputError(f"no {what} than {moment:%Y-%m-%d}; the dates are {span}")
    return documents.select(old), documents.select(new)


def _moment(given: str | date) -> datetime:
    try:
        found = datetime.fromisoformat(given) if isinstance(given, str) else given
    except ValueError:
        raise InputError(f"{given!r} is no date; write it as 1993-04-01") from None
    if not isinstance(found, datetime):
        found = datetime.combine(found, time())
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
