"""What became of a background: the class of each cluster, and how new the documents are."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from textclust.geometry.affine import Array, Labels
from textclust.supervision.background.novelty import Fit

__all__ = ["BackgroundOutcome"]

Terms = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class BackgroundOutcome:
    """The classes of a background beside the clusters found."""

    classes: tuple[Hashable, ...]  # of each cluster; None for a new one
    sizes: tuple[int, ...]  # old documents of the class, 0 for a new cluster
    novelty: Array  # of each document, from 0 to 1
    rising: tuple[Terms, ...] = ()  # for each cluster, terms that count for more than they did
    falling: tuple[Terms, ...] = ()
    known: Labels | None = (
        None  # the class that a labeller is confident of for each document, or -1
    )
    weights: Array | None = None  # w_j: how well the shared features tell each cluster apart

    @property
    def fits_no_class(self) -> Array:
        """Which documents fit no class that is known."""
        return Fit.is_new(self.novelty)

    @property
    def class_names(self) -> list[str | None]:
        """The class of each cluster in letters."""
        return [None if known is None else str(known) for known in self.classes]
