"""What each start, and the first-variation search after it, brings (Basu 2005, 4.5.1)."""

from __future__ import annotations

from collections.abc import Iterator

from textclust import metrics
from textclust.estimators.kmeans import SphericalKMeans
from textclust.experiments.collections import NEWS_COLLECTIONS
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import terms_and_classes

__all__ = ["EXPERIMENTS"]

_STARTS = ("perturbed", "farthest", "k-means++", "lsa")


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI and energy of spherical k-means from one start, one try for the drawn ones."""
    X, truth = terms_and_classes(case["collection"], sublinear_tf=True)
    tries = "auto" if case["start"] == "lsa" else 1
    for search in ("none", "refined"):
        model = SphericalKMeans(
            len(set(truth.tolist())),
            init=case["start"],
            n_init=tries,
            refine=search == "refined",
            random_state=run,
        ).fit(X)
        score = metrics.nmi(truth, model.labels_)
        yield {"search": search, "NMI": score, "energy": model.objective_}


EXPERIMENTS = (
    Experiment(
        name="starts",
        title="Spherical k-means from each start, without and with the first-variation search",
        source="Basu 2005, section 4.5.1",
        unit=unit,
        cases=grid(collection=NEWS_COLLECTIONS, start=_STARTS),
        runs=10,
        axes=("collection", "start", "search"),
        x="start",
        lines="search",
        across="search",
        measures=("NMI", "energy"),
        notes=(
            "perturbed, farthest, k-means++: one draw a run, as in the papers",
            "lsa: as many tries in each latent space as the default makes",
        ),
    ),
)
