"""A method, a distortion, a reader and a query strategy of a stranger, one registration each."""

from __future__ import annotations

import json
from dataclasses import KW_ONLY, dataclass

from textclust import active, geometry, text
from textclust.active.explore import explore
from textclust.engine.restarts import in_canonical_order
from textclust.geometry.euclidean import Euclidean
from textclust.methods import METHODS, Method
from textclust.methods.kmeans import KMeansSolver
from textclust.methods.parameters import KMEANS
from textclust.parameters import Parameter, Whole
from textclust.text.rows import Row

TOY = {**KMEANS, "stride": Parameter(Whole(1, ("auto",)), "How far a toy goes.", "step")}


@dataclass(repr=False, eq=False)
class ToySolver(KMeansSolver):
    """One run of k-means."""

    rules = TOY

    _: KW_ONLY
    stride: int | str = "auto"

    def _solve(self, X, weights, supervision):
        problem = self._problem(X, weights)
        return in_canonical_order(problem, self._descend(problem))


@dataclass(frozen=True)
class ToyDistortion(Euclidean):
    """The squared distance by another name."""

    name = "toy"


def toy_rows(path, where, columns):
    """A line is a document."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            yield Row(f"line {number}", {"text": json.loads(line)})


def toy_strategy(state):
    """Explores as usual."""
    return explore(state)


def register() -> None:
    toy = Method(
        "Toy-KMeans", "tests.toys:ToySolver", "KMeans", "A stranger", "Clusters as usual.", TOY
    )
    METHODS.add("toy", toy)
    geometry.DISTORTIONS.add("toy", geometry.Declared("tests.toys:ToyDistortion"))
    text.READERS.add(".toy", text.Reader("table", "tests.toys:toy_rows"))
    active.EXPLORING.add("toy", "tests.toys:toy_strategy")
