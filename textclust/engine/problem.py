"""What a method asks and what the loop answers.

    E(y, mu) = sum_i w_i [D(x_i, mu_{y_i}) + U_i(y_i)]  +  sum_(i,j) V_ij(y_i, y_j)  +  S(y)

A method is a choice of parts: a distortion D, unary potentials U on some documents,
an interaction V between some documents, what clusters that are too small cost (S, where sizes
have a bound), and a start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
import scipy.sparse as sp

from textclust.engine.sizes import SizeBound
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix, Moments
from textclust.geometry.assignment import (
    Assignment,
    AssignmentBackend,
    compact_moments,
    make_backend,
    moments,
)
from textclust.geometry.capabilities import without_direction
from textclust.geometry.grid import exact_grid, row_sizes
from textclust.geometry.parts import is_sparse
from textclust.geometry.sparse_sums import KNOWN_TO, mostly_zeros
from textclust.stopping import Stopped
from textclust.supervision.links import Link, Links
from textclust.supervision.potentials import Interaction, Unary

if TYPE_CHECKING:
    from textclust.engine.partition import Partition
    from textclust.supervision.background.outcome import BackgroundOutcome
    from textclust.supervision.seed_words import NamedByWords

__all__ = [
    "LabelModelOutcome",
    "Learner",
    "Mixture",
    "Problem",
    "Solution",
    "Start",
    "Step",
]


class Learner(Protocol):
    """An M-step beyond the prototypes: what the distortion can learn from a partition."""

    def learn(self, problem: Problem, partition: Partition) -> Problem:
        """A problem in which the partition has less energy, or the same problem."""


@dataclass(frozen=True)
class Problem:
    """Documents as the distortion prepared them, and everything that bears on their labels."""

    X: Matrix
    distortion: Distortion
    k: int
    weights: Array
    unary: Unary | None = None
    interaction: Interaction | None = None
    threads: int | None = None  # None is one for each processor
    learner: Learner | None = None
    bound: AssignmentBackend | None = None  # the same rows, where another problem has bound them
    sizes: SizeBound | None = None
    sparse: bool = False  # whether sums of clusters are kept as CSR, which takes a grid

    def __post_init__(self) -> None:
        assert self.bound is None or self.bound.X is self.X, "bound to the rows of another problem"

    @cached_property
    def backend(self) -> AssignmentBackend:
        """The rows, bound to the fastest code there is for them."""
        if self.bound is not None:
            return self.bound
        apart = None if self.unary is None else self.unary.documents
        return make_backend(self.X, self.threads, apart, self.grid)

    @cached_property
    def grid(self) -> float:
        """What the values that are added up in sums of clusters are rounded to multiples of.

        No sum of them needs more digits than double precision has, so that sums do not depend on
        the order of the additions. It is 0, and values are not rounded, where X is dense and
        where the largest value leaves too few digits to others.
        """
        if not is_sparse(self.X) or self.X.nnz == 0:
            return 0.0
        return exact_grid(row_sizes(self.X, self.effective_weights))

    def with_sparse_sums(self) -> Problem:
        """The same with sums of clusters in CSR, where a table would be large and mostly zeros.

        Sums have to be exact, so that those of the clusters that changed can be made anew.
        """
        X = self.X
        suits = self.distortion.name in KNOWN_TO and sp.issparse(X) and X.format == "csr"
        if suits and mostly_zeros((self.k, X.shape[1]), X.nnz) and self.grid > 0.0:
            return replace(self, sparse=True)
        return self

    def moments(self, X: Matrix, labels: Labels, weights: Array) -> Moments:
        """Those of the clusters of some rows, kept as this problem keeps them."""
        summed = compact_moments if self.sparse else moments
        return summed(X, labels, weights, self.k)

    @cached_property
    def own_costs(self) -> Array:
        """What is each document's own of its cost, under the distortion as it is at first."""
        return self.distortion.own_costs(self.X)

    def learned(self, distortion: Distortion, interaction: Interaction | None) -> Problem:
        """The same rows, bound as they are, under a new distortion and a new V of the same."""
        if distortion is self.distortion and interaction is self.interaction:
            return self
        return replace(self, distortion=distortion, interaction=interaction, bound=self.backend)

    def seen_as(self, vectors: Matrix, distortion: Distortion, rows: Labels) -> Problem:
        """The same question about some of the documents, placed in another space."""
        return Problem(
            distortion.prepare(vectors),
            distortion,
            self.k,
            self.effective_weights[rows],
            None if self.unary is None else self.unary.subset(rows),
            None if self.interaction is None else self.interaction.subset(rows),
            self.threads,
        )

    @cached_property
    def effective_weights(self) -> Array:
        """The weights, with nothing for rows that no cluster is nearer to than another."""
        undirected = without_direction(self.distortion, self.X)
        return np.where(undirected, 0.0, self.weights) if undirected.any() else self.weights

    @cached_property
    def constrained_rows(self) -> Labels:
        """The documents that U or V bears on, ascending."""
        potentials = [p.documents for p in (self.unary, self.interaction) if p is not None]
        return np.unique(np.concatenate([np.zeros(0, dtype=np.intp), *potentials]))

    @cached_property
    def unconstrained_rows(self) -> Array:
        """True for the documents that may move on their own: effective_weights and not bound."""
        free = self.effective_weights > 0
        free[self.constrained_rows] = False
        return free

    def potentials(self, labels: Labels) -> float:
        """U + V + S of these labels."""
        energy = 0.0
        if self.unary is not None:
            rows = self.unary.documents
            chosen = self.unary.costs[np.arange(len(rows)), labels[rows]]
            weights = self.effective_weights[rows]
            energy += float(weights @ np.where(weights == 0, 0.0, chosen))
        if self.interaction is not None:
            energy += self.interaction.energy(labels[self.interaction.documents])
        if self.sizes is not None:
            energy += self.sizes.energy(labels, self.k)
        return energy

    def rises(self, labels: Labels) -> Array:
        """What U + V would rise by if a bound document moved to a cluster and all others stayed.

        Infinite in every cluster for a document that is where it must not be.
        """
        pushes = np.zeros((len(self.constrained_rows), self.k))
        if self.unary is not None:
            rows = self.unary.documents
            weights = self.effective_weights[rows, None]
            costs = weights * np.where(weights == 0, 0.0, self.unary.costs)
            pushes[self.constrained_rows.searchsorted(rows)] += costs
        if self.interaction is not None:
            rows = self.interaction.documents
            pushes[self.constrained_rows.searchsorted(rows)] += self.interaction.pushes(
                labels[rows], self.k
            )
        here = pushes[np.arange(len(self.constrained_rows)), labels[self.constrained_rows], None]
        return np.subtract(pushes, here, out=np.full_like(pushes, np.inf), where=np.isfinite(here))


