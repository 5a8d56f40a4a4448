"""The methods of the papers, one file each: from parameters and supervision to a `Solution`.

`METHODS` is the one list of them. Estimators, `textclust.cluster`, the choices and options of the
command line, the titles in reports and the tables of the documentation follow from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textclust.methods import parameters as tables
from textclust.parameters import Parameters
from textclust.registry import Registry, load

if TYPE_CHECKING:
    from textclust.methods.solver import Solver

__all__ = [
    "BACKGROUND",
    "CONSTRAINTS",
    "EXAMPLES",
    "GROUPINGS",
    "KINDS",
    "METHODS",
    "SEEDS",
    "SEED_WORDS",
    "TOGETHER",
    "WEIGH",
    "Method",
    "usual_method",
]

# Of supervision, special ones first; each is a parameter of `textclust.cluster`.
KINDS = ("examples", "background", "constraints", "seeds", "seed_words")
EXAMPLES, BACKGROUND, CONSTRAINTS, SEEDS, SEED_WORDS = (frozenset({kind}) for kind in KINDS)

# What is to become of documents that come in groups.
GROUPINGS = TOGETHER, WEIGH = "together", "weigh"


@dataclass(frozen=True)
class Method:
    """What is to be known of a method before it is imported."""

    title: str  # in reports
    solver: str  # where `solve` is
    estimator: str  # its public class
    paper: str
    summary: str  # one line
    parameters: Parameters
    supervision: frozenset[str] = frozenset()  # the kinds that it takes
    usual_for: frozenset[str] = frozenset()  # those of them for which it is a default
    distortion: str = "cosine"  # for texts, where none is given
    for_texts: Mapping[str, object] = field(default_factory=dict)  # other defaults for texts
    has_memberships: bool = False  # how far documents belong to each of several clusters
    weighted: bool = True  # whether some rows can count for more than others
    in_parts: bool = False  # whether rows may lie in parts with the workers of a Dask cluster

    @property
    def accepts(self) -> frozenset[str]:
        """The kinds that it can be given: one that takes links is given seeds as links."""
        return self.supervision | SEEDS if "constraints" in self.supervision else self.supervision

    def allows(self, settings: Mapping[str, object]) -> bool:
        """Whether it has these parameters, and may have them so."""
        rules = self.parameters
        return all(name in rules and rules[name].allows(settings[name]) for name in settings)

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
            "Each document in the cluster whose prototype is nearest.",
            tables.KMEANS,
            in_parts=True,
        ),
        "guided": Method(
            "guided clustering",
            "textclust.methods.guided:GuidedClusteringSolver",
            "GuidedClustering",
            "textclust; Nigam et al. 2000, Zhou et al. 2004, Wolpert 1992",
            "Label models, weighted by how well they predict held-out seeds, beside the clusters.",
            tables.GUIDED,
            supervision=SEEDS | CONSTRAINTS | BACKGROUND | SEED_WORDS,
            usual_for=SEEDS | CONSTRAINTS | BACKGROUND | SEED_WORDS,
            in_parts=True,
        ),
        "seeded": Method(
            "Seeded-KMeans",
            "textclust.methods.seeded:SeededKMeansSolver",
            "SeededKMeans",
            "Basu 2005, chapter 3",
            "Clusters start at the seeds, which may leave them.",
            tables.SEEDED,
            supervision=SEEDS,
            in_parts=True,
        ),
        "constrained": Method(
            "Constrained-KMeans",
            "textclust.methods.seeded:ConstrainedKMeansSolver",
            "ConstrainedKMeans",
            "Basu 2005, chapter 3",
            "Clusters start at the seeds, which never leave them.",
            tables.SEEDED,
            supervision=SEEDS,
            usual_for=SEEDS,
            in_parts=True,
        ),
        "hmrf": Method(
            "HMRF-KMeans",
            "textclust.methods.learned_hmrf:LearnedHMRFKMeansSolver",
            "HMRFKMeans",
            "Basu 2005, chapter 4",
            "A violated link has a cost, in a hidden Markov random field over the labels.",
            tables.LEARNED_HMRF,
            supervision=CONSTRAINTS,
            usual_for=CONSTRAINTS,
            in_parts=True,
        ),
        "pckmeans": Method(
            "PC-KMeans",
            "textclust.methods.hmrf:PCKMeansSolver",
            "PCKMeans",
            "Basu, Bilenko and Mooney 2003",
            "A violated link has a cost: the first form of HMRF-KMeans.",
            tables.HMRF,
            supervision=CONSTRAINTS,
            in_parts=True,
        ),
        "mpckmeans": Method(
            "MPC-KMeans",
            "textclust.methods.mpckmeans:MPCKMeansSolver",
            "MPCKMeans",
            "Basu, Bilenko and Mooney 2003",
            "A violated link has a cost, and a metric is learned from it.",
            tables.MPCKMEANS,
            supervision=CONSTRAINTS,
            distortion="euclidean",
        ),
        "mkmeans": Method(
            "M-KMeans",
            "textclust.methods.mpckmeans:MKMeansSolver",
            "MKMeans",
            "Basu, Bilenko and Mooney 2003",
            "The same, from a start without links.",
            tables.MKMEANS,
            supervision=CONSTRAINTS,
            distortion="euclidean",
        ),
        "cop": Method(
            "COP-KMeans",
            "textclust.methods.cop:COPKMeansSolver",
            "COPKMeans",
            "Wagstaff et al. 2001; Basu 2005, 2.3.3",
            "No link is ever violated.",
            tables.COP,
            supervision=CONSTRAINTS,
            in_parts=True,
        ),
        "kernel": Method(
            "SS-Kernel-KMeans",
            "textclust.methods.kernel_kmeans:SSKernelKMeansSolver",
            "SSKernelKMeans",
            "Yan and Domeniconi 2006",
            "A violated link has a cost, in the feature space of a kernel or on a graph.",
            tables.KERNEL,
            supervision=CONSTRAINTS,
            distortion="euclidean",
            for_texts={"kernel": "neighbours"},
        ),
        "adaptive-kernel": Method(
            "Adaptive-SS-Kernel-KMeans",
            "textclust.methods.adaptive_kernel:AdaptiveSSKernelKMeansSolver",
            "AdaptiveSSKernelKMeans",
            "Yan and Domeniconi 2006",
            "The same, and the width of the kernel is learned from links.",
            tables.ADAPTIVE_KERNEL,
            supervision=CONSTRAINTS,
            distortion="euclidean",
        ),
        "vmf": Method(
            "von Mises-Fisher mixture",
            "textclust.methods.von_mises_fisher:VonMisesFisherMixtureSolver",
            "VonMisesFisherMixture",
            "Banerjee et al. 2005",
            "Probabilities of clusters, by directions on the sphere.",
            tables.VMF,
            supervision=SEEDS,
            has_memberships=True,
        ),
        "hmrf-em": Method(
            "HMRF-EM",
            "textclust.methods.hmrf_em:HMRFEMSolver",
            "HMRFEM",
            "Basu 2005, chapter 4",
            "Probabilities of clusters, where a violated link has a cost.",
            tables.HMRF_EM,
            supervision=CONSTRAINTS,
            has_memberships=True,
        ),
        "overlapping": Method(
            "overlapping k-means",
            "textclust.methods.overlapping:OverlappingKMeansSolver",
            "OverlappingKMeans",
            "Banerjee et al. 2005; Basu 2005, 7.3",
            "A document may be in several clusters.",
            tables.OVERLAPPING,
            supervision=CONSTRAINTS,
            has_memberships=True,
        ),
        "hac": Method(
            "HAC",
            "textclust.methods.hac:HACSolver",
            "HAC",
            "Basu 2005, 2.2.1",
            "A hierarchy: the nearest clusters are merged until k are left.",
            tables.HAC,
            supervision=CONSTRAINTS,
            weighted=False,
        ),
        "consensus": Method(
            "consensus clustering",
            "textclust.methods.consensus:ConsensusClusteringSolver",
            "ConsensusClustering",
            "Topchy, Jain and Punch 2005; Fred and Jain 2005",
            "The clusters that several runs of k-means agree on best.",
            tables.CONSENSUS,
            supervision=CONSTRAINTS,
            weighted=False,
        ),
        "semihard": Method(
            "SemiHard",
            "textclust.methods.semihard:SemiHardSolver",
            "SemiHard",
            "Gao, Tan and Cheng 2005",
            "Older labelled documents name and guide the clusters of new ones.",
            tables.SEMIHARD,
            supervision=BACKGROUND,
            usual_for=BACKGROUND,
        ),
        "semifuzzy": Method(
            "SemiFuzzy",
            "textclust.methods.semifuzzy:SemiFuzzySolver",
            "SemiFuzzy",
            "Gao, Tan and Cheng 2005",
            "The same, with each document in every cluster to some degree.",
            tables.SEMIHARD,
            supervision=BACKGROUND,
            has_memberships=True,
        ),
        "clue": Method(
            "CLUE",
            "textclust.methods.clue:CLUESolver",
            "CLUE",
            "Hu et al. 2013",
            "A metric is learned from example clusters, and the rest is clustered by it.",
            tables.CLUE,
            supervision=EXAMPLES,
            weighted=False,
        ),
        "cluedo": Method(
            "CLUEDO",
            "textclust.methods.cluedo:CLUEDOSolver",
            "CLUEDO",
            "Hu et al. 2013",
            "The same in rounds that learn from the clusters found before.",
            tables.CLUEDO,
            supervision=EXAMPLES,
            usual_for=EXAMPLES,
            weighted=False,
        ),
    },
)


def usual_method(
    kinds: frozenset[str], distortion: object = None, settings: Mapping[str, object] | None = None
) -> str:
    """The method where none is named: the default for the most special kind that is given.

    Of several, the first that can be run with this distortion and these settings.
    """
    kind = next((kind for kind in KINDS if kind in kinds), None)
    if kind is None:
        return next(iter(METHODS))
    usual = [name for name, method in METHODS.items() if kind in method.usual_for]
    given = dict(settings or {})
    if distortion is not None:
        given["distortion"] = distortion
    return next((name for name in usual if METHODS[name].allows(given)), usual[0])
