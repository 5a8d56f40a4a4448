"""One object for all that is known of the rows beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textclust.supervision.background.labelled import Background
    from textclust.supervision.constraints import Constraints

__all__ = ["NOTHING", "Supervision"]


@dataclass(frozen=True)
class Supervision:
    """What a method is given beside the rows; each takes its own kind of it."""

    seeds: Any = None  # a label for each row, -1 or None where none is known
    constraints: Constraints | None = None
    background: Background | None = None
    features: Sequence[str] | None = None  # what the columns mean, for a background
    examples: Iterable[Iterable[int]] | None = None  # rows of example clusters


NOTHING = Supervision()
