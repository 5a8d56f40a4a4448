"""What held-out seeds say of the label models: cross-validation over the seeds.

With few seeds their predictions say little. What says more is whether a model labels the other
documents alike whichever seeds are held out; the prior of the weights is made of that.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models import PRIOR_WEIGHTS
from textclust.methods.label_models.documents import Documents
from textclust.methods.label_models.opinions import opinions_of
from textclust.methods.label_models.stacking import stacked_weights
from textclust.progress import track
from textclust.stopping import due

__all__ = ["Evidence", "cross_validated"]

_STRENGTH = 3.0  # of the prior of the shares: half the inverse of its variance
_UNLIKE = 3.0  # times that where seeds are no sample of the documents: old, or of some classes
_LEAST = 0.02  # of what agreement leaves of a weight
_UNTRIED = 0.6  # agreement where nothing can be held out
_FOLDS, _FOLDS_OF_FEW = 3, 5  # of which the second is for
_FEW = 5  # seeds of a class or less
_BESIDE = 3_000  # guesses, and as many other documents, that seeds are held out among


@dataclass(frozen=True)
class Evidence:
    """What held-out seeds say of the models."""

    weights: dict[str, float]
    accuracy: float | None  # of all together
    clusters_suffice: bool  # all together are not better than they by more than chance (McNemar)


def cross_validated(
    documents: Documents, y: Labels, weak: Labels, rng: np.random.Generator, old: bool
) -> Evidence:
    """What the seeds y say of the models, each held out once.

    Models learn from the guesses `weak` too; `old` is for seeds that were before the others. Where
    the search is to stop it is as if no seed could be held out.
    """
    folds = _folds(y, rng)
    untried = Evidence(_prior(dict.fromkeys(PRIOR_WEIGHTS, _UNTRIED), documents.k), None, True)
    if not (folds >= 0).any() or due():
        return untried
    rows = _sampled(y, weak, rng)
    sample, y, weak, folds = documents.sample(rows), y[rows], weak[rows], folds[rows]
    held_out = np.flatnonzero(folds >= 0)
    tables: dict[str, Array] = {}
    votes: dict[str, list[Labels]] = {}
    for fold in track(range(folds.max() + 1), "cross-validating", int(folds.max()) + 1):
        if fold and due():
            return untried
        rest = np.where(folds == fold, -1, np.where(y >= 0, y, weak))
        for name, opinion in opinions_of(sample, rest).items():
            table = tables.setdefault(name, np.zeros((len(held_out), documents.k)))
            table[folds[held_out] == fold] = opinion[folds == fold]
            votes.setdefault(name, []).append(opinion.argmax(axis=1))
    prior = _prior({name: _agreement(votes[name]) for name in votes}, documents.k)
    strength = _STRENGTH * (_UNLIKE if old or (weak >= 0).any() else 1.0)
    weights = stacked_weights(tables, y[held_out], prior, strength)
    total = np.asarray(sum(weights[name] * tables[name] for name in tables))
    right = total.argmax(axis=1) == y[held_out]
    by_clusters = tables["clusters"].argmax(axis=1) == y[held_out]
    better, differ = right.sum() - by_clusters.sum(), (right != by_clusters).sum()
    return Evidence(weights, float(right.mean()), bool(better <= np.sqrt(differ)))


def _agreement(votes: list[Labels]) -> float:
    """The share of documents that a model labels alike whichever seeds are held out."""
    return float(np.mean([(a == b).mean() for a, b in combinations(votes, 2)]))


def _prior(agreement: dict[str, float], k: int) -> dict[str, float]:
    """The weights before any seed is predicted, which sum to one.

    A model that says something else when other seeds are held out counts less: with two seeds a
    class this tells more than the few predictions do. Clusters do not depend on seeds but for
    their names.
    """
    chance = 1.0 / k
    above = {name: max((agreement[name] - chance) / (1 - chance), _LEAST) for name in agreement}
    above["clusters"] = 1.0
    found = {name: PRIOR_WEIGHTS[name] * above[name] ** 2 for name in agreement}
    total = sum(found.values())
    return {name: found[name] / total for name in found}


def _folds(y: Labels, rng: np.random.Generator) -> Labels:
    """The fold of each seed of a class with several; -1 for all other documents."""
    folds = np.full(len(y), -1)
    _, sizes = np.unique(y[y >= 0], return_counts=True)
    most = _FOLDS_OF_FEW if len(sizes) and np.median(sizes) <= _FEW else _FOLDS
    for label in np.unique(y[y >= 0]):
        rows = rng.permutation(np.flatnonzero(y == label))
        if len(rows) > 1:
            folds[rows] = np.arange(len(rows)) % min(most, len(rows))
    return folds


def _sampled(y: Labels, weak: Labels, rng: np.random.Generator) -> Labels:
    """The seeds, and as many guesses and other documents as cross-validation needs."""
    guesses, others = (y < 0) & (weak >= 0), (y < 0) & (weak < 0)
    few = [_some(np.flatnonzero(rows), rng) for rows in (guesses, others)]
    return np.sort(np.concatenate([np.flatnonzero(y >= 0), *few]))


def _some(rows: Labels, rng: np.random.Generator) -> Labels:
    return rows if len(rows) <= _BESIDE else rng.choice(rows, _BESIDE, replace=False)
