"""Xing's metric, a full matrix or a diagonal one (Xing, Ng, Jordan and Russell 2002)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.validation import finite_rows
from textclust.learned_metrics.diagonal import diagonal_weights
from textclust.learned_metrics.learner import MetricLearner, power
from textclust.learned_metrics.scatters import cannot_links, of_pairs, squares_of_pairs
from textclust.parameters import Flag, Randomness, RandomState, Rule, Whole, check
from textclust.supervision.example_rows import example_rows

__all__ = ["Xing", "diagonal_xing"]


@dataclass
class Xing(MetricLearner):
    """Must-links near at a given sum, cannot-links as far apart as can be (Xing et al. 2002).

    With a full matrix, maximises the sum of d_M over the cannot-links, where that of d_M^2 over
    the must-links is held. Over z = A_ML^-1/2 (x - y) that is the sum of |L'z| at |L| = 1, convex
    in L: each step L <- sum_z z z'L / |L'z|, scaled, raises it, and no length of steps is to be
    chosen.

    With a diagonal one, a weight for every feature, minimises the sum of d_M^2 over the
    must-links less the log of the sum of d_M over the cannot-links. It takes the squares of
    differences alone: sparse rows may have any number of features and stay sparse, in
    `transform` too, and then `components_` and `matrix_` are sparse. `regularisation` adds that
    much of the mean over all features to what the must-links differ by in each.

    Parameters
    ----------
    regularisation : float, default=1e-6
    most_pairs : int, default=20000
        Where there are more cannot-links, this many are drawn.
    max_iter : int, default=100
    random_state : int or None, default=0
    diagonal : bool, default=False

    Examples
    --------
    >>> from textclust.learned_metrics import Xing
    >>> X = [[0.0, 0.0], [0.0, 4.0], [1.0, 2.0], [9.0, 2.0]]
    >>> Xing(diagonal=True).fit(X, [[0, 1]]).matrix_.round(2).tolist()[1]
    [0.0, 0.0]
    """

    most_pairs: int = 20_000
    max_iter: int = 100
    random_state: RandomState = 0
    diagonal: bool = False

    rules: ClassVar[dict[str, Rule]] = {
        **MetricLearner.rules,
        "most_pairs": Whole(1),
        "max_iter": Whole(1),
        "random_state": Randomness(),
        "diagonal": Flag(),
    }

    def fit(
        self,
        X: Matrix,
        examples: Iterable[Iterable[int]] | None = None,
        links: Matrix | None = None,
    ) -> Self:
        """Learn from example clusters, given as lists of rows of X."""
        if not self.diagonal:
            return super().fit(X, examples, links)
        check(self, self.rules)
        rows = finite_rows(X).astype(np.float64, copy=False)
        groups = example_rows(examples, rows.shape[0])
        given = bool(groups) or links is not None
        weights = self._weights(rows, groups, links) if given else np.ones(rows.shape[1])
        roots = np.sqrt(weights)
        self.components_ = sp.diags_array(roots) if sp.issparse(X) else np.diag(roots)
        return self

    def _weights(self, X: Matrix, examples: Sequence[Labels], links: Matrix | None) -> Array:
        must = squares_of_pairs(X, examples, links)
        mean = float(must.mean())
        must = must + max(self.regularisation, 1e-12) * mean if mean else np.ones(len(must))
        left, right = cannot_links(examples, X.shape[0], self.most_pairs, self.random_state)
        apart = X[left] - X[right]
        squares = apart.multiply(apart) if sp.issparse(apart) else apart**2
        return diagonal_weights(must, squares, self.max_iter)

    def _learned(self, X: Array, examples: Sequence[Labels], links: Matrix | None) -> Array:
        must = power(self._regular(of_pairs(X, examples, links)), -0.5)
        left, right = cannot_links(examples, len(X), self.most_pairs, self.random_state)
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


diagonal_xing = partial(Xing, diagonal=True)
