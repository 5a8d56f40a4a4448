"""One object for all that is known of the rows beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from textclust.supervision.example_rows import example_of_each

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from textclust.supervision.background.labelled import Background
    from textclust.supervision.constraints import Constraints
    from textclust.supervision.seed_words import SeedWords

Labels: TypeAlias = "NDArray[np.intp]"

__all__ = ["NOTHING", "Supervision", "given_kinds"]


@dataclass(frozen=True)
class Supervision:
    """What is known of the rows, in any mix; which of it a method takes its declaration says."""

    seeds: ArrayLike | None = None  # a class for each row, -1 or None where none is known
    constraints: Constraints | None = None
    background: Background | None = None
    features: Sequence[str] | None = None  # what the columns mean, for a background
    examples: Iterable[Iterable[int]] | None = None  # rows of example clusters
    classes: tuple[str, ...] = ()  # names of the classes of seeds or examples, by number
    ids: Sequence[str] | None = None  # names of the rows, for messages
    seed_words: SeedWords | None = None  # words that speak for classes

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of supervision that were given."""
        return given_kinds(
            seeds=self.seeds,
            constraints=self.constraints,
            background=self.background,
            examples=self.examples,
            seed_words=self.seed_words,
        )

    def for_method(self, takes: frozenset[str]) -> Supervision:
        """The same for a method that takes these kinds: seeds as links where it takes links alone.

        The links of seeds have the origin `SEED`.
        """
        if self.seeds is None or "seeds" in takes or "constraints" not in takes:
            return self
        from textclust.supervision.constraints import Constraints

        links = Constraints.from_labels(self.seeds)
        both = links if self.constraints is None else self.constraints | links
        return replace(self, seeds=None, constraints=both)

    @cached_property
    def class_of_row(self) -> dict[int, int]:
        """The number of the class of each row that seeds or examples name, rows ascending."""
        if self.seeds is not None:
            numbers = np.asarray(self.seeds)
        elif self.examples is not None:
            numbers = example_of_each(self.examples, len(self.ids or ()))
        else:
            return {}
        return {int(row): int(numbers[row]) for row in np.flatnonzero(numbers >= 0)}

    @property
    def mentioned(self) -> Labels:
        """The rows that seeds, links or examples mention, ascending."""
        named = np.array(list(self.class_of_row), dtype=np.intp)
        links = self.constraints
        return named if links is None else np.union1d(named, links.links.documents)

    def subset(self, rows: Labels) -> Supervision:
        """The same by the places of its documents among some rows, which ascend.

        All that are mentioned have to be among them.
        """
        from textclust.supervision.constraints import Constraints

        links, words = self.constraints, self.seed_words
        examples = [np.searchsorted(rows, np.array([*each], int)) for each in self.examples or ()]
        return replace(
            self,
            seeds=None if self.seeds is None else np.asarray(self.seeds)[rows],
            constraints=None if links is None else Constraints.from_links(links.links.among(rows)),
            examples=examples if self.examples is not None else None,
            ids=None if self.ids is None else [self.ids[row] for row in rows],
            seed_words=None if words is None else words.subset(rows),
        )


NOTHING = Supervision()


def given_kinds(
    *,
    seeds: object,
    constraints: object,
    background: object,
    examples: object,
    seed_words: object,
) -> frozenset[str]:
    """The kinds of supervision that are not None."""
    every = {
        "seeds": seeds,
        "constraints": constraints,
        "background": background,
        "examples": examples,
        "seed_words": seed_words,
    }
    return frozenset(kind for kind, given in every.items() if given is not None)
