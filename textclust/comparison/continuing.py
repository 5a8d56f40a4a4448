"""A run that goes on from an earlier one: its clusters keep their identities and names.

The documents of the earlier run are the background of the new one, each of its clusters a class.
What a cluster is called and numbered then goes by what it contains: where it shares too little with
the one it began from, it is a new one.
"""

from __future__ import annotations

import os
from dataclasses import replace

from textclust.comparison.difference import diff
from textclust.errors import InputError
from textclust.result.clustering import Clustering
from textclust.result.model import load

__all__ = ["PreviousLike", "earlier_clustering", "going_on"]

PreviousLike = Clustering | str | os.PathLike[str]


def earlier_clustering(previous: PreviousLike) -> Clustering:
    """The clustering to go on from."""
    found = previous if isinstance(previous, Clustering) else load(previous)
    if found.of_vectors:
        raise InputError(
            "the earlier clusters were made from vectors; "
            "a run can only go on from clusters of terms"
        )
    return found


def going_on(clustering: Clustering, earlier: Clustering) -> Clustering:
    """A clustering with the numbers and names of those clusters of an earlier one that it has."""
    changes = diff(earlier, clustering).changes
    names = earlier.lasting_names
    outcome = clustering.outcome
    if not outcome.guided:  # nobody named anything but the clusters of the run before
        outcome = replace(outcome, accuracy=None)
    return replace(
        clustering,
        outcome=outcome,
        identities=earlier.identity.passed_on(changes.became, clustering.k, names),
        changes=replace(changes, names=tuple(names)),
    )
