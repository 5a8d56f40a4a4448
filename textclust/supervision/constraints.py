"""Which documents belong together and which do not: must-links and cannot-links."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from textclust.errors import InputError
from textclust.supervision.closure import closure
from textclust.supervision.components import components, neighbourhoods
from textclust.supervision.conflicts import Conflict, find_conflicts
from textclust.supervision.links import MUST_LINK, SEED, Flags, Link, Links, Origin, Rows, Weights
from textclust.supervision.pairs import Pairs, given_labels, given_pairs, given_weights
from textclust.text.frames import id_of, values_of

if TYPE_CHECKING:
    from textclust.supervision.repair import Drop

__all__ = ["Constraints"]


class Constraints:
    """Pairs of documents that belong together, and pairs that do not.

    Parameters
    ----------
    must_link, cannot_link : pairs (i, j) of row numbers, or arrays of two columns
    weights : one number for each must-link and then each cannot-link: what it costs to break
        it; None makes every one 1. A pair of weight 0 stays in the list and has no effect:
        nothing follows from it, and it contradicts nothing

    A must-link of a document with itself says nothing and is left out; a cannot-link of
    one with itself is an error. Nothing is entailed until it is asked for, so that a
    chain of 100,000 must-links stays one. Objects do not change; ``a | b`` has the pairs
    of both.

    References: Wagstaff et al. 2001; Basu, Bilenko and Mooney 2003, 3.1; Basu 2005, 4.4.3.

    Examples
    --------
    >>> import textclust as tc
    >>> c = tc.Constraints(must_link=[(0, 1), (1, 2)], cannot_link=[(2, 3)])
    >>> c
    Constraints(2 must-links, 1 cannot-link)
    >>> c.neighbourhoods()
    [array([0, 1, 2])]
    >>> c.entailed().cannot_link
    [(0, 3), (1, 3), (2, 3)]
    >>> (c | tc.Constraints(cannot_link=[(0, 2)])).conflicts()
    [Conflict(cannot_link=(0, 2), chain=(0, 1, 2))]
    """

    def __init__(
        self,
        must_link: Pairs = (),
        cannot_link: Pairs = (),
        weights: ArrayLike | None = None,
    ) -> None:
        must, cannot = given_pairs(must_link, "must_link"), given_pairs(cannot_link, "cannot_link")
        numbers = given_weights(weights, len(must) + len(cannot))
        alone = np.flatnonzero(cannot[:, 0] == cannot[:, 1])
        if len(alone):
            i = cannot[alone[0], 0]
            raise InputError(
                f"cannot_link has the pair ({i}, {i}), a document with itself; remove the pair"
            )
        left, right = np.concatenate([must, cannot]).T
        links = Links(left, right, np.arange(len(left)) < len(must), numbers)
        self._links = _kept(links.where(left != right))

    @classmethod
    def from_labels(cls, y: ArrayLike, weight: float = 1.0) -> Constraints:
        """The constraints that known labels amount to; -1 is unknown.

        A star of must-links in each class, from its first document, and one cannot-link
        between each two classes. The rest is entailed, so m labels of k classes are fewer
        than m + k^2 / 2 pairs and never m^2.

        >>> Constraints.from_labels([1, 0, -1, 1, 1])
        Constraints(2 must-links, 1 cannot-link)
        """
        labels = given_labels(y)
        known = np.flatnonzero(labels >= 0)
        order = known[np.argsort(labels[known], kind="stable")]
        ends = np.flatnonzero(np.diff(labels[order])) + 1
        groups = np.split(order, ends) if len(order) else []
        return cls._of_groups(groups, apart=True, weight=weight, origin=SEED)

    @classmethod
    def from_groups(
        cls, groups: Iterable[Sequence[int]], *, apart: bool = False, weight: float = 1.0
    ) -> Constraints:
        """Groups of documents that belong together, a star of must-links in each.

        With `apart` the groups are also different from one another.

        >>> Constraints.from_groups([[0, 4, 5], [2, 3]], apart=True).must_link
        [(0, 4), (0, 5), (2, 3)]
        """
        rows = [np.array(list(group)) for group in groups]
        rows = [group for group in rows if len(group)]
        if apart and rows:
            row, count = np.unique(np.concatenate([np.unique(g) for g in rows]), return_counts=True)
            if count.max() > 1:
                raise InputError(
                    f"row {row[count > 1][0]} is in two groups that cannot-links separate; "
                    "remove it from one"
                )
        return cls._of_groups(rows, apart=apart, weight=weight)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str], ids: Sequence[str]) -> Constraints:
        """Read a table ``left,right,kind[,weight]`` of document ids.

        `kind` is ``must-link`` or ``cannot-link``, and an empty weight is 1; `ids` are
        those of the documents, in the order of their rows. The first line that is wrong
        is an InputError; ``textclust check`` lists all of them.

        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "pairs.csv")
        >>> _ = file.write_text("left,right,kind\\na,b,must-link\\nb,c,cannot-link\\n")
        >>> Constraints.from_csv(file, ["a", "b", "c"]).cannot_link
        [(1, 2)]
        """
        from textclust.supervision.constraint_files import (
            match_links,
            read_links,
            refuse_wrong,
            row_of_each,
        )

        matched = match_links(read_links(path), row_of_each(ids))
        refuse_wrong(matched, path)
        return cls.from_links(matched.links)

    @classmethod
    def from_frame(
        cls,
        df: Any,
        ids: Iterable[object] | None = None,
        *,
        left: str = "left",
        right: str = "right",
        kind: str = "kind",
        weight: str = "weight",
    ) -> Constraints:
        """The pairs of a DataFrame with these columns; one of weights may be missing.

        `ids` are the ids of the documents in the order of their rows, as they were given: the
        index of their Series, or `ids` of a `Clustering`. Without them, the pairs are of row
        numbers.

        >>> import pandas as pd
        >>> pairs = pd.DataFrame({"left": [7], "right": [9], "kind": ["must-link"]})
        >>> Constraints.from_frame(pairs, ids=[5, 7, 9]).must_link
        [(1, 2)]
        """
        from textclust.supervision.constraint_files import (
            frame_links,
            match_links,
            refuse_wrong,
            row_of_each,
        )

        links = frame_links(df, left, right, kind, weight)
        if ids is None:
            highest = max(
                (_row(end) for link in links for end in (link.left, link.right)), default=-1
            )
            names = list(map(str, range(highest + 1)))
        else:
            names = list(map(id_of, values_of(ids)))
        matched = match_links(links, row_of_each(names))
        refuse_wrong(matched, "the DataFrame")
        return cls.from_links(matched.links)

    @classmethod
    def from_links(cls, links: Iterable[Link[int]]) -> Constraints:
        """These links; must-links of a document with itself are left out."""
        every = sorted(links, key=lambda link: link.kind != MUST_LINK)
        return cls._with(Links.of(link for link in every if link.left != link.right))

    @classmethod
    def _of_groups(
        cls, groups: Sequence[Rows], *, apart: bool, weight: float, origin: Origin | None = None
    ) -> Constraints:
        stars = [(group[0], row) for group in groups for row in group[1:]]
        hubs = [group[0] for group in groups]
        others = list(combinations(hubs, 2)) if apart else []
        found = cls(stars, others, [weight] * (len(stars) + len(others)))
        if origin is None:
            return found
        origins = np.full(len(found), origin, dtype=object)
        return cls._with(replace(found.links, origins=origins))

    @property
    def must_link(self) -> list[tuple[int, int]]:
        """The pairs that belong together, as given."""
        return self._links.where(self._links.together).pairs()

    @property
    def cannot_link(self) -> list[tuple[int, int]]:
        """The pairs that do not belong together, as given."""
        return self._links.where(~self._links.together).pairs()

    @property
    def weights(self) -> Weights:
        """What breaking each costs: the must-links, then the cannot-links."""
        return self._links.weights

    @property
    def links(self) -> Links:
        """All pairs as arrays, must-links first; one that was given twice is there twice."""
        return self._links

    def effective(self) -> Constraints:
        """The same without pairs of weight 0.

        >>> Constraints([(0, 1), (1, 2)], weights=[1, 0]).effective()
        Constraints(1 must-link, 0 cannot-links)
        """
        return self if self._links.weights.all() else self._with(self._effective)

    @property
    def _effective(self) -> Links:
        return self._links.where(self._links.weights > 0)

    @property
    def _must(self) -> Links:
        return self._effective.where(self._effective.together)

    def neighbourhoods(self) -> list[Rows]:
        """The groups that must-links join, rows ascending, the largest group first.

        Basu, Bilenko and Mooney 2003, 3.1: clusters begin at the centres of these.

        >>> Constraints([(5, 7), (1, 2), (2, 4)]).neighbourhoods()
        [array([1, 2, 4]), array([5, 7])]
        """
        return neighbourhoods(self._must)

    def components(self, n: int) -> Rows:
        """The number of the group of each of n rows; a row in no must-link is one alone.

        >>> Constraints([(3, 1)]).components(5)
        array([0, 1, 2, 1, 3])
        """
        self.checked(n)
        return components(self._must, n)

    def entailed(self, limit: int | None = None) -> Constraints | None:
        """With every pair that follows: must-links are transitive and carry cannot-links.

        Pairs are sorted. One that was given keeps its weight (weights add up if it was
        given twice), one that follows weighs 1. None if there would be more than `limit`
        pairs, found out without listing them. A cannot-link that contradicts must-links
        stays and entails nothing. Wagstaff et al. 2001; Basu 2005, 4.4.3.

        >>> Constraints([(0, 1), (1, 2)], [(2, 5)]).entailed()
        Constraints(3 must-links, 3 cannot-links)
        >>> Constraints([(i, i + 1) for i in range(100_000)]).entailed(limit=10**6) is None
        True
        """
        links = closure(self._effective, limit)
        return None if links is None else self._with(links)

    def times(self, factors: Weights) -> Constraints:
        """The same, each weight times a factor; those times 0 are left out.

        >>> Constraints([(0, 1)], [(0, 2)]).times([0, 0.5])
        Constraints(0 must-links, 1 cannot-link)
        """
        kept = np.asarray(factors) > 0
        return self._with(self._links.times(np.asarray(factors)).where(kept))

    def conflicts(self) -> list[Conflict]:
        """Every contradiction: a cannot-link and the shortest chain of must-links between.

        >>> print(*Constraints([(0, 1), (1, 2)], [(2, 0)]).conflicts())
        row 2 must-link row 1 must-link row 0, but row 2 cannot-link row 0
        """
        return find_conflicts(self._effective)

    def repair(self) -> list[Drop]:
        """The pairs of least total weight to drop so that no contradiction is left.

        Exact, by integer programming. In theory that is hard, and for hundreds of pairs
        with many contradictions it can take long: after half a minute the best that was
        found is returned.

        >>> Constraints([(0, 1), (1, 2)], [(2, 0), (1, 0)], [1, 5, 5, 5]).repair()
        [('must-link', (0, 1))]
        """
        from textclust.supervision.repair import cheapest_repair

        return cheapest_repair(self._effective)

    def violated(self, labels: ArrayLike) -> Flags:
        """Which links some labels break, one label for each row; must-links first.

        >>> Constraints([(0, 1)], [(0, 2)]).violated([1, 0, 1])
        array([ True,  True])
        """
        found = np.asarray(labels)
        self.checked(len(found))
        return self._links.violations(found)

    @classmethod
    def given(cls, constraints: object, n: int) -> Constraints:
        """What was given for the constraints on n rows, or an InputError if that is none."""
        if not isinstance(constraints, cls):
            kind = type(constraints).__name__
            raise InputError(f"constraints must be textclust.Constraints; got {kind}")
        return constraints.checked(n)

    def checked(self, n: int) -> Constraints:
        """The same, or an InputError if there are too few rows for them.

        >>> Constraints([(0, 1)]).checked(2)
        Constraints(1 must-link, 0 cannot-links)
        """
        outside = np.flatnonzero(np.maximum(self._links.left, self._links.right) >= n)
        if len(outside):
            i, j = self._links.pairs()[outside[0]]
            kind = "must_link" if self._links.together[outside[0]] else "cannot_link"
            raise InputError(
                f"{kind} has the pair ({i}, {j}), but the last of {n} rows is {n - 1}; "
                "give constraints on these documents"
            )
        return self

    def __len__(self) -> int:
        return len(self._links)

    def __or__(self, other: Constraints) -> Constraints:
        if not isinstance(other, Constraints):
            return NotImplemented
        both = self._links + other.links
        return self._with(both.where(np.argsort(~both.together, kind="stable")))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constraints):
            return NotImplemented
        both = zip(_arrays(self._links), _arrays(other.links), strict=True)
        return all(np.array_equal(own, theirs) for own, theirs in both)

    def __hash__(self) -> int:
        return hash(tuple(array.tobytes() for array in _arrays(self._links)))

    def __repr__(self) -> str:
        must = int(self._links.together.sum())
        counts = (must, "must-link"), (len(self) - must, "cannot-link")
        counted = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for count, kind in counts)
        return f"Constraints({counted})"

    @classmethod
    def _with(cls, links: Links) -> Constraints:
        made = cls.__new__(cls)
        made._links = _kept(links)
        return made


def _row(name: str) -> int:
    if not name.isdecimal():
        raise InputError(
            f"{name[:80]!r} is no row number; give the ids of the documents in order as ids="
        )
    return int(name)


def _arrays(links: Links) -> tuple[Rows, Rows, Flags, Weights]:
    return links.left, links.right, links.together, links.weights


def _kept(links: Links) -> Links:
    """The links, from now on unchangeable."""
    for array in _arrays(links):
        array.flags.writeable = False
    return links
