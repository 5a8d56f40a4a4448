"""Which of the terms that were counted make the vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import numpy.typing as npt

from textclust.errors import InputError

__all__ = ["Chooser", "Vocabulary", "fixed_vocabulary", "is_no_number"]

Vocabulary = Iterable[str] | Mapping[str, int]
Frequencies = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Chooser:
    """Rare, frequent and surplus terms are left out, and numbers where they are not wanted."""

    least: int  # documents
    most: float
    most_terms: int | None = None
    numbers: bool = True

    def __call__(
        self, frequencies: Frequencies, spelled: Callable[[npt.NDArray[np.intp]], Sequence[str]]
    ) -> tuple[npt.NDArray[np.intp], dict[str, int]]:
        """The terms that are kept, and how many are not; `frequencies` are numbers of documents.

        Of terms in equally many documents the first by the alphabet are kept.
        """
        rare, frequent = frequencies < self.least, frequencies > self.most
        kept = np.flatnonzero(~rare & ~frequent)
        pruned = {"rare": int(rare.sum()), "frequent": int(frequent.sum())}
        if not self.numbers:
            wanted = np.fromiter(map(is_no_number, spelled(kept)), bool, len(kept))
            pruned["numbers"], kept = int((~wanted).sum()), kept[wanted]
        if self.most_terms is not None:
            pruned["surplus"] = max(0, len(kept) - self.most_terms)
        if self.most_terms is not None and pruned["surplus"]:
            terms, counts = spelled(kept), frequencies[kept].tolist()
            order = sorted(range(len(kept)), key=lambda i: (-counts[i], terms[i]))
            kept = kept[np.sort(order[: self.most_terms])]
        return kept, pruned


def fixed_vocabulary(given: Vocabulary) -> dict[str, int]:
    """The columns of a vocabulary that is not learned, ascending."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InputError("vocabulary must be a list of terms, or a dict of columns by term")
    if not isinstance(given, Mapping):
        terms = sorted(given) if isinstance(given, set | frozenset) else list(given)
        given = {term: column for column, term in enumerate(terms)}
        if len(given) < len(terms):
            twice = next(term for term in terms if terms.count(term) > 1)
            raise InputError(f"vocabulary has {str(twice)[:80]!r} twice; give each term once")
    if not given or not all(isinstance(term, str) for term in given):
        raise InputError("vocabulary must have terms in it, all of them strings")
    columns = dict(sorted(given.items(), key=lambda item: item[1]))
    whole = all(isinstance(column, Integral) for column in columns.values())
    if not whole or list(columns.values()) != list(range(len(columns))):
        raise InputError(f"the columns of vocabulary must be 0 to {len(given) - 1}, each once")
    return {term: int(column) for term, column in columns.items()}


def is_no_number(term: str) -> bool:
    """Whether a term is more than digits."""
    return not term.replace(" ", "").isdigit()
