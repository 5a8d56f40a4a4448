"""Newer posts from labelled older ones (Gao, Tan and Cheng 2005, Table 3).

The posts of five newsgroups in the order of their dates; the classes of the first few are
known, and all others are clustered. The paper does not say which five it took, so here are
several choices, some with groups that are easy to tell apart and some that are not. As published
the rows are word counts at unit length (4.5); the other methods see damped TF-IDF.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from textclust import metrics
from textclust.engine.problem import Solution
from textclust.experiments.as_named import error_as_named
from textclust.experiments.classifiers import linear_svc
from textclust.experiments.collections import collection
from textclust.experiments.dated import DEFAULT, PUBLISHED, Split, split_by_date
from textclust.experiments.declared import Case, Experiment, Row
from textclust.geometry.affine import Labels
from textclust.geometry.cosine import Cosine
from textclust.geometry.rows import stacked
from textclust.methods.guided import GuidedClusteringSolver
from textclust.methods.kmeans import KMeansSolver
from textclust.methods.semihard import SemiHardSolver
from textclust.parameters import Settings
from textclust.supervision.background.predicted_labels import predict_labels

__all__ = ["CHOICES", "EXPERIMENTS"]

CHOICES = {
    "apart": (
        "comp.graphics rec.autos sci.space talk.politics.mideast soc.religion.christian",
        "alt.atheism comp.graphics misc.forsale rec.autos sci.crypt",
        "rec.sport.hockey sci.med talk.politics.guns comp.windows.x misc.forsale",
        "sci.electronics rec.motorcycles talk.politics.misc comp.sys.mac.hardware"
        " rec.sport.baseball",
        "rec.sport.hockey sci.crypt sci.electronics soc.religion.christian talk.politics.mideast",
        "comp.graphics comp.windows.x misc.forsale rec.autos sci.space",
    ),
    "akin": (
        "comp.graphics comp.os.ms-windows.misc comp.sys.ibm.pc.hardware comp.sys.mac.hardware"
        " comp.windows.x",
        "talk.politics.guns talk.politics.mideast talk.politics.misc talk.religion.misc"
        " alt.atheism",
        "rec.autos rec.motorcycles sci.electronics misc.forsale comp.sys.ibm.pc.hardware",
        "soc.religion.christian alt.atheism talk.religion.misc sci.med sci.space",
    ),
}
SHARES = (10, 5, 1)  # percent
K = 5


class Found(NamedTuple):
    """The labels of a method, and the class of each cluster, None for a new one."""

    method: str
    labels: Labels
    classes: Sequence[Hashable] | None  # None where clusters have no names


def unit(case: Case, run: int) -> Iterator[Row]:
    """The error rates of every method, and how many terms the old and the new posts share."""
    counted, weighted = _splits(CHOICES[case["kind"]][case["choice"]], case["share"])
    at = {
        "labelled": f"{case['share']}%",
        "groups": f"{case['kind']} ({len(CHOICES[case['kind']])})",
    }
    yield {**at, "method": "all", "shared terms": len(counted.placed)}
    for method, labels, classes in (*_as_published(counted, run), *_by_default(weighted, run)):
        row = {**at, "method": method, "error rate": metrics.error_rate(counted.truth, labels)}
        if classes is not None:
            numbers = [-1 if name is None else counted.groups.index(str(name)) for name in classes]
            row["error as named"] = error_as_named(counted.truth, labels, numbers)
        yield row


@lru_cache(maxsize=1)
def _splits(groups: str, share: int) -> tuple[Split, Split]:
    posts = collection("20newsgroups")
    counted, weighted = (
        split_by_date(posts, groups.split(), share, weighting) for weighting in (PUBLISHED, DEFAULT)
    )
    return counted, weighted


def _as_published(split: Split, state: int) -> Iterator[Found]:
    once: Settings = {"as_published": True, "random_state": state}
    faithful = SemiHardSolver(K, **once)
    drawn = KMeansSolver(K, distortion="cosine", init="k-means++", **once)
    predicted = predict_labels("naive-bayes", split.placed, 0.0, Cosine())
    yield Found("naive Bayes", predicted.labels, split.background.classes)
    yield _found("SemiHard as published", faithful.solve(split.X, None, split.known))
    yield _found("k-means++", drawn.solve(split.X))


def _by_default(split: Split, state: int) -> Iterator[Found]:
    labelled = SemiHardSolver(K, labeller="naive-bayes", random_state=state)
    default = SemiHardSolver(K, random_state=state)
    guided = GuidedClusteringSolver(K, random_state=state)
    alone = KMeansSolver(K, distortion="cosine", random_state=state)
    yield _found("SemiHard, naive Bayes", labelled.solve(split.X, None, split.known))
    yield _found("k-means", alone.solve(split.X))
    yield _found("SemiHard", default.solve(split.X, None, split.known))
    yield _found("GuidedClustering", guided.solve(split.X, None, split.known))
    yield Found("LinearSVC", _classified(split, state), split.background.classes)


def _found(method: str, solution: Solution) -> Found:
    known = solution.background
    return Found(method, solution.labels, None if known is None else known.classes)


def _classified(split: Split, state: int) -> Labels:
    """The classes by a LinearSVC of the old posts, all at unit length in the shared terms."""
    placed, cosine = split.placed, Cosine()
    old, new = placed.background.X[:, placed.old], split.X[:, placed.new]
    y = np.concatenate([np.full(new.shape[0], -1), split.background.y])
    rows = stacked(cosine.prepare(new), cosine.prepare(old))
    return linear_svc(rows, y, state)[: new.shape[0]]


_PRINTED = {
    "SemiHard as published": (0.0233, 0.0952, 0.2602),
    "naive Bayes": (0.0455, 0.1387, 0.3812),
    "k-means++": (0.2344, 0.2244, 0.2040),
}
EXPERIMENTS = (
    Experiment(
        name="gao2005-table-3",
        also=("newer",),
        title="Error rates on the newer posts of five newsgroups",
        source="Gao et al. 2005, table 3",
        unit=unit,
        cases=tuple(
            {"kind": kind, "share": share, "choice": choice}
            for kind in CHOICES
            for share in SHARES
            for choice in range(len(CHOICES[kind]))
        ),
        runs=3,
        axes=("labelled", "groups", "method"),
        x="labelled",
        lines="method",
        across="method",
        baseline="k-means",
        measures=("error rate", "error as named", "shared terms"),
        shown=("error rate", "error as named"),
        paper={
            (f"{share}%", "five it does not name", method): number
            for method, numbers in _PRINTED.items()
            for share, number in zip(SHARES, numbers, strict=True)
        },
        says="SemiHard is always below naive Bayes; both are below k-means with 5 and 10% "
        "labelled, and above it with 1%.",
        differs="As published, SemiHard is below naive Bayes and below k-means from one "
        "k-means++ start in every row, with 1% labelled too. On groups that are apart naive Bayes "
        "is below that of the paper with 1% labelled and above it with more; the paper does not "
        "say which groups it took. From our starts, on TF-IDF, the same method has lower errors "
        "throughout, and as it comes it is in no row above k-means from a better start. "
        "No method is below GuidedClustering in any row, by either measure. A LinearSVC of the old "
        "posts alone is above naive Bayes.",
        notes=(
            "as published: the documents that naive Bayes is confident of are the start, one run; "
            "k-means++: spherical, one run; these and naive Bayes on word counts at unit length",
            "the others on damped TF-IDF: the paper's method from our starts, the defaults, and "
            "LinearSVC of the old posts, at unit length in the shared terms",
            "error rate: clusters are matched with classes as fits best; error as named: by the "
            "class they are named with, and those of no class with classes that no old post has",
        ),
    ),
)
