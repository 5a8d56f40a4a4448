"""textclust cluster --journal: the clustering that a workbench ended with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering
    from textclust.text.documents import Documents
    from textclust.text.reading import Reading
    from textclust.text.termspace import TermSpace

__all__ = ["clustered", "refuse_beside"]


def refuse_beside(given: Mapping[str, object], parameters: Mapping[str, object]) -> None:
    """Raise an InputError for what a journal says already, or could not have."""
    from textclust.errors import InputError

    spellings = {name: f"--{name.replace('_', '-')}" for name in parameters}
    every = {**given, **{spellings[name]: value for name, value in parameters.items()}}
    refused = [name for name, value in every.items() if value]
    if refused:
        raise InputError(f"{refused[0]} does not go with --journal; leave one of them out")


def clustered(
    journal: Path, reading: Reading, vectorizer: TermSpace, background: Path | Documents | None
) -> Clustering:
    """The clustering by a journal; the background is the one that the workbench had."""
    from textclust.sources import SupervisionSource
    from textclust.text.documents import Documents
    from textclust.workbench.collection import Collection
    from textclust.workbench.journal import read_journal
    from textclust.workbench.replay import clustering_by_journal

    older = SupervisionSource.read(background=background, vectorizer=vectorizer).background
    lines = read_journal(journal)
    collection = Collection.read(Documents.from_reading(reading), vectorizer, older)
    return clustering_by_journal(collection, lines, str(journal))
