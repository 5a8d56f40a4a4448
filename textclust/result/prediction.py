"""Where new texts or vectors belong among the clusters that were found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.result.placement import Prediction, checked_vectors, outside, place
from textclust.text.cleaning import in_letters
from textclust.text.frames import index_of

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["as_read", "fits_somewhere", "predicted"]


def predicted(
    clustering: Clustering, texts: Iterable[str] | None, vectors: ArrayLike | None
) -> Prediction:
    """New texts, or vectors, or both, by what the clusters were made from."""
    if clustering.of_vectors:
        if vectors is None:
            raise InputError("these clusters were made from vectors: give vectors to place")
        X = checked_vectors(vectors)
        wanted = clustering.space.features
        if X.shape[1] != wanted:
            raise InputError(f"vectors must have {wanted} columns; got shape {X.shape}")
        return _placed(clustering, X, X, np.ones(len(X)))
    if texts is None or (vectors is not None and clustering.beside is None):
        raise InputError("these clusters were made from texts: give texts to place")
    read, index = as_read(clustering, texts), index_of(texts)
    if clustering.beside is None:
        X, known = clustering.vectorizer.transform_with_shares(read)
        return _placed(clustering, X, X, known, index)
    read = list(read)
    X, known = clustering.vectorizer.transform_with_shares(read)
    return _placed(clustering, clustering.beside.rows(X, read, vectors), X, known, index)


def fits_somewhere(clustering: Clustering, text: str) -> bool:
    """Whether a text, taken as it is, fits anywhere."""
    X, known = clustering.vectorizer.transform_with_shares([text])
    return bool(clustering.fit.judged(X, known)[0])


def as_read(clustering: Clustering, texts: Iterable[str]) -> Iterable[str]:
    """New texts as the clustered ones were taken, if these were strings at hand."""
    if isinstance(texts, str) or "cleaning" in clustering.settings.get("collection", {}):
        return texts
    return (in_letters(text) if isinstance(text, str) else text for text in texts)


def _placed(
    clustering: Clustering, rows: Matrix, X: Matrix, known: Array, index: Any = None
) -> Prediction:
    """Rows in their nearest clusters; where outliers are set apart, in none if X fits nowhere."""

    def judged() -> Array:
        return clustering.fit.judged(X, known)

    found = place(rows, clustering.space)
    if clustering.outliers is not None:
        found = outside(found, ~judged())
    return Prediction(found.labels, found.scores, found.costs, judged, index)
