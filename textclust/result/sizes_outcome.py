"""What became of a bound on the sizes of clusters: which have fewer documents, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

import numpy as np

from textclust.engine.problem import Solution

__all__ = ["SizesOutcome"]

_SHOWN = 5  # clusters in a sentence


@dataclass(frozen=True)
class SizesOutcome:
    """How many documents each cluster was wanted to have at least, and which have fewer."""

    min_size: int
    price: float  # in the energy, of each document that a cluster has too few
    too_small: Mapping[int, int]  # clusters, each with how many documents of any weight it has
    k: int  # clusters in all

    @classmethod
    def of(cls, solution: Solution) -> Self | None:
        """What a solution makes of a bound, where there was one."""
        bound, lacking = solution.sizes, solution.lacking
        if bound is None or lacking is None:
            return None
        k = len(lacking)
        counted = np.bincount(solution.labels[bound.counts > 0], minlength=k)
        small = {int(h): int(counted[h]) for h in np.flatnonzero(lacking)}
        return cls(int(bound.min_size), float(bound.price), small, k)

    def sentence(self) -> str:
        """Whether every cluster is large enough, and what that would have cost."""
        noun = "document" if self.min_size == 1 else "documents"
        if not self.too_small:
            return f"Every cluster has at least {self.min_size:,} {noun}"
        listed = [f"{h} has {size:,}" for h, size in self.too_small.items()]
        if len(listed) > _SHOWN:
            listed[_SHOWN:] = [f"and {len(listed) - _SHOWN:,} more"]
        verb = "has" if len(self.too_small) == 1 else "have"
        return (
            f"{len(self.too_small):,} of {self.k:,} clusters {verb} fewer than {self.min_size:,} "
            f"{noun} ({', '.join(listed)}): each one more would cost {self.price:.3g} or more"
        )

    def to_dict(self) -> dict[str, object]:
        """Plain data for clusters.json, and for a model."""
        return {
            "min_size": self.min_size,
            "price": self.price,
            "too_small": [list(pair) for pair in self.too_small.items()],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], k: int) -> Self:
        """The same about k clusters; ValueError where it does not fit them."""
        min_size, price, small = data["min_size"], data["price"], dict(data["too_small"])
        sound = (
            type(min_size) is int
            and min_size >= 1
            and isinstance(price, int | float)
            and isfinite(price)
            and all(type(h) is int and 0 <= h < k for h in small)
            and all(type(size) is int and size >= 0 for size in small.values())
        )
        if not sound:
            raise ValueError("the bound on sizes does not fit the clusters")
        return cls(min_size, float(price), small, k)
