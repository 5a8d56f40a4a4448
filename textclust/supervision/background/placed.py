"""A background beside new documents: in the features that both have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.rows import squared_norms
from textclust.supervision.background.labelled import Background, distinct_names
from textclust.supervision.background.novelty import Fit

__all__ = ["PlacedBackground"]


@dataclass(frozen=True, eq=False)
class PlacedBackground:
    """Old documents and new ones, and the features they share, by column, in one order.

    Of k clusters the first have the classes that share a feature; where there are more of these,
    the k that most new documents are nearest to. All is worked out when it is first asked for.
    """

    background: Background
    X: Matrix  # the new documents
    old: Labels  # the shared features of the background
    new: Labels  # the same of the new documents

    @classmethod
    def of(
        cls, background: Background, X: Matrix, features: Sequence[str] | None = None
    ) -> PlacedBackground:
        """Beside new documents of these features, or of the same columns."""
        width = X.shape[1]
        if features is None or background.features is None:
            if not (features is None is background.features) or background.X.shape[1] != width:
                raise InputError(
                    f"the background has {background.X.shape[1]} columns and the new documents "
                    f"{width}; name the features of both to say which are shared"
                )
            return cls(background, X, np.arange(width), np.arange(width))
        place = {name: column for column, name in enumerate(background.features)}
        pairs = [
            (place[name], column)
            for column, name in enumerate(distinct_names(features, width))
            if name in place
        ]
        if not pairs:
            raise InputError("the background shares no feature with the new documents")
        return cls(background, X, *np.array(pairs, dtype=np.intp).T)

    def __len__(self) -> int:
        return len(self.old)

    @property
    def shares_all(self) -> bool:
        """Whether the background has every feature of the new documents."""
        return len(self) == self.X.shape[1]

    @cached_property
    def rows(self) -> Matrix:
        """The old documents in the columns of the new ones, without what these do not have."""
        X, shape = self.background.X, (len(self.background), self.X.shape[1])
        if not sp.issparse(X):
            table = np.zeros(shape)
            table[:, self.new] = X[:, self.old]
            return table
        part = X[:, self.old].tocsr()
        columns = self.new.astype(part.indices.dtype)[part.indices]
        placed = sp.csr_array((part.data, columns, part.indptr), shape=shape)
        placed.sort_indices()
        return placed

    @cached_property
    def fit(self) -> Fit:
        """How documents fit the classes."""
        return Fit(self.background, self.rows)

    @cached_property
    def similarities(self) -> Array:
        """Of the new documents with each class."""
        return self.fit.similarities(self.X)

    @cached_property
    def novelty(self) -> Array:
        """How new each document is, from 0 to 1."""
        return self.fit.novelty(self.similarities)

    @cached_property
    def _sharing(self) -> Labels:
        """The classes that share a feature, by number."""
        found = np.unique(self.background.y[squared_norms(self.rows) > 0])
        if len(found) == 0:
            raise InputError("no document of the background has a feature that is shared")
        return found

    def classes(self, k: int) -> Labels:
        """The classes of k clusters, by number: cluster j is the j-th of these."""
        classes = self._sharing
        if len(classes) <= k:
            return classes
        near = _best(self.similarities[:, classes], classes)
        found = np.bincount(near[near >= 0], minlength=len(self.background.classes))
        order = np.lexsort((classes, -self.background.sizes[classes], -found[classes]))
        return np.sort(classes[order[:k]])

    def nearest(self, k: int) -> Labels:
        """The cluster of the class whose centroid is nearest to each document; -1 for none."""
        classes = self.classes(k)
        return _best(self.similarities[:, classes], np.arange(len(classes)))

    def old_documents(self, k: int) -> tuple[Matrix, Labels]:
        """The old documents of the classes of k clusters, and the cluster of each."""
        classes = self.classes(k)
        chosen = np.flatnonzero(np.isin(self.background.y, classes))
        return self.rows[chosen], np.searchsorted(classes, self.background.y[chosen])


def _best(similarities: Array, numbers: Labels) -> Labels:
    """The number of the most similar class of each row, -1 where none is similar at all."""
    found = numbers[similarities.argmax(axis=1)]
    return np.where(similarities.max(axis=1) > 0, found, -1)
