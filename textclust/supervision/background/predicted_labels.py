"""Labels predicted for new documents, and their weight (Gao et al. 2005, 2.2, 2.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.errors import InputError
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.affine import costs as all_costs
from textclust.geometry.assignment import moments
from textclust.geometry.capabilities import cold, least_costs
from textclust.geometry.rows import squared_norms
from textclust.supervision.background.labellers import Labeller, labeller_for
from textclust.supervision.background.placed import PlacedBackground

__all__ = ["PredictedLabels", "cluster_weights", "predict_labels"]

_CONFIDENT = 0.9
_AT_LEAST = 0.1  # of the documents named for a class are known


@dataclass(frozen=True)
class PredictedLabels:
    """f: a labeller's confidence in each class of each document, and which predictions count."""

    confidences: Array  # n x q, rows that sum to one
    confident: Array  # n, True where it is confident enough

    @property
    def labels(self) -> Labels:
        """The class it is most confident in."""
        return np.asarray(self.confidences.argmax(axis=1), dtype=np.intp)

    def of(self, classes: Labels) -> PredictedLabels:
        """The same for some of the classes; predictions of the others do not count."""
        kept = self.confidences[:, classes]
        total = kept.sum(axis=1, keepdims=True)
        shares = np.divide(kept, total, out=np.full_like(kept, 1.0 / len(classes)), where=total > 0)
        return PredictedLabels(shares, self.confident & np.isin(self.labels, classes))


def predict_labels(
    labeller: str | Labeller,
    placed: PlacedBackground,
    threshold: float | str,
    distortion: Distortion,
) -> PredictedLabels:
    """Labels by a labeller that is fitted to the background in the shared features.

    Where the labeller does not decide itself, its confidence must reach the threshold;
    "auto" is 0.9, or less for a class where that would leave fewer than a tenth of the documents
    it is named for: every class needs some to start from. A document without any shared feature
    is not known.
    """
    background, X = placed.background, placed.X
    learner = labeller_for(distortion, labeller)
    labeller = learner.fit(background.X[:, placed.old], background.y)
    rows = X[:, placed.new]
    confidences = np.asarray(labeller.predict_proba(rows), dtype=np.float64)
    q = len(background.classes)
    if confidences.shape != (X.shape[0], q):
        raise InputError(
            f"the labeller gives confidences of shape {confidences.shape}, not {(X.shape[0], q)}"
        )
    if hasattr(labeller, "knows"):
        if threshold != "auto":
            raise InputError(
                f"threshold is not for {type(labeller).__name__}, which decides itself "
                "which labels count; leave it out (the nearest neighbour has delta)"
            )
        confident = np.asarray(labeller.knows(rows), dtype=bool)
    else:
        some = squared_norms(rows) > 0
        least = _default_thresholds(confidences, some) if threshold == "auto" else float(threshold)
        confident = (confidences.max(axis=1) >= least) & some
    return PredictedLabels(confidences, confident)


def _default_thresholds(confidences: Array, counted: Array) -> Array:
    """For each document what a labeller's confidence in its class must reach."""
    best, labels = confidences.max(axis=1), confidences.argmax(axis=1)
    least = np.full(confidences.shape[1], _CONFIDENT)
    for label in np.unique(labels[counted]):
        own = best[counted & (labels == label)]
        least[label] = min(_CONFIDENT, np.quantile(own, 1.0 - _AT_LEAST))
    return least[labels]


def cluster_weights(
    placed: PlacedBackground, predicted: PredictedLabels, distortion: Distortion, k: int
) -> Array:
    """w_j = D(p, j) / D(d, j): how much of what sets a class apart is shared (eq. 2.4, 2.5).

    Computed once, from the documents with a confident label: to take it from the clusters in
    every iteration would change the energy under the loop. One for a cluster without a class,
    or for one whose documents all lie in one place.
    """
    rows, labels = np.flatnonzero(predicted.confident), predicted.labels[predicted.confident]
    if len(rows) == 0:
        return np.ones(k)
    labelled = placed.X[rows]
    ratio = _discrimination(labelled[:, placed.new], labels, distortion, k)
    whole = _discrimination(labelled, labels, distortion, k)
    defined = np.isfinite(ratio) & np.isfinite(whole) & (whole > 0) & (ratio > 0)
    return np.divide(ratio, whole, out=np.ones(k), where=defined)


def _discrimination(X: Matrix, labels: Labels, distortion: Distortion, k: int) -> Array:
    """D: the distances of documents outside each cluster to its centre, over those inside."""
    X, final = distortion.prepare(X), cold(distortion)
    sums, masses = moments(X, labels, np.ones(len(labels)), k)
    filled = masses > 0
    apart = all_costs(X, final.affine(final.prototypes(sums, masses))) + final.own_costs(X)[:, None]
    apart = np.maximum(apart - least_costs(final, np.arange(k)), 0.0)
    own = np.zeros_like(apart)
    own[np.arange(len(labels)), labels] = 1.0
    inside, outside = (apart * own).sum(axis=0), (apart * (1.0 - own)).sum(axis=0)
    defined = filled & (inside > 0)
    return np.divide(outside, inside, out=np.full(k, np.nan), where=defined)
