"""The most likely mistakes, those first that are worth most to mend.

The worth of a proposal is about how many documents it would put right. Two clusters that look like
one: as many as the smaller has, by how likely they are one. A cluster that looks like two: the same
of its parts. A document whose cluster is asked for: what cross-validation expects to be wrong,
shared out among the answers so far and some more. A link or a seed that all others contradict
counts as a few documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from textclust.geometry.affine import Array, Labels, as_table
from textclust.geometry.cosine import Cosine, inverse
from textclust.geometry.rows import squared_norms
from textclust.methods.kmeans import KMeansSolver
from textclust.result.placement import Space
from textclust.result.terms import weigh_terms
from textclust.workbench.questions import least_certain
from textclust.workbench.view import View

__all__ = ["Halves", "Wizard"]

_ASKED = 3  # documents whose cluster is asked for, among the proposals
_SPLITS_TRIED = 4  # clusters that are looked into, the least coherent first
_LEAST = 8  # documents of a cluster that may be two
_UNTRIED = 0.7  # accuracy where no seed could be held out
_EASY = 10  # answers that count as given before the first
_CONTRADICTED = 3.0  # documents that a link or a seed counts as, at most
_CHOICES = 9
_TERMS = 6


@dataclass(frozen=True, eq=False)
class Halves:
    """How a cluster would fall in two."""

    rows: Labels  # of the second part
    sizes: tuple[int, int]
    terms: tuple[list[str], list[str]]
    apart: float  # how unlike one cluster the parts are, from 0 to 1


@dataclass(frozen=True, eq=False)
class Wizard:
    """Proposals for one view."""

    view: View

    def proposals(self, count: int) -> list[dict[str, Any]]:
        """The proposals that are worth most."""
        found = [*self._merges(), *self._splits(), *self._documents(), *self._links()]
        found += self._seeds()
        found.sort(key=lambda proposal: -proposal["worth"])
        return found[:count]

    def halves(self, number: int) -> Halves | None:
        """How a cluster would fall in two; None where it cannot."""
        rows = self.view.state.members(number)
        X = self.view.collection.X[rows]
        if len(rows) < 2:
            return None
        solver = KMeansSolver(2, distortion="cosine", random_state=self.view.state.random_state)
        labels = solver.solve(X).labels
        sizes = np.bincount(labels, minlength=2)
        if not sizes.all():
            return None
        second = int(sizes.argmin())
        vocabulary = self.view.collection.corpus.vectorizer.readable_terms()
        weights = weigh_terms(X, labels, 2)
        first_terms, second_terms = (
            [term.term for term in weights.leading("discriminating", part, vocabulary, _TERMS)]
            for part in (1 - second, second)
        )
        means = Space.of_centroids(X, labels, 2, Cosine()).prototypes
        alike = float(means[0] @ means[1]) / _expected(X, labels)
        return Halves(
            rows[labels == second],
            (int(sizes[1 - second]), int(sizes[second])),
            (first_terms, second_terms),
            float(np.clip(1.0 - alike, 0.0, 1.0)),
        )

    def _merges(self) -> list[dict[str, Any]]:
        view, sizes = self.view, self._sizes
        likely = self._alike
        found = []
        for a, b in combinations(range(len(view.numbers)), 2):
            worth = float(likely[a, b] * min(sizes[a], sizes[b]))
            if worth < 1:
                continue
            into, other = sorted((view.numbers[a], view.numbers[b]))
            reason = (
                f"{view.name(into)!r} and {view.name(other)!r} look like one cluster: "
                f"{self._second_shares[a, b]:.0%} of one has the other as second choice"
            )
            action = {"action": "merge", "clusters": [into, other], "into": into}
            found.append(
                {
                    "kind": "merge",
                    "clusters": [into, other],
                    "worth": round(worth, 1),
                    "reason": reason,
                    "actions": [{"label": "Merge", "action": action}],
                }
            )
        return found

    def _splits(self) -> list[dict[str, Any]]:
        view, ids = self.view, self.view.collection.documents.ids
        order = np.argsort(self._coherence, kind="stable")
        large = [place for place in order if self._sizes[place] >= _LEAST][:_SPLITS_TRIED]
        found = []
        for number in (view.numbers[place] for place in large):
            halves = self.halves(number)
            if halves is None or view.state.cluster(number).locked:
                continue
            action = {
                "action": "split",
                "cluster": number,
                "documents": [ids[row] for row in halves.rows],
                "hold": False,
            }
            first, second = (", ".join(terms[:3]) for terms in halves.terms)
            found.append(
                {
                    "kind": "split",
                    "cluster": number,
                    "worth": round(halves.apart**2 * halves.sizes[1], 1),
                    "reason": f"{view.name(number)!r} looks like two: {first} ({halves.sizes[0]}) "
                    f"and {second} ({halves.sizes[1]})",
                    "rows": halves.rows.tolist(),
                    "terms": list(halves.terms),
                    "actions": [{"label": "Split", "action": action}],
                }
            )
        return [proposal for proposal in found if proposal["worth"] >= 1]

    def _documents(self) -> list[dict[str, Any]]:
        view, seeds = self.view, len(self.view.state.seeds)
        fit = view.state.fit
        model = None if fit is None else fit.solution.label_model
        found = _UNTRIED if model is None or model.accuracy is None else model.accuracy
        accuracy = (found * seeds + _UNTRIED * _EASY) / (seeds + _EASY)
        worth = (1.0 - accuracy) * len(view.rows) / (_EASY + seeds)
        return [
            {
                "kind": "document",
                "row": row,
                "worth": round(worth * (1.0 - 0.01 * place), 1),
                "reason": f"Between {view.name(view.state.labels[row])!r} and "
                f"{view.name(int(view.seconds[row]))!r}; its class would tell of others like it",
                "clusters": view.nearest(row, _CHOICES),
                "actions": [],
            }
            for place, row in enumerate(least_certain(view, _ASKED))
            if view.seconds[row]
        ]

    def _links(self) -> list[dict[str, Any]]:
        ids = self.view.collection.documents.ids
        found = []
        for link in self.view.links:
            if not link.violated:
                continue
            left, right = ids[link.left], ids[link.right]
            action = {"action": "unlink", "left": left, "right": right}
            found.append(
                {
                    "kind": "link",
                    "left": link.left,
                    "right": link.right,
                    "worth": _CONTRADICTED,
                    "reason": f"All else overrules the {link.kind} of {left} and {right}",
                    "actions": [{"label": "Drop the link", "action": action}],
                }
            )
        return found

    def _seeds(self) -> list[dict[str, Any]]:
        view, ids = self.view, self.view.collection.documents.ids
        found = []
        for row, number in view.state.seeds.items():
            nearest = view.nearest(row, _CHOICES)
            if nearest[0] == number:
                continue
            action = {"action": "unseed", "documents": [ids[row]]}
            place = nearest.index(number) if number in nearest else len(nearest)
            found.append(
                {
                    "kind": "seed",
                    "row": row,
                    "worth": round(_CONTRADICTED * place / len(view.numbers), 1),
                    "reason": f"A seed of {view.name(number)!r}, but its words and all other seeds "
                    f"place it in {view.name(nearest[0])!r}",
                    "clusters": nearest,
                    "actions": [{"label": "No longer a seed", "action": action}],
                }
            )
        return found

    @cached_property
    def _sizes(self) -> Labels:
        return np.bincount(self.view.labels, minlength=len(self.view.numbers))

    @cached_property
    def _centroids(self) -> Array:
        """The mean of the unit rows of every cluster."""
        space = Space.of_centroids(self.view.X, self.view.labels, len(self.view.numbers), Cosine())
        return as_table(space.prototypes)

    @cached_property
    def _coherence(self) -> Array:
        """The mean cosine of the documents of each cluster with its centroid."""
        return _coherence(self.view.X, self.view.labels, self._centroids)

    @cached_property
    def _alike(self) -> Array:
        """How likely two clusters are one: the cosine of their centroids beside that of halves."""
        m = self._coherence**2
        spread = np.sqrt(m + (1 - m) / np.maximum(self._sizes, 1))
        halves = np.sqrt(m[:, None] * m) / np.maximum(spread[:, None] * spread, 1e-12)
        cosines = self._centroids @ self._centroids.T
        return np.clip(cosines / np.maximum(halves, 1e-12), 0.0, 1.0) ** 2 * self._second_shares

    @cached_property
    def _second_shares(self) -> Array:
        """k x k: the larger share of either cluster that has the other as its second choice."""
        view, k = self.view, len(self.view.numbers)
        if k < 2:
            return np.zeros((k, k))
        place = np.full(view.state.next_number, 0)
        place[list(view.numbers)] = np.arange(k)
        counts = np.zeros((k, k))
        np.add.at(counts, (view.labels, place[view.seconds[view.rows]]), 1)
        shares = counts / np.maximum(self._sizes, 1)[:, None]
        return np.maximum(shares, shares.T)


def _coherence(X: Any, labels: Labels, centroids: Array) -> Array:
    lengths = inverse(np.sqrt(squared_norms(X)))
    products = np.asarray(X @ centroids.T)[np.arange(len(labels)), labels] * lengths
    sums = np.bincount(labels, products, minlength=len(centroids))
    return sums / np.maximum(np.bincount(labels, minlength=len(centroids)), 1)


def _expected(X: Any, labels: Labels) -> float:
    """The cosine that the means of two random parts of these sizes would have."""
    one = Space.of_centroids(X, np.zeros_like(labels), 1, Cosine()).prototypes
    m = float(_coherence(X, np.zeros_like(labels), one)[0]) ** 2
    sizes = np.bincount(labels, minlength=2)
    return m / float(np.sqrt(np.prod(m + (1 - m) / sizes))) or 1.0
