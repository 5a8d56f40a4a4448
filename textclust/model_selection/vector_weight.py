"""How much dense vectors count beside the terms of the same documents.

What is wanted are clusters that are there in both: of two halves of the documents, clusters are
found in each; all documents are then labelled by the clusters of one half and their terms alone,
and by the clusters of the other half and their vectors alone. How well these labels agree is high
where the clusters are no accident of a half and no matter of one block alone: terms too thin to
cluster by do not recur, and what vectors see beside the topic (the length of a text, its tone) no
terms tell. Of all weights that do about as well as the best, the least is taken: terms can be read.

Where there are seeds, they say more: of each, the nearest mean of the others' classes is asked for
its class, and the weight is the middle one of those that are right most often. Where there are
links, only weights count under which clusters that were found without them keep about as many of
them as under any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from textclust.engine.batched_restarts import best_labels
from textclust.engine.latent_starts import latent_vectors
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import AssignmentBackend, make_backend
from textclust.geometry.blocks import beside_terms
from textclust.geometry.cosine import Cosine, inverse
from textclust.geometry.rows import squared_norms
from textclust.methods.kmeans import generator
from textclust.model_selection.criteria import agreement, kept_links
from textclust.parameters import RandomState
from textclust.progress import track
from textclust.stopping import due, while_allowed
from textclust.supervision.constraints import Constraints
from textclust.threads import blas_on_one, thread_count

__all__ = ["UNTRIED", "VectorWeight", "WeightRow", "choose_weight"]

UNTRIED = 0.2  # where nothing can be tried
_GRID = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.45, 0.7, 1.0)
_PAIRS = 8  # of halves, and up to four times as many of few documents:
_HALVED = 12_000  # in all pairs together
_SAMPLE = 3_000  # documents that are split in halves, at most
_DIRECTIONS = 20  # of the latent space that they are clustered in, or as many as clusters
_TRIES = 4
_ITERATIONS = 20
_SEEDS = 1_000  # whose class the others predict, at most
_TOLERANCE = 0.02  # of agreement, which is as good as none


@dataclass(frozen=True)
class WeightRow:
    """What speaks for a weight."""

    weight: float
    agreement: float  # of terms in one half and vectors in the other; 1 is perfect, 0 chance
    links_kept: float | None = None
    links_error: float | None = None
    seeds_right: float | None = None  # the share of seeds whose class the other seeds tell


@dataclass(frozen=True)
class VectorWeight:
    """The weight chosen for the vectors, from 0 (terms alone) to 1 (vectors alone), and why."""

    weight: float
    table: tuple[WeightRow, ...] = ()
    given: bool = False  # it was asked for

    @property
    def reason(self) -> str:
        """Why, in plain words."""
        if self.given:
            return "as asked for"
        if not self.table:
            return "too few documents have both terms and a vector for other weights to be tried"
        right = {row.weight: row.seeds_right for row in self.table}
        if right[self.weight] is not None:
            return f"the other seeds predict the class of {right[self.weight]:.0%} of the seeds"
        found = {row.weight: row.agreement for row in self.table}
        others = [
            f"{what} alone at {found[weight]:.2f}"
            for weight, what in ((0.0, "terms"), (1.0, "vectors"))
            if weight in found and weight != self.weight
        ]
        kept = "" if self.table[0].links_kept is None else ", among those that keep what is given"
        return (
            f"terms and vectors of different halves agree on the clusters at "
            f"{found[self.weight]:.2f} (1 = perfect, 0 = chance), "
            f"{', '.join(others)}{kept}"
        )

    def to_dict(self) -> dict[str, object]:
        """All of it as plain data."""
        rows = [{name: v for name, v in asdict(row).items() if v is not None} for row in self.table]
        return {"weight": self.weight, "reason": self.reason, "table": rows}


def choose_weight(
    X: Matrix,
    vectors: Array,
    k: int,
    links: Constraints | None = None,
    *,
    y: ArrayLike | None = None,
    weights: Sequence[float] = _GRID,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> VectorWeight:
    """How much `vectors` are to count beside the terms in X, for k clusters.

    `links`, and the class of each row in `y`, -1 for none, take no part in clustering, so that they
    can say which weight fits them. Where the search is to stop, fewer weights are tried.
    """
    X, Z = Cosine().prepare(X), Cosine().prepare(vectors)
    both = np.flatnonzero((squared_norms(X) > 0) & (squared_norms(Z) > 0))
    rng = generator(random_state)
    if len(both) < 4 * k or k < 2:
        return VectorWeight(UNTRIED)
    sample = _Sample.of(X, Z, both, k, links, rng, thread_count(n_jobs))
    seeds = None if y is None else _Seeds.of(X, Z, np.asarray(y), rng)
    rows: list[WeightRow] = []
    with blas_on_one():
        for weight in track(while_allowed(weights), "weights of vectors", len(weights)):
            if rows and due():
                break
            row = sample.row(weight)
            rows.append(row if seeds is None else replace(row, seeds_right=seeds.right(weight)))
    return VectorWeight(_chosen(rows), tuple(rows))


def _chosen(rows: Sequence[WeightRow]) -> float:
    """By seeds the middle of the best, or else the least of those about as good as the best."""
    if all(row.seeds_right is not None for row in rows):
        most = max(row.seeds_right or 0.0 for row in rows)
        best_weights = [row.weight for row in rows if row.seeds_right == most]
        return best_weights[(len(best_weights) - 1) // 2]
    best = max(row.links_kept or 0.0 for row in rows)
    fit = [row for row in rows if best - (row.links_kept or 0.0) <= (row.links_error or 0.0)]
    top = max(fit, key=lambda row: row.agreement)
    return next(row.weight for row in fit if row.agreement >= top.agreement - _TOLERANCE)


class _Products(NamedTuple):
    """Of seeds in one block; those of both add up by their weights."""

    with_classes: Array  # of each seed with the sum of each class
    own: Array  # of each seed with itself
    of_classes: Array  # of the sum of each class with itself

    @classmethod
    def of(cls, rows: Matrix, classes: Array) -> Self:
        sums = rows.T.astype(np.float64) @ classes
        return cls(rows @ sums, squared_norms(rows), squared_norms(sums.T))


@dataclass(frozen=True, eq=False)
class _Seeds:
    """How seeds lie to the classes of one another, in each block."""

    terms: _Products
    vectors: _Products
    classes: Array  # 1 for the class of each seed

    @classmethod
    def of(cls, X: Matrix, Z: Array, y: Labels, rng: np.random.Generator) -> Self | None:
        """Of some of the seeds, in classes of several; None where there are no two such classes."""
        numbers, sizes = np.unique(y[y >= 0], return_counts=True)
        several = numbers[sizes > 1]
        rows = np.flatnonzero(np.isin(y, several))
        if len(several) < 2:
            return None
        rows = np.sort(rng.permutation(rows)[:_SEEDS])
        classes = (y[rows, None] == several).astype(np.float64)
        return cls(_Products.of(X[rows], classes), _Products.of(Z[rows], classes), classes)

    def right(self, weight: float) -> float:
        """The share of seeds that are nearest to their own class, each left out of it."""
        both = zip(self.terms, self.vectors, strict=True)
        products, own, squares = ((1.0 - weight) * x + weight * z for x, z in both)
        left = products - self.classes * own[:, None]
        lengths = squares - self.classes * (products + left)
        near = left * inverse(np.sqrt(np.maximum(lengths, 0.0)))
        return float(np.mean(self.classes[np.arange(len(near)), near.argmax(axis=1)]))


@dataclass(frozen=True, eq=False)
class _Sample:
    """Some documents that have both blocks, and how they are split in halves."""

    X: Matrix
    Z: Array
    k: int
    links: Constraints | None
    halves: list[tuple[Labels, Labels]]
    seed: int
    threads: int

    @classmethod
    def of(
        cls,
        X: Matrix,
        Z: Array,
        both: Labels,
        k: int,
        links: Constraints | None,
        rng: np.random.Generator,
        threads: int,
    ) -> _Sample:
        rows = both if len(both) <= _SAMPLE else _drawn(both, links, rng)
        pairs = min(4 * _PAIRS, max(_PAIRS, _HALVED // len(rows)))
        orders = [rng.permutation(len(rows)) for _ in range(pairs)]
        middle = len(rows) // 2
        halves = [(np.sort(order[:middle]), np.sort(order[middle:])) for order in orders]
        linked = None if links is None else _within(links, rows, X.shape[0])
        return cls(X[rows], Z[rows], k, linked, halves, int(rng.integers(2**63)), threads)

    def row(self, weight: float) -> WeightRow:
        """What speaks for a weight, whatever other weights are tried."""
        rng = np.random.default_rng([self.seed, int(weight * 1e6)])
        rows = beside_terms(self.X, self.Z, weight)
        size = min(max(_DIRECTIONS, self.k), *(each - 1 for each in rows.shape))
        latent = latent_vectors(rows, size, rng, self.threads)
        found = [self._agreement(latent, pair, rng) for pair in self.halves]
        kept = None
        if self.links is not None:
            kept = kept_links(self.links, self._clusters(latent, rng))
        return WeightRow(
            weight,
            round(float(np.mean(found)), 3),
            None if kept is None else round(kept.share, 3),
            None if kept is None else round(kept.error, 3),
        )

    def _agreement(
        self, latent: Array, halves: tuple[Labels, Labels], rng: np.random.Generator
    ) -> float:
        """Of labels by the terms of one half with labels by the vectors of the other."""
        found = [(half, self._clusters(latent[half], rng)) for half in halves]
        terms, vectors = ([self._labels(rows, *each) for each in found] for rows in self._blocks)
        pairs = [[terms[0], vectors[1]], [vectors[0], terms[1]]]
        return float(np.mean([agreement(pair) for pair in pairs]))

    def _clusters(self, latent: Array, rng: np.random.Generator) -> Labels:
        """Clusters of documents by their place in the latent space."""
        each = np.ones(len(latent))
        return best_labels(
            latent, each, self.k, rng, tries=_TRIES, max_iter=_ITERATIONS, threads=self.threads
        )

    @cached_property
    def _blocks(self) -> tuple[AssignmentBackend, AssignmentBackend]:
        """The terms and the vectors, each to be asked by itself."""
        return make_backend(self.X, self.threads), make_backend(self.Z, self.threads)

    def _labels(self, block: AssignmentBackend, rows: Labels, labels: Labels) -> Labels:
        """All documents by the nearest mean of the clusters of some, in one block alone."""
        each = np.ones(len(rows))
        sums = np.zeros((block.X.shape[1], self.k)).T
        block.shift(sums, rows, None, labels, each)
        masses = np.bincount(labels, minlength=self.k).astype(np.float64)
        return block.assign(Cosine().affine(Cosine().prototypes(sums, masses))).labels


def _drawn(both: Labels, links: Constraints | None, rng: np.random.Generator) -> Labels:
    """A random choice, up to half of which are documents of links."""
    pairs = [] if links is None else [*links.must_link, *links.cannot_link]
    linked = np.intersect1d(both, np.array(pairs, dtype=np.intp).ravel())
    first = rng.permutation(linked)[: _SAMPLE // 2]
    others = rng.choice(np.setdiff1d(both, first), _SAMPLE - len(first), replace=False)
    return np.sort(np.concatenate([first, others]))


def _within(links: Constraints, rows: Labels, n: int) -> Constraints | None:
    """The links between some of n rows, which ascend, by their place among them; None for none."""
    place = np.full(n, -1)
    place[rows] = np.arange(len(rows))
    kinds = []
    for pairs in (links.must_link, links.cannot_link):
        known = place[np.asarray(pairs, dtype=np.intp).reshape(-1, 2)]
        kinds.append([(int(i), int(j)) for i, j in known[(known >= 0).all(axis=1)]])
    found = Constraints(*kinds)
    return found if len(found) else None
