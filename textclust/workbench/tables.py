"""The tables of a project, in the formats that the command line reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textclust.errors import InputError
from textclust.writing import LABELS

__all__ = ["Tables"]

_TO_QUOTE = re.compile(r'[,"\r\n]')


@dataclass(frozen=True)
class Tables:
    """What a project says of its documents: rows of seeds, links, clusters and labels."""

    seeds: list[tuple[str, str]]  # id, label
    constraints: list[tuple[str, str, str]]  # left, right, kind
    clusters: list[tuple[int, str, bool, int]]  # cluster, name, locked, size
    labels: list[tuple[str, int, str, float]]  # id, cluster, name, score

    def files(self) -> dict[str, bytes]:
        """The tables as CSV, by the names of their files."""
        clusters = [(number, name, int(lock), n) for number, name, lock, n in self.clusters]
        labels = [(name, *rest, round(float(score), 4)) for name, *rest, score in self.labels]
        return {
            "seeds.csv": _csv("seeds.csv", ("id", "label"), self.seeds),
            "constraints.csv": _csv("constraints.csv", ("left", "right", "kind"), self.constraints),
            "clusters.csv": _csv("clusters.csv", ("cluster", "name", "locked", "size"), clusters),
            "labels.csv": _csv("labels.csv", LABELS, labels),
        }


def _csv(file: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    lines = [",".join(map(_cell, row)) for row in (header, *rows)]
    try:
        return ("\n".join(lines) + "\n").encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            f"{file}: half of a letter in a name (a lone surrogate); rename what has it"
        ) from None


def _cell(value: object) -> str:
    """A value as `csv.writer` has it, and in quotes too for an end of line by itself."""
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if _TO_QUOTE.search(text) else text
