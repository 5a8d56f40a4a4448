"""Names on the map: each near its cluster, none over another, shorter where it is crowded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array
from textclust.plain import plain

__all__ = ["Label", "letter"]

_LETTER, _LINE = 8.3, 17.0  # the size of a letter and of a line, in units of the map
_LONGEST = 34  # characters of a line
_GAP = 3.0


@dataclass(frozen=True)
class Label:
    """Lines of text around a middle."""

    cluster: int
    lines: list[str]
    x: float
    y: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, with a little air."""
        wide = _LETTER * max(len(line) for line in self.lines) / 2 + _GAP
        high = _LINE * len(self.lines) / 2 + _GAP / 2
        return self.x - wide, self.y - high, self.x + wide, self.y + high


@dataclass(frozen=True)
class Disc:
    """A cluster on the map."""

    number: int
    name: str
    x: float
    y: float
    radius: float


def letter(discs: list[Disc], width: float, height: float) -> list[Label]:
    """A label for every disc, the largest first: the fullest that does not touch another."""
    placed: list[Label] = []
    boxes = np.empty((4, len(discs)))
    for disc in sorted(discs, key=lambda disc: (-disc.radius, disc.number)):
        taken = boxes[:, : len(placed)]
        free = (
            label
            for label in _candidates(disc)
            if _inside(label, width, height) and not _overlaps(label, taken)
        )
        label = next(free, Label(disc.number, [str(disc.number)], disc.x, disc.y))
        boxes[:, len(placed)] = label.box
        placed.append(label)
    return sorted(placed, key=lambda label: label.cluster)


def _candidates(disc: Disc) -> Iterator[Label]:
    """From the fullest wording in the best place to the bare number."""
    for lines in _wordings(disc):
        half = _LINE * len(lines) / 2
        wide = _LETTER * max(map(len, lines)) / 2
        away, aside = disc.radius + half + _GAP, disc.radius + wide + 2 * _GAP
        yield Label(disc.number, lines, disc.x, disc.y)
        for dy in (-half, half, -away, away):
            yield Label(disc.number, lines, disc.x, disc.y + dy)
        for dx in (aside, -aside):
            yield Label(disc.number, lines, disc.x + dx, disc.y)


def _wordings(disc: Disc) -> Iterator[list[str]]:
    terms = [plain(term, _LONGEST) for term in disc.name.split(", ")]
    whole = plain(f"{disc.number} {disc.name}", _LONGEST)
    if len(whole) * _LETTER <= 2.2 * disc.radius or len(terms) == 1:
        yield [whole]
    numbered = [f"{disc.number} {terms[0]}", *terms[1:]]
    room = max(1, min(len(numbered), round(1.8 * disc.radius / _LINE)))
    for many in range(room, 0, -1):
        yield numbered[:many]
    yield [str(disc.number)]


def _inside(label: Label, width: float, height: float) -> bool:
    left, top, right, bottom = label.box
    return left >= 0 and top >= 0 and right <= width and bottom <= height


def _overlaps(label: Label, boxes: Array) -> bool:
    """Whether a label touches any of the boxes, whose four sides are the rows."""
    left, top, right, bottom = label.box
    beside = (left < boxes[2]) & (boxes[0] < right)
    return bool((beside & (top < boxes[3]) & (boxes[1] < bottom)).any())
