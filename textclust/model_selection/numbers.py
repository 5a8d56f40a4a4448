"""Which numbers of clusters are looked at: one default for Python and the command line."""

from __future__ import annotations

from collections.abc import Iterable

from textclust.errors import InputError
from textclust.parameters import Whole
from textclust.plain import count

__all__ = ["checked_numbers", "default_range"]

_FEWEST, _MOST = 2, 20
_DOCUMENTS_PER_CLUSTER = 5  # on average, at least


def default_range(
    n: int, classes: int = 0, *, first: int | None = None, last: int | None = None
) -> range:
    """The numbers to look at for n documents, of which some are labelled with so many classes.

    2 to 20, with at least 5 documents for each cluster on average and at least one cluster for
    each class. `first` and `last` replace the two ends.
    """
    lowest = max(min(_FEWEST, n), classes, 1) if first is None else first
    if last is None:
        last = max(lowest, min(_MOST, n // _DOCUMENTS_PER_CLUSTER))
    return range(lowest, last + 1)


def checked_numbers(k_range: Iterable[int], n: int, classes: int) -> list[int]:
    """The numbers that were asked for, ascending and each once; an InputError if one cannot be."""
    given = list(k_range)
    if not given or not all(Whole(1).allows(k) for k in given):
        raise InputError("k_range must be whole numbers of at least 1, such as range(2, 13)")
    numbers = sorted({int(k) for k in given})
    if numbers[0] < classes:
        raise InputError(
            f"{numbers[0]} clusters cannot hold the {classes} classes of the labelled documents; "
            f"start at {classes}"
        )
    if numbers[-1] > n:
        raise InputError(
            f"{numbers[-1]} clusters cannot be made of {count(n, 'document')}; look at fewer"
        )
    return numbers
