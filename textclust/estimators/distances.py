"""How far rows are from the prototypes: `transform` and `score` as scikit-learn has them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from textclust.estimators.base import BaseClusterer, given_weights
from textclust.geometry.affine import Array, Matrix, costs
from textclust.geometry.distortion import Distortion
from textclust.geometry.parts import refuse_parts

__all__ = ["PrototypeClusterer"]


class PrototypeClusterer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseClusterer):
    """A clustering estimator whose prototypes any row has a distance from."""

    fitted_distortion_: Distortion

    def transform(self, X: Matrix) -> Array:
        """The distance of each row from each prototype: n x k.

        It is the distortion that was minimised: 1 - cosine, a divergence, the negative
        log-density of a mixture; of the squared Euclidean distance it is the root.
        """
        table = self._table(X)
        return np.sqrt(np.maximum(table, 0.0)) if self.fitted_distortion_.is_squared else table

    def score(self, X: Matrix, y: object = None, sample_weight: ArrayLike | None = None) -> float:
        """Minus the sum of the distortions of the rows from their nearest prototypes.

        So the higher the better. It is minus `objective_` where the rows are those of `fit`,
        nothing but the distortion was minimised and each row is in its nearest cluster; y is
        ignored.
        """
        nearest = self._table(X).min(axis=1)
        return -float(given_weights(sample_weight, len(nearest)) @ nearest)

    @property
    def _n_features_out(self) -> int:
        return self.cluster_centers_.shape[0]

    def _table(self, X: Matrix) -> Array:
        """The distortion of each row from each prototype."""
        check_is_fitted(self)
        refuse_parts(X, "transform and score")
        distortion = self.fitted_distortion_
        rows = distortion.prepare(self._rows_to_place(X))
        table = costs(rows, distortion.affine(self.cluster_centers_))
        table += np.asarray(distortion.own_costs(rows))[:, None]
        return table
