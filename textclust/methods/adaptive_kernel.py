"""Kernel k-means that learns the width of its kernel: Adaptive-SS-Kernel-KMeans.

Yan and Domeniconi 2006, section 3; `kernel_width` has the objective.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.feature_space import identity
from textclust.geometry.similarity import refuse_too_many
from textclust.methods.hmrf import HMRFKMeansRecipe, with_violations
from textclust.methods.kernel_kmeans import SSKernelKMeansRecipe
from textclust.methods.kernel_width import WidthLearner
from textclust.methods.kmeans import generator
from textclust.methods.problem import Problem, Solution
from textclust.methods.search import in_canonical_order, largest_first
from textclust.methods.width import usual_width
from textclust.parameters import OneOf, Rule
from textclust.supervision.constraints import Constraints

@dataclass(repr=False, eq=False)
class AdaptiveSSKernelKMeansRecipe(SSKernelKMeansRecipe):
    _: KW_ONLY
    weight: float | str = 1.0
    reference: str = "all"

    def solve(self, X, weights=None, constraints=None):
        from sklearn.metrics.pairwise import euclidean_distances
        plain = HMRFKMeansRecipe._problem(self, X, weights)
        n = X.shape[0]
        q = np.full(n, 1/n)
        if self.reference == "random":
            q = np.zeros(n); q[generator(self.random_state).integers(n)] = 1
        links = None if constraints is None else self._links(constraints, self.price(plain))
        L = WidthLearner(plain.X, euclidean_distances(X, squared=True), np.asarray(plain.weights), q, links, self.inference)
        w0 = usual_width(X, plain.weighty) if self.width=="auto" else self.width
        problem = L.at(w0, replace(plain, X=identity(n)))
        sol = self._descend(problem)
        return sol
