"""What a clustering keeps of the documents that were added to it, beside these themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from textclust.geometry.affine import Array, Moments
from textclust.result.arrays import table_parts
from textclust.result.tree import Outline
from textclust.text.growth import WaitingTerms

__all__ = ["Additions"]

_ARRAYS = ("excess", "unknown")


@dataclass(frozen=True, eq=False)
class Additions:
    """Which documents were added, and what was so when the clusters were made.

    Parameters
    ----------
    fitted, terms : how many documents and terms the clusters were made from; they come first
    names : what the clusters were called by their terms
    batches : how many times documents were added
    outline : the groups of clusters, where a hierarchy was asked for
    waiting : terms that are not in the vocabulary yet
    excess : of each added document, how much better it fits than a text of its length has to
    unknown : of each, the share of its terms that the clusters were not made from
    moments : of the clusters by now; None where their prototypes stay where they are
    """

    fitted: int
    terms: int
    names: tuple[str, ...]
    batches: int = 0
    outline: Outline | None = None
    waiting: WaitingTerms = field(default_factory=WaitingTerms)
    excess: Array = field(default_factory=lambda: np.zeros(0))
    unknown: Array = field(default_factory=lambda: np.zeros(0))
    moments: Moments | None = None

    def __len__(self) -> int:
        return len(self.excess)

    def with_batch(
        self, waiting: WaitingTerms, excess: Array, unknown: Array, moments: Moments | None
    ) -> Self:
        """With the documents of one more batch."""
        return replace(
            self,
            batches=self.batches + 1,
            waiting=waiting,
            excess=np.concatenate([self.excess, excess]),
            unknown=np.concatenate([self.unknown, unknown]),
            moments=moments,
        )

    def to_dict(self) -> dict[str, Any]:
        """All but the arrays as plain data."""
        return {
            "fitted": self.fitted,
            "terms": self.terms,
            "names": list(self.names),
            "batches": self.batches,
            "outline": self.outline and self.outline.to_dict(),
            "waiting": self.waiting.to_dict(),
        }

    def arrays(self) -> dict[str, Array]:
        """The arrays, by their names in a file."""
        found = {f"added_{name}": getattr(self, name) for name in _ARRAYS}
        if self.moments is None:
            return found
        sums = table_parts("added_sums", self.moments.sums)
        return {**found, **sums, "added_masses": self.moments.masses}

    @classmethod
    def from_file(
        cls, content: Mapping[str, Any], arrays: Mapping[str, Array], n: int, k: int
    ) -> Self:
        """What was written of a clustering of n documents; a ValueError where it cannot be."""
        missing = [name for name in _ARRAYS if f"added_{name}" not in arrays]
        if missing:
            raise ValueError(f"added_{missing[0]} is missing")
        fitted, (excess, unknown) = content["fitted"], (arrays[f"added_{name}"] for name in _ARRAYS)
        if fitted > n or len(excess) != n - fitted:
            raise ValueError("the documents that were added do not fit the others")
        outline = content["outline"] and Outline.from_dict(content["outline"], k)
        moments = None
        if "added_masses" in arrays:
            if "added_sums" not in arrays:
                raise ValueError("added_sums is missing")
            moments = Moments(arrays["added_sums"], arrays["added_masses"])
        return cls(
            fitted=fitted,
            terms=content["terms"],
            names=tuple(content["names"]),
            batches=content["batches"],
            outline=outline,
            waiting=WaitingTerms.from_dict(content["waiting"]),
            excess=excess,
            unknown=unknown,
            moments=moments,
        )
