"""What a document in several clusters is held against: the prototypes of its clusters together.

Banerjee, Krumpelman, Basu, Mooney and Ghosh 2005 have x near Z A, the sum of the prototypes
that a binary row Z names, under any Bregman divergence. Under the Euclidean distance, the
I-divergence and Itakura-Saito that is taken as it stands. What has a direction but no length,
or sums to one, cannot be a sum: under the cosine the document is near the direction of the
sum, under KL near the mean of the distributions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import copy

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Matrix, Moments
from textclust.geometry.affine import costs as all_costs
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import Cosine
from textclust.geometry.distortion import Distortion
from textclust.geometry.divergence import KL
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.itakura_saito import ItakuraSaito
from textclust.geometry.rows import squared_norms
from textclust.geometry.smoothed import Smoothed

__all__ = ["Blend", "blend_of", "distinct"]

_VANISHING = 1e-10  # of the largest eigenvalue, or of a length
_HALVINGS = 8  # of a step that does not help
_SETS = 64  # whose sums are held at a time


class Blend(ABC):
    """What sets of clusters cost some rows, and which prototypes are best for given sets.

    Sets are rows of truth values, one column for each cluster; none is empty.
    """

    def __init__(self, X: Matrix, weights: Array, distortion: Distortion) -> None:
        self.X, self.weights, self.distortion = X, weights, distortion
        self.own: Array = np.asarray(distortion.own_costs(X))

    def of(self, rows: Array) -> Blend:
        """The same for some of the rows."""
        part = copy(self)
        part.X, part.weights, part.own = self.X[rows], self.weights[rows], self.own[rows]
        return part

    @abstractmethod
    def costs(self, prototypes: Array, sets: Array) -> Array:
        """What each row costs in each of the sets."""

    @abstractmethod
    def costs_at(self, prototypes: Array, memberships: Array) -> Array:
        """What each row costs in the set named for it."""

    @abstractmethod
    def additions(self, prototypes: Array, memberships: Array) -> Array:
        """What each row would cost with each cluster added that is not in the set named for it."""

    @abstractmethod
    def improved(self, prototypes: Array, memberships: Array) -> Array:
        """Prototypes at which the rows cost no more in the sets named for them.

        A cluster that is in no set keeps its prototype.
        """


class _ByProducts(Blend):
    """Costs that follow from the products of rows and prototypes, and of prototypes alone."""

    @abstractmethod
    def _from(self, own: Array, products: Array, squares: Array) -> Array:
        """The cost, from that of the row itself, <x, blend> and the squared length of the blend."""

    def costs(self, prototypes: Array, sets: Array) -> Array:
        z, gram = sets.astype(np.float64), prototypes @ prototypes.T
        squares = np.einsum("sh,sh->s", z @ gram, z)
        return self._from(self.own[:, None], self._products(prototypes) @ z.T, squares)

    def costs_at(self, prototypes: Array, memberships: Array) -> Array:
        z, gram = memberships.astype(np.float64), prototypes @ prototypes.T
        products = (self._products(prototypes) * z).sum(axis=1)
        return self._from(self.own, products, ((z @ gram) * z).sum(axis=1))

    def additions(self, prototypes: Array, memberships: Array) -> Array:
        z, gram = memberships.astype(np.float64), prototypes @ prototypes.T
        products, across = self._products(prototypes), z @ gram
        now = (products * z).sum(axis=1, keepdims=True)
        squares = (across * z).sum(axis=1, keepdims=True) + 2.0 * across + np.diag(gram)
        return self._from(self.own[:, None], now + products, squares)

    def _products(self, prototypes: Array) -> Array:
        return np.asarray(self.X @ np.ascontiguousarray(prototypes.T))


class SumBlend(_ByProducts):
    """Squared Euclidean distance from the sum; prototypes by least squares."""

    def _from(self, own: Array, products: Array, squares: Array) -> Array:
        return np.maximum(own - 2.0 * products + squares, 0.0)

    def improved(self, prototypes: Array, memberships: Array) -> Array:
        z = memberships * self.weights[:, None]
        used = z.any(axis=0)
        found = prototypes.copy()
        gram = memberships[:, used].T.astype(np.float64) @ z[:, used]
        found[used] = _inverse(gram) @ np.asarray(self.X.T @ z[:, used]).T
        return found


class DirectionBlend(_ByProducts):
    """One less the cosine with the direction of the sum of prototypes of unit length."""

    def _from(self, own: Array, products: Array, squares: Array) -> Array:
        lengths = np.sqrt(np.maximum(squares, 0.0))
        there = lengths > _VANISHING
        return np.asarray(own - np.where(there, products / np.where(there, lengths, 1.0), 0.0))

    def improved(self, prototypes: Array, memberships: Array) -> Array:
        """Towards the least squares to the mean directions of the sets, as far as that helps.

        With every document in one cluster these are the mean directions of the clusters.
        """
        sets, which = distinct(memberships)
        sums = _summed(self.X, which, self.weights, len(sets))
        lengths = np.sqrt(squared_norms(sums))
        there = lengths > 0
        z, sums, lengths = sets[there].astype(np.float64), sums[there], lengths[there]
        used = z.any(axis=0)
        now = np.sqrt(squared_norms(z @ prototypes)).clip(_VANISHING)
        weighted = z[:, used] * (lengths / now)[:, None]
        aim = prototypes.copy()  # each set at its own mean direction, as long as it is now
        aim[used] = _inverse(z[:, used].T @ weighted) @ np.asarray(sums.T @ z[:, used]).T
        return self._nearer(prototypes, aim, z, sums)

    def _nearer(self, here: Array, aim: Array, z: Array, sums: Matrix) -> Array:
        """The first of ever smaller steps towards the aim, along the sphere, that helps."""
        before, step = _gain(here, z, sums), 1.0
        for _ in range(_HALVINGS):
            found = Cosine().prepare(here + step * (aim - here))
            if _gain(found, z, sums) >= before:
                return found
            step /= 2.0
        return here


class MixtureBlend(Blend):
    """KL from the mean of the distributions, or the I-divergence from the sum."""

    def __init__(self, X: Matrix, weights: Array, distortion: Distortion) -> None:
        super().__init__(X, weights, distortion)
        assert isinstance(distortion, Smoothed)
        self.smoothing = distortion.smoothing
        self.prior = distortion.prior_value(X.shape[1])
        self.is_mean = isinstance(distortion, KL)

    def costs(self, prototypes: Array, sets: Array) -> Array:
        parts = np.array_split(sets, -(-len(sets) // _SETS))
        forms = (self.distortion.affine(self._blended(prototypes, part)) for part in parts)
        table = np.concatenate([all_costs(self.X, form) for form in forms], axis=1)
        return np.maximum(table + self.own[:, None], 0.0)

    def costs_at(self, prototypes: Array, memberships: Array) -> Array:
        found = np.empty(len(memberships))
        for chosen, rows in _groups(memberships):
            found[rows] = self.of(rows).costs(prototypes, chosen[None])[:, 0]
        return found

    def additions(self, prototypes: Array, memberships: Array) -> Array:
        found = np.empty(memberships.shape)
        for chosen, rows in _groups(memberships):
            sets = chosen | np.eye(len(chosen), dtype=bool)
            found[rows] = self.of(rows).costs(prototypes, sets)
        return found

    def improved(self, prototypes: Array, memberships: Array) -> Array:
        """One multiplicative step (Lee and Seung 2001), which never raises the divergence."""
        pulls, masses = np.zeros(prototypes.shape), np.zeros(len(prototypes))
        for here, (sums, mass) in self._moments_of_sets(memberships):
            shares = here / here.sum(axis=1, keepdims=True) if self.is_mean else here.astype(float)
            pulls += shares.T @ (sums / self._blended(prototypes, here))
            masses += shares.T @ mass
        found, used = prototypes.copy(), masses > 0
        found[used] *= pulls[used] / masses[used][:, None]
        if self.is_mean:
            found[used] /= found[used].sum(axis=1, keepdims=True)
        return found

    def _moments_of_sets(self, memberships: Array) -> Iterator[tuple[Array, Moments]]:
        """Some of the sets that occur at a time, and the moments of the smoothed rows in each."""
        sets, which = distinct(memberships)
        for begin in range(0, len(sets), _SETS):
            rows = np.flatnonzero((which >= begin) & (which < begin + _SETS))
            here, weights = sets[begin : begin + _SETS], self.weights[rows]
            sums, mass = moments(self.X[rows], which[rows] - begin, weights, len(here))
            sums = sums + self.smoothing * self.prior * mass[:, None]
            yield here, Moments(sums / (1.0 + self.smoothing), mass)

    def _blended(self, prototypes: Array, sets: Array) -> Array:
        sums = sets.astype(np.float64) @ prototypes
        return np.asarray(sums / sets.sum(axis=1, keepdims=True) if self.is_mean else sums)


class SpectrumBlend(MixtureBlend):
    """Itakura-Saito from the sum."""

    def improved(self, prototypes: Array, memberships: Array) -> Array:
        """One multiplicative step (Fevotte and Idier 2011), which never raises the distance."""
        pulls, masses = np.zeros(prototypes.shape), np.zeros(prototypes.shape)
        for here, (sums, mass) in self._moments_of_sets(memberships):
            blended, z = self._blended(prototypes, here), here.astype(np.float64)
            pulls += z.T @ (sums / blended**2)
            masses += z.T @ (mass[:, None] / blended)
        used = masses > 0
        return prototypes * np.sqrt(np.divide(pulls, masses, out=np.ones_like(pulls), where=used))


def blend_of(X: Matrix, weights: Array, distortion: Distortion) -> Blend:
    """How clusters go together for these rows under a distortion."""
    kinds: dict[type, type[Blend]] = {
        Euclidean: SumBlend,
        Cosine: DirectionBlend,
        ItakuraSaito: SpectrumBlend,
    }
    return kinds.get(type(distortion), MixtureBlend)(X, weights, distortion)


def distinct(memberships: Array) -> tuple[Array, Array]:
    """The sets of clusters that rows are in, each once, and which of them each row is in."""
    packed = np.packbits(memberships, axis=1)
    _, firsts, which = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return memberships[firsts], which.ravel()


def _groups(memberships: Array) -> list[tuple[Array, Array]]:
    """Each set that occurs, and the rows that are in it."""
    sets, which = distinct(memberships)
    ends = np.cumsum(np.bincount(which, minlength=len(sets)))[:-1]
    rows = np.split(np.argsort(which, kind="stable"), ends)
    return list(zip(sets, rows, strict=True))


def _gain(prototypes: Array, z: Array, sums: Matrix) -> float:
    """The sum of the cosines of all documents with their blends."""
    products = (np.asarray(sums @ prototypes.T) * z).sum(axis=1)
    lengths = np.sqrt(squared_norms(z @ prototypes))
    there = lengths > _VANISHING
    return float((products[there] / lengths[there]).sum())


def _summed(X: Matrix, which: Array, weights: Array, count: int) -> Matrix:
    """The weighted sum of the rows of each set, as sparse as they are."""
    n = len(which)
    member = sp.csr_array((weights, (which, np.arange(n))), shape=(count, n))
    return member @ X


def _inverse(gram: Array) -> Array:
    """The inverse, of what there is to invert."""
    values, turn = np.linalg.eigh(gram)
    there = values > _VANISHING * values[-1]
    return np.asarray((turn[:, there] / values[there]) @ turn[:, there].T)
