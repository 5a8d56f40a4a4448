"""What may be wanted beside clusters: a hierarchy, outliers, the course, and stability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.methods import TOGETHER
from textclust.parameters import Flag, OneOf, Rule, Whole, check
from textclust.result.clustering import Clustering
from textclust.result.fit import RATE, Fit, compared
from textclust.result.periods import FREQUENCIES
from textclust.text.catalogue import Catalogue

__all__ = ["NOTHING_MORE", "Wanted"]

_MOST = 0.5  # of the documents


@dataclass(frozen=True)
class Wanted:
    """The levels of a tree, whether, or at what rate, documents may fit nowhere, and more."""

    rules: ClassVar[dict[str, Rule]] = {
        "levels": Whole(1, (None,)),
        "by": OneOf((None, *FREQUENCIES)),
        "stability": Flag(),
    }

    levels: int | None = None
    outliers: bool | float = False
    by: str | None = None  # the periods of its course
    stability: bool = False

    def __post_init__(self) -> None:
        check(self, self.rules)
        rate = self.outliers
        if not Flag().allows(rate) and not (isinstance(rate, float) and 0 < rate < _MOST):
            raise InputError(
                f"outliers must be True or False, or a share above 0 and below {_MOST}; "
                f"got {rate!r:.80}"
            )

    def refuse(self, documents: Catalogue) -> None:
        """Raise an InputError for documents that cannot have what is wanted."""
        if self.by is not None and documents.dates is None:
            raise InputError(
                f"by={self.by!r} needs dates, and no document has one; name the column of dates"
            )

    def of(self, clustering: Clustering, X: Matrix) -> Clustering:
        """A clustering of these rows with all that is wanted."""
        asked: dict[str, object] = {}
        if self.levels is not None:
            asked["levels"] = int(self.levels)
        if self.outliers is not False:
            asked["outliers"] = RATE if self.outliers is True else float(self.outliers)
        if self.stability:
            asked["stability"] = True
        if self.by is not None:
            asked["by"] = self.by
        if not asked:
            return clustering
        clustering = replace(clustering, settings={**clustering.settings, **asked})
        if self.outliers is False:
            return clustering
        outliers = _outliers(clustering, X if clustering.of_vectors else clustering.texts)
        found = replace(clustering, outliers=outliers, known_fit=clustering.fit)
        stable = found.stability
        return found if stable is None else replace(found, stability=stable.only(found.labels))


NOTHING_MORE = Wanted()


def _outliers(clustering: Clustering, X: Matrix) -> Array:
    """The documents that fit nowhere, by their terms, or by their vectors where these alone count.

    One that supervision mentions stays where it is, and so does the best of each cluster, that
    none is left empty. Documents that stay together do so here too: all of a group, or none.
    """
    fit, labels, k = clustering.fit, clustering.placement.labels, clustering.k
    shares = None if clustering.of_vectors else clustering.known
    known = np.ones(len(labels)) if shares is None else shares
    values = _values(fit, X, known)
    outside = ~fit.fits(values, X, known)
    outside[list(clustering.outcome.mentioned)] = False
    if (clustering.settings.get("groups") or {}).get("mode") == TOGETHER:
        groups = [card.group for card in clustering.cards]
        stay = {group for group, out in zip(groups, outside, strict=True) if not out} - {None}
        outside &= np.array([group not in stay for group in groups])
    best = np.full(k, -1.0)
    np.maximum.at(best, labels, values)
    emptied = np.bincount(labels[~outside], minlength=k) == 0
    outside[emptied[labels] & (values >= best[labels])] = False
    return np.asarray(outside)


def _values(fit: Fit, X: Matrix, known: Array) -> Array:
    """How well each document fits, held against all others."""
    n = X.shape[0]
    found, rows = np.empty(n), compared(n)
    found[rows] = fit.own
    others = np.setdiff1d(np.arange(n), rows)
    if len(others):
        found[others] = fit.values(X[others], known[others])
    return found
