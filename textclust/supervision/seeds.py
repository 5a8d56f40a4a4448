"""Seeds: documents whose class is given (Basu 2005, 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels
from textclust.measures.codes import is_unlabelled
from textclust.supervision.potentials import Unary

__all__ = ["Seeds"]


@dataclass(frozen=True)
class Seeds:
    """Rows and their clusters, and the class of each cluster."""

    documents: Labels  # ascending
    labels: Labels
    classes: tuple[int | str | None, ...]  # of the k clusters; None for one without seeds

    @classmethod
    def of(cls, y: ArrayLike | None, n: int, k: int, others: Sequence[int | str] = ()) -> Self:
        """The seeds in a label for each of n documents, -1 or None for unknown; None has none.

        Labels are whole numbers or strings. Those that are cluster numbers already, from 0 to
        k - 1, stay so; others are numbered in their order. `others` are classes that need no
        seeds.
        """
        if y is None:
            y = np.full(n, -1)
        given = np.array(y, dtype=object) if isinstance(y, list | tuple) else np.asarray(y)
        if given.shape != (n,):
            raise InputError(f"y must have one label for each of {n} documents; got {given.shape}")
        documents, known = _whole(given) if given.dtype.kind in "biufc" else _objects(given)
        found = np.unique(_joined(known, others))
        numbers = np.searchsorted(found, known)
        if len(found) > k:
            what = "seeds and words" if others else "seeds"
            raise InputError(
                f"{len(found)} classes among the {what}, but n_clusters={k}; use more clusters"
            )
        if found.dtype.kind == "i" and (len(found) == 0 or found[-1] < k):
            places, labels = found, known
        else:
            places, labels = np.arange(len(found)), numbers
        names: list[int | str | None] = [None] * k
        for place, name in zip(places.tolist(), found.tolist(), strict=True):
            names[place] = name
        return cls(documents, labels.astype(np.intp), tuple(names))

    @classmethod
    def beside(
        cls,
        y: ArrayLike | None,
        n: int,
        k: int,
        known: Sequence[str],
        names: Sequence[str] = (),
        others: Sequence[int | str] = (),
    ) -> Self:
        """The same where the first of k clusters have classes already.

        A seed of a class of the same name is in that cluster. `names` are those of the classes
        that y has by number; without them they are as y has them.
        """
        own = cls.of(y, n, n + k)
        called = [
            str(names[number]) if names else str(own.classes[number]) for number in own.labels
        ]
        more = [str(names[int(label)]) if names else str(label) for label in others]
        classes = list(dict.fromkeys([*known, *sorted({*called, *more})]))
        if len(classes) > k:
            given = "the seeds, the words" if others else "the seeds"
            raise InputError(
                f"{len(classes)} classes among {given} and the background, but n_clusters={k}; "
                "use more clusters"
            )
        place = {name: number for number, name in enumerate(classes)}
        labels = np.array([place[name] for name in called], dtype=np.intp)
        return cls(own.documents, labels, (*classes, *[None] * (k - len(classes))))

    def __len__(self) -> int:
        return len(self.documents)

    def clamps(self, k: int) -> Unary | None:
        """U that leaves each seed its own cluster alone: 0 there, infinite elsewhere."""
        if not len(self):
            return None
        costs = np.full((len(self), k), np.inf)
        costs[np.arange(len(self)), self.labels] = 0.0
        return Unary(self.documents, costs)


def _joined(known: Array, others: Sequence[int | str]) -> Array:
    """The classes of seeds and other ones."""
    if not others:
        return known
    more = np.array(others)
    if len(known) and (known.dtype.kind == "i") != (more.dtype.kind == "i"):
        raise InputError(
            "y and seed_words name classes by numbers and by strings; make all strings, or all "
            "numbers"
        )
    return np.concatenate([known, more]) if len(known) else more


def _whole(given: Array) -> tuple[Labels, Array]:
    """The rows that have a class from 0 on, and their classes."""
    if given.dtype.kind == "f":
        given = np.where(np.isnan(given), -1.0, given)
    if given.dtype.kind not in "iuf" or not (given == np.floor(given)).all():
        raise InputError(
            "Unknown label type: y must hold whole numbers or strings, the class of each seed, "
            "and -1 or None elsewhere"
        )
    if given.min(initial=0) < -1:
        raise InputError(f"y holds {given.min():g}; classes count from 0, and -1 is unknown")
    if not (given < np.iinfo(np.intp).max).all():
        raise InputError("y holds a number too large for a class; number the classes from 0")
    documents = np.flatnonzero(given >= 0)
    return documents, given[documents].astype(np.intp)


def _objects(given: Array) -> tuple[Labels, Array]:
    """The same of strings, or of numbers among which some are missing."""
    cells = given.tolist()
    known = [row for row, cell in enumerate(cells) if not is_unlabelled(cell)]
    values = [cells[row] for row in known]
    if all(isinstance(value, str) for value in values):
        return np.array(known, dtype=np.intp), np.array(values, dtype=np.str_)
    if any(isinstance(value, str) for value in values):
        raise InputError("y holds strings and numbers; make all classes strings, or all numbers")
    other = [type(value).__name__ for value in values if not isinstance(value, Real)]
    if other:
        raise InputError(
            f"Unknown label type: y must hold whole numbers or strings; got {other[0]}"
        )
    whole = np.full(len(cells), -1.0)
    whole[known] = values
    return _whole(whole)
