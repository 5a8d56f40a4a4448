"""Names that the library and the command line share; nothing heavy is imported for them."""

from __future__ import annotations

import enum

__all__ = ["Linkage"]


class Linkage(enum.StrEnum):
    """How far two clusters of documents are from each other, in a hierarchy."""

    AVERAGE = "average"
    COMPLETE = "complete"
    SINGLE = "single"
    WARD = "ward"
