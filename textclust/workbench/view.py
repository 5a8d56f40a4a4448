"""A state as it can be looked at: names, terms, second choices, and places on a map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix, costs
from textclust.geometry.cosine import Cosine
from textclust.report.layout import Layout, arrange, separations
from textclust.result.cards import cards_of
from textclust.result.clustering import Card, Clustering
from textclust.result.naming import Naming
from textclust.result.outcome import SupervisionOutcome
from textclust.result.placement import Placement, Space, place
from textclust.result.settings import collection_of, run_settings
from textclust.result.terms import weigh_terms
from textclust.result.wording import Wording
from textclust.supervision.links import Link
from textclust.workbench.collection import Collection
from textclust.workbench.refitting import refitted
from textclust.workbench.state import State

__all__ = ["View"]

_GROUPED = 6  # clusters from which on they are shown in groups
_BLOCK = 1 << 20  # entries of the cost table held at a time
_MARGIN = 0.04  # of the map around all that is on it
_MIDDLE = 0.5  # of the radius of a cluster: where documents are put that a person moves there
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


@dataclass(frozen=True, eq=False)
class View:
    """What the page shows of a state; everything is worked out when it is first asked for."""

    collection: Collection
    state: State
    first: View | None = None  # of what was found at first, whose map this one should look like
    of_fit: View | None = None  # of the last refit, if the clusters and documents are the same

    @classmethod
    def after(
        cls,
        collection: Collection,
        state: State,
        first: View | None = None,
        last: View | None = None,
    ) -> View:
        """The view of a state, with what the last one has worked out already."""
        fit = state.fit
        same = fit is not None and {*fit.numbers} == {*state.place}
        if fit is None or not same or not np.array_equal(fit.rows, state.alive):
            return cls(collection, state, first)
        of_fit = None if last is None else last.of_fit
        if of_fit is None or of_fit.state.fit is not fit:
            of_fit = cls(collection, refitted(state, fit), first)
        return cls(collection, state, first, of_fit)

    @property
    def rows(self) -> Labels:
        """The documents that are not discarded."""
        return self.state.alive

    @cached_property
    def X(self) -> Matrix:
        """Their terms."""
        whole = len(self.rows) == len(self.collection)
        return self.collection.X if whole else self.collection.X[self.rows]

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the clusters, by place."""
        fit = self.state.fit
        now = tuple(self.state.place)
        return fit.numbers if fit is not None and {*fit.numbers} == {*now} else now

    @cached_property
    def labels(self) -> Labels:
        """The place of the cluster of each document that is not discarded."""
        place = np.full(self.state.next_number, -1)
        place[list(self.numbers)] = np.arange(len(self.numbers))
        return place[self.state.labels[self.rows]]

    @cached_property
    def space(self) -> Space:
        """Where the clusters lie: as the last refit has them, unless they are others since then."""
        if self.of_fit is not None:
            return self.of_fit.space
        fit, k = self.state.fit, len(self.numbers)
        if fit is not None and fit.numbers == self.numbers:
            X = self.collection.X[fit.rows]
            return Space.of(fit.solution, X).calibrated(X, fit.solution.labels)
        return Space.of_centroids(self.X, self.labels, k, Cosine()).calibrated(self.X, self.labels)

    @cached_property
    def names(self) -> list[str]:
        """What each cluster is called, by place."""
        said = [self.state.cluster(number).name for number in self.numbers]
        return [name or found for name, found in zip(said, self._names_by_terms, strict=True)]

    def terms(self, number: int, count: int) -> list[str]:
        """The leading terms of a cluster; they are those of the last refit until the next."""
        seen = self if self.of_fit is None else self.of_fit
        return seen.clustering.terms(self.numbers.index(number), count)

    @cached_property
    def _names_by_terms(self) -> list[str]:
        if self.of_fit is not None:
            return self.of_fit._names_by_terms
        vocabulary = self.collection.corpus.vectorizer.readable_terms()
        evidence = weigh_terms(self.X, self.labels, len(self.numbers)).evidence
        entries = self.collection.corpus.documents.entries
        excerpts = [entries[row].excerpt for row in self.rows.tolist()]
        wording = Wording.of(excerpts, self.labels, len(self.numbers))
        said = [self.state.cluster(number).name for number in self.numbers]
        taken = [name for name in said if name is not None]
        return Naming(evidence, vocabulary, wording).names(taken=taken)

    @cached_property
    def groups(self) -> list[tuple[str, list[int]]]:
        """Clusters that belong together, as the last refit has them: names, and the numbers.

        A cluster by itself is in none, and there are none where there are few clusters.
        """
        if self.of_fit is not None:
            return self.of_fit.groups
        if len(self.numbers) < _GROUPED:
            return []
        groups = self.clustering.tree(2).levels[0]
        return [
            (node.name, [self.numbers[h] for h in node.clusters])
            for node in groups
            if not node.is_cluster
        ]

    def name(self, number: int) -> str:
        """What the cluster of that number is called."""
        return self.names[self.numbers.index(number)]

    @cached_property
    def clustering(self) -> Clustering:
        """The same as any other clustering, for reports, models and explanations."""
        fit, corpus = self.state.fit, self.collection.corpus
        assert fit is not None
        return Clustering(
            cards=[self._cards[row] for row in self.rows.tolist()],
            placement=self._placement,
            space=self.space,
            vectorizer=corpus.vectorizer,
            texts=self.X,
            objective=fit.solution.energy,
            settings=run_settings(
                fit.run,
                fit.solution,
                fit.supervision,
                corpus.vectorizer,
                collection_of(corpus),
                None,
                None,
            ),
            outcome=self._outcome,
        )

    @cached_property
    def seconds(self) -> Labels:
        """The number of the second-best cluster of each document, 0 where there is none."""
        found = np.zeros(len(self.state.labels), dtype=np.intp)
        if len(self.numbers) > 1:
            best, second = self._two_nearest
            others = np.where(best == self.labels, second, best)
            found[self.rows] = np.array(self.numbers)[others]
        return found

    def nearest(self, row: int, count: int) -> list[int]:
        """The numbers of the clusters that a document is nearest to, the nearest first."""
        prepared = self.space.distortion.prepare(self.collection.X[row : row + 1])
        order = np.argsort(costs(prepared, self.space.form)[0], kind="stable")
        return [self.numbers[place] for place in order[:count]]

    @cached_property
    def scores(self) -> Array:
        """How clearly each document is in its cluster, 0 for discarded ones."""
        found = np.zeros(len(self.state.labels))
        found[self.rows] = self.clustering.scores
        return found

    @cached_property
    def distances(self) -> Array:
        """How far each document is from the prototype of its cluster."""
        found = np.zeros(len(self.state.labels))
        found[self.rows] = self.clustering.placement.costs
        return found

    @cached_property
    def layout(self) -> Layout:
        """Clusters and documents on a map from 0 to 1, turned as the first map is.

        Until the next refit, and while the clusters are the same, only what is moved moves.
        """
        if self.of_fit is not None:
            return _with_moved(self.of_fit.layout, self.of_fit.labels, self.labels)
        found = arrange(self.X, self.labels, self.space, separations(self.space))
        return _fitted(self._turned(found))

    @cached_property
    def points(self) -> Array:
        """The place of every document on the map; of discarded ones the corner."""
        found = np.zeros((len(self.state.labels), 2))
        found[self.rows] = self.layout.points
        return found

    @cached_property
    def links(self) -> list[Link[int]]:
        """What was linked, with what each costs, and whether it is broken."""
        prices = self._prices
        labels = self.state.labels
        return [
            Link(
                link.left,
                link.right,
                link.kind,
                link.weight,
                link.origin,
                prices.get(frozenset((link.left, link.right))),
                bool((labels[link.left] == labels[link.right]) != (link.kind == "must-link")),
            )
            for link in self.state.links
        ]

    @cached_property
    def _prices(self) -> dict[frozenset[int], float | None]:
        fit = self.state.fit
        if fit is None or fit.solution.links is None:
            return {}
        rows = fit.rows
        return {
            frozenset((int(rows[link.left]), int(rows[link.right]))): link.price
            for link in fit.solution.links
        }

    @cached_property
    def _two_nearest(self) -> tuple[Labels, Labels]:
        """The places of the nearest cluster of each document, and of the one after it."""
        if self.of_fit is not None:
            return self.of_fit._two_nearest
        k = len(self.numbers)
        found = np.empty((2, len(self.rows)), dtype=np.intp)
        step = max(1, _BLOCK // k)
        for begin in range(0, len(self.rows), step):
            part = slice(begin, begin + step)
            table = costs(self.space.distortion.prepare(self.X[part]), self.space.form)
            found[0, part] = table.argmin(axis=1)
            table[np.arange(len(table)), found[0, part]] = np.inf
            found[1, part] = table.argmin(axis=1)
        return found[0], found[1]

    @cached_property
    def _placement(self) -> Placement:
        """How clearly documents are in their clusters; what was moved since the refit anew."""
        if self.of_fit is None:
            return place(self.X, self.space, self.labels)
        before = self.of_fit._placement
        moved = np.flatnonzero(self.labels != before.labels)
        scores, distances = before.scores.copy(), before.costs.copy()
        if len(moved):
            again = place(self.X[moved], self.space, self.labels[moved])
            scores[moved], distances[moved] = again.scores, again.costs
        return Placement(self.labels, scores, distances)

    @cached_property
    def _outcome(self) -> SupervisionOutcome:
        """What became of seeds and links, and of older documents."""
        state, fit = self.state, self.state.fit
        assert fit is not None
        at = np.full(len(state.labels), -1)
        at[self.rows] = np.arange(len(self.rows))
        seeded = set(state.seeds.values())
        named = [n for n in self.numbers if state.cluster(n).name is not None or n in seeded]
        number_of = {number: number_h for number_h, number in enumerate(named)}
        ids, model = self.collection.documents.ids, fit.solution.label_model
        return SupervisionOutcome(
            ids=[ids[row] for row in self.rows.tolist()],
            given_links=tuple(
                Link(
                    int(at[link.left]),
                    int(at[link.right]),
                    link.kind,
                    link.weight,
                    link.origin,
                    link.price,
                    link.violated,
                )
                for link in self.links
                if at[link.left] >= 0 and at[link.right] >= 0
            ),
            given_seeds={int(at[row]): number_of[n] for row, n in sorted(state.seeds.items())},
            classes=tuple(self.name(number) for number in named),
            numbered=False,
            clusters=tuple(self.numbers.index(number) for number in named),
            accuracy=None if model is None else model.accuracy,
        )

    @cached_property
    def _cards(self) -> list[Card]:
        return cards_of(self.collection.corpus.documents)

    def _turned(self, found: Layout) -> Layout:
        """The same turned and mirrored so that clusters are near where they were at first."""
        first = self.first
        common = [n for n in self.numbers if first is not None and n in first.numbers]
        if first is None or len(common) < 2:
            return found
        now = found.centres[[self.numbers.index(n) for n in common]]
        then = first.layout.centres[[first.numbers.index(n) for n in common]]
        middle = now.mean(axis=0)
        u, _, v = np.linalg.svd((now - middle).T @ (then - then.mean(axis=0)))
        turn = u @ v
        return Layout((found.centres - middle) @ turn, found.radii, (found.points - middle) @ turn)


def _with_moved(layout: Layout, before: Labels, after: Labels) -> Layout:
    """The same with documents that have moved since in the middle of their new clusters."""
    moved = np.flatnonzero(before != after)
    places, turns = after[moved], _GOLDEN_ANGLE * np.arange(len(moved))
    away = _MIDDLE * np.sqrt((np.arange(len(moved)) + 1) / max(len(moved), 1))
    around = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    points = layout.points.copy()
    points[moved] = layout.centres[places] + around * (away * layout.radii[places])[:, None]
    return Layout(layout.centres, layout.radii, points)


def _fitted(layout: Layout) -> Layout:
    """The same from 0 to 1 in both directions, as wide as high."""
    every = np.concatenate([layout.points, layout.centres])
    low, high = every.min(axis=0), every.max(axis=0)
    size = float((high - low).max()) or 1.0
    scale = (1 - 2 * _MARGIN) / size
    shift = 0.5 - (low + high) / 2 * scale
    return Layout(
        layout.centres * scale + shift, layout.radii * scale, layout.points * scale + shift
    )
