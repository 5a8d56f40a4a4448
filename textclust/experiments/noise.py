"""What wrong answers do, and what a robust mode saves (Basu 2005, 8.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from textclust.estimators.base import BaseClusterer
from textclust.estimators.constrained import HMRFKMeans
from textclust.estimators.guided import GuidedClustering
from textclust.experiments.collections import NEWS
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import nmi_of_halves, terms_and_classes
from textclust.geometry.affine import Array
from textclust.supervision.constraints import Constraints

__all__ = ["EXPERIMENTS"]

COLLECTIONS = tuple(f"3-news-{family}-100" for family in NEWS)
COUNTS = (200, 500, 1000)
WRONG = (0.0, 0.1, 0.2, 0.3)
_VARIANTS: dict[str, Callable[..., BaseClusterer]] = {
    "entailed": partial(HMRFKMeans, entailed=True),
    "default": HMRFKMeans,
    "robust": partial(HMRFKMeans, robust=True),
    "guided": GuidedClustering,
}


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI on either half, as more of the answers are wrong."""
    X, truth = terms_and_classes(case["collection"], sublinear_tf=True)

    def fit(links: Constraints, state: int) -> Array:
        model = _VARIANTS[case["variant"]](len(set(truth.tolist())), random_state=state)
        return model.fit(X, constraints=links).labels_

    for wrong in WRONG:
        for test, train in nmi_of_halves(truth, case["links"], run, fit, wrong):
            yield {"wrong": wrong, "NMI": test, "NMI of the linked": train}


EXPERIMENTS = (
    Experiment(
        name="noise",
        title="NMI on the half without links, and on the one with them, by the share of wrong ones",
        source="Basu 2005, section 8.2",
        unit=unit,
        cases=grid(collection=COLLECTIONS, links=COUNTS, variant=_VARIANTS),
        runs=10,
        axes=("collection", "links", "variant", "wrong"),
        x="wrong",
        lines="variant",
        baseline="default",
        measures=("NMI", "NMI of the linked"),
        notes=(
            "entailed: with all that follows from the links, as in the thesis",
            "default: HMRFKMeans as it comes; guided: GuidedClustering, the default of "
            "`textclust cluster`, as it comes",
            "robust: links that contradict the rest count less or not at all",
        ),
    ),
)
