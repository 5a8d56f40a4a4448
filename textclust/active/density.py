"""How dense the documents lie around each one, by its nearest neighbours (Basu 2005, 8.3).

The thesis asks for points "from dense regions of the data space" and leaves open how density is
measured. Here it is one over the distance to the k-th nearest neighbour, with k = 10 or, below a
hundred documents, the root of their number. A document far from the centre of the collection is
as dense as any if its cluster is; an outlier is not, wherever it lies.
"""

from __future__ import annotations

from math import isqrt

import numpy as np

from textclust.active.distances import Distance
from textclust.geometry.affine import Array, Labels, Matrix

__all__ = ["densities"]

_NEIGHBOURS = 10
_MOST = 10.0  # times the median density, so that copies of one text do not count without limit
_WORK = 1_000_000_000  # entries of X to multiply in all; then a sample has to do
_SAMPLE = 500  # documents in it, at least


def densities(distance: Distance, X: Matrix, order: Labels) -> Array:
    """The density around each prepared row of X, over that of the median row.

    `order` are the rows that are somewhere, in random order; all others have density 0. In a
    large collection neighbours are looked for among the first of them.
    """
    found = np.zeros(X.shape[0])
    among = order[: max(_SAMPLE, _WORK // max(X.size, 1))]
    if len(among) < 2:
        found[order] = 1.0
        return found
    radii = _radii(distance, X, among)[order]
    unit = float(np.median(radii)) or float(radii[radii > 0].min(initial=np.inf))
    found[order] = unit / np.maximum(radii, unit / _MOST) if np.isfinite(unit) else 1.0
    return found


def _radii(distance: Distance, X: Matrix, among: Labels) -> Array:
    """The distance of each row from its k-th nearest among some rows, other than itself."""
    k = min(_NEIGHBOURS, isqrt(len(among)))
    nearest = distance.nearest(X, among, k + 1)
    radii = nearest[:, k - 1].copy()
    radii[among] = nearest[among, k]  # whose nearest is itself
    return np.asarray(radii)
