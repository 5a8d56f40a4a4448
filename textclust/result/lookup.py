"""Which document is meant: an id as it was given, or the number of a row."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral

from textclust.errors import InputError
from textclust.result.cards import Card
from textclust.text.frames import Keys

__all__ = ["Lookup"]


@dataclass(frozen=True)
class Lookup:
    """Finds documents by their ids, as text or as they were given."""

    cards: Sequence[Card]
    keys: Keys | None

    def row(self, document: object = None, row: int | None = None) -> int:
        """The row of a document; an InputError that says which of the two was looked for.

        A number is that of a row where no id is a number.
        """
        if (document is None) == (row is None):
            raise InputError("give the id of a document, or its row number as row=")
        if row is None and isinstance(document, Hashable) and document in self._rows:
            return self._rows[document]
        by_number = isinstance(document, Integral) and not self._are_numbers
        if row is None and not by_number:
            hint = "row= takes row numbers" if self._are_numbers else "check the id"
            raise InputError(f"no document {document!r} in this clustering; {hint}")
        number = int(document if row is None else row)  # type: ignore[call-overload]
        if not 0 <= number < len(self.cards):
            raise InputError(f"no document {number}; rows are 0 to {len(self.cards) - 1}")
        return number

    @cached_property
    def _rows(self) -> dict[object, int]:
        found: dict[object, int] = {card.id: row for row, card in enumerate(self.cards)}
        given = () if self.keys is None else self.keys.ids
        return found | {key: row for row, key in enumerate(given)}

    @cached_property
    def _are_numbers(self) -> bool:
        """Whether an id is a number, which would not be told from that of a row."""
        return self.keys is not None and any(isinstance(key, Integral) for key in self.keys.ids)
