"""Links that no labels satisfy: the proof, and who is to blame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Labels
from textclust.supervision.cannot_link_graph import CannotLinkGraph, MustLinkComponents
from textclust.supervision.cliques import clique
from textclust.supervision.colouring import colour, peel
from textclust.supervision.links import Rows

__all__ = ["blame", "require_possible"]

_SHOWN = 12  # documents named
_TRIALS = 300  # searches to make the blame smaller
_NODES = 2_000  # blocks labelled in each


def require_possible(
    blocks: MustLinkComponents, k: int, ids: Sequence[str] | None = None
) -> Labels:
    """Labels of the blocks that satisfy every link with k clusters, or an InputError.

    >>> from textclust import Constraints
    >>> triangle = Constraints(cannot_link=[(0, 1), (1, 2), (0, 2)])
    >>> require_possible(MustLinkComponents.of(triangle.links), 2)
    Traceback (most recent call last):
    textclust.errors.InputError: proved impossible: these documents are all apart from one ...
    """
    verdict = colour(blocks.apart, k)
    if verdict.labels is not None:
        return verdict.labels
    if not verdict.proved:
        raise InputError(
            f"no assignment found after {verdict.tries} orders and repairs: there may be "
            f"none that keeps every cannot-link with {k} clusters; ask for more clusters, drop "
            "some of the cannot-links, or use PCKMeans, which may break links"
        )
    guilty, is_smallest = blame(blocks.apart, k)
    members = blocks.members()
    names = _named([members[block] for block in guilty.tolist()], ids)
    count = len(guilty)
    if len(clique(blocks.apart.among(guilty), count)) == count:
        raise InputError(
            f"proved impossible: these documents are all apart from one another ({count} of "
            f"them), and there are {_clusters(k)}: {names}; ask for at least "
            f"{_clusters(count)}, or drop one of the cannot-links between them"
        )
    alone = ", though any one less would be possible" if is_smallest else ""
    raise InputError(
        f"proved impossible: {_clusters(k)} are too few to keep every cannot-link between "
        f"these {count} documents{alone}: {names}; ask for more clusters, or drop one of the "
        "cannot-links between them"
    )


def blame(apart: CannotLinkGraph, k: int) -> tuple[Labels, bool]:
    """MustLinkComponents that k clusters are too few for, and whether fewer of them would do.

    A clique of k + 1 if there is one; else what is left after dropping blocks one at a
    time for as long as it stays proved that k clusters are too few.
    """
    found = clique(apart, k + 1)
    if len(found):
        return found, True
    left = _worst_part(apart, k)
    is_smallest, trials = True, _TRIALS
    for block in left.tolist():
        if block not in left:
            continue
        if trials == 0:
            return left, False
        trials -= 1
        fewer = left[left != block]
        verdict = colour(apart.among(fewer), k, _NODES, repairs=0)
        if verdict.labels is None and verdict.proved:
            left = fewer[peel(apart.among(fewer), k)[0]]
        is_smallest &= verdict.labels is not None or verdict.proved
    return left, is_smallest


def _worst_part(apart: CannotLinkGraph, k: int) -> Labels:
    """The smallest connected part of the core that k clusters are proved too few for."""
    core = peel(apart, k)[0]
    within = apart.among(core)
    parts = [np.flatnonzero(within.parts == part) for part in np.unique(within.parts)]
    for part in sorted(parts, key=len):
        verdict = colour(within.among(part), k, repairs=0)
        if verdict.labels is None and verdict.proved:
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
