"""The mean field of linked documents: label probabilities instead of labels.

The posterior of all labels is approximated by a product of one distribution q_i for each
document, the one that minimises the free energy

    F(q) = sum_i w_i sum_h q_ih (cost_ih + log q_ih)  +  E_q[V]

One document at a time, given all others, that is in closed form (Wainwright and Jordan 2003):

    q_ih  proportional to  exp(-cost_ih - sum_j s_ij q_jh / w_i)

with s_ij below 0 for a must-link and above 0 for a cannot-link. Documents that are not
neighbours take their step together; F never rises.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels
from textclust.supervision.couplings import Couplings
from textclust.supervision.inference.icm import undisputed
from textclust.supervision.links import Links

__all__ = ["MeanField", "softmax"]

_SWEEPS = 100
_STILL = 1e-9  # a change of a probability that is none


class MeanField:
    """Links between documents that all have a weight, at prices in nats."""

    def __init__(self, links: Links, weights: Array) -> None:
        self.documents = links.documents
        self._couplings = Couplings(links.within(), len(self.documents))
        self._weights = weights[self.documents, None]

    def shares(self, costs: Array, shares: Array) -> Array:
        """The shares of `documents`, no higher in F than those given; rows of all in and out."""
        own, q = costs[self.documents], shares[self.documents]
        for _ in range(_SWEEPS):
            before = q.copy()
            for rows, links in self._steps:
                q[rows] = softmax(-own[rows] - (links @ q) / self._weights[rows])
            if np.abs(q - before).max(initial=0.0) <= _STILL:
                break
        return q

    def pushes(self, shares: Array) -> Array:
        """What each cluster costs each of `documents` on top, while all others stay."""
        found = self._table @ shares[self.documents]
        return np.asarray(found / self._weights)

    def energy(self, shares: Array) -> float:
        """E_q[V]: the expected price of the links that are broken."""
        pairs, q = self._couplings.pairs, shares[self.documents]
        same = np.einsum("ih,ih->i", q[pairs.left], q[pairs.right])
        return self._couplings.constant + float(pairs.strengths @ same)

    @cached_property
    def _table(self) -> sp.csr_array:
        return self._couplings.table(self._couplings.strengths)

    @cached_property
    def _steps(self) -> list[tuple[Labels, sp.csr_array]]:
        """Sets of documents without a link among them, and the links of each set."""
        waiting, steps = np.arange(self._couplings.count), []
        rng = np.random.default_rng(0)  # any division will do, the same one every time
        while len(waiting):
            rows = undisputed(self._couplings, waiting, rng)
            steps.append((rows, self._table[rows]))
            waiting = np.setdiff1d(waiting, rows, assume_unique=True)
        return steps


def softmax(logits: Array) -> Array:
    """Probabilities from their logarithms up to a constant in each row."""
    found = np.exp(logits - logits.max(axis=1, keepdims=True))
    found /= found.sum(axis=1, keepdims=True)
    return np.asarray(found)
