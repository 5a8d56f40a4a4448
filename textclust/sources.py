"""What is known beforehand, from files or objects to what a method takes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry import Distortion
from textclust.geometry.affine import Labels
from textclust.methods import METHODS
from textclust.result.evidence import Evidence, Link
from textclust.supervision.given import NOTHING, Supervision
from textclust.text.decoding import encodable

if TYPE_CHECKING:
    from textclust.supervision.constraint_files import Line
    from textclust.supervision.constraints import Constraints

__all__ = ["MatchedSupervision", "SupervisionSource", "solver_of"]


def solver_of(
    method: str,
    k: int | None,
    distortion: str | Distortion | None,
    random_state: int | None,
    parameters: dict[str, Any],
) -> Any:
    """The solver of a method with these parameters; without a distortion, with its own.

    Only a method that takes examples can do without k.
    """
    found = METHODS.find(method)
    given: dict[str, Any] = {"random_state": random_state}
    if k is None and found.supervision != "examples":
        raise InputError(f"method {method!r} needs k; say how many clusters there are")
    if k is not None:
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
            raise InputError(f"k must be a whole number of at least 1; got {k!r}")
        given["n_clusters"] = int(k)
    solver = found.solver_class()
    if found.supervision != "examples":
        given["distortion"] = found.distortion if distortion is None else distortion
    elif distortion is not None:
        raise InputError(f"method {method!r} learns its distance; leave the distortion out")
    if "n_clusters" in parameters:
        raise InputError("the number of clusters is k; leave n_clusters out")
    unknown = sorted(parameters.keys() - solver.__dataclass_fields__.keys())
    if unknown:
        raise InputError(f"method {method!r} has no parameter {unknown[0]!r}; leave it out")
    usual = {} if parameters.get("as_published") else found.for_texts
    return solver(**{**given, **usual, **parameters}).resolved()


@dataclass(frozen=True)
class SupervisionSource:
    """Seeds by document id, and constraints by id or by row, before the documents are known."""

    seeds: Mapping[str, str] | None
    seeds_from: str
    lines: list[Line] | None
    lines_from: str
    constraints: Constraints | None

    @classmethod
    def read(cls, seeds: Any, constraints: Any) -> Self:
        """Read what is a file; what is wrong with it shows before the documents are read."""
        labels: Mapping[str, str] | None = None
        if isinstance(seeds, str | os.PathLike):
            from textclust.text.labels import read_labels

            labels = read_labels(seeds)
        elif seeds is not None:
            if not isinstance(seeds, Mapping):
                raise InputError("seeds must be the path of a table or a dict of labels by id")
            labels = {str(name): encodable(str(label)) for name, label in seeds.items()}
            unknown = [name for name, label in seeds.items() if label is None or label == -1]
            if unknown:
                raise InputError(f"seeds has no label for {unknown[0]!r}; leave it out")
        lines, given = None, None
        if isinstance(constraints, str | os.PathLike):
            from textclust.supervision.constraint_files import read_lines

            lines = read_lines(constraints)
        elif constraints is not None:
            from textclust.supervision.constraints import Constraints

            if not isinstance(constraints, Constraints):
                kind = type(constraints).__name__
                raise InputError(f"constraints must be a path or Constraints; got {kind}")
            given = constraints
        return cls(labels, _where(seeds), lines, _where(constraints), given)

    @property
    def is_some(self) -> bool:
        """Whether anything was said."""
        return self.seeds is not None or self._has_constraints

    @property
    def usual_method(self) -> str:
        """The method that makes use of all of it."""
        if self._has_constraints:
            return "hmrf"
        return "kmeans" if self.seeds is None else "constrained"

    def refuse_unused(self, method: str) -> None:
        """Raise an InputError where the method would not look at something."""
        takes = METHODS[method].supervision
        if self._has_constraints and takes != "constraints":
            raise InputError(f"method {method!r} takes no constraints; use hmrf")
        if self.seeds is not None and takes not in ("seeds", "constraints"):
            raise InputError(f"method {method!r} takes no seeds; use constrained or seeded")

    def matched(self, ids: Sequence[str], k: int) -> MatchedSupervision:
        """The same by row, for documents with these ids."""
        y, classes = self._labels(ids)
        if len(classes) > k:
            raise InputError(
                f"{self.seeds_from}: {len(classes)} classes for {k} clusters; ask for more clusters"
            )
        return MatchedSupervision(ids, y, classes, self._links(ids))

    @property
    def _has_constraints(self) -> bool:
        return self.lines is not None or self.constraints is not None

    def _labels(self, ids: Sequence[str]) -> tuple[Labels | None, tuple[str, ...]]:
        if self.seeds is None:
            return None, ()
        rows = {name: row for row, name in enumerate(ids)}
        unknown = [name for name in self.seeds if name not in rows]
        if unknown:
            more = f" ({len(unknown) - 1} more like it)" if len(unknown) > 1 else ""
            raise InputError(
                f"{self.seeds_from}: no document has the id {unknown[0][:80]!r}{more}; "
                "an id is a path below the folder, or what the id column says"
            )
        classes = tuple(sorted(set(self.seeds.values()), key=_in_order))
        number = {name: h for h, name in enumerate(classes)}
        y = np.full(len(ids), -1)
        for name, label in self.seeds.items():
            y[rows[name]] = number[label]
        return y, classes

    def _links(self, ids: Sequence[str]) -> Constraints | None:
        if self.lines is None:
            return self.constraints
        from textclust.supervision.constraint_files import match, refuse_wrong
        from textclust.supervision.constraints import Constraints

        matched = match(self.lines, ids)
        refuse_wrong(matched, self.lines_from)
        return Constraints(*matched.pairs())


@dataclass(frozen=True)
class MatchedSupervision:
    """What is known beforehand of the documents, by row."""

    ids: Sequence[str]
    y: Labels | None
    classes: tuple[str, ...]
    constraints: Constraints | None

    @property
    def is_some(self) -> bool:
        """Whether anything is known."""
        return self.y is not None or self.constraints is not None

    def for_method(self, method: str) -> Supervision:
        """What a method takes of it; seeds become links where it takes these."""
        takes = METHODS[method].supervision
        if takes == "seeds":
            return Supervision(seeds=self.y)
        if takes == "examples" and self.y is not None:
            rows = [np.flatnonzero(self.y == h) for h in range(len(self.classes))]
            return Supervision(examples=rows)
        links = self._all_links()
        if takes != "constraints" or links is None:
            return NOTHING
        if method in ("cop", "hac"):
            from textclust.supervision.conflicts import require_consistent

            require_consistent(links, self.ids)
        return Supervision(constraints=links)

    def evidence(self, solution: Solution, method: str, moved: int | None) -> Evidence:
        """The same for the answer to keep, with the price of each link."""
        numbered = METHODS[method].supervision == "seeds"
        seeds: dict[int, int] = {}
        if self.y is not None:
            seeds = {int(row): int(self.y[row]) for row in np.flatnonzero(self.y >= 0)}
        if self.constraints is None:
            return Evidence((), seeds, self.classes, numbered, moved)
        links = self.constraints.links
        kinds = np.where(links.together, "must-link", "cannot-link").tolist()
        rows = zip(links.pairs(), kinds, self._prices(solution), strict=True)
        found = (Link(*pair, kind, price) for pair, kind, price in rows)
        return Evidence(tuple(found), seeds, self.classes, numbered, moved)

    def _prices(self, solution: Solution) -> list[float | None]:
        """Of the links given, which come before those of seeds, must-links before all others."""
        given, known = self.constraints, self._all_links()
        assert given is not None
        assert known is not None
        if solution.link_prices is None:
            return [None] * len(given)
        must, all_must = given.links.together.sum(), known.links.together.sum()
        prices = solution.link_prices.tolist()
        return prices[:must] + prices[all_must : all_must + len(given) - must]

    def _all_links(self) -> Constraints | None:
        if self.y is None:
            return self.constraints
        from textclust.supervision.constraints import Constraints

        of_seeds = Constraints.from_labels(self.y)
        return of_seeds if self.constraints is None else self.constraints | of_seeds


def _in_order(label: str) -> tuple[bool, int, str]:
    """Whole numbers by size, before all other labels by the alphabet."""
    whole = label.isascii() and label.isdigit()
    return not whole, int(label) if whole else 0, label


def _where(given: Any) -> str:
    return os.fspath(given) if isinstance(given, str | os.PathLike) else "what is given"
