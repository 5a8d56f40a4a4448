"""What must-links join: the connected components of their graph."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.supervision.links import Links, Rows

__all__ = ["components", "neighbourhoods"]


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
