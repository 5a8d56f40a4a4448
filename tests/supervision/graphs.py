"""Small graphs of blocks, and slow answers about them by trying everything."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from textclust.supervision.cannot_link_graph import CannotLinkGraph

__all__ = ["colourable", "complete", "edges_of", "graphs", "keeps_apart", "odd_wheel", "of_edges"]


def of_edges(edges, count):
    """A graph from pairs."""
    left, right = np.array(edges, dtype=np.intp).reshape(-1, 2).T
    return CannotLinkGraph(left, right, count)


def edges_of(apart):
    return [(i, int(j)) for i in range(apart.count) for j in apart.of(i) if i < j]


def complete(count):
    return of_edges(list(itertools.combinations(range(count), 2)), count)


def odd_wheel(rim):
    """A circle of odd length and a hub: needs four clusters, though no four are all apart."""
    circle = [(i, (i + 1) % rim) for i in range(rim)]
    return of_edges([*circle, *((i, rim) for i in range(rim))], rim + 1)


def keeps_apart(edges, labels):
    return all(labels[i] != labels[j] for i, j in edges)


def colourable(edges, blocks, k):
    """Whether any of all labellings of these blocks keeps the pairs among them apart."""
    place = {int(block): number for number, block in enumerate(blocks)}
    inside = [(place[i], place[j]) for i, j in edges if i in place and j in place]
    tried = itertools.product(range(k), repeat=len(place))
    return any(keeps_apart(inside, labels) for labels in tried)


@st.composite
def graphs(draw, max_blocks=7):
    count = draw(st.integers(1, max_blocks))
    pairs = list(itertools.combinations(range(count), 2))
    edges = draw(st.lists(st.sampled_from(pairs), max_size=18)) if pairs else []
    return of_edges(edges, count)
