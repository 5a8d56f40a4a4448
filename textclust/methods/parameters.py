"""What each method can be given: rules and one line of help, from which options are made too.

A table for each method, made of those before it; `METHODS` and the solvers share them. Nothing
heavy is imported. The docstring of the estimator says at length how a parameter works.
"""

from __future__ import annotations

from dataclasses import replace

from textclust.engine import CUTS, STARTS
from textclust.geometry import DISTORTIONS, KERNELS
from textclust.learned_metrics import LEARNERS
from textclust.methods.hierarchy import LINKAGES
from textclust.parameters import (
    Flag,
    Jobs,
    Never,
    Number,
    OneOf,
    Parameter,
    Parameters,
    Randomness,
    Registered,
    Rule,
    Seconds,
    Whole,
)
from textclust.supervision.background import LABELLERS
from textclust.supervision.inference import INFERENCES

__all__ = [
    "ADAPTIVE_KERNEL",
    "CLUE",
    "CLUEDO",
    "CONSENSUS",
    "COP",
    "GUIDED",
    "HAC",
    "HMRF",
    "HMRF_EM",
    "KERNEL",
    "KMEANS",
    "LEARNED_HMRF",
    "MKMEANS",
    "MPCKMEANS",
    "OVERLAPPING",
    "SEEDED",
    "SEMIHARD",
    "VMF",
]

_ARRAY = ("numpy:ndarray", "builtins:list", "builtins:tuple")


def _k(*words: str) -> Parameter:
    return Parameter(Whole(1, words), "How many clusters.", "k")


def _distortion(rule: Rule) -> Parameter:
    return Parameter(
        rule,
        "The distance of a document from the prototype of a cluster; by default cosine, or "
        "euclidean for methods that have no other.",
    )


def _starts(*of_the_method: str) -> Parameter:
    """Starts that need no supervision, and those that a method has beside them."""
    return _init(Registered(STARTS, ("auto", *of_the_method), _ARRAY))


def _init(rule: Rule) -> Parameter:
    return Parameter(
        rule,
        "Where the search begins; seeds, neighbourhoods, largest, random and confident are the "
        "starts of the papers.",
    )


_EVERY = {
    "as_published": Parameter(
        Flag(),
        "Run the method as its paper prints it: start, closure, weights, no refinement, plain term "
        "frequencies. Options given beside it take precedence.",
    ),
    "n_jobs": Parameter(Jobs(), "How many threads.", option=None),
    "random_state": Parameter(Randomness(), "Makes runs repeatable."),
}
_MAX_SECONDS: Parameters = {
    "max_seconds": Parameter(
        Seconds(),
        "How long the search may take, such as 90, 60s, 2m or 1h30m; reading and writing come on "
        "top. The best clustering found by then is the result, and the output says so.",
        option="time",
    ),
}
_WEIGHT = "What it costs to break a link of weight 1."
_PRIOR = "Estimate the share of each cluster, or give all the same."
_TEMPERATURE = Parameter(
    Number(1e-6, words=("auto",)), "How soft the probabilities are; 1 is as in the paper."
)

