"""The classes of documents: what seeds name, links place in groups apart, and words guess."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from textclust.geometry.affine import Labels
from textclust.supervision.background.placed import PlacedBackground
from textclust.supervision.components import components, neighbourhoods
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.supervision.links import Flags, Links, Rows
from textclust.supervision.potentials import Unary
from textclust.supervision.seed_words import NamedByWords
from textclust.supervision.seeds import Seeds

__all__ = ["GivenClasses", "given_classes", "groups_apart"]

_FIRM = 0.5  # what a link must weigh at least to make a group
_PLACED = 0.5  # of the linked documents: what groups must hold to stand for classes
_IN_A_GROUP = 2  # documents of a group at least


@dataclass(frozen=True, eq=False)
class GivenClasses:
    """What is known of the classes of some rows."""

    labels: Labels  # of each row, from 0 on; -1 where nothing is known
    held: Flags  # for seeds and what firm must-links join with them: they stay in their class
    named: bool  # whether classes are more than groups

    @classmethod
    def of(cls, seeds: Seeds, links: Constraints | None, n: int, k: int) -> GivenClasses:
        """What seeds say of n rows, and links.

        A document joined with seeds of one class by must-links is of their class. Without seeds,
        groups that are all apart stand for classes, if they hold most of the documents in links; a
        document by itself does not.
        """
        named = len(seeds) > 0
        labels = _labels(seeds, links, n, k)
        return cls(labels, labels >= 0 if named else np.zeros(n, dtype=bool), named)

    @classmethod
    def beside(
        cls, seeds: ArrayLike | None, links: Constraints | None, clusters: Labels, k: int
    ) -> GivenClasses:
        """What seeds and links say beside clusters that have the numbers of the classes.

        A group that must-links join, and that is in one cluster for the most part, stands for that
        class too, unless a cannot-link forbids it; it is not held there.
        """
        n = len(clusters)
        named = Seeds.of(seeds, n, k)
        labels = np.full(n, -1)
        labels[named.documents] = named.labels
        if links is None:
            return cls(labels, labels >= 0, True)
        firm = links.links.where(links.weights >= _FIRM)
        groups = list(neighbourhoods(firm.where(firm.together)))
        for rows in groups:
            known = np.unique(labels[rows][labels[rows] >= 0])
            if len(known) == 1:
                labels[rows] = known[0]
        held = labels >= 0
        for rows in groups:
            sizes = np.bincount(clusters[rows], minlength=k)
            if (labels[rows] < 0).all() and 2 * sizes.max() > len(rows):
                labels[rows] = sizes.argmax()
        apart = firm.where(~firm.together)
        same = (labels[apart.left] == labels[apart.right]) & (labels[apart.left] >= 0)
        disputed = np.concatenate([apart.left[same], apart.right[same]])
        for rows in (*groups, *disputed[:, None]):
            if np.isin(rows, disputed).any():
                labels[rows] = np.where(held[rows], labels[rows], -1)
        return cls(labels, held, True)

    def holding(self, clusters: Labels) -> GivenClasses:
        """The same with rows that stay in a cluster, -1 for those that need not."""
        others = np.full(len(self.labels) - len(clusters), -1)
        clusters = np.concatenate([clusters, others])
        labels = np.where(clusters >= 0, clusters, self.labels)
        return GivenClasses(labels, self.held | (clusters >= 0), self.named)

    def followed_by(self, labels: Labels) -> GivenClasses:
        """The same with further rows, which all have a class."""
        held = np.ones(len(labels), dtype=bool)
        every = np.concatenate([self.labels, labels])
        return GivenClasses(every, np.concatenate([self.held, held]), True)

    def clamps(self, k: int) -> Unary | None:
        """U that leaves what is held its own class alone."""
        rows = np.flatnonzero(self.held)
        return Seeds(rows, self.labels[rows], ()).clamps(k)


def given_classes(
    supervision: Supervision,
    placed: PlacedBackground | None,
    links: Constraints | None,
    n: int,
    k: int,
) -> tuple[GivenClasses, NamedByWords | None]:
    """What seeds and links say of the classes of n rows, and what words say.

    Beside a background its classes come first, and seeds of the same name are of the same class.
    """
    words, names = supervision.seed_words, supervision.classes
    labels = () if words is None else words.labels
    if placed is None:
        seeds = Seeds.of(supervision.seeds, n, k, labels)
        places = {label: seeds.classes.index(label) for label in labels}
    else:
        known = [str(placed.background.classes[number]) for number in placed.classes(k)]
        seeds = Seeds.beside(supervision.seeds, n, k, known, names, labels)
        called = {label: str(names[int(label)]) if names else str(label) for label in labels}
        places = {label: seeds.classes.index(called[label]) for label in labels}
    have_numbers = len(seeds) or (placed is None and words is None)
    given = GivenClasses.of(seeds, links if have_numbers else None, n, k)
    if words is None:
        return given, None
    return replace(given, named=True), words.named_rows(places, given.labels)


def _labels(seeds: Seeds, links: Constraints | None, n: int, k: int) -> Labels:
    y = np.full(n, -1)
    y[seeds.documents] = seeds.labels
    if links is None:
        return y
    firm = links.links.where(links.weights >= _FIRM)
    if len(seeds):
        for rows in neighbourhoods(firm.where(firm.together)):
            named = np.unique(y[rows][y[rows] >= 0])
            if len(named) == 1:
                y[rows] = named[0]
        return y
    groups = [rows for rows in groups_apart(firm, k) if len(rows) >= _IN_A_GROUP]
    placed = sum(map(len, groups))
    if len(groups) > 1 and placed >= _PLACED * len(links.links.documents):
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
