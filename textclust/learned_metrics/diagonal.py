"""The diagonal metric of Xing et al. 2002, section 2.1, by Newton's method.

    g(A) = sum_S |x - y|_A^2  -  log sum_D |x - y|_A     over A = diag(a), a >= 0

S are the must-links and D the cannot-links. g is convex in a. With s the squared differences
of the must-links added up by feature, g is least where <a, s> = 1/2, so it is minimised over
c = 2 a s, whose sum is 1 there. By convexity g is then at most <g', c> - min g' above its
minimum, which says when to stop.

The text says Newton-Raphson, and leaves open how a >= 0 is kept: here by the multipliers z of
a primal-dual interior-point method (Nocedal and Wright 2006, 19.2), so that weights which do
not matter come out next to 0. Each step is solved for by conjugate gradients, which need the
Hessian only as a product with a vector: nothing of size d x d is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, cg

from textclust.geometry.affine import Array, Matrix

__all__ = ["diagonal_weights"]

_TOL = 1e-8  # of g
_CENTRE = 0.1  # of the mean of c z, what the next step aims at
_TO_THE_EDGE = 0.99  # of the way to 0, the most a step goes
_ENOUGH = 1e-4  # of what the gradient promises, the least a step has to bring


def diagonal_weights(must: Array, cannot: Matrix, max_iter: int) -> Array:
    """The a of least g.

    `must` has the squared differences of all must-links added up by feature, each above 0;
    `cannot` those of the cannot-links, a row each. Without cannot-links all c are the same.
    """
    d = len(must)
    spans = _over(cannot, 2.0 * must)
    spans = spans[np.asarray(spans.sum(axis=1)).ravel() > 0]  # not of two rows that are the same
    point, z = _Point(spans, _squared(spans), np.full(d, 1.0 / d)), np.full(d, 0.5)
    for _ in range(max_iter if spans.shape[0] else 0):
        if point.gradient @ point.c - point.gradient.min() <= _TOL:
            break
        centre = _CENTRE * float(point.c @ z) / d
        step = point.newton(z, centre)
        change = centre / point.c - z - z / point.c * step
        point = point.moved(step, centre)
        z = z + _room(z, change) * change
    return np.asarray(point.c / (2.0 * must))


@dataclass(frozen=True, eq=False)
class _Point:
    """g and its derivatives at c."""

    spans: Matrix  # squared differences of the cannot-links, over 2 s
    squared: Matrix
    c: Array

    @cached_property
    def lengths(self) -> Array:
        return np.sqrt(np.asarray(self.spans @ self.c))

    @cached_property
    def pull(self) -> Array:
        """The gradient of log sum_D."""
        return np.asarray(self.spans.T @ (0.5 / self.lengths)) / self.lengths.sum()

    @cached_property
    def gradient(self) -> Array:
        return 0.5 - self.pull

    def newton(self, z: Array, centre: float) -> Array:
        """The step to where c z is `centre` in every feature."""
        bend = 0.25 / self.lengths**3 / self.lengths.sum()
        barrier = z / self.c
        diagonal = np.asarray(self.squared.T @ bend) + self.pull**2 + barrier

        def times(v: Array) -> Array:
            curved = np.asarray(self.spans.T @ (bend * (self.spans @ v)))
            return curved + self.pull * (self.pull @ v) + barrier * v

        shape = (len(self.c), len(self.c))
        hessian = LinearOperator(shape, times, dtype=np.float64)
        scaled = LinearOperator(shape, lambda v: v / diagonal, dtype=np.float64)
        wanted = centre / self.c - self.gradient
        return np.asarray(cg(hessian, wanted, rtol=1e-3, maxiter=500, M=scaled)[0])

    def moved(self, step: Array, centre: float) -> _Point:
        """As far along a step as g with its barrier falls."""
        slope = float((self.gradient - centre / self.c) @ step)
        size = _room(self.c, step)
        for _ in range(40):
            there = _Point(self.spans, self.squared, self.c + size * step)
            if there.value(centre) <= self.value(centre) + _ENOUGH * size * slope:
                return there
            size /= 2.0
        return self

    def value(self, centre: float) -> float:
        barrier = centre * np.log(self.c).sum()
        return float(self.c.sum() / 2.0 - np.log(self.lengths.sum()) - barrier)


def _room(values: Array, step: Array) -> float:
    """The share of a step, at most all of it, that leaves positive values positive."""
    down = step < 0
    return min(1.0, _TO_THE_EDGE * float(np.min(-values[down] / step[down], initial=np.inf)))


def _over(X: Matrix, by: Array) -> Matrix:
    return (X @ sp.diags_array(1.0 / by)).tocsr() if sp.issparse(X) else X / by


def _squared(X: Matrix) -> Matrix:
    return X.multiply(X).tocsr() if sp.issparse(X) else X * X
