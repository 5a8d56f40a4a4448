"""Synthetic texts: of very different lengths, with words that come in bursts."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp


def bursty_texts(per_class, k=3, seed=0, width=60, shares=None):
    """Counts, classes, names of terms; a class has twenty terms of its own, used half the time.

    A word that occurs once is likely to occur again in the same text, which naive Bayes does
    not know. The lengths of the texts differ by a factor of 20.
    """
    rng = np.random.default_rng(seed)
    sizes = [per_class] * k if shares is None else [round(per_class * share) for share in shares]
    y = np.repeat(np.arange(k), sizes)
    own, rows = width // k, []
    for c in y:
        mixture = np.full(width, 0.5 / width)
        mixture[c * own : (c + 1) * own] += 0.5 / own
        words = rng.dirichlet(mixture * 12)
        rows.append(rng.multinomial(int(rng.integers(10, 200)), words))
    return sp.csr_array(np.array(rows, dtype=float)), y, [f"t{i}" for i in range(width)]
