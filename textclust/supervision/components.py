"""What must-links join: the connected components of their graph."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.supervision.links import Links, Rows

__all__ = ["apart_neighbourhoods", "components", "neighbourhoods"]


def components(must: Links, n: int) -> Rows:
    """The number of the component of each of n rows; numbered by their first rows.

    Basu, Bilenko and Mooney 2003, 3.1: the must-links are an equivalence relation, and
    its classes are found in time linear in the links, whatever they entail.
    """
    from scipy.sparse.csgraph import connected_components

    edges = np.ones(len(must), dtype=np.int8)
    graph = sp.coo_array((edges, (must.left, must.right)), shape=(n, n))
    found = connected_components(graph, directed=False)[1]
    _, first, number = np.unique(found, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


def neighbourhoods(must: Links) -> list[Rows]:
    """The components of at least two documents, rows ascending, the largest first."""
    component = components(must.within(), len(must.documents))
    members = must.documents[np.argsort(component, kind="stable")]
    groups = np.split(members, np.cumsum(np.bincount(component))[:-1]) if len(members) else []
    return sorted(groups, key=lambda rows: (-len(rows), int(rows[0])))


def apart_neighbourhoods(links: Links, k: int) -> list[Rows]:
    """k neighbourhoods that are all apart from each other, the larger ones first.

    None where there are fewer. One that a cannot-link contradicts is passed over.

    >>> left, right = np.array([0, 1, 4, 7, 0]), np.array([1, 2, 5, 8, 5])
    >>> links = Links(left, right, np.array([True, True, True, True, False]), np.ones(5))
    >>> [rows.tolist() for rows in apart_neighbourhoods(links, 2)]
    [[0, 1, 2], [4, 5]]
    """
    groups = neighbourhoods(links.where(links.together))
    number = np.full(len(links.documents), -1)
    for group, rows in enumerate(groups):
        number[links.documents.searchsorted(rows)] = group
    near = links.within()
    cannot = near.where(~near.together)
    ends = number[cannot.left].tolist(), number[cannot.right].tolist()
    apart = {frozenset(pair) for pair in zip(*ends, strict=True)}
    chosen: list[int] = []
    for group in range(len(groups)):
        fits = all(frozenset((group, other)) in apart for other in chosen)
        if fits and frozenset((group,)) not in apart and len(chosen) < k:
            chosen.append(group)
    return [groups[group] for group in chosen] if len(chosen) == k else []
