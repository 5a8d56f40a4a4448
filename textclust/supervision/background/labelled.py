"""Labelled documents in a vocabulary of their own."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from textclust.csr import sound
from textclust.display import Displayed, Sheet
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.rows import canonical
from textclust.measures.codes import is_unlabelled
from textclust.plain import count

__all__ = ["Background", "distinct_names", "float_rows"]


class Background(Displayed):
    """Documents whose classes are known, to cluster other documents by.

    Parameters
    ----------
    X : matrix of m x d'
        The old documents.
    y : m labels
        The class of each, of any kind that can be compared; None, -1 and NaN for none.
    features : d' names, or None
        What its columns mean. None where they mean the same as those of the new documents.
    order : labels, or None
        The order of the classes; without it they are sorted.

    Examples
    --------
    >>> import textclust as tc
    >>> old = tc.Background([[2.0, 0.0], [0.0, 1.0]], ["cars", "bikes"], ["engine", "pedal"])
    >>> old.classes
    ('bikes', 'cars')
    """

    def __init__(
        self,
        X: Matrix,
        y: Iterable[Hashable],
        features: Sequence[str] | None = None,
        order: Sequence[Hashable] | None = None,
    ) -> None:
        X = float_rows(X)
        given = list(y.tolist() if isinstance(y, np.ndarray) else y)
        if X.ndim != 2 or len(given) != X.shape[0]:
            raise InputError(
                f"a background needs a label for each row; got {len(given)} for shape {X.shape}"
            )
        if not np.isfinite(X.data if sp.issparse(X) else X).all():
            raise InputError("the background holds values that are not finite numbers")
        known = [row for row, label in enumerate(given) if not is_unlabelled(label)]
        if not known:
            raise InputError("no document of the background has a label; give some that have")
        labels = [given[row] for row in known]
        found = set(labels)
        self.classes: tuple[Hashable, ...] = tuple(
            _in_order(found) if order is None else [name for name in order if name in found]
        )
        number = {name: place for place, name in enumerate(self.classes)}
        self.X: Matrix = X if len(known) == X.shape[0] else X[known]
        self.y: Labels = np.array([number[label] for label in labels], dtype=np.intp)
        self.features = None if features is None else distinct_names(features, X.shape[1])

    def __len__(self) -> int:
        return len(self.y)

    def _sheet(self) -> Sheet:
        rows = list(zip(self.classes, self.sizes.tolist(), strict=True))
        return Sheet(f"Background: {count(len(self), 'document')}", ("class", "documents"), rows)

    @cached_property
    def sizes(self) -> Array:
        """How many documents each class has."""
        return np.bincount(self.y, minlength=len(self.classes))


def float_rows(X: Matrix) -> Matrix:
    """A table of floats; CSR with each entry once, the caller's left as it is."""
    if not sp.issparse(X):
        return np.asarray(X, dtype=np.float64)
    rows = sound(X).tocsr()
    if rows.dtype not in (np.float32, np.float64):
        rows = rows.astype(np.float64)
    return canonical(rows)


def distinct_names(features: Sequence[str], width: int) -> list[str]:
    """The names of features, one for each of so many columns."""
    names = [str(name) for name in features]
    if len(names) != width or len(set(names)) != width:
        raise InputError(f"give {width} feature names that differ, one for each column")
    return names


def _in_order(labels: set[Any]) -> list[Any]:
    try:
        return sorted(labels)
    except TypeError:
        return sorted(labels, key=lambda label: (type(label).__name__, str(label)))
