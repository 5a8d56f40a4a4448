"""Small labelling problems with links, and slow answers to them straight from the formulas."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from textclust.supervision.couplings import Couplings
from textclust.supervision.links import Links

__all__ = ["Instance", "instances", "links_of", "rows_of"]


def links_of(*links):
    """Links from (left, right, together, weight)."""
    left, right, together, weights = zip(*links, strict=True) if links else ((), (), (), ())
    return Links(
        np.array(left, dtype=np.intp),
        np.array(right, dtype=np.intp),
        np.array(together, dtype=bool),
        np.array(weights, dtype=float),
    )


def rows_of(links):
    """(left, right, together, weight) of every link."""
    return list(zip(links.left, links.right, links.together, links.weights, strict=True))


@dataclass
class Instance:
    """What each cluster costs each document, the links, and labels to begin with."""

    costs: np.ndarray
    links: Links
    labels: np.ndarray

    @property
    def couplings(self):
        return Couplings(self.links, len(self.costs))

    def price(self, labels):
        """V, link by link."""
        each = rows_of(self.links)
        return sum(w for i, j, must, w in each if (labels[i] != labels[j]) == must)

    def total(self, labels):
        """The costs of these labels plus V."""
        own = sum(row[h] for row, h in zip(self.costs, labels, strict=True))
        return own + self.price(labels)

    def optimum(self):
        """The least total of all labellings."""
        m, k = self.costs.shape
        return min(map(self.total, itertools.product(range(k), repeat=m)))

    def cheapest(self, document, labels):
        """Where (4.11) sends a document, and whether that is cheaper than where it is."""
        contributions = []
        for cluster in range(self.costs.shape[1]):
            tried = labels.copy()
            tried[document] = cluster
            contributions.append(self.costs[document, cluster] + self.price(tried))
        best = int(np.argmin(contributions))
        return best, contributions[best] < contributions[labels[document]] - 1e-9


@st.composite
def instances(draw, forest=False, forbidding=True, max_documents=6, max_clusters=3):
    """Costs and weights on a coarse grid, so that ties abound, or fine; some costs infinite.

    Every document has a cluster that is allowed. A forest has no circle of links.
    """
    m, k = draw(st.integers(1, max_documents)), draw(st.integers(1, max_clusters))
    seed = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    grid = draw(st.booleans())
    costs = seed.integers(0, 4, (m, k)) / 2 if grid else seed.normal(size=(m, k))
    if forbidding and draw(st.booleans()):
        allowed = seed.integers(k, size=m)
        forbidden = seed.random((m, k)) < 0.3
        forbidden[np.arange(m), allowed] = False
        costs[forbidden] = np.inf
    if forest:
        order = seed.permutation(m)
        ends = [(order[i], order[seed.integers(i)]) for i in range(1, m) if seed.random() < 0.8]
    else:
        possible = [(i, j) for i in range(m) for j in range(m) if i != j]
        count = draw(st.integers(0, 8)) if possible else 0
        ends = [possible[i] for i in seed.integers(len(possible), size=count)] if possible else []
    weigh = (lambda: seed.integers(1, 4) / 2) if grid else (lambda: 2 * seed.random() + 0.01)
    links = links_of(*((i, j, seed.random() < 0.5, weigh()) for i, j in ends))
    return Instance(costs, links, seed.integers(k, size=m))
