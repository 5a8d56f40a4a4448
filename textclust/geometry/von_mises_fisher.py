"""The von Mises-Fisher distribution on the unit sphere in d dimensions.

    f(x; mu, kappa) = c_d(kappa) exp(kappa <mu, x>)
    c_d(kappa) = kappa^v / ((2 pi)^(v + 1) I_v(kappa)),  v = d/2 - 1

Banerjee, Dhillon, Ghosh and Sra 2005; Mardia and Jupp 2000. For the mean direction and the
concentration of weighted rows only their sum and their mass count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels, Matrix
from textclust.geometry.bessel import log_bessel
from textclust.geometry.cosine import Cosine

__all__ = ["VonMisesFisher", "approximate_concentration", "concentration", "log_normaliser"]

_LEAST, _MOST = 1e-6, 1e6  # kappa as a multiple of d: uniform, and a single direction
_STEPS = 20
_EXACT = 1e-12  # a relative step of Newton's that changes nothing


def log_normaliser(kappa: Array, d: int) -> Array:
    """log c_d(kappa)."""
    v = d / 2 - 1
    return np.asarray(v * np.log(kappa) - (v + 1) * np.log(2 * np.pi) - log_bessel(v, kappa))


def approximate_concentration(resultant: Array, d: int) -> Array:
    """kappa = (r d - r^3) / (1 - r^2) for mean resultant lengths r (Banerjee et al., eq. 4.4).

    It is kept between 1e-6 d and 1e6 d: rows of one direction would have an infinite one.
    """
    r = np.clip(resultant, 0.0, 1.0)
    room = 1.0 - r**2
    found = np.full_like(r, _MOST * d)
    np.divide(r * d - r**3, room, out=found, where=room > np.finfo(float).eps)
    return np.clip(found, _LEAST * d, _MOST * d)


def concentration(resultant: Array, d: int) -> Array:
    """The kappa of highest likelihood, where I_{v+1}(kappa) / I_v(kappa) = r, within the same.

    Newton's method from the approximation (Sra 2012).
    """
    kappa = approximate_concentration(resultant, d)
    for _ in range(_STEPS):
        mean = _mean_cosine(kappa, d)
        slope = 1.0 - mean**2 - (d - 1) / kappa * mean
        useful = slope > np.finfo(float).eps
        step = np.where(useful, (mean - resultant) / np.where(useful, slope, 1.0), 0.0)
        before, kappa = kappa, np.clip(kappa - step, kappa / 2, kappa * 2)
        kappa = np.clip(kappa, _LEAST * d, _MOST * d)
        if (np.abs(kappa - before) <= _EXACT * kappa).all():
            break
    return kappa


def _mean_cosine(kappa: Array, d: int) -> Array:
    """The mean of <mu, x>, which grows with kappa from 0 to 1."""
    v = d / 2 - 1
    return np.asarray(np.exp(log_bessel(v + 1, kappa) - log_bessel(v, kappa)))


@dataclass(frozen=True, eq=False)
class VonMisesFisher(Cosine):
    """The negative log-density of each component of a mixture, weighed by its share.

    -log(pi_h f(x; mu_h, kappa_h)) = b_h - kappa_h <mu_h, x>
    """

    concentrations: Array  # kappa, of each component
    offsets: Array  # b_h = -log pi_h - log c_d(kappa_h)

    name = "von Mises-Fisher"

    def own_costs(self, X: Matrix) -> Array:
        return np.broadcast_to(0.0, X.shape[0])

    def affine(self, prototypes: Array) -> AffineForm:
        reach = float(self.concentrations.max())
        return AffineForm(prototypes, self.offsets, self.concentrations, reach)

    def least_costs(self, labels: Labels) -> Array:
        return np.asarray((self.offsets - self.concentrations)[labels])

    def of(self, clusters: Labels) -> VonMisesFisher:
        return VonMisesFisher(self.concentrations[clusters], self.offsets[clusters])

    def mismatch(self, k: int, d: int) -> str | None:
        for values in (self.concentrations, self.offsets):
            if values.shape != (k,) or values.dtype.kind != "f" or np.isnan(values).any():
                return "concentrations and offsets do not fit the clusters"
        return None
