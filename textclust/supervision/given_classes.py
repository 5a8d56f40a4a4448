"""The classes of documents that seeds name, or that links place in groups known to be apart."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Labels
from textclust.supervision.components import components
from textclust.supervision.constraints import Constraints
from textclust.supervision.links import Links, Rows
from textclust.supervision.seeds import Seeds

__all__ = ["classes_of_rows", "groups_apart"]

_PLACED = 0.5  # of the linked documents: what groups must hold to stand for classes


def classes_of_rows(seeds: Seeds, links: Constraints | None, n: int, k: int) -> Labels:
    """The class of each of n rows, from 0 to k - 1; -1 where it is not known.

    A document joined with seeds of one class by must-links is one of them. Without seeds, groups
    that are all apart are classes without a name, if they hold most of the documents in links.
    """
    y = np.full(n, -1)
    y[seeds.documents] = seeds.labels
    if links is None:
        return y
    if len(seeds):
        for rows in links.neighbourhoods():
            named = np.unique(y[rows][y[rows] >= 0])
            if len(named) == 1:
                y[rows] = named[0]
        return y
    groups = groups_apart(links.links, k)
    if len(groups) > 1 and sum(map(len, groups)) >= _PLACED * len(links.links.documents):
        for number, rows in enumerate(groups):
            y[rows] = number
    return y


def groups_apart(links: Links, k: int) -> list[Rows]:
    """At most k groups of documents, all known to be apart from each other; the larger ones first.

    A group is what must-links join, or a single document that links mention. One that a
    cannot-link contradicts is passed over.

    >>> left, right = np.array([0, 1, 4, 0, 5, 0]), np.array([1, 2, 5, 5, 9, 9])
    >>> links = Links(left, right, np.array([True, True, True, False, False, False]), np.ones(6))
    >>> [rows.tolist() for rows in groups_apart(links, 3)]
    [[0, 1, 2], [4, 5], [9]]
    """
    if not len(links):
        return []
    near = links.within()
    group = components(near.where(near.together), len(links.documents))
    members = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group))[:-1])
    cannot = near.where(~near.together)
    apart: dict[int, set[int]] = {}
    for a, b in zip(group[cannot.left].tolist(), group[cannot.right].tolist(), strict=True):
        apart.setdefault(a, set()).add(b)
        apart.setdefault(b, set()).add(a)
    chosen: list[int] = []
    for number in sorted(range(len(members)), key=lambda number: -len(members[number])):
        others = apart.get(number, set())
        if number not in others and others.issuperset(chosen) and len(chosen) < k:
            chosen.append(number)
    return [links.documents[members[number]] for number in chosen]
