"""What changed between two clusterings: clusters, documents, and how far they agree."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from textclust.comparison.flow import Flow, flow_between
from textclust.comparison.matching import fates
from textclust.errors import InputError
from textclust.geometry.affine import Labels
from textclust.metrics import adjusted_rand_index, nmi
from textclust.result.changes import Changes, Fate, Kind, Nowhere, note_on_shared
from textclust.result.clustering import Clustering
from textclust.result.explanation import explain_row
from textclust.result.model import load
from textclust.result.placement import FITS_NOWHERE

__all__ = ["Difference", "Move", "diff"]

ClusteringLike = Clustering | str | os.PathLike[str]

_TERMS = 5


@dataclass(frozen=True)
class Move:
    """A document that did not go where its cluster went.

    `stay` is the new cluster that most of its old one is in, None where that is gone; `terms` are
    those that pull the document from there to where it is, by how they weigh in the new clustering.
    """

    id: str
    title: str
    old: int
    new: int
    stay: int | None
    terms: tuple[str, ...] = ()
    because: str | None = None  # where it is held, as a seed or by a link, or where it fits nowhere


@dataclass(frozen=True, eq=False)
class Difference:
    """What changed from an old clustering to a new one. Made by `textclust.diff`.

    Attributes
    ----------
    old, new : Clustering
    fates : list of Fate
        What became of each old cluster, in their order, and then the clusters that are new.
    """

    old: Clustering
    new: Clustering
    flow: Flow
    fates: list[Fate]

    @property
    def shared(self) -> int:
        """How many documents both have."""
        return len(self.flow.old_rows)

    @property
    def note(self) -> str:
        """What is counted as shared by two clusters."""
        of_vectors = self.old.of_vectors or self.new.of_vectors
        most = max(self.old.n_documents, self.new.n_documents)
        return note_on_shared(placed=self.shared < most and not of_vectors)

    @cached_property
    def went(self) -> list[list[int]]:
        """The new clusters that each old one is in: what it became, its parts, or where it merged.

        The largest come first; a cluster that is gone has none.
        """
        table, found = self.flow.table, [set[int]() for _ in range(self.old.k)]
        for fate in self.fates:
            if fate.old is not None:
                parts = fate.into if fate.kind is Kind.SPLIT else ()
                found[fate.old].update(part.cluster for part in parts)
                found[fate.old].update([] if fate.new is None else [fate.new])
            if fate.new is not None and fate.kind is not Kind.NEW:
                for part in fate.of:
                    found[part.cluster].add(fate.new)
        return [sorted(each, key=lambda g: (-table[h, g], g)) for h, each in enumerate(found)]

    @property
    def became(self) -> dict[int, int]:
        """The new cluster that each old one became, of those that became one."""
        return self.changes.became

    @cached_property
    def changes(self) -> Changes:
        """All of it but the documents."""
        return Changes(
            names=tuple(self.old.names),
            sizes=tuple(self.old.sizes),
            numbers=self.old.identity.numbers,
            table=tuple(tuple(row) for row in self.flow.table.tolist()),
            fates=tuple(self.fates),
            shared=self.shared,
            moved=len(self.moved_rows),
            agreement=self.agreement,
            nowhere=self._nowhere,
        )

    @property
    def _nowhere(self) -> Nowhere:
        before, after = self.old.labels[self.flow.old_rows], self.new.labels[self.flow.new_rows]
        both = int(((before < 0) & (after < 0)).sum())
        return Nowhere(self.old.n_outliers, self.new.n_outliers, both)

    @cached_property
    def agreement(self) -> dict[str, float] | None:
        """NMI and adjusted Rand index on the documents that both have; None of fewer than two."""
        if self.shared < 2:
            return None
        labels = self.old.labels[self.flow.old_rows], self.new.labels[self.flow.new_rows]
        return {"nmi": nmi(*labels), "adjusted_rand_index": adjusted_rand_index(*labels)}

    @cached_property
    def moved_rows(self) -> Labels:
        """Of the documents that both have, the places of those that moved."""
        allowed = np.zeros((self.old.k + 1, self.new.k + 1), dtype=bool)
        allowed[-1, -1] = True  # what fits nowhere
        for h, clusters in enumerate(self.went):
            allowed[h, clusters] = True
        before, after = self.flow.old_rows, self.flow.new_rows
        return np.flatnonzero(~allowed[self.old.labels[before], self.new.labels[after]])

    def moves(self, terms: int = _TERMS) -> Iterator[Move]:
        """The documents that moved, and why."""
        return (self._move(int(place), terms) for place in self.moved_rows)

    def to_dict(self, terms: int = _TERMS) -> dict[str, object]:
        """Plain data, ready for JSON."""
        return {
            "documents": {
                "old": self.old.n_documents,
                "new": self.new.n_documents,
                "both": self.shared,
                "moved": len(self.moved_rows),
            },
            "agreement": self.agreement,
            "clusters": [self._described(fate) for fate in self.fates],
            **({"nowhere": asdict(self.changes.nowhere)} if self.changes.nowhere else {}),
            "moves": [asdict(move) for move in self.moves(terms)],
        }

    def page(self, path: str | os.PathLike[str]) -> Path:
        """Write one offline HTML page with a picture of the flow.

        Only a page that textclust wrote may be replaced.
        """
        from textclust.report.difference import write_difference

        return write_difference(self, path)

    def __repr__(self) -> str:
        return (
            f"<Difference of {self.old.k} clusters and {self.new.k}: {self.changes}; "
            f"{len(self.moved_rows)} of {self.shared} shared documents moved>"
        )

    def _described(self, fate: Fate) -> dict[str, object]:
        old, new = fate.old, fate.new
        return {
            "kind": fate.kind.value,
            "old": None if old is None else _cluster(self.old, old),
            "new": None if new is None else _cluster(self.new, new),
            "shared": fate.shared,
            "into": [{**_cluster(self.new, p.cluster), "shared": p.documents} for p in fate.into],
            "of": [{**_cluster(self.old, p.cluster), "shared": p.documents} for p in fate.of],
        }

    def _move(self, place: int, terms: int) -> Move:
        before, after = int(self.flow.old_rows[place]), int(self.flow.new_rows[place])
        old, new = int(self.old.labels[before]), int(self.new.labels[after])
        stay = next(iter(self.went[old]), None) if old >= 0 else None
        card = self.new.cards[after]
        pulls: tuple[str, ...] = ()
        if stay is not None and new >= 0:
            space = self.new.text_space
            row = space.distortion.prepare(self.new.texts[after : after + 1])
            names = self.new.names
            why = explain_row(row, space.form, self._readable, names, card.id, new, stay)
            pulls = tuple(pull.term for pull in why.here[:terms])
        return Move(card.id, card.title, old, new, stay, pulls, self._because(after, old, new))

    @cached_property
    def _readable(self) -> list[str]:
        return self.new.vectorizer.readable_terms()

    def _because(self, row: int, old: int, new: int) -> str | None:
        """What holds a document where it is, or that it fits nowhere, now or before."""
        if new < 0:
            return FITS_NOWHERE
        outcome = self.new.outcome
        if (label := outcome.class_of(row)) is not None:
            return f"seed of {label}"
        links = [push for push in outcome.pushes(row, self.new.labels) if push.kept]
        if links:
            return f"{links[0].kind} with {links[0].other}"
        return "fitted nowhere before" if old < 0 else None


def diff(old: ClusteringLike, new: ClusteringLike) -> Difference:
    """What changed between two clusterings, of the same documents or of others.

    Parameters
    ----------
    old, new : Clustering, or path of a model or of the folder of a run

    Notes
    -----
    Documents are the same where their ids are. One that only one clustering has is placed in the
    other, so that clusters can be compared that share no document. Time grows with the documents.

    Examples
    --------
    >>> import textclust as tc
    >>> path = tc.corpora.path("newsgroups")
    >>> tc.diff(tc.cluster(path, k=3), tc.cluster(path, k=4)).became
    {0: 2, 1: 1, 2: 0}
    """
    before, after = _clustering(old), _clustering(new)
    flow = flow_between(before, after)
    return Difference(before, after, flow, fates(flow, _shares(before), _shares(after)))


def _clustering(given: ClusteringLike) -> Clustering:
    if isinstance(given, Clustering):
        return given
    if isinstance(given, str | os.PathLike):
        return load(given)
    raise InputError(f"a clustering or the path of a model is needed; got {type(given).__name__}")


def _shares(clustering: Clustering) -> list[float]:
    """How much of its collection each cluster has."""
    return [size / max(clustering.n_documents, 1) for size in clustering.sizes]


def _cluster(clustering: Clustering, h: int) -> dict[str, object]:
    return {"cluster": h, "name": clustering.names[h], "size": clustering.sizes[h]}
