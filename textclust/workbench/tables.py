"""The tables of a project, in the formats that the command line reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textclust.errors import InputError
from textclust.writing import LABELS, csv_text

__all__ = ["Tables"]


@dataclass(frozen=True)
class Tables:
    """What a project says of its documents: rows of seeds, links, clusters and labels."""

    seeds: list[tuple[str, str]]  # id, label
    constraints: list[tuple[str, str, str]]  # left, right, kind
    clusters: list[tuple[int, str, bool, int]]  # cluster, name, locked, size
    labels: list[tuple[str, int, str, float]]  # id, cluster, name, score

    def files(self, *, keep_formulas: bool = False) -> dict[str, bytes]:
        """The tables as CSV, by the names of their files; cells are quoted as `csv_text` has it."""
        clusters = [(number, name, int(lock), n) for number, name, lock, n in self.clusters]
        labels = [(name, *rest, round(float(score), 4)) for name, *rest, score in self.labels]
        every: dict[str, tuple[Sequence[str], Sequence[Sequence[object]]]] = {
            "seeds.csv": (("id", "label"), self.seeds),
            "constraints.csv": (("left", "right", "kind"), self.constraints),
            "clusters.csv": (("cluster", "name", "locked", "size"), clusters),
            "labels.csv": (LABELS, labels),
        }
        return {name: _csv(name, *table, keep_formulas) for name, table in every.items()}


def _csv(
    file: str, header: Sequence[str], rows: Iterable[Sequence[object]], keep_formulas: bool
) -> bytes:
    try:
        return csv_text(header, rows, keep_formulas=keep_formulas).encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            f"{file}: half of a letter in a name (a lone surrogate); rename what has it"
        ) from None
