"""What several label models say together, each weighted by how well it predicts held-out seeds.

    log p(h | i) = sum_m w_m log p_m(h | i) + const

The weights w >= 0 of this logarithmic opinion pool (Genest and Zidek 1986) are those under which
held-out seeds are likeliest (stacking, Wolpert 1992), with a prior where there are few of them that
trusts the models that say the same when other seeds are held out. No single model is best
everywhere: which one is depends on how well the clusters of the documents agree with the classes,
and the seeds tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.rows import squared_norms
from textclust.methods.label_models import LABEL_MODELS, PRIOR_WEIGHTS
from textclust.methods.label_models.calibration import log_probabilities, temperature
from textclust.methods.label_models.documents import Documents
from textclust.progress import track
from textclust.supervision.seed_words import NamedByWords

__all__ = ["Pool", "pooled"]

_CONFIDENCE = 0.7  # of each model before the weights say more
_STRENGTH = 3.0  # of the prior of the shares: half the inverse of its variance
_UNLIKE = 3.0  # times that where seeds are no sample of the documents: old, or of some classes
_LEAST = 0.02  # of what agreement leaves of a weight
_UNTRIED = 0.6  # agreement where nothing can be held out
_FOLDS, _FOLDS_OF_FEW = 3, 5  # of which the second is for
_FEW = 5  # seeds of a class or less
_SAME = 0.9  # of the documents: two clusterings that agree on so many are of the same classes
_HELD_OUT_AMONG = 4_000  # unlabelled documents
_FLOOR = -14.0  # of a logarithm, so that no model can forbid a class


@dataclass(frozen=True, eq=False)
class Pool:
    """What label models say together."""

    log_probabilities: Array  # n x k
    weights: dict[str, float]  # of the models
    accuracy: float | None  # on held-out seeds; None where none could be held out


@dataclass(frozen=True)
class Evidence:
    """What held-out seeds say of the models."""

    weights: dict[str, float]
    accuracy: float | None  # of all together
    clusters_suffice: bool  # all together are not better than they by more than chance (McNemar)


def pooled(
    documents: Documents,
    y: Labels,
    weak: Labels,
    rng: np.random.Generator,
    by_words: NamedByWords | None = None,
    old: bool = False,
) -> Pool:
    """The opinion of all label models by the seeds y, -1 where a document is none.

    `weak` are further labels that are no more than guesses: models learn from them, and are not
    scored by them. `old` is for seeds that were before the others. Where the clusters are the
    classes but for a few documents, and predict the seeds as well, they are left as they are.
    Documents that words name count as seeds when models are judged, where there are more of them
    than seeds; no model sees the words then, and as these are the clearest documents, how many are
    right says nothing of the others.
    """
    judges, judged = _judges(documents, y, by_words)
    evidence = _evidence(judges, judged, weak, rng, old)
    opinions = _opinions(documents, np.where(y >= 0, y, weak))
    weights = {name: evidence.weights[name] for name in opinions}
    total = np.asarray(sum(weights[name] * opinions[name] for name in opinions))
    same = (total.argmax(axis=1) == opinions["clusters"].argmax(axis=1)).mean()
    if evidence.clusters_suffice and same >= _SAME:
        weights = {name: float(name == "clusters") for name in weights}
        total = opinions["clusters"]
    accuracy = evidence.accuracy if judged is y else None
    return Pool(log_probabilities(total), weights, accuracy)


def _judges(
    documents: Documents, y: Labels, by_words: NamedByWords | None
) -> tuple[Documents, Labels]:
    """The documents that models are judged by, and their labels: seeds, or what words name too."""
    if by_words is None or (by_words.labels >= 0).sum() <= (y >= 0).sum():
        return documents, y
    columns = by_words.columns
    rest = documents if columns is None else documents.without_columns(columns)
    empty = squared_norms(rest.X) == 0
    if empty.all():
        return documents, y
    return rest, np.where((y >= 0) | empty, y, by_words.labels)


def _opinions(documents: Documents, y: Labels) -> dict[str, Array]:
    """Log-probabilities of the classes by every label model that has something to say."""
    found = {}
    for name in LABEL_MODELS:
        scores = LABEL_MODELS[name](documents, y)
        if scores is not None:
            even = temperature(scores, _CONFIDENCE)
            found[name] = np.maximum(log_probabilities(scores / even), _FLOOR)
    return found


def _evidence(
    documents: Documents, y: Labels, weak: Labels, rng: np.random.Generator, old: bool
) -> Evidence:
    """What held-out seeds say of the models."""
    folds = _folds(y, rng)
    if not (folds >= 0).any():
        return Evidence(_prior(dict.fromkeys(PRIOR_WEIGHTS, _UNTRIED), documents.k), None, True)
    rows = _sampled(y, weak, rng)
    sample, y, weak, folds = documents.subset(rows), y[rows], weak[rows], folds[rows]
    held_out = np.flatnonzero(folds >= 0)
    tables: dict[str, Array] = {}
    votes: dict[str, list[Labels]] = {}
    for fold in track(range(folds.max() + 1), "cross-validating", int(folds.max()) + 1):
        rest = np.where(folds == fold, -1, np.where(y >= 0, y, weak))
        for name, opinion in _opinions(sample, rest).items():
            table = tables.setdefault(name, np.zeros((len(held_out), documents.k)))
            table[folds[held_out] == fold] = opinion[folds == fold]
            votes.setdefault(name, []).append(opinion.argmax(axis=1))
    prior = _prior({name: _agreement(votes[name]) for name in votes}, documents.k)
    strength = _STRENGTH * (_UNLIKE if old or (weak >= 0).any() else 1.0)
    weights = _stacked(tables, y[held_out], prior, strength)
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
    """The labelled documents, and as many others as cross-validation needs."""
    labelled = np.flatnonzero((y >= 0) | (weak >= 0))
    others = np.flatnonzero((y < 0) & (weak < 0))
    if len(others) > _HELD_OUT_AMONG:
        others = rng.choice(others, _HELD_OUT_AMONG, replace=False)
    return np.sort(np.concatenate([labelled, others]))


def _stacked(
    opinions: dict[str, Array], y: Labels, prior: dict[str, float], strength: float
) -> dict[str, float]:
    """The weights under which these labels are likeliest, every class counting the same.

    First all by one factor, how sure the models may be together, then each by its own; the prior
    is of their shares.
    """
    from scipy.optimize import minimize, minimize_scalar

    tables = np.stack([opinions[name] for name in prior])  # m x n x k
    rows, shares = np.arange(len(y)), np.array(list(prior.values()))
    said = tables[:, rows, y]  # m x n
    counts = 1.0 / np.bincount(y)[y]
    counts *= len(y) / counts.sum()

    def surprise(logarithm: float) -> float:
        logs = log_probabilities(np.tensordot(np.exp(logarithm) * shares, tables, axes=1))
        return float(-counts @ logs[rows, y] + 0.5 * logarithm**2)

    scale = np.exp(minimize_scalar(surprise, bounds=(-3.0, 3.0), method="bounded").x)

    def loss(weights: Array) -> tuple[float, Array]:
        logs = log_probabilities(np.tensordot(weights, tables, axes=1))
        away = weights / scale - shares
        value = -counts @ logs[rows, y] + strength * (away**2).sum()
        expected = (np.exp(logs) * tables).sum(axis=2)
        return float(value), -(said - expected) @ counts + 2.0 * strength * away / scale

    start = scale * shares
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * len(start))
    return dict(zip(prior, found.x.tolist(), strict=True))
