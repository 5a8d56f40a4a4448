"""Max-product belief propagation on the factor graph of the links (Basu 2005, A.1).

In logarithms it is min-sum: each document tells each of its neighbours what every cluster
of the neighbour would cost at the least all that lies behind it. What trees of links have
to say is said once, as they are folded. The documents that are left speak in layers, by
their distance from the first document of their component, inwards and out again; such
sweeps go on, damped after the first, until nobody has news.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.table import CostTable
from textclust.supervision.couplings import Couplings
from textclust.supervision.inference.choice import best_of, payable
from textclust.supervision.inference.folding import Folded, least
from textclust.supervision.inference.icm import icm

__all__ = ["belief_propagation"]

_SWEEPS = 50
_DAMPING = 0.5  # how much of a message stays as it was
_NEWS = 1e-6  # of the largest weight, which no message exceeds


def belief_propagation(
    costs: CostTable | Array, couplings: Couplings, labels: Labels, rng: np.random.Generator
) -> Labels:
    """The labels decoded from the messages or those given, whichever icm makes the cheaper.

    The optimum where the links form a forest. The messages are four rows as long as those
    of `costs` for each link in a sweep.
    """
    costs = payable(CostTable.of(costs).exactly(), couplings)
    folded = Folded(costs, couplings)
    messages = _Messages(folded.costs, folded.couplings)
    negligible = _NEWS * float(np.abs(couplings.strengths).max(initial=0.0))
    for sweep in range(_SWEEPS):
        if messages.sweep(_DAMPING if sweep else 0.0) <= negligible:
            break
    candidates = [labels, folded.labels(messages.decoded())]
    return best_of(costs, couplings, [icm(costs, couplings, each, rng) for each in candidates])


class _Messages:
    """The last message to the owner of each entry of the couplings from its neighbour."""

    def __init__(self, costs: Array, couplings: Couplings) -> None:
        self.costs, self.couplings = costs, couplings
        self.sent = np.zeros((len(couplings.neighbours), costs.shape[1]))
        self.layers = _layers(couplings)

    def sweep(self, damping: float) -> float:
        """Send messages from all layers, inwards and out again; the largest change of one."""
        there_and_back = self.layers[::-1] + self.layers
        return max((self._send(rows, damping) for rows in there_and_back), default=0.0)

    def decoded(self) -> Labels:
        """Labels chosen layer by layer, given those already chosen, so that ties agree."""
        couplings, k = self.couplings, self.costs.shape[1]
        labels = np.full(couplings.count, k)  # k is not chosen yet
        for rows in self.layers:
            whose, which = couplings.entries(rows)
            chosen = labels[couplings.neighbours[which]] < k
            table = couplings.penalties(rows, labels, k + 1)[:, :k] + self.costs[rows]
            table += _summed(np.where(chosen[:, None], 0.0, self.sent[which]), whose, len(rows))
            labels[rows] = table.argmin(axis=1)
        return labels

    def _send(self, rows: Labels, damping: float) -> float:
        """Send messages from these documents to their neighbours; the largest change of one."""
        couplings = self.couplings
        whose, which = couplings.entries(rows)
        received = self.sent[which]
        beliefs = self.costs[rows] + _summed(received, whose, len(rows))
        behind = beliefs[whose] - received  # all but what comes from the receiver
        outgoing = least(behind, couplings.strengths[which])
        outgoing -= outgoing.min(axis=1, keepdims=True)
        answers = couplings.reverse[which]
        outgoing += damping * (self.sent[answers] - outgoing)
        change = float(np.abs(outgoing - self.sent[answers]).max(initial=0.0))
        self.sent[answers] = outgoing
        return change


def _summed(messages: Array, whose: Labels, count: int) -> Array:
    """The sum of the messages of each of `count` owners, `whose` ascending."""
    sums = np.zeros((count, messages.shape[1]))
    if len(whose):
        begins = np.flatnonzero(np.diff(whose, prepend=-1))
        sums[whose[begins]] = np.add.reduceat(messages, begins)
    return sums


def _layers(couplings: Couplings) -> list[Labels]:
    """The documents by their distance from the first one of their component."""
    from scipy.sparse.csgraph import connected_components

    links = couplings.table(np.ones(len(couplings.neighbours)))
    _, component = connected_components(links, directed=False)
    _, layer = np.unique(component, return_index=True)
    met = np.zeros(couplings.count, dtype=bool)
    layers = []
    while len(layer):
        met[layer] = True
        layers.append(np.sort(layer))
        _, which = couplings.entries(layers[-1])
        reached = np.zeros(couplings.count, dtype=bool)
        reached[couplings.neighbours[which]] = True
        layer = np.flatnonzero(reached & ~met)
    return layers
