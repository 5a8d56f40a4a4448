"""How often documents are together again where a part of the collection is clustered anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from textclust.geometry.affine import Array, Labels

__all__ = ["Stability"]


@dataclass(frozen=True, eq=False)
class Stability:
    """How stable each document and each cluster is, from 0 to 1.

    A document's figure compares, in each resampled run that it was in, the documents that share its
    cluster with those that share its cluster in that run. It is the kappa of the two: 1 where they
    are the same, 0 where they have as many in common as two clusters of these sizes have by chance,
    whatever the sizes are. The figure is the mean over the runs, and 0 where that is below 0. A
    cluster's figure is the mean of those of its documents. They are NaN where there is none: for a
    document that fits nowhere, or was in no run.

    It is the adjusted Rand index, which is the stability of `select_k`, from one document's point
    of view (Ben-Hur et al. 2002; Hennig 2007; as a kappa, Warrens 2008).
    """

    documents: Array
    clusters: Array
    runs: int  # that there was time for,
    asked: int  # of so many

    @classmethod
    def of(cls, documents: Array, labels: Labels, k: int, runs: int, asked: int) -> Self:
        """From the figures of documents in k clusters; one in none has no figure."""
        documents = np.where(labels >= 0, documents, np.nan)
        known = ~np.isnan(documents)
        sums = np.bincount(labels[known], documents[known], minlength=k)
        counts = np.bincount(labels[known], minlength=k)
        clusters = np.divide(sums, counts, out=np.full(k, np.nan), where=counts > 0)
        return cls(documents, clusters, runs, asked)

    @property
    def mean(self) -> float:
        """Of all documents that have a figure; NaN where none has."""
        known = self.documents[~np.isnan(self.documents)]
        return float(known.mean()) if len(known) else float("nan")

    def __str__(self) -> str:
        if not self.runs:
            return "Stability unknown: the search ended before the first resampled run did"
        of = "" if self.runs == self.asked else f" of {self.asked}"
        return (
            f"Stability {self.mean:.2f} (1 = perfect, 0 = chance), from {self.runs}{of} resampled "
            f"run{'' if (self.asked if of else self.runs) == 1 else 's'}"
        )

    def cluster(self, h: int) -> float | None:
        """The figure of a cluster as it is written; None where it has none."""
        return _written(self.clusters[h])

    def written(self, digits: int = 4) -> list[float | None]:
        """The figures of the documents, likewise."""
        figures = self.documents.round(digits).tolist()
        return [None if value != value else value for value in figures]

    def to_dict(self) -> dict[str, object]:
        """What is said of the whole."""
        return {"stability": _written(self.mean), "runs": self.runs, "asked": self.asked}

    def followed_by(self, count: int) -> Stability:
        """The same with so many documents more at the end, which were in no run."""
        return replace(self, documents=np.concatenate([self.documents, np.full(count, np.nan)]))

    def only(self, labels: Labels) -> Self:
        """The same where some documents turn out to fit nowhere, which have the label -1."""
        return self.of(self.documents, labels, len(self.clusters), self.runs, self.asked)

    @classmethod
    def from_dict(cls, known: Mapping[str, Any], documents: Array, labels: Labels, k: int) -> Self:
        """From `to_dict` and the figures of the documents; a ValueError if they do not fit."""
        runs, asked = known["runs"], known["asked"]
        if runs > asked:
            raise ValueError("there are more runs than were asked for")
        return cls.of(documents, labels, k, runs, asked)


def _written(value: float) -> float | None:
    """A figure as it is written; None where there is none."""
    return None if np.isnan(value) else round(float(value), 4)
