"""The modified Bessel function of the first kind in logarithms, for orders of any size.

A von Mises-Fisher distribution in d dimensions needs I_v of order v = d/2 - 1. For text v is
ten thousand, where I_v is far beyond the range of a double and `scipy.special.ive` is 0.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array

__all__ = ["log_bessel"]

_LARGE = 100.0  # an order from which four terms are exact to twelve digits
_LEAST = 1e-290  # what scipy has lost digits of


def log_bessel(order: float, x: Array) -> Array:
    """log I_order(x) for order >= -1/2 and x > 0.

    scipy's value where that is a normal number; otherwise, and for large orders, the uniform
    asymptotic expansion (Abramowitz and Stegun 1964, 9.7.7) with its first four terms.
    """
    x = np.asarray(x, dtype=np.float64)
    if order >= _LARGE:
        return _uniform(order, x)
    from scipy.special import ive

    scaled = ive(order, x)
    normal = scaled > _LEAST
    found = np.log(np.where(normal, scaled, 1.0)) + x
    return found if normal.all() else np.where(normal, found, _small(order, x))


def _uniform(order: float, x: Array) -> Array:
    """log of exp(v eta) / sqrt(2 pi v) (1 + z^2)^(1/4) sum_k u_k(t) / v^k, with z = x / v."""
    z = x / order
    root = np.sqrt(1.0 + z**2)
    t = 1.0 / root
    s = t**2
    terms = (
        t * (3.0 - 5.0 * s) / 24.0,
        s * (81.0 + s * (-462.0 + s * 385.0)) / 1152.0,
        t * s * (30375.0 + s * (-369603.0 + s * (765765.0 - s * 425425.0))) / 414720.0,
        s**2
        * (4465125.0 + s * (-94121676.0 + s * (349922430.0 + s * (-446185740.0 + s * 185910725.0))))
        / 39813120.0,
    )
    series = sum(term / order**power for power, term in enumerate(terms, start=1))
    eta = root + np.log(z) - np.log1p(root)
    return np.asarray(order * eta - 0.5 * np.log(2.0 * np.pi * order * root) + np.log1p(series))


def _small(order: float, x: Array) -> Array:
    """The first two terms of the power series, for an x that is tiny beside the order."""
    from scipy.special import gammaln

    first = order * np.log(x / 2.0) - gammaln(order + 1.0)
    return np.asarray(first + np.log1p(x**2 / 4.0 / (order + 1.0)))
