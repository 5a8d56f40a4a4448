"""Documents that come in groups, such as the tickets of a requester: what a method is run on.

    "together"  one cluster for each group: a row stands for all its documents
    "weigh"     each document weighs 1 / the size of its group: every group counts as one

A row for a group is no approximation. By every distortion that is affine in the document the costs
of its documents in a cluster add up to that of one row, their mean as the distortion prepares it,
times a weight, and a number that no label changes (see `Groups.seen`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from textclust import geometry
from textclust.engine.matching import matched
from textclust.engine.problem import Solution
from textclust.errors import InputError, in_words
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.cosine import inverse
from textclust.geometry.distortion import Distortion
from textclust.geometry.rows import canonical, scale_rows, squared_norms
from textclust.methods import GROUPINGS, METHODS, TOGETHER, WEIGH
from textclust.methods.choice import Run
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import NOTHING, Supervision
from textclust.supervision.seed_words import SeedWords

__all__ = ["Groups", "View"]


@dataclass(frozen=True, eq=False)
class View:
    """What a method is run on, and its solution for the documents."""

    X: Matrix
    supervision: Supervision
    weights: Array | None = None
    groups: Groups | None = None  # whose rows X has; None where it has those of the documents
    documents: Matrix | None = None  # of the groups, as the distortion prepares them
    distortion: Distortion | None = None

    def solve(self, run: Run, supervision: Supervision | None = None) -> Solution:
        """The best clustering of the documents that a method finds, by what is known of them."""
        known = self.supervision if supervision is None else supervision
        solution = run.solve(self.X, known, self.weights)
        if self.groups is None:
            return solution
        return self._with_own_costs(self.groups.spread(solution))

    def moved(self, run: Run, given: Supervision, solution: Solution) -> int | None:
        """How many documents are elsewhere than without supervision; None where there was none.

        None too where there was no time to find out. Clusters are matched by the documents that
        they share.
        """
        if not given.kinds & {"seeds", "constraints", "seed_words"}:
            return None
        before = solution.unsupervised
        if before is None:
            if solution.stopped is not None:
                return None
            unsupervised = self.solve(run, NOTHING)
            if unsupervised.stopped is not None:
                return None
            before = unsupervised.labels
        k = solution.prototypes.shape[0]
        order = matched(before, solution.labels, k, k)
        return int((np.argsort(order)[before] != solution.labels).sum())

    def subset(self, rows: Labels) -> View:
        """What it is run on for some of its rows, with all that supervision mentions."""
        weights = None if self.weights is None else self.weights[rows]
        return View(self.X[rows], self.supervision.subset(rows), weights)

    def _with_own_costs(self, solution: Solution) -> Solution:
        """With the energy of the documents, which is that of their groups and a number more."""
        found = solution.distortion
        if self.distortion is None or found.name != self.distortion.name:
            return solution  # of a space of its own, in which groups are points
        more = found.own_costs(self.documents).sum() - self.weights @ found.own_costs(self.X)
        return replace(solution, energy=solution.energy + float(more))


@dataclass(frozen=True, eq=False)
class Groups:
    """The group that each document is in; one without a group is one by itself."""

    number: Labels  # of the group of each document, by the first documents of the groups
    names: tuple[str | None, ...]  # of the groups
    mode: str = TOGETHER

    @classmethod
    def of(cls, names: Sequence[str | None], mode: str = TOGETHER) -> Groups:
        """From the name of the group of each document, None where it has none.

        >>> Groups.of(["ann", "bob", None, "ann", None]).number.tolist()
        [0, 1, 2, 0, 3]
        """
        if mode not in GROUPINGS:
            modes = in_words([repr(each) for each in GROUPINGS])
            raise InputError(f"groups must be {modes}; got {mode!r}")
        numbers: dict[object, int] = {}
        keys = [(row,) if name is None else name for row, name in enumerate(names)]
        number = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)
        named = tuple(key if isinstance(key, str) else None for key in numbers)
        return cls(number, named, mode)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def sizes(self) -> Labels:
        """How many documents each group has."""
        return np.bincount(self.number, minlength=len(self))

    @property
    def weights(self) -> Array:
        """What each document weighs where every group counts as one."""
        return 1.0 / self.sizes[self.number]

    def seen(self, X: Matrix, supervision: Supervision, run: Run) -> View:
        """What the method is run on for rows X of documents, and what is known of them."""
        self._refuse(run, supervision)
        if self.mode == WEIGH:
            return View(X, supervision, self.weights)
        distortion = geometry.get(getattr(run.solver, "distortion", "euclidean"))
        prepared = distortion.prepare(canonical(X) if sp.issparse(X) else X)
        means = scale_rows(self._sums(prepared), 1.0 / self.sizes)
        rows = distortion.prepare(means)
        # prepare scales rows: a mean is this many times the row that it is prepared to
        share = np.sqrt(squared_norms(means)) * inverse(np.sqrt(squared_norms(rows)))
        return View(
            rows, self._supervised(supervision), self.sizes * share, self, prepared, distortion
        )

    def spread(self, solution: Solution) -> Solution:
        """What was found for groups, for their documents."""
        number, background = self.number, solution.background

        def each(values: Array | None) -> Array | None:
            return None if values is None else values[number]

        if background is not None:
            background = replace(
                background, novelty=background.novelty[number], known=each(background.known)
            )
        words = solution.by_words
        return replace(
            solution,
            labels=solution.labels[number],
            memberships=each(solution.memberships),
            unsupervised=each(solution.unsupervised),
            emphasis=each(solution.emphasis),
            background=background,
            by_words=None if words is None else words.subset(number),
            links=None,
            link_prices=None,
            nearest=None,
            by_nearest=False,
        )

    def _refuse(self, run: Run, supervision: Supervision) -> None:
        """Raise an InputError for what does not go with groups."""
        if not METHODS[run.method].weighted:
            raise InputError(
                f"method {run.method!r} counts all documents alike; leave the groups out, or use"
                " another method"
            )
        if run.k is None and supervision.background is not None:
            raise InputError("groups beside a background need k; say how many clusters there are")
        if self.mode == TOGETHER and run.k is not None and run.k > len(self):
            raise InputError(
                f"{run.k} clusters cannot be made of {len(self)} groups that stay together; ask for"
                " fewer, or use groups='weigh'"
            )
        if self.mode == TOGETHER and getattr(run.solver, "min_size", None) is not None:
            raise InputError("min_size counts documents; leave it out, or use groups='weigh'")

    def _sums(self, X: Matrix) -> Matrix:
        """The sum of the documents of each group."""
        n = len(self.number)
        inside = sp.csr_array(
            (np.ones(n, dtype=X.dtype), (self.number, np.arange(n))), shape=(len(self), n)
        )
        return inside @ X

    def _supervised(self, given: Supervision) -> Supervision:
        """What is known of the documents, of their groups."""
        first = np.unique(self.number, return_index=True)[1]
        return replace(
            given,
            seeds=self._seeds(given),
            constraints=self._constraints(given),
            ids=None if given.ids is None else [given.ids[row] for row in first],
            seed_words=self._words(given.seed_words),
        )

    def _seeds(self, given: Supervision) -> Labels | None:
        if given.seeds is None:
            return None
        y = np.asarray(given.seeds)
        found = np.full(len(self), -1)
        rows = np.flatnonzero(y >= 0)
        found[self.number[rows]] = y[rows]
        wrong = rows[found[self.number[rows]] != y[rows]]
        if len(wrong):
            row = int(wrong[0])
            other = next(r for r in rows[::-1] if self.number[r] == self.number[row])
            raise InputError(
                f"seeds give two classes to {self._called(row)}, whose documents stay together: to"
                f" {_id(given, row)} and {_id(given, other)}; correct one, or use groups='weigh'"
            )
        return found

    def _constraints(self, given: Supervision) -> Constraints | None:
        if given.constraints is None:
            return None
        links = given.constraints.checked(len(self.number)).links
        left, right = self.number[links.left], self.number[links.right]
        inside = left == right
        wrong = np.flatnonzero(inside & ~links.together & (links.weights > 0))
        if len(wrong):
            i, j = (int(ends[wrong[0]]) for ends in (links.left, links.right))
            raise InputError(
                f"a cannot-link is between {_id(given, i)} and {_id(given, j)} of"
                f" {self._called(i)}, whose documents stay together; remove it, or use"
                " groups='weigh'"
            )
        among = replace(links, left=left, right=right).where(~inside)
        return Constraints.from_links(among) if len(among) else None

    def _words(self, words: SeedWords | None) -> SeedWords | None:
        if words is None:
            return None
        return replace(words, weights=scale_rows(self._sums(words.weights), 1.0 / self.sizes))

    def _called(self, row: int) -> str:
        return f"the group {str(self.names[self.number[row]])[:80]!r}"


def _id(given: Supervision, row: int) -> str:
    return f"row {row}" if given.ids is None else repr(given.ids[row][:80])