@dataclass(frozen=True)
class Start:
    """Where the loop begins: clusters as their moments, or as labels to take these from.

    Moments are used up by the run that begins with them.
    """

    moments: Moments | None = None
    labels: Labels | None = None


@dataclass(frozen=True)
class Step:
    """One iteration: the energy it ends with, and what moved."""

    energy: float
    moved: int
    refilled: int
    seconds: float
    assigned: float | None = None  # the energy between its half-steps, where it is asked for


@dataclass(frozen=True)
class Mixture:
    """What a mixture model says beside its components."""

    responsibilities: Array  # n x k: the posterior probabilities of the last E-step
    weights: Array  # pi, k: the share of each component
    sharpness: float  # nats of one unit of cost
    temperature: float  # memberships are the responsibilities to the power of 1 / temperature

    def of(self, clusters: Labels) -> Mixture:
        """The same with the components in this order."""
        responsibilities = self.responsibilities[:, clusters]
        return replace(self, responsibilities=responsibilities, weights=self.weights[clusters])


@dataclass(frozen=True)
class LabelModelOutcome:
    """What a label model rests on."""

    weights: Mapping[str, float]  # of the models it pools
    accuracy: float | None  # cross-validated on what was named; None where that was too little
    temperature: float  # of costs: exp(-cost / temperature) are as sure as they are right


@dataclass(frozen=True)
class Solution:
    """Where the loop came to rest."""

    labels: Labels
    prototypes: Matrix  # k x d: a table, or CSR where sums were kept so
    distortion: Distortion
    energy: float
    converged: bool
    n_iter: int
    history: tuple[Step, ...] = field(default=())
    link_prices: Array | None = None  # of breaking each link given; None where it cannot be
    links: Links | None = None  # those given, judged by the labels, where links have a price
    unsupervised: Labels | None = None  # what is found without supervision, where known
    emphasis: Array | None = None  # how many times each document counted, where not once
    memberships: Array | None = None  # n x k, where documents may be in several clusters
    background: BackgroundOutcome | None = None  # what became of it, where there was one
    mixture: Mixture | None = None  # where the memberships are probabilities
    label_model: LabelModelOutcome | None = None  # where one was learned
    by_words: NamedByWords | None = None  # the rows that seed words name, where there were any
    nearest: Assignment | None = None  # what the prototypes alone say, for who asks again
    by_nearest: bool = True  # False where a document need not be in the nearest cluster
    sizes: SizeBound | None = None  # where clusters were wanted to have so many documents
    stopped: Stopped | None = None  # where the search was ended early

    @property
    def violations(self) -> tuple[Link[int], ...]:
        """The links of any weight that the labels break, each with its price."""
        if self.links is None or self.links.violated is None:
            return ()
        return tuple(self.links.where(self.links.violated & (self.links.weights > 0)))

    @property
    def lacking(self) -> Array | None:
        """How many documents each cluster has fewer than wanted, where sizes have a bound."""
        k = self.prototypes.shape[0]
        return None if self.sizes is None else self.sizes.lacking(self.labels, k)
