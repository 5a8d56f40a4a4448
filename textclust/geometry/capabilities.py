"""What only some distortions can do, beside the operations that every `Distortion` has.

A capability is a protocol, which a distortion takes on by having its methods, and a function that
asks for it: nobody else does, and the function says what holds for all other distortions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeGuard, TypeVar, runtime_checkable

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.distortion import Distortion

__all__ = [
    "as_rows",
    "cold",
    "cooled",
    "fitted",
    "has",
    "importance",
    "innermost",
    "is_among_terms",
    "is_cold",
    "label_costs",
    "label_margin",
    "least_costs",
    "mismatch",
    "n_features",
    "of_clusters",
    "places_rows",
    "widened",
    "without_direction",
]


_Capability = TypeVar("_Capability")
_KNOWN: dict[tuple[type, object], bool] = {}


def has(distortion: Distortion, capability: Callable[..., _Capability]) -> TypeGuard[_Capability]:
    """Whether a distortion has a capability: asked of each class once, for the loops ask often."""
    key = type(distortion), capability
    if key not in _KNOWN:
        _KNOWN[key] = isinstance(distortion, capability)  # type: ignore[arg-type]
    return _KNOWN[key]


@runtime_checkable
class Annealed(Protocol):
    """A distortion with stages, the next of which is closer to what is meant."""

    def cooled(self) -> Distortion: ...

    def cold(self) -> Distortion: ...


def cooled(distortion: Distortion) -> Distortion:
    """The next stage of an annealed distortion; itself once it is cold."""
    return distortion.cooled() if has(distortion, Annealed) else distortion


def cold(distortion: Distortion) -> Distortion:
    """The last stage of an annealed distortion."""
    return distortion.cold() if has(distortion, Annealed) else distortion


def is_cold(distortion: Distortion) -> bool:
    """True where a distortion anneals no further."""
    return distortion == cold(distortion)


@runtime_checkable
class Fitted(Protocol):
    """A distortion that takes something from the rows as a whole."""

    def fitted(self, X: Matrix, weights: Array) -> Distortion: ...


def fitted(distortion: Distortion, X: Matrix, weights: Array) -> Distortion:
    """The distortion with what it takes from prepared rows as a whole."""
    return distortion.fitted(X, weights) if has(distortion, Fitted) else distortion


@runtime_checkable
class Directed(Protocol):
    """A distortion under which some rows are as far from any cluster as from any other."""

    def without_direction(self, X: Matrix) -> Array: ...


def without_direction(distortion: Distortion, X: Matrix) -> Array:
    """True for the prepared rows that no cluster is nearer to than another."""
    if has(distortion, Directed):
        return distortion.without_direction(X)
    return np.zeros(X.shape[0], dtype=bool)


@runtime_checkable
class Clusterwise(Protocol):
    """A distortion that differs from cluster to cluster."""

    def of(self, clusters: Labels) -> Distortion: ...


def of_clusters(distortion: Distortion, clusters: Labels) -> Distortion:
    """The distortion of some of the clusters, in this order."""
    return distortion.of(clusters) if has(distortion, Clusterwise) else distortion


@runtime_checkable
class Tolled(Protocol):
    """A distortion that is not zero between a prototype and a document that lies there."""

    def least_costs(self, labels: Labels) -> Array: ...


def least_costs(distortion: Distortion, labels: Labels) -> Array:
    """What a document at the very prototype of its cluster costs, for these clusters."""
    if has(distortion, Tolled):
        return distortion.least_costs(labels)
    return np.broadcast_to(0.0, len(labels))


@runtime_checkable
class Weighted(Protocol):
    """A distortion in which some terms count for more than others."""

    @property
    def importance(self) -> Array | None: ...


def importance(distortion: Distortion) -> Array | None:
    """What each term counts for; None where all count the same, or not in all clusters."""
    return distortion.importance if has(distortion, Weighted) else None


@runtime_checkable
class Parametric(Protocol):
    """A distortion with parameters that fit some numbers of clusters and terms alone."""

    def mismatch(self, k: int, d: int) -> str | None: ...


def mismatch(distortion: Distortion, k: int, d: int) -> str | None:
    """Why a distortion is not fit for k prototypes of d terms; None where it is."""
    return distortion.mismatch(k, d) if has(distortion, Parametric) else None


@runtime_checkable
class Widening(Protocol):
    """A distortion that can say nothing of terms that come after those it has learned from."""

    def widened(self, more: int) -> Distortion: ...


def widened(distortion: Distortion, more: int) -> Distortion:
    """The distortion among so many more terms, of which it has learned nothing."""
    return distortion.widened(more) if has(distortion, Widening) else distortion


@runtime_checkable
class Extended(Protocol):
    """A distortion that prepares rows with more columns than prototypes have."""

    def as_rows(self, prototypes: Array) -> Array: ...


def as_rows(distortion: Distortion, prototypes: Array) -> Array:
    """Prototypes as documents that were prepared and lie where they do."""
    return distortion.as_rows(prototypes) if has(distortion, Extended) else prototypes


@runtime_checkable
class OnTop(Protocol):
    """A distortion with something on top of another one, such as an opinion of each document."""

    within: Distortion


def innermost(distortion: Distortion) -> Distortion:
    """The distortion without what is on top, which says nothing of how far clusters are apart."""
    while isinstance(distortion, OnTop):
        distortion = distortion.within
    return distortion


@runtime_checkable
class Projecting(Protocol):
    """A distortion whose prototypes lie elsewhere than documents do."""

    def n_features(self) -> int: ...


def is_among_terms(distortion: Distortion) -> bool:
    """Whether prototypes have a value for each term, as documents do."""
    return not has(distortion, Projecting)


def n_features(distortion: Distortion, d: int) -> int:
    """How many features documents have where prototypes have d."""
    return distortion.n_features() if has(distortion, Projecting) else d


@runtime_checkable
class Expanded(Protocol):
    """A distortion that knows no rows but those that were clustered."""

    def expansion(self, prototypes: Array) -> object: ...


def places_rows(distortion: Distortion) -> bool:
    """Whether new rows can be placed as they are."""
    return not has(distortion, Expanded)


@runtime_checkable
class WithOpinion(Protocol):
    """A distortion with a label model on top."""

    def label_margin(self, row: Matrix, own: int, other: int) -> float: ...

    def label_costs(self, X: Matrix, clusters: Labels) -> Array: ...


def label_margin(distortion: Distortion, row: Matrix, own: int, other: int) -> float | None:
    """What a label model adds to the cost of another cluster, for one prepared row.

    None where there is no label model.
    """
    return distortion.label_margin(row, own, other) if has(distortion, WithOpinion) else None


def label_costs(distortion: Distortion, X: Matrix, clusters: Labels) -> Array | None:
    """What a label model takes for each document in these clusters, wherever they lie."""
    return distortion.label_costs(X, clusters) if has(distortion, WithOpinion) else None
