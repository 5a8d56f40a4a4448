"""What a distortion is: distance, prototype and cluster energy belong together.

The mean is the right prototype only for the right distance (Banerjee et al. 2005
for Bregman divergences, Dhillon and Modha 2001 for the cosine), so one object owns
both and no caller can mix them. What only some distortions can do is in `capabilities`,
and what is quicker in closed form in `energies`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from textclust.geometry.affine import AffineForm, Array, Matrix

__all__ = ["Distortion"]


class Distortion(ABC):
    """D(x, mu) = a(x) + c(mu) - <x, B(mu)>, with the prototype that minimises its sum."""

    name: ClassVar[str]
    non_negative: ClassVar[bool] = False  # True where a document cannot have values below zero
    is_squared: ClassVar[bool] = False  # True where its root is a distance

    def prepare(self, X: Matrix) -> Matrix:
        """X as this geometry sees it: unit rows for the cosine, and the like."""
        return X

    @abstractmethod
    def own_costs(self, X: Matrix) -> Array:
        """a_i: the part of the cost that is the document's own, whatever its cluster."""

    @abstractmethod
    def prototypes(self, sums: Matrix, masses: Array, out: Matrix | None = None) -> Matrix:
        """The best prototypes of clusters with these weighted sums and total weights.

        `out` may be `sums`, where these are needed no more. Sums may be CSR for those that a
        search keeps so (see `sparse_sums`): the cosine and the squared Euclidean distance.
        """

    @abstractmethod
    def affine(self, prototypes: Matrix) -> AffineForm:
        """B and c of the affine form."""

    @abstractmethod
    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        """n x k: the energy each cluster would have with row i (without it, where w < 0).

        The energy of a cluster is its best sum of costs less the own costs a_i, a
        function of its sum and its mass alone; this is what the first-variation
        search weighs.
        """
