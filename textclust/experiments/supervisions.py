"""What a learning curve can give of documents that are not scored; nothing heavy is imported."""

from __future__ import annotations

from dataclasses import dataclass

from textclust.methods import CONSTRAINTS, SEEDS
from textclust.registry import Registry

__all__ = ["SUPERVISIONS", "CurveSupervision"]


@dataclass(frozen=True)
class CurveSupervision:
    """A kind of supervision along a curve."""

    amounts: tuple[float, ...]  # where none are named; shares of the documents, or numbers
    methods: tuple[str, ...]  # where none are named
    suits: frozenset[str]  # what a method may take; one that takes nothing is to compare with


SUPERVISIONS = Registry(
    "supervision",
    {
        "links": CurveSupervision((0, 50, 100, 200, 500), ("hmrf",), CONSTRAINTS),
        "seeds": CurveSupervision(
            (0.0, 0.05, 0.1, 0.2, 0.5), ("seeded", "constrained"), SEEDS | CONSTRAINTS
        ),
        "questions": CurveSupervision((0, 10, 20, 50, 100), ("hmrf",), CONSTRAINTS),
    },
)
