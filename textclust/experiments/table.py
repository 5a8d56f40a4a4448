"""The result of an experiment: named columns, rows, and what to know about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """Rows as plain values; `notes` say how they came about."""

    title: str
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    notes: tuple[str, ...] = ()
