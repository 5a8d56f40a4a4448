"""What every method is to those who run it: a solver, its parameters and `solve`."""

from __future__ import annotations

from typing import ClassVar, Protocol, Self

from textclust.engine.problem import Solution
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.distortion import Distortion
from textclust.parameters import Dataclass, Parameters, RandomState, Settings
from textclust.supervision.given import NOTHING, Supervision

__all__ = ["DistortionLike", "Solver"]

DistortionLike = str | Distortion  # a name of `geometry.DISTORTIONS`, or a distortion itself


class Solver(Dataclass, Protocol):
    """A method with its parameters, which are the fields of a dataclass."""

    rules: ClassVar[Parameters]  # what each parameter may be

    def __init__(self, **parameters: object) -> None: ...

    @property
    def n_clusters(self) -> int | str: ...

    @property
    def n_jobs(self) -> int | None: ...

    @property
    def random_state(self) -> RandomState: ...

    def solve(
        self, X: Matrix, weights: Array | None = None, supervision: Supervision = NOTHING
    ) -> Solution:
        """The best clustering found of the rows of X by what is known of them."""

    def resolved(self) -> Self:
        """The same with open settings filled in: as published, or with our defaults."""

    def published(self) -> Settings:
        """The settings of the paper."""

    def parameters(self) -> Settings:
        """Every parameter by name."""

    def describe(self) -> str:
        """What the method is run with, in words."""
