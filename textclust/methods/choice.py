"""Which method, and its solver: by name, or by what is known beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from textclust.engine.problem import Solution
from textclust.errors import InputError, in_words
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Matrix
from textclust.methods import KINDS, METHODS, usual_method
from textclust.methods.solver import Solver
from textclust.parameters import check
from textclust.stopping import searching
from textclust.supervision.given import Supervision
from textclust.text.termspace import TermSpace

__all__ = ["Run", "solver_of"]

_NOUNS = {"background": "a background"}  # kinds of supervision that are no plurals


@runtime_checkable
class GrowingSolver(Protocol):
    """A solver that finds out how many clusters there are beside the classes of a background."""

    def grow(self, X: Matrix, supervision: Supervision) -> Solution: ...


@dataclass(frozen=True)
class Run:
    """A method with its solver, and how many clusters it is to find."""

    method: str
    solver: Solver
    k: int | None  # None where it is still open

    @classmethod
    def of(
        cls,
        kinds: frozenset[str],
        k: int | str = "auto",
        method: str | None = None,
        distortion: str | Distortion | None = None,
        random_state: int | None = 0,
        parameters: Mapping[str, Any] | None = None,
    ) -> Self:
        """With these parameters, for these kinds of supervision; without a method, the default one.

        An InputError where the method would not look at what is known, or lacks it.
        """
        method = method or usual_method(kinds, distortion, parameters)
        _require_taken(method, kinds)
        number = k if k != "auto" else None if "examples" in kinds else 1
        solver = solver_of(method, number, distortion, random_state, parameters or {})
        return cls(method, solver, None if k == "auto" else int(k))

    def searching(self) -> AbstractContextManager[object]:
        """A search by this method, unless that cannot be ended early; `solve` is a part of it."""
        if "max_seconds" not in METHODS[self.method].parameters:
            return nullcontext()
        check(self.solver, self.solver.rules)
        return searching(self.solver.parameters()["max_seconds"])

    @property
    def takes(self) -> frozenset[str]:
        """The kinds of supervision that the method takes."""
        return METHODS[self.method].supervision

    def with_k(self, k: int) -> Run:
        """The same for k clusters."""
        return Run(self.method, replace(self.solver, n_clusters=k), k)

    def solve(self, X: Matrix, supervision: Supervision, weights: Array | None = None) -> Solution:
        """The best clustering found of the rows of X by what is known of them."""
        taken = supervision.for_method(self.takes)
        if (
            self.k is None
            and "background" in taken.kinds
            and isinstance(self.solver, GrowingSolver)
        ):
            return self.solver.grow(X, taken)
        return self.solver.solve(X, weights, taken)


def _require_taken(method: str, kinds: frozenset[str]) -> None:
    """Raise an InputError where a method would not look at what is known, or lacks it."""
    found = METHODS.find(method)
    refused = [kind for kind in KINDS if kind in kinds - found.accepts]
    together = {name: other for name, other in METHODS.items() if kinds <= other.accepts}
    if refused and not together:
        raise InputError(_refused_mix(kinds))
    if "examples" in found.supervision - kinds:
        raise InputError(f"method {method!r} needs examples; name some folders or classes")
    if refused:
        kind = refused[0]
        those = [name for name, other in together.items() if kind in other.supervision]
        those.sort(key=lambda name: kind not in METHODS[name].usual_for)
        noun = kind.replace("_", " ")
        raise InputError(f"method {method!r} takes no {noun}; use {in_words(those)}")


def _refused_mix(kinds: frozenset[str]) -> str:
    """Why there is no method for these kinds of supervision together."""
    accepted = METHODS[usual_method(kinds)].accepts
    special = next(kind for kind in KINDS if kind in kinds)
    less_special = KINDS[KINDS.index(special) + 1 :]
    nouns = {kind: _NOUNS.get(kind, kind.replace("_", " ")) for kind in KINDS}
    others = [nouns[kind] for kind in less_special[::-1] if kind not in accepted]
    verb = "goes" if special in _NOUNS else "go"
    neither = "neither " if len(others) > 1 else "no "
    return f"{nouns[special]} {verb} with {neither}{in_words(others, 'nor')}; choose one"


def solver_of(
    method: str,
    k: int | str | None,
    distortion: str | Distortion | None,
    random_state: int | None,
    parameters: Mapping[str, Any],
) -> Solver:
    """The solver of a method with these parameters; without a distortion, with its own.

    Only a method that takes examples can do without k.
    """
    found = METHODS.find(method)
    by_examples = "examples" in found.supervision
    given: dict[str, Any] = {"random_state": random_state}
    if k is None and not by_examples:
        raise InputError(f"method {method!r} needs k; say how many clusters there are")
    if k is not None:
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
            raise InputError(f"k must be a whole number of at least 1; got {k!r}")
        given["n_clusters"] = int(k)
    solver = found.solver_class()
    if not by_examples:
        given["distortion"] = found.distortion if distortion is None else distortion
    elif distortion is not None:
        raise InputError(f"method {method!r} learns its distance; leave the distortion out")
    if "n_clusters" in parameters:
        raise InputError("the number of clusters is k; leave n_clusters out")
    unknown = sorted(parameters.keys() - solver.__dataclass_fields__.keys())
    of_terms = [name for name in unknown if name in signature(TermSpace).parameters]
    if of_terms:
        raise InputError(
            f"method {method!r} has no parameter {of_terms[0]!r}: it says how texts are counted; "
            f"give it as vectorizer=tc.TextVectorizer({of_terms[0]}=...)"
        )
    if unknown:
        raise InputError(f"method {method!r} has no parameter {unknown[0]!r}; leave it out")
    defaults = {} if parameters.get("as_published") else found.for_texts
    return solver(**{**given, **defaults, **parameters}).resolved()
