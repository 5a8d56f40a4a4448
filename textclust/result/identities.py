"""Who a cluster is from run to run: its identity, and the name that goes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

__all__ = ["Identities"]


@dataclass(frozen=True)
class Identities:
    """The identity of each cluster: a number that is never given to another.

    Parameters
    ----------
    numbers : the number of each cluster, from 1
    following : the number that the next new cluster gets
    names : the name that each cluster had in the run before, or was given by a person; None where
        it is named by its terms
    given : the clusters, by their identities, whose names a person gave
    """

    numbers: tuple[int, ...]
    following: int
    names: tuple[str | None, ...]
    given: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.names) != len(self.numbers) or len(set(self.numbers)) != len(self.numbers):
            raise ValueError("clusters and their identities differ in number")
        if not all(1 <= number < self.following for number in self.numbers):
            raise ValueError("an identity is out of its range")
        if not set(self.given) <= set(self.numbers):
            raise ValueError("a name is given to an identity that no cluster has")

    @classmethod
    def first(cls, k: int) -> Self:
        """Those of k clusters of a first run."""
        return cls(tuple(range(1, k + 1)), k + 1, (None,) * k)

    def passed_on(self, became: Mapping[int, int], k: int, names: Sequence[str]) -> Identities:
        """Those of k clusters of a later run, in which some are what clusters of this one became.

        `names` are those that the clusters of this run are known by.
        """
        number, name = dict[int, int](), dict[int, str]()
        for old, new in became.items():
            number[new], name[new] = self.numbers[old], names[old]
        following = self.following
        for new in range(k):
            if new not in number:
                number[new] = following
                following += 1
        numbers = tuple(number[h] for h in range(k))
        kept = tuple(each for each in self.given if each in numbers)
        return Identities(numbers, following, tuple(name.get(h) for h in range(k)), kept)

    def renamed(self, names: Mapping[int, str]) -> Identities:
        """With the names that a person gives to clusters, by their identities."""
        found = [names.get(n, old) for n, old in zip(self.numbers, self.names, strict=True)]
        given = {*self.given, *(n for n in names if n in self.numbers)}
        return Identities(self.numbers, self.following, tuple(found), tuple(sorted(given)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """What `to_dict` gave; a ValueError where it cannot be."""
        names = tuple(None if each is None else str(each) for each in content["names"])
        numbers, given = (tuple(map(int, content[each])) for each in ("numbers", "given"))
        return cls(numbers, int(content["following"]), names, given)
