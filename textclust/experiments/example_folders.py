"""A few of the twenty newsgroups' folders are given, the others are to be found.

The folders are drawn at random in each run, whole or the half of each; measured is on all
documents that are not given. HMRF-KMeans has the same documents as links and is given the number
of clusters, the true one or what CLUEDO found; k-means is given that number and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust import metrics
from textclust.estimators.constrained import HMRFKMeans
from textclust.estimators.examples import CLUE, CLUEDO
from textclust.estimators.kmeans import SphericalKMeans
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import terms_and_classes
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.supervision.constraints import Constraints
from textclust.supervision.example_rows import example_labels

__all__ = ["EXPERIMENTS"]

COLLECTION = "20-newsgroups-100"
FOLDERS = (1, 2, 4)
SHARES = {"whole": 1.0, "half": 0.5}


def unit(case: Case, run: int) -> Iterator[Row]:
    """Number of clusters, NMI and pairwise F of every method."""
    X, truth = terms_and_classes(case["collection"], sublinear_tf=True)
    rng = np.random.default_rng(run)
    k, examples = int(truth.max()) + 1, list[Labels]()
    for folder in rng.permutation(k)[: case["folders"]]:
        rows = rng.permutation(np.flatnonzero(truth == folder))
        examples.append(np.sort(rows[: round(SHARES[case["given"]] * len(rows))]))
    rest = np.setdiff1d(np.arange(len(truth)), np.concatenate(examples))
    for method, labels in _labels(X, examples, k, run):
        yield {
            "method": method,
            "clusters": len(np.unique(labels)),
            "NMI": metrics.nmi(truth[rest], labels[rest]),
            "pairwise F": metrics.pairwise_f1(truth[rest], labels[rest]),
        }


def _labels(X: Matrix, examples: list[Labels], k: int, state: int) -> Iterator[tuple[str, Array]]:
    yield "CLUE", CLUE(random_state=state).fit(X, examples=examples).labels_
    cut = CLUEDO(n_clusters="cori", finish="cut", random_state=state)
    yield "CLUEDO, cut", cut.fit(X, examples=examples).labels_
    found = CLUEDO(random_state=state).fit(X, examples=examples)
    yield "CLUEDO", found.labels_
    links = Constraints.from_labels(example_labels(examples, X.shape[0]))
    for name, count in (("HMRF, true k", k), ("HMRF, k of CLUEDO", found.n_clusters_)):
        yield name, HMRFKMeans(count, random_state=state).fit(X, constraints=links).labels_
    plain = SphericalKMeans(found.n_clusters_, random_state=state)
    yield "k-means, k of CLUEDO", plain.fit(X).labels_


EXPERIMENTS = (
    Experiment(
        name="folders",
        title=f"A few folders of {COLLECTION} are given: the other documents, without a number",
        source="",
        unit=unit,
        cases=grid(collection=(COLLECTION,), folders=FOLDERS, given=SHARES),
        runs=3,
        axes=("folders", "given", "method"),
        x="folders",
        lines="method",
        across="method",
        measures=("clusters", "NMI", "pairwise F"),
        notes=(
            "CLUE and CLUEDO, cut: as published, but in a latent space of 100 directions",
            "there are 20 groups of 100 posts",
        ),
    ),
)
