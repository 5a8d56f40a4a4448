"""What is kept of the documents of a piece beside their rows: ids, classes, titles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textclust.text.catalogue import Catalogue, Skipped

__all__ = ["PieceDocuments", "rows_with_excerpts"]

_EXCERPTS = 1_000  # kept of a piece, for the wording of names


def rows_with_excerpts(n: int) -> list[int]:
    """Of so many documents of a piece those whose beginning is kept."""
    kept = min(n, _EXCERPTS)
    return [number * n // kept for number in range(kept)]


@dataclass(frozen=True)
class PieceDocuments:
    """The documents of a piece. Those without ids of their own are numbered."""

    own_ids: tuple[str, ...] | None
    labels: tuple[str | None, ...] | None
    titles: tuple[str, ...]
    excerpts: tuple[str, ...]  # of some of them, evenly spread: see `rows_with_excerpts`
    skipped: tuple[Skipped, ...]
    digest: str

    @classmethod
    def of(cls, catalogue: Catalogue) -> PieceDocuments:
        numbered = catalogue.ids == [str(number) for number in range(1, len(catalogue) + 1)]
        return cls(
            None if numbered else tuple(catalogue.ids),
            None if catalogue.labels is None else tuple(catalogue.labels),
            tuple(entry.title for entry in catalogue.entries),
            tuple(catalogue.entries[row].excerpt for row in rows_with_excerpts(len(catalogue))),
            tuple(catalogue.skipped),
            catalogue.sha256(),
        )

    @classmethod
    def none(cls, where: str) -> PieceDocuments:
        """A piece in which there are no documents."""
        return cls((), None, (), (), (Skipped(where, "no documents in it"),), "")

    def __len__(self) -> int:
        return len(self.titles)

    def excerpts_of(self, rows: Sequence[int]) -> list[str]:
        """The beginnings of some of the documents whose beginning is kept."""
        place = {row: number for number, row in enumerate(rows_with_excerpts(len(self)))}
        return [self.excerpts[place[row]] for row in rows]

    def id(self, row: int, first: int) -> str:
        """The id of a row, where so many documents are before this piece."""
        return str(first + row + 1) if self.own_ids is None else self.own_ids[row]

    def ids(self, first: int) -> list[str]:
        """The ids of all rows."""
        return [self.id(row, first) for row in range(len(self))]

    def rows_of(self, wanted: Iterable[str], first: int) -> dict[str, int]:
        """The rows, of all pieces together, of those of some ids that are in this piece."""
        names = set(wanted)
        return {name: first + row for row, name in enumerate(self.ids(first)) if name in names}

    def cards_of(self, rows: Sequence[int], first: int) -> list[tuple[str, str, str | None]]:
        """The id, a title and the class of each of some rows."""
        return [
            (
                self.id(row, first),
                self.titles[row] or self.id(row, first),
                None if self.labels is None else self.labels[row],
            )
            for row in rows
        ]
