"""What two people said of the same documents: how far they agree, and where they do not.

Labels are compared by their names. Links are compared pair by pair, and then with all that follows
from the must-links of each (`supervision.closure`): two people who were asked in another order give
other pairs that may say the same. Labels imply links too, so that one may have labels and the other
links. Pairs that follow depend on one another, so their kappa has no error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import numpy as np

from textclust.measures.kappa import cohen_kappa, cohen_kappa_error
from textclust.supervision.closure import closure
from textclust.supervision.constraint_files import DONT_KNOW
from textclust.supervision.links import CANNOT_LINK, MUST_LINK, Link, Links

__all__ = ["Agreement", "Disagreement", "Judgements", "Pairs", "agreed"]

GIVEN, FOLLOWS, LABEL = "given", "follows", "label"  # how a disagreement came about
_MOST = 5_000_000  # pairs that may follow
_NORMAL = 1.959964  # of an interval of 95%
Pair = tuple[str, str]  # in the order of their ids


@dataclass(frozen=True)
class Judgements:
    """What one person said: labels of documents, links between them, or both."""

    labels: Mapping[str, str] = field(default_factory=dict)
    links: Sequence[Link[str]] = ()  # an answer that says nothing among them

    @property
    def answers(self) -> dict[Pair, str]:
        """The kind of link of each pair; the last answer counts."""
        return {
            _pair(link.left, link.right): link.kind
            for link in self.links
            if link.left != link.right
        }

    def implied(self, number: Mapping[str, int]) -> dict[int, bool] | None:
        """Whether each pair that follows belongs together; None where there are too many.

        A pair is a number, as `number` numbers the documents. Pairs that must be together and
        apart are left out.
        """
        links = [Link(*pair, kind) for pair, kind in self.answers.items() if kind != DONT_KNOW]
        by_row = [
            Link(number[link.left], number[link.right], link.kind)
            for link in (*links, *_links_of(self.labels))
        ]
        found = closure(Links.of(by_row), _MOST)
        if found is None:
            return None
        keys = np.minimum(found.left, found.right) * len(number)
        keys += np.maximum(found.left, found.right)
        near = set(keys[found.together].tolist())
        far = set(keys[~found.together].tolist())
        return {key: key in near for key in (near | far) - (near & far)}


@dataclass(frozen=True)
class Disagreement:
    """A document, or a pair of them, and what each of two people says."""

    left: str
    right: str  # empty for the label of a document
    one: str
    other: str
    how: str


@dataclass(frozen=True)
class Agreement:
    """How far two people agree on what both judged."""

    both: int
    same: int
    kappa: float  # NaN where both say one and the same of all
    error: float | None  # its standard error; None where the pairs depend on one another
    only_one: int  # what one of them judged alone
    only_other: int
    disagreements: list[Disagreement]

    @classmethod
    def of(
        cls,
        one: Mapping[Pair, str],
        other: Mapping[Pair, str],
        how: str,
        *,
        independent: bool = True,
    ) -> Agreement:
        """The judgements of each document or pair, a document with an empty second."""
        both = [each for each in one if each in other]
        said = [one[each] for each in both], [other[each] for each in both]
        differ = [
            Disagreement(*each, a, b, how) for each, a, b in zip(both, *said, strict=True) if a != b
        ]
        return cls(
            both=len(both),
            same=len(both) - len(differ),
            kappa=cohen_kappa(*said) if both else math.nan,
            error=(cohen_kappa_error(*said) if both else math.nan) if independent else None,
            only_one=len(one) - len(both),
            only_other=len(other) - len(both),
            disagreements=differ,
        )

    @property
    def share(self) -> float:
        """The share of what both judged on which they agree."""
        return self.same / self.both if self.both else math.nan

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of 95% of kappa; None where it is unknown."""
        if self.error is None or math.isnan(self.error):
            return None
        reach = _NORMAL * self.error
        return max(-1.0, self.kappa - reach), min(1.0, self.kappa + reach)

    def to_dict(self) -> dict[str, object]:
        """Plain data; what is unknown is None."""
        numbers = {"agreement": self.share, "kappa": self.kappa, "error": self.error}
        return {
            "both": self.both,
            "same": self.same,
            **{k: None if v is None or math.isnan(v) else v for k, v in numbers.items()},
            "interval": self.interval and list(self.interval),
            "only_one": self.only_one,
            "only_other": self.only_other,
        }


@dataclass(frozen=True)
class Pairs:
    """How far two people agree on links: those that they gave, and what follows."""

    given: Agreement
    implied: Agreement | None  # None where too much follows
    unknown_one: int  # pairs that both were asked about and one, or each, did not know
    unknown_other: int
    unknown_both: int


def agreed(one: Judgements, other: Judgements) -> tuple[Agreement | None, Pairs | None]:
    """The agreement on labels and on links; None where one of them has none."""
    labels = None
    if one.labels and other.labels:
        mine, theirs = (
            {(i, ""): label for i, label in each.labels.items()} for each in (one, other)
        )
        labels = Agreement.of(mine, theirs, LABEL)
    has_pairs = all(each.links or each.labels for each in (one, other))
    pairs = _pairs(one, other) if has_pairs and (one.links or other.links) else None
    return labels, pairs


def _pairs(one: Judgements, other: Judgements) -> Pairs:
    mine, theirs = one.answers, other.answers
    both = mine.keys() & theirs.keys()
    unknown = [{pair for pair in both if each[pair] == DONT_KNOW} for each in (mine, theirs)]
    aside = unknown[0] | unknown[1]
    known, known_other = (
        {pair: kind for pair, kind in each.items() if kind != DONT_KNOW and pair not in aside}
        for each in (mine, theirs)
    )
    given = Agreement.of(known, known_other, GIVEN)
    return Pairs(
        given=given,
        implied=_implied(one, other, {(each.left, each.right) for each in given.disagreements}),
        unknown_one=len(unknown[0] - unknown[1]),
        unknown_other=len(unknown[1] - unknown[0]),
        unknown_both=len(unknown[0] & unknown[1]),
    )


def _implied(one: Judgements, other: Judgements, known: set[Pair]) -> Agreement | None:
    """The same for all that follows; a disagreement on a given pair is called that."""
    ids = sorted({name for each in (one, other) for name in _documents(each)})
    number = {name: row for row, name in enumerate(ids)}
    mine, theirs = one.implied(number), other.implied(number)
    if mine is None or theirs is None:
        return None

    def named(following: Mapping[int, bool]) -> Iterator[tuple[Pair, str]]:
        for key in sorted(following):
            left, right = divmod(key, len(ids))
            yield (ids[left], ids[right]), MUST_LINK if following[key] else CANNOT_LINK

    found = Agreement.of(dict(named(mine)), dict(named(theirs)), FOLLOWS, independent=False)
    new = [each for each in found.disagreements if (each.left, each.right) not in known]
    return Agreement(
        found.both, found.same, found.kappa, None, found.only_one, found.only_other, new
    )


def _documents(judgements: Judgements) -> Iterable[str]:
    return {*judgements.labels, *(name for pair in judgements.answers for name in pair)}


def _links_of(labels: Mapping[str, str]) -> Iterator[Link[str]]:
    """Links that say the same as labels."""
    members: dict[str, list[str]] = {}
    for name, label in labels.items():
        members.setdefault(label, []).append(name)
    for each in members.values():
        yield from (Link(*pair, MUST_LINK) for pair in pairwise(each))
    for one, other in combinations(members.values(), 2):
        yield Link(one[0], other[0], CANNOT_LINK)


def _pair(left: str, right: str) -> Pair:
    return (left, right) if left <= right else (right, left)
