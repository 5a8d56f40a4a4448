"""Distances learned from example clusters, each a map of the rows to where they lie under it.

    d_M(x, y) = sqrt((x - y)' M (x - y)) = |T x - T y|   with   M = T T

A learner has `fit(X, examples)` and `transform(X)`, after the manner of scikit-learn. An
example is a list of row numbers that are a whole cluster: its rows must link with one
another and with no others. `links` are further pairs that belong together, as an n x n matrix
with something in row i, column j where i and j do.

A_ML, the scatter of what belongs together, has no inverse where the examples have fewer
rows than features, so `regularisation` times its mean eigenvalue is added to its
diagonal. With little of it the example clusters are pressed to points and nothing is
learned about others; with much of it little is learned at all.

All take d x d numbers and O(n d^2) steps; pairs are never listed but for Xing's, which
draws some if there are many.

References: Hu, Vens, Verstrynge and Blockeel 2013, section 2; Bar-Hillel et al. 2005; Yeung
and Chang 2006; Xing et al. 2002.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.example_rows import example_labels, example_rows
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.parameters import Number, Randomness, Rule, Whole, check

__all__ = ["LEARNERS", "RCA", "CLUEMetric", "MetricLearner", "Xing", "YeungChang"]

_MOST_FEATURES = 4_000


@dataclass
class MetricLearner:
    """What all learners share; by itself it learns nothing and leaves rows where they are.

    Parameters
    ----------
    regularisation : float, default=1e-6
        How much of its mean eigenvalue is added to the diagonal of A_ML.

    Attributes
    ----------
    turn_ : array of d x d
        T, the symmetric root of M: rows are multiplied by it.
    matrix_ : array of d x d
        M, the Mahalanobis matrix.
    """

    regularisation: float = 1e-6

    _parameters: ClassVar[dict[str, Rule]] = {"regularisation": Number(0.0)}

    def fit(
        self, X: Matrix, examples: Iterable[Iterable[int]] | None = None, links: Any = None
    ) -> Self:
        """Learn from example clusters, given as lists of rows of X."""
        check(self, self._parameters)
        rows = as_table(X)
        groups = example_rows(examples, len(rows))
        rows = rows - rows.mean(axis=0)
        given = bool(groups) or links is not None
        learned = self._learned(rows, groups, links) if given else np.eye(rows.shape[1])
        self.turn_ = _symmetric(learned)
        return self

    @property
    def matrix_(self) -> Array:
        """M, the Mahalanobis matrix."""
        return np.asarray(self.turn_ @ self.turn_.T)

    def transform(self, X: Matrix) -> Array:
        """Rows where their Euclidean distance is the learned one."""
        if not hasattr(self, "turn_"):
            raise InputError(f"{type(self).__name__} has learned nothing yet; call fit first")
        rows = X if sp.issparse(X) else np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(self.turn_):
            d = rows.shape[-1] if rows.ndim else 0
            raise InputError(f"X has {d} features; learned were {len(self.turn_)}")
        return np.asarray(rows @ self.turn_)

    def fit_transform(
        self, X: Matrix, examples: Iterable[Iterable[int]] | None = None, links: Any = None
    ) -> Array:
        """Learn, and transform the same rows."""
        return self.fit(X, examples, links).transform(X)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def set_params(self, **parameters: Any) -> Self:
        """Change some parameters."""
        for name, value in parameters.items():
            if name not in self.get_params():
                raise InputError(f"{type(self).__name__} has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def _learned(self, X: Array, examples: Sequence[Labels], links: Any) -> Array:
        return np.eye(X.shape[1])

    def _must(self, X: Array, examples: Sequence[Labels], links: Any) -> Array:
        """A_ML: eq. (2) of Hu et al.; with further links, each pair counts as much as any."""
        if links is None:
            total = sum(len(rows) for rows in examples)
            scatters = np.array([_scatter(X[rows]) for rows in examples])
            return self._regular(scatters.sum(axis=0) / total)
        return self._regular(_of_pairs(X, examples, links))

    def _regular(self, A: Array) -> Array:
        mean = float(np.trace(A)) / len(A)
        if mean == 0.0:  # nothing scatters in the examples
            return np.eye(len(A))
        return A + max(self.regularisation, 1e-12) * mean * np.eye(len(A))


class RCA(MetricLearner):
    """Relevant component analysis: M = A_ML^-1 (Bar-Hillel et al. 2005).

    The scatter within the examples becomes a ball. That they are whole is not looked at.

    Examples
    --------
    >>> from textclust.learned_metrics import RCA
    >>> X = [[0.0, 0.0], [0.0, 4.0], [1.0, 2.0], [9.0, 2.0]]
    >>> RCA().fit(X, [[0, 1]]).turn_.round(2).tolist()[1][1]
    0.5
    """

    def _learned(self, X: Array, examples: Sequence[Labels], links: Any) -> Array:
        return _power(self._must(X, examples, links), -0.5)


class CLUEMetric(MetricLearner):
    """CLUE's own: M = A_ML^-1/2 A_CL A_ML^-1/2 (Hu et al. 2013, eqs. 2 and 3).

    A_CL is the scatter of all other rows around the mean of each example: the examples are
    drawn together, and space is stretched where the others lie.
    """

    def _learned(self, X: Array, examples: Sequence[Labels], links: Any) -> Array:
        must = _power(self._must(X, examples, links), -0.5)
        return must @ _power(_around_means(X, examples), 0.5)


class YeungChang(MetricLearner):
    """The same form with pairs for chunklets (Yeung and Chang 2006).

    A_ML has all pairs within an example, A_CL all pairs of a row in an example and one
    outside it; they are added up from scatters, not listed.
    """

    def _learned(self, X: Array, examples: Sequence[Labels], links: Any) -> Array:
        must = _power(self._regular(_of_pairs(X, examples, links)), -0.5)
        return must @ _power(_across(X, examples), 0.5)


@dataclass
class Xing(MetricLearner):
    """Must-links near at a given sum, cannot-links as far apart as can be (Xing et al. 2002).

    Maximises the sum of d_M over the cannot-links, where that of d_M^2 over the must-links is
    held. Over z = A_ML^-1/2 (x - y) that is the sum of |L'z| at |L| = 1, convex in L: each
    step L <- sum_z z z'L / |L'z|, scaled, raises it, and no length of steps is to be chosen.

    Parameters
    ----------
    regularisation : float, default=1e-6
    most_pairs : int, default=20000
        Where there are more cannot-links, this many are drawn.
    max_iter : int, default=100
    random_state : int or None, default=0
    """

    most_pairs: int = 20_000
    max_iter: int = 100
    random_state: Any = 0

    _parameters: ClassVar[dict[str, Rule]] = {
        **MetricLearner._parameters,
        "most_pairs": Whole(1),
        "max_iter": Whole(1),
        "random_state": Randomness(),
    }

    def _learned(self, X: Array, examples: Sequence[Labels], links: Any) -> Array:
        must = _power(self._regular(_of_pairs(X, examples, links)), -0.5)
        left, right = _cannot_links(examples, len(X), self.most_pairs, self.random_state)
        apart = (X[left] - X[right]) @ must
        turn = np.eye(X.shape[1]) / np.sqrt(X.shape[1])
        before = 0.0
        for _ in range(self.max_iter):
            lengths = np.sqrt(((apart @ turn) ** 2).sum(axis=1))
            if lengths.sum() <= before * (1 + 1e-9):
                break
            before = float(lengths.sum())
            weighted = apart / np.maximum(lengths, 1e-12 * lengths.max())[:, None]
            turn = weighted.T @ (apart @ turn)
            turn /= np.linalg.norm(turn)
        return np.asarray(must @ turn)


LEARNERS = {
    "clue": CLUEMetric,
    "rca": RCA,
    "xing": Xing,
    "yeung-chang": YeungChang,
}


def as_table(X: Matrix) -> Array:
    """Rows as a dense table of floats, where their features are few."""
    d = np.shape(X)[1]
    if d > _MOST_FEATURES:
        raise InputError(
            f"to learn a metric of {d:,} features takes {4 * 8 * d * d / 1e9:.1f} GB; "
            "reduce them first, to the leading directions of an SVD"
        )
    rows = X @ np.eye(d) if sp.issparse(X) else np.asarray(X, dtype=np.float64)
    if not np.isfinite(rows).all():
        raise InputError("X holds values that are not finite numbers")
    return np.asarray(rows, dtype=np.float64)


def _scatter(rows: Array) -> Array:
    centred = rows - rows.mean(axis=0)
    return np.asarray(centred.T @ centred)


def _of_pairs(X: Array, examples: Sequence[Labels], links: Any) -> Array:
    """The mean of (x - y)(x - y)' over the pairs within examples and those that are linked.

    Over all pairs of m rows the sum is m times their scatter; over the edges of a graph it
    is X' L X, with L its Laplacian.
    """
    total = np.zeros((X.shape[1], X.shape[1]))
    pairs = 0.0
    for rows in examples:
        total += len(rows) * _scatter(X[rows])
        pairs += len(rows) * (len(rows) - 1) / 2
    if links is not None:
        graph = _others(links, examples, len(X))
        degrees = np.asarray(graph.sum(axis=1)).ravel()
        total += (X.T * degrees) @ X - X.T @ (graph @ X)
        pairs += degrees.sum() / 2
    return total / max(pairs, 1.0)


def _others(links: Any, examples: Sequence[Labels], n: int) -> Any:
    """The links as a symmetric graph without loops, but for pairs that examples speak of."""
    graph = sp.coo_array(links)
    if graph.shape != (n, n):
        raise InputError(f"links must be {n} x {n}, as X has {n} rows; got {graph.shape}")
    example = example_labels(examples, n)
    left, right = graph.coords
    kept = (graph.data != 0) & (left != right) & (example[left] < 0) & (example[right] < 0)
    ends = np.r_[left[kept], right[kept]], np.r_[right[kept], left[kept]]
    found = sp.coo_array((np.ones(len(ends[0])), ends), shape=(n, n)).tocsr()
    found.data[:] = 1.0
    return found


def _around_means(X: Array, examples: Sequence[Labels]) -> Array:
    """A_CL of eq. (3): the scatter of the rows outside each example around its mean."""
    total, count = np.zeros((X.shape[1], X.shape[1])), 0
    for rows in examples:
        outside = np.delete(X, rows, axis=0) - X[rows].mean(axis=0)
        total += outside.T @ outside
        count += len(outside)
    return total / count if count else np.eye(X.shape[1])


def _across(X: Array, examples: Sequence[Labels]) -> Array:
    """The mean of (x - y)(x - y)' over pairs of a row in an example and one outside it.

    That is over all pairs but those within an example and those outside all of them.
    """
    outside = np.delete(np.arange(len(X)), np.concatenate([*examples, np.zeros(0, np.intp)]))
    total, pairs = len(X) * _scatter(X), len(X) * (len(X) - 1) / 2
    for rows in (*examples, outside):
        if len(rows):
            total -= len(rows) * _scatter(X[rows])
            pairs -= len(rows) * (len(rows) - 1) / 2
    return total / pairs if pairs else np.eye(X.shape[1])


def _cannot_links(
    examples: Sequence[Labels], n: int, most: int, random_state: Any
) -> tuple[Labels, Labels]:
    """Pairs of a row in an example and one outside it, all or as many as asked for."""
    example = example_labels(examples, n)
    inside = np.flatnonzero(example >= 0)
    if len(inside) * n <= most:
        left, right = np.repeat(inside, n), np.tile(np.arange(n), len(inside))
    else:
        rng = np.random.default_rng(random_state)
        left, right = rng.choice(inside, most), rng.integers(n, size=most)
    twice = (example[right] >= 0) & (left > right)  # the same pair comes from its other end
    apart = (example[left] != example[right]) & ~twice
    return left[apart], right[apart]


def _symmetric(turn: Array) -> Array:
    """The symmetric root of T T'."""
    left, values, _ = np.linalg.svd(turn)
    return np.asarray((left * values) @ left.T)


def _power(A: Array, exponent: float) -> Array:
    """A symmetric matrix without negative eigenvalues to some power."""
    values, turn = np.linalg.eigh(A)
    values = np.maximum(values, np.finfo(float).tiny if exponent < 0 else 0.0)
    return np.asarray((turn * values**exponent) @ turn.T)
