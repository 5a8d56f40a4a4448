"""Links that no labels satisfy: the proof, and a small set of documents that shows it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Labels
from textclust.supervision.cannot_link_graph import CannotLinkGraph, MustLinkComponents
from textclust.supervision.cliques import clique
from textclust.supervision.colouring import colour, peel
from textclust.supervision.links import Rows

__all__ = ["minimal_infeasible", "require_possible"]

_SHOWN = 12  # documents named
_TRIALS = 300  # searches to make the set smaller
_NODES = 2_000  # blocks labelled in each


def require_possible(
    blocks: MustLinkComponents, k: int, ids: Sequence[str] | None = None
) -> Labels:
    """Labels of the blocks that satisfy every link with k clusters, or an InputError.

    >>> from textclust import Constraints
    >>> triangle = Constraints(cannot_link=[(0, 1), (1, 2), (0, 2)])
    >>> require_possible(MustLinkComponents.of(triangle.links), 2)
    Traceback (most recent call last):
    textclust.errors.InputError: impossible with 2 clusters: these 3 documents have cannot-links ...
    """
    colouring = colour(blocks.cannot_links, k)
    if colouring.labels is not None:
        return colouring.labels
    if not colouring.proved:
        raise InputError(
            f"no assignment found after {colouring.tries} searches: {_clusters(k)} may be too few "
            "to satisfy every cannot-link; use more clusters, remove some of the cannot-links, or "
            "use PCKMeans, which may violate links"
        )
    infeasible, is_smallest = minimal_infeasible(blocks.cannot_links, k)
    members = blocks.members()
    names = _named([members[block] for block in infeasible.tolist()], ids)
    count = len(infeasible)
    if len(clique(blocks.cannot_links.subset(infeasible), count)) == count:
        raise InputError(
            f"impossible with {_clusters(k)}: these {count} documents have cannot-links between "
            f"all of them: {names}; use at least {_clusters(count)}, or remove one of these "
            "cannot-links"
        )
    alone = " (without any one of them it is possible)" if is_smallest else ""
    raise InputError(
        f"impossible with {_clusters(k)}: no assignment satisfies every cannot-link between these "
        f"{count} documents{alone}: {names}; use more clusters, or remove one of these "
        "cannot-links"
    )


def minimal_infeasible(cannot_links: CannotLinkGraph, k: int) -> tuple[Labels, bool]:
    """A set of blocks that k clusters are too few for, and whether it is minimal.

    A clique of k + 1 if there is one; else what is left after dropping blocks one at a
    time for as long as it stays proved that k clusters are too few.
    """
    found = clique(cannot_links, k + 1)
    if len(found):
        return found, True
    left = _worst_part(cannot_links, k)
    is_smallest, trials = True, _TRIALS
    for block in left.tolist():
        if block not in left:
            continue
        if trials == 0:
            return left, False
        trials -= 1
        fewer = left[left != block]
        colouring = colour(cannot_links.subset(fewer), k, _NODES, repairs=0)
        if colouring.labels is None and colouring.proved:
            left = fewer[peel(cannot_links.subset(fewer), k)[0]]
        is_smallest &= colouring.labels is not None or colouring.proved
    return left, is_smallest


def _worst_part(cannot_links: CannotLinkGraph, k: int) -> Labels:
    """The smallest connected part of the core that k clusters are proved too few for."""
    core = peel(cannot_links, k)[0]
    core_graph = cannot_links.subset(core)
    parts = [np.flatnonzero(core_graph.parts == part) for part in np.unique(core_graph.parts)]
    for part in sorted(parts, key=len):
        colouring = colour(core_graph.subset(part), k, repairs=0)
        if colouring.labels is None and colouring.proved:
            return core[part]
    return core


def _named(groups: list[Rows], ids: Sequence[str] | None) -> str:
    """One document of each block, and how many go with it."""
    listed = []
    for rows in groups[:_SHOWN]:
        name = f"row {rows[0]}" if ids is None else ids[int(rows[0])]
        listed.append(name if len(rows) == 1 else f"{name} (must-linked with {len(rows) - 1} more)")
    if len(groups) > _SHOWN:
        listed.append(f"... {len(groups) - _SHOWN} more")
    return ", ".join(listed)


def _clusters(k: int) -> str:
    return f"{k} cluster" if k == 1 else f"{k} clusters"
