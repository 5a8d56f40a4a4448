"""How unlikely a count is by chance: a bound that holds for few documents too."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array

__all__ = ["tail_nats"]


def tail_nats(m: Array, n: Array, share: Array | float) -> Array:
    """Minus the logarithm of a bound on the chance of m of n, or of fewer or more yet.

    Each of n documents is one of those with this chance, or n are drawn from all without
    replacement: on the side of m that is away from n * share the tail has at most the chance
    exp(-n KL(m / n, share)) (Chernoff; Hoeffding 1963, theorem 4). 0 where n is.
    """
    part, tiny = m / np.maximum(n, 1), np.finfo(float).tiny
    inside = np.log(np.maximum(part, tiny) / np.maximum(share, tiny))
    outside = np.log(np.maximum(1.0 - part, tiny) / np.maximum(1.0 - np.asarray(share), tiny))
    return np.asarray(m * inside + (n - m) * outside)
