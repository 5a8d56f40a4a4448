"""The methods of the papers, one file each: from parameters and supervision to a `Solution`.

`METHODS` is the one list of them. Estimators, `textclust.cluster`, the choices of the command line,
the titles in reports and the tables of the documentation follow from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textclust.registry import Registry, load

if TYPE_CHECKING:
    from textclust.methods.solver import Solver

__all__ = ["BACKGROUND", "CONSTRAINTS", "EXAMPLES", "METHODS", "SEEDS", "Method"]


# Kinds of supervision; a method that takes links is given seeds as links.
SEEDS, CONSTRAINTS, BACKGROUND, EXAMPLES = (
    frozenset({kind}) for kind in ("seeds", "constraints", "background", "examples")
)


@dataclass(frozen=True)
class Method:
    """What is to be known of a method before it is imported."""

    title: str  # in reports
    solver: str  # where its parameters and `solve` are
    estimator: str  # its public class
    paper: str
    supervision: frozenset[str] = frozenset()  # the kinds that it takes
    distortion: str = "cosine"  # for texts, where none is given
    for_texts: Mapping[str, object] = field(default_factory=dict)  # other defaults for texts

    def solver_class(self) -> type[Solver]:
        """The class of its parameters, which solves."""
        found: type[Solver] = load(self.solver)
        return found

    def describe(self, solver: Solver) -> str:
        """What is run, as a report says it: k-means with cosine distortion."""
        return f"{self.title} with {solver.describe()}"


METHODS = Registry(
    "method",
    {
        "kmeans": Method(
            "k-means",
            "textclust.methods.kmeans:KMeansSolver",
            "KMeans",
            "Basu 2005, 2.3",
        ),
        "seeded": Method(
            "Seeded-KMeans",
            "textclust.methods.seeded:SeededKMeansSolver",
            "SeededKMeans",
            "Basu 2005, chapter 3",
            SEEDS,
        ),
        "constrained": Method(
            "Constrained-KMeans",
            "textclust.methods.seeded:ConstrainedKMeansSolver",
            "ConstrainedKMeans",
            "Basu 2005, chapter 3",
            SEEDS,
        ),
        "hmrf": Method(
            "HMRF-KMeans",
            "textclust.methods.learned_hmrf:LearnedHMRFKMeansSolver",
            "HMRFKMeans",
            "Basu 2005, chapter 4",
            CONSTRAINTS,
        ),
        "pckmeans": Method(
            "PC-KMeans",
            "textclust.methods.hmrf:PCKMeansSolver",
            "PCKMeans",
            "Basu, Bilenko and Mooney 2003",
            CONSTRAINTS,
        ),
        "mpckmeans": Method(
            "MPC-KMeans",
            "textclust.methods.mpckmeans:MPCKMeansSolver",
            "MPCKMeans",
            "Basu, Bilenko and Mooney 2003",
            CONSTRAINTS,
            "euclidean",
        ),
        "mkmeans": Method(
            "M-KMeans",
            "textclust.methods.mpckmeans:MKMeansSolver",
            "MKMeans",
            "Basu, Bilenko and Mooney 2003",
            CONSTRAINTS,
            "euclidean",
        ),
        "cop": Method(
            "COP-KMeans",
            "textclust.methods.cop:COPKMeansSolver",
            "COPKMeans",
            "Wagstaff et al. 2001; Basu 2005, 2.3.3",
            CONSTRAINTS,
        ),
        "kernel": Method(
            "SS-Kernel-KMeans",
            "textclust.methods.kernel_kmeans:SSKernelKMeansSolver",
            "SSKernelKMeans",
            "Yan and Domeniconi 2006",
            CONSTRAINTS,
            "euclidean",
            {"kernel": "neighbours"},
        ),
        "adaptive-kernel": Method(
            "Adaptive-SS-Kernel-KMeans",
            "textclust.methods.adaptive_kernel:AdaptiveSSKernelKMeansSolver",
            "AdaptiveSSKernelKMeans",
            "Yan and Domeniconi 2006",
            CONSTRAINTS,
            "euclidean",
        ),
        "vmf": Method(
            "von Mises-Fisher mixture",
            "textclust.methods.von_mises_fisher:VonMisesFisherMixtureSolver",
            "VonMisesFisherMixture",
            "Banerjee et al. 2005",
            SEEDS,
        ),
        "hmrf-em": Method(
            "HMRF-EM",
            "textclust.methods.hmrf_em:HMRFEMSolver",
            "HMRFEM",
            "Basu 2005, chapter 4",
            CONSTRAINTS,
        ),
        "overlapping": Method(
            "overlapping k-means",
            "textclust.methods.overlapping:OverlappingKMeansSolver",
            "OverlappingKMeans",
            "Banerjee et al. 2005; Basu 2005, 7.3",
            CONSTRAINTS,
        ),
        "hac": Method(
            "HAC", "textclust.methods.hac:HACSolver", "HAC", "Basu 2005, 2.2.1", CONSTRAINTS
        ),
        "semihard": Method(
            "SemiHard",
            "textclust.methods.semihard:SemiHardSolver",
            "SemiHard",
            "Gao, Tan and Cheng 2005",
            BACKGROUND,
        ),
        "semifuzzy": Method(
            "SemiFuzzy",
            "textclust.methods.semifuzzy:SemiFuzzySolver",
            "SemiFuzzy",
            "Gao, Tan and Cheng 2005",
            BACKGROUND,
        ),
        "clue": Method(
            "CLUE", "textclust.methods.clue:CLUESolver", "CLUE", "Hu et al. 2013", EXAMPLES
        ),
        "cluedo": Method(
            "CLUEDO",
            "textclust.methods.cluedo:CLUEDOSolver",
            "CLUEDO",
            "Hu et al. 2013",
            EXAMPLES,
        ),
    },
)
