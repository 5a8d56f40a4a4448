"""What learning the weights of terms brings on text (Basu 2005, 7.1)."""

from __future__ import annotations

from collections.abc import Iterator

from textclust.estimators.constrained import HMRFKMeans
from textclust.experiments.collections import NEWS
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import nmi_of_halves, terms_and_classes
from textclust.geometry.affine import Array
from textclust.supervision.constraints import Constraints

__all__ = ["EXPERIMENTS"]

COLLECTIONS = tuple(f"3-news-{family}-100" for family in NEWS)
COUNTS = (0, 100, 500)
DISTORTIONS = ("cosine", "kl")


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI on the half without links, for each number of links, either way round."""
    X, truth = terms_and_classes(case["collection"], sublinear_tf=True)
    distortion, _, learned = case["weights"].partition(", ")

    def fit(links: Constraints, state: int) -> Array:
        k = len(set(truth.tolist()))
        model = HMRFKMeans(k, distortion=distortion, learn=bool(learned), random_state=state)
        return model.fit(X, constraints=links).labels_

    for count in COUNTS:
        for score, _ in nmi_of_halves(truth, count, run, fit):
            yield {"links": count, "NMI": score}


EXPERIMENTS = (
    Experiment(
        name="learning",
        title="NMI on the half without links, with even weights of terms and with learned ones",
        source="Basu 2005, section 7.1",
        unit=unit,
        cases=grid(
            collection=COLLECTIONS,
            weights=[f"{d}{learned}" for d in DISTORTIONS for learned in ("", ", learned")],
        ),
        runs=5,
        axes=("collection", "links", "weights"),
        x="links",
        lines="weights",
        across="weights",
        notes=("HMRFKMeans as it comes, without and with learn=True; damped term frequencies",),
    ),
)
