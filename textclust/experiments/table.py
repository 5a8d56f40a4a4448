"""The result of an experiment: named columns, rows, and what to know about them."""

from __future__ import annotations

from dataclasses import dataclass, field

from textclust.experiments.declared import Place

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """Rows as plain values; `notes` say how they came about.

    `marked` are places, by row and column, whose values have a star in `with_marks`.
    """

    title: str
    header: tuple[str, ...]
    rows: list[Place] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    marked: tuple[tuple[int, int], ...] = ()

    def with_marks(self) -> list[Place]:
        """The rows as they are printed."""
        return [
            tuple(f"{v}*" if (i, j) in self.marked else v for j, v in enumerate(row))
            for i, row in enumerate(self.rows)
        ]