KMEANS: Parameters = {
    "n_clusters": _k(),
    "distortion": _distortion(
        Registered(DISTORTIONS, types=("textclust.geometry.distortion:Distortion",))
    ),
    "init": _starts(),
    "n_init": Parameter(Whole(1, ("auto",)), "How many starts to try."),
    "max_iter": Parameter(Whole(1), "How many iterations a run takes at most."),
    "tol": Parameter(
        Number(0.0), "A run ends when an iteration lowers the energy by less than this share."
    ),
    "refine": Parameter(Flag(("auto",)), "Whether single documents are moved at the end."),
    "min_size": Parameter(
        Whole(1, (None,)),
        "The least number of documents in a cluster, kept where that is possible.",
    ),
    "size_price": Parameter(
        Number(0.0, words=("auto",)),
        "What each document costs that a cluster lacks of its least number.",
    ),
    **_MAX_SECONDS,
    **_EVERY,
}
_ANY_SIZE: Parameters = {  # for methods that have no bound on sizes
    "min_size": replace(KMEANS["min_size"], rule=OneOf((None,)), option=None),
    "size_price": replace(KMEANS["size_price"], rule=OneOf(("auto",)), option=None),
}
SEEDED: Parameters = {**KMEANS, "init": _starts("seeds")}
HMRF: Parameters = {
    **KMEANS,
    "init": _starts("neighbourhoods", "largest"),
    "weight": Parameter(Number(0.0, words=("auto",)), _WEIGHT),
    "inference": Parameter(Registered(INFERENCES), "How linked documents are labelled together."),
    "use_constraints": Parameter(
        OneOf(("both", "init")), "Use links for start and assignment, or for the start alone."
    ),
    "entailed": Parameter(Flag(("auto",)), "Add links that follow from those given."),
    "emphasis": Parameter(
        Flag(("auto",)),
        "Count documents double that links place in k groups, where cross-validation supports it; "
        "not with a learned distortion, nor with robust.",
    ),
    "robust": Parameter(Flag(), "Down-weight links that contradict the rest."),
}
GUIDED: Parameters = {
    **KMEANS,
    "distortion": _distortion(OneOf(("cosine",))),
    "as_published": replace(_EVERY["as_published"], rule=Never(), option=None),
    "weight": HMRF["weight"],
    "inference": HMRF["inference"],
}
LEARNED_HMRF: Parameters = {
    **HMRF,
    "learn": Parameter(Flag(), "Learn a weight for every term."),
    "metric": Parameter(
        OneOf(("global", "local")),
        "One metric for all clusters (global) or one for each (local), where one is learned.",
    ),
}
_NOT_LEARNED: Parameters = {  # what methods that learn a metric or a kernel inherit and refuse
    name: replace(HMRF[name], option=None) for name in ("emphasis", "robust")
}
MPCKMEANS: Parameters = {
    **HMRF,
    **_NOT_LEARNED,
    "distortion": _distortion(OneOf(("euclidean",))),
    "metric": LEARNED_HMRF["metric"],
    "matrix": Parameter(
        OneOf(("diagonal", "full")),
        "A weight for every feature, or a full matrix, for up to 200 features.",
    ),
    "weight": Parameter(Number(0.0), _WEIGHT),
    "alpha_min": Parameter(
        Number(0.0, words=("auto",)),
        "The least cost of a violated link, as a share of the squared length of the longest "
        "must-link.",
    ),
    "alpha_max": Parameter(Number(0.0), "The highest cost, in the same unit."),
}
MKMEANS: Parameters = {
    **MPCKMEANS,
    "init": _starts(),
    "use_constraints": Parameter(
        OneOf(("both", "metric")), "Use links for assignment and metric, or for the metric alone."
    ),
}
COP: Parameters = {
    **KMEANS,
    "init": _starts("random", "neighbourhoods", "largest"),
    "local_search": Parameter(
        Flag(("auto",)), "Improve the assignment of the paper by single moves."
    ),
}
KERNEL: Parameters = {
    **HMRF,
    **_ANY_SIZE,
    "distortion": _distortion(OneOf(("euclidean",))),
    "kernel": Parameter(
        OneOf((*KERNELS, "neighbours", "precomputed")),
        "Similarity of two documents; for texts the graph of nearest neighbours by default.",
    ),
    "width": Parameter(
        Number(1e-100, 1e100, words=("auto",)),
        "The width of an rbf kernel; where it is learned, the one to begin with.",
    ),
    "degree": Parameter(Whole(1), "The degree of a polynomial kernel."),
    "n_neighbors": Parameter(
        Whole(1), "How many neighbours a document has, for the kernel neighbours.", "neighbours"
    ),
    "cut": Parameter(OneOf((None, *CUTS, "auto")), "Which cut of the graph to minimise, if any."),
    "n_landmarks": Parameter(
        Whole(1, (None,)),
        "How many documents to approximate a kernel with, where there are many.",
        "landmarks",
    ),
    "init": _init(
        OneOf(
            (
                "auto",
                "spectral",
                "neighbourhoods",
                "largest",
                "k-means++",
                "farthest",
                "perturbed",
            ),
            _ARRAY,
        )
    ),
}
ADAPTIVE_KERNEL: Parameters = {
    **KERNEL,
    **_NOT_LEARNED,
    "kernel": Parameter(OneOf(("rbf",)), KERNEL["kernel"].help),
    "cut": Parameter(OneOf(("auto", None)), KERNEL["cut"].help),
    "reference": Parameter(
        OneOf(("auto", "all", "random")),
        "The documents that the spread is measured from: all, or a random one as in the paper.",
    ),
}
VMF: Parameters = {
    **SEEDED,
    **_ANY_SIZE,
    "distortion": _distortion(OneOf(("cosine",))),
    "concentration": Parameter(
        OneOf(("auto", "shared", "own")), "One concentration for all clusters or one for each."
    ),
    "estimate": Parameter(
        OneOf(("auto", "exact", "approximate")),
        "How a concentration is found: by Newton's method, or by the formula of the paper.",
    ),
    "max_concentration": Parameter(Number(1e-6, words=(None,)), "The largest concentration."),
    "prior": Parameter(OneOf(("learned", "uniform")), _PRIOR),
    "temperature": _TEMPERATURE,
}
HMRF_EM: Parameters = {
    **HMRF,
    **_ANY_SIZE,
    "beta": Parameter(
        Number(1e-6, words=("auto",)),
        "The inverse temperature of the random field; 1 is as in the thesis.",
    ),
    "prior": Parameter(OneOf(("auto", "learned", "uniform")), _PRIOR),
    "temperature": _TEMPERATURE,
}
OVERLAPPING: Parameters = {
    **KMEANS,
    **_ANY_SIZE,
    "price": Parameter(Number(0.0), "What each cluster beyond the first costs a document."),
    "weight": HMRF["weight"],
    "search": Parameter(
        OneOf(("auto", "exact", "greedy")),
        "How the clusters of a document are found: among all sets, or one after the other.",
    ),
}
HAC: Parameters = {
    "n_clusters": _k(),
    "linkage": Parameter(
        OneOf(LINKAGES),
        "How the distance of two clusters is measured; average by default, complete with examples.",
    ),
    "distortion": _distortion(OneOf(("cosine", "euclidean"))),
    **_EVERY,
}
CONSENSUS: Parameters = {
    **HMRF,
    "distortion": HAC["distortion"],
    "init": _init(Registered(STARTS, ("auto", "neighbourhoods", "largest"))),
    "as_published": replace(
        _EVERY["as_published"], rule=Never("as no paper has it with links"), option=None
    ),
    "n_runs": Parameter(Whole(2), "How many runs of k-means to agree on.", "runs"),
}
SEMIHARD: Parameters = {
    **KMEANS,
    **_ANY_SIZE,
    "init": _starts("confident"),
    "labeller": Parameter(
        Registered(LABELLERS, (None,), ("builtins:object",)),
        "Classifier that labels new documents, as in Gao et al. 2005.",
    ),
    "R": Parameter(Number(0.0, words=("auto",)), "How much a background counts."),
    "threshold": Parameter(
        Number(0.0, 1.0, words=("auto",)),
        "Least confidence at which a label of naive Bayes counts.",
    ),
}
CLUE: Parameters = {
    "n_clusters": _k("auto", "cori", "refound"),
    "metric": Parameter(
        Registered(LEARNERS, (None,), ("textclust.learned_metrics:MetricLearner",)),
        "The metric that is learned from examples.",
    ),
    "regularisation": Parameter(
        Number(0.0, words=("auto",)), "Regularisation of the metric, for few examples."
    ),
    "linkage": HAC["linkage"],
    "latent": Parameter(
        Whole(1, ("auto", None)),
        "How many leading directions of the matrix the metric is learned in.",
    ),
    "max_linked": Parameter(
        Whole(2),
        "How many documents are linked one by one; if there are more, near ones are joined first.",
    ),
    **_MAX_SECONDS,
    **_EVERY,
}
CLUEDO: Parameters = {
    **CLUE,
    "rounds": Parameter(
        Whole(1), "How many rounds of learning the metric from the clusters found."
    ),
    "finish": Parameter(
        OneOf(("auto", "cut", "kmeans")),
        "Leave the clusters as the hierarchy is cut, or go on with k-means.",
    ),
}
