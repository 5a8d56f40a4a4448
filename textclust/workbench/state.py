"""Where the work stands: clusters under numbers, the label of every document, what was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from textclust.active.dialogue import Answer
from textclust.errors import InputError
from textclust.geometry.affine import Labels
from textclust.supervision.links import Link

if TYPE_CHECKING:
    from textclust.workbench.refitting import Fit

__all__ = ["DISCARDED", "Cluster", "State"]

DISCARDED = 0  # the label of a document that is in no cluster


@dataclass(frozen=True)
class Cluster:
    """A cluster: its number, which no other ever has, and what a person said of it as a whole."""

    number: int
    name: str | None = None  # None is a name of its terms
    is_class: bool = False  # of older documents or of seeds, or accepted as one
    locked: bool = False


@dataclass(frozen=True, eq=False)
class State:
    """Everything that a refit and the page depend on; an action makes a new one.

    A refit depends on what was said alone, not on the refits before it: on the clusters found
    without supervision as they were merged and split (`unsupervised`), seeds, links, and documents
    that are held or discarded.
    """

    clusters: tuple[Cluster, ...]
    unsupervised: Labels  # the number of a cluster for each document
    labels: Labels  # where each document is now; DISCARDED for those that are nowhere
    parts: Labels  # the cluster that each document was found in or split into, before any merge
    held: Labels  # the cluster that was locked with the document in it; 0 for others
    seeds: Mapping[int, int] = field(default_factory=dict)  # rows, with the numbers of clusters
    links: tuple[Link[int], ...] = ()
    events: tuple[tuple[Answer, ...], ...] = ()  # what each question about documents settled
    passed: frozenset[int] = frozenset()  # rows that were asked about without an answer
    edited: frozenset[int] = frozenset()  # clusters that were merged, split or made by a person
    old_classes: Mapping[str, int] = field(default_factory=dict)  # of a background: their clusters
    random_state: int = 0  # of all refits
    next_number: int = 1
    pending: int = 0  # statements since the last refit
    fit: Fit | None = None  # the last refit, or what was found at first, where it is at hand

    @classmethod
    def begin(cls, labels: Labels, unsupervised: Labels, names: list[str | None]) -> State:
        """Clusters 1, 2, ... for labels from 0 on; those with a name are classes."""
        clusters = tuple(
            Cluster(number, name, name is not None) for number, name in enumerate(names, start=1)
        )
        return cls(
            clusters=clusters,
            unsupervised=unsupervised + 1,
            parts=unsupervised + 1,
            labels=labels + 1,
            held=np.zeros_like(labels),
            next_number=len(clusters) + 1,
        )

    @cached_property
    def place(self) -> dict[int, int]:
        """The place of each number among the clusters."""
        return {cluster.number: place for place, cluster in enumerate(self.clusters)}

    @cached_property
    def alive(self) -> Labels:
        """The rows that are not discarded."""
        return np.flatnonzero(self.labels != DISCARDED)

    def cluster(self, number: int) -> Cluster:
        """The cluster of that number."""
        if number not in self.place:
            raise InputError(f"there is no cluster {number}; it may have been merged")
        return self.clusters[self.place[number]]

    def members(self, number: int) -> Labels:
        """The rows of a cluster."""
        self.cluster(number)
        return np.flatnonzero(self.labels == number)

    def with_cluster(self, cluster: Cluster) -> State:
        """The same with something else said of one cluster."""
        return replace(
            self,
            clusters=tuple(cluster if c.number == cluster.number else c for c in self.clusters),
        )
