"""Whether documents that were added still belong to the clusters they were added to.

Every measure compares the added documents with those that the clusters were made from, each of
which is held against all but itself, so that a random half of a collection is no different from
the other:

- how often an added document fits worse than another (`fit` has how well one fits), of all
  documents and of each cluster, by ranks: 0.5 is no difference;
- how many fit nowhere at all;
- the share of their terms that the vocabulary lacks: a term that is in just as many documents as
  the vocabulary asks for would be missing without any of these;
- which documents of before would be elsewhere by the clusters as these are now;
- how many go to each cluster, though other sizes alone are no reason for a refit.

A refit is due where a difference is large, and beyond chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.plain import count
from textclust.result.fit import compared
from textclust.result.placement import place

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["ClusterDrift", "Compared", "Drift", "drift_of"]

CHANCE = 1e-4  # how rarely chance alone makes such a difference
WORSE = 0.56  # how often an added document fits worse than another one, of all
WORSE_THERE = 0.62  # the same within a cluster
NOWHERE = 2.0  # times as many as before
UNKNOWN = 0.05  # of the terms more than before
DISPLACED = 0.05  # of the documents of before
_FEWEST = 10  # documents that are compared
_NAMED = 3  # clusters in a sentence


@dataclass(frozen=True)
class Compared:
    """A share among the documents of before and among those added, and whether chance can do it."""

    before: float
    added: float
    beyond_chance: bool


@dataclass(frozen=True)
class ClusterDrift:
    """The documents added to a cluster beside its others.

    `worse` is how often one of them fits worse than one of the others; None of too few.
    """

    cluster: int
    name: str
    before: int
    added: int
    worse: float | None
    beyond_chance: bool

    @property
    def differs(self) -> bool:
        """Whether what was added to it is unlike what it had."""
        return self.beyond_chance and (self.worse or 0.0) >= WORSE_THERE


@dataclass(frozen=True)
class Drift:
    """How documents that were added differ from the others. Its `sentence` says what to do.

    Attributes
    ----------
    documents, fitted : int
        How many were added, and how many the clusters were made from.
    worse : float
        How often an added document fits worse than another; 0.5 is no difference.
    nowhere, unknown : Compared
        The share of documents that fit nowhere, and the mean share of unknown terms.
    displaced : int or None
        Documents of before that would be elsewhere now; None where that is not known.
    clusters : list of ClusterDrift
    sizes_differ : bool
        Whether the added documents go to other clusters than the others did, beyond chance.
    """

    documents: int
    fitted: int
    worse: float
    worse_beyond_chance: bool
    nowhere: Compared
    unknown: Compared
    displaced: int | None
    clusters: tuple[ClusterDrift, ...]
    sizes_differ: bool

    @property
    def due(self) -> bool:
        """Whether the clusters should be made anew."""
        return bool(self.reasons)

    @property
    def reasons(self) -> list[str]:
        """Why a refit is due; none where it is not."""
        return [*self._of_clusters(), *self._of_all()]

    def sentence(self) -> str:
        """What to do, and why; of clusters those that differ most."""
        if self.due:
            reasons = [*self._of_clusters()[:_NAMED], *self._of_all()]
            more = len(self._of_clusters()) - _NAMED
            if more > 0:
                reasons.insert(_NAMED, f"so are those of {count(more, 'more cluster')}")
            return f"A refit is due: {'; '.join(reasons)}"
        added = count(self.documents, "added document")
        verb = "fits" if self.documents == 1 else "fit"
        return f"No refit is needed: the {added} {verb} as the others do"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {"due": self.due, "reasons": self.reasons, **asdict(self)}

    def _of_clusters(self) -> list[str]:
        """What is said of each cluster that differs, those that differ most first."""
        differ = [each for each in self.clusters if each.differs]
        return [
            f"{each.added:,} documents added to cluster {each.cluster}, {each.name}, are "
            f"unlike its others, and fit worse {each.worse:.0%} of the time"
            for each in sorted(differ, key=lambda each: -(each.worse or 0.0))
        ]

    def _of_all(self) -> Iterator[str]:
        if self.worse_beyond_chance and self.worse >= WORSE:
            yield f"an added document fits worse than another {self.worse:.0%} of the time"
        if self.nowhere.beyond_chance and self.nowhere.added >= NOWHERE * self.nowhere.before:
            yield f"{_now(self.nowhere)} of the documents fit nowhere"
        if self.unknown.beyond_chance and self.unknown.added - self.unknown.before >= UNKNOWN:
            yield f"{_now(self.unknown)} of the terms are unknown"
        if self.displaced is not None and self.displaced >= DISPLACED * self.fitted:
            yield (
                f"{self.displaced:,} of the {self.fitted:,} documents of before would be in "
                "another cluster now"
            )


def drift_of(clustering: Clustering) -> Drift:
    """How the documents that were added to a clustering differ from the others."""
    added = clustering.additions
    assert added is not None
    n, k, fit = added.fitted, clustering.k, clustering.fit
    old, rows = _own_excess(clustering), compared(n)
    worse, beyond = _ranked(old, added.excess)
    every = clustering.placement.labels
    before, after = every[:n], every[n:]
    clusters = tuple(
        ClusterDrift(
            h,
            clustering.names[h],
            int((before == h).sum()),
            int((after == h).sum()),
            *_within(old[before[rows] == h], added.excess[after == h], k),
        )
        for h in range(k)
    )
    return Drift(
        documents=len(added),
        fitted=n,
        worse=worse,
        worse_beyond_chance=beyond,
        nowhere=_shares(old < fit.least, added.excess < fit.least),
        unknown=_shares(_unknown(clustering), added.unknown),
        displaced=_displaced(clustering),
        clusters=clusters,
        sizes_differ=_sizes_differ(
            np.array([[each.before for each in clusters], [each.added for each in clusters]])
        ),
    )


def _own_excess(clustering: Clustering) -> Array:
    """How much better the documents of before, or some thousand of them, fit than they have to."""
    fit, rows = clustering.fit, compared(clustering.n_fitted)
    X = clustering.texts[rows] if clustering.vectors is None else clustering.vectors
    shares = None if clustering.of_vectors else clustering.known
    known = np.ones(len(rows)) if shares is None else shares[rows]
    return np.where(fit.own > 0, fit.excess(fit.own, X, known), -np.inf)


def _ranked(old: Array, new: Array, tests: int = 1) -> tuple[float, bool]:
    """How often one of the new is below one of the old, and if beyond chance (Mann-Whitney).

    `tests` is how many of its kind are made.
    """
    m, n = len(old), len(new)
    order = np.sort(old)
    above = 2 * m - np.searchsorted(order, new, "left") - np.searchsorted(order, new, "right")
    share = float(above.sum() / (2 * m * n))
    deviations = (share - 0.5) / np.sqrt((m + n + 1) / (12 * m * n))
    return share, bool(deviations >= _most(tests))


def _within(old: Array, new: Array, tests: int) -> tuple[float | None, bool]:
    if min(len(old), len(new)) < _FEWEST:
        return None, False
    return _ranked(old, new, tests)


def _shares(old: Array, new: Array) -> Compared:
    """Two means, and whether the second is larger beyond chance."""
    before, after = float(np.mean(old)), float(np.mean(new))
    m, n = len(old), len(new)
    if old.dtype == bool:
        both = (old.sum() + new.sum()) / (m + n)
        variance = both * (1 - both) * (1 / m + 1 / n)
    else:
        variance = np.var(old) / m + np.var(new) / n
    beyond = min(m, n) >= _FEWEST and after - before > _most() * np.sqrt(variance)
    return Compared(before, after, bool(beyond))


def _unknown(clustering: Clustering) -> Array:
    """The share of the terms of each document of before that would be unknown without it."""
    added, space = clustering.additions, clustering.vectorizer
    assert added is not None
    X = clustering.texts[: added.fitted]
    if space.vocabulary is not None or clustering.known is None:
        return np.zeros(X.shape[0])
    known, sizes = clustering.known[: added.fitted], np.diff(X.indptr)
    documents = np.bincount(X.indices, minlength=X.shape[1])[: added.terms]
    edge = documents.min() if space.n_pruned_.get("surplus") else space.min_df_
    at_edge = np.concatenate([[0], np.cumsum((documents == edge)[X.indices])])[X.indptr]
    filled = sizes > 0
    left = (sizes - np.diff(at_edge))[filled] / sizes[filled]
    return np.asarray(1.0 - known[filled] * left)


def _displaced(clustering: Clustering) -> int | None:
    """Documents of before that would be elsewhere by the clusters as they are now.

    Those that were not in the nearest cluster from the beginning, and score 0, are not among them.
    """
    if clustering.of_vectors or clustering.beside is not None:
        return None
    placement, n = clustering.placement, clustering.n_fitted
    now: Labels = place(clustering.texts[:n], clustering.space).labels
    return int(((now != placement.labels[:n]) & (placement.scores[:n] > 0)).sum())


def _sizes_differ(table: Array) -> bool:
    """Whether two rows of counts differ beyond chance (chi-squared)."""
    from scipy.special import chdtrc

    table = table[:, table.sum(axis=0) > 0]
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    found = float(((table - expected) ** 2 / expected).sum())
    return table.shape[1] > 1 and bool(chdtrc(table.shape[1] - 1, found) < CHANCE)


def _most(tests: int = 1) -> float:
    """The deviations that chance alone does not reach in so many tests."""
    return NormalDist().inv_cdf(1 - CHANCE / tests)


def _now(share: Compared) -> str:
    return f"{share.added:.1%}, not {share.before:.1%} as before,"
