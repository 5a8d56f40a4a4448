"""Dense vectors that count beside the terms: what of them a clustering keeps, and where new ones
come from.

A clustering keeps no vector of its documents, only what each says of each cluster: for k clusters k
numbers, which is all that an explanation needs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from textclust.errors import InputError
from textclust.geometry.affine import AffineForm, Array, Matrix
from textclust.geometry.blocks import beside_terms
from textclust.geometry.cosine import Cosine
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.with_label_model import WithLabelModel
from textclust.result.placement import Space, checked_vectors

if TYPE_CHECKING:
    from textclust.embedding.models import EmbeddingModel

__all__ = ["VectorsBeside"]


@dataclass(frozen=True, eq=False)
class VectorsBeside:
    """The vectors' part of a clustering of terms and vectors."""

    weight: float
    size: int  # numbers in a vector
    model: str | None = None  # what computes them; None where they were given
    identity: str | None = None  # a digest of the model
    said: Array | None = None  # n x k: how much nearer each document's vector brings each cluster

    @classmethod
    def by(cls, model: EmbeddingModel | None, size: int, weight: float) -> Self:
        """Of vectors that a model computed, or that were given."""
        named = (None, None) if model is None else (model.name, model.identity)
        return cls(weight, size, *named)

    def with_said(self, rows: Matrix, space: Space) -> Self:
        """The same with what the vectors of clustered rows say of the clusters.

        Nothing where the costs there are no sum over terms and the numbers of a vector.
        """
        if not isinstance(space.distortion, Cosine | Euclidean | WithLabelModel):
            return self
        return replace(self, said=self.says(space.distortion.prepare(rows), space))

    def says(self, rows: Matrix, space: Space) -> Array:
        """What the vectors of prepared rows take off their cost in each cluster."""
        slopes = _slopes(space)[:, -self.size :]
        return np.asarray(rows[:, -self.size :] @ slopes.T, dtype=np.float32)

    def form_of_terms(self, space: Space) -> AffineForm:
        """The form of a space with the columns of the terms alone."""
        return AffineForm(_slopes(space)[:, : -self.size], space.form.offsets)

    def terms_of(self, row: Matrix, document: int) -> Matrix:
        """The terms of a clustered document as they lie beside its vector, if it has one."""
        assert self.said is not None
        alone = self.weight < 1.0 and not self.said[document].any()
        return Cosine().prepare(row) * (1.0 if alone else math.sqrt(1.0 - self.weight))

    def rows(self, X: Matrix, texts: Sequence[str] | None, vectors: ArrayLike | None) -> Matrix:
        """New documents by their terms and vectors, which a model computes from the texts."""
        return beside_terms(X, self._of_new(X, texts, vectors), self.weight)

    def _of_new(self, X: Matrix, texts: Sequence[str] | None, vectors: ArrayLike | None) -> Array:
        if self.model is not None and vectors is None and texts is not None:
            from textclust.embedding.models import vectors_of

            return vectors_of(self._opened, texts)
        if self.model is not None:
            raise InputError(f"these clusters take vectors of {self.model}; leave vectors out")
        if vectors is None:
            raise InputError(
                "these clusters were made from texts and vectors: give vectors of the texts too"
            )
        found = checked_vectors(vectors)
        if found.shape != (X.shape[0], self.size):
            raise InputError(
                f"vectors must be {X.shape[0]} rows, one for each text, of {self.size} columns; "
                f"got shape {found.shape}"
            )
        return found

    @cached_property
    def _opened(self) -> EmbeddingModel:
        """The model, which must be the one that the clusters were made with."""
        from textclust.embedding.models import open_model

        assert self.model is not None
        try:
            model = open_model(self.model)
        except InputError as error:
            raise InputError(
                f"placing new texts takes the vectors of {self.model}: {error}"
            ) from error
        if model.identity != self.identity:
            raise InputError(
                f"these clusters were made with another version of {self.model} than is here now; "
                "install the one of then, or cluster again"
            )
        return model

    def to_dict(self) -> dict[str, Any]:
        """All but what is said of documents, as plain data."""
        return {
            "weight": self.weight,
            "size": self.size,
            "model": self.model,
            "identity": self.identity,
        }


def _slopes(space: Space) -> Array:
    """The slopes of a space, each with its scale."""
    form = space.form
    return form.slopes if form.scales is None else form.slopes * form.scales[:, None]
