"""How sure it is that a document belongs in its cluster, from 0 on a border to 1.

A document is one sample of what its author might have written on the matter. Were its words drawn
anew, the margin by which it is nearer to its cluster than to the next one would be another. The
margin is a sum of pulls, one for each term (see `explanation`), so it varies from draw to draw by
the root of the sum of their squares, and between two draws by sqrt(2) times that. If Phi is the
normal distribution, Phi(margin / (sqrt(2) spread)) of new draws stay in the cluster: half of them
on a border. The score is that share from 0, a toss-up, to 1, a certainty.

The pulls are those of clusters that are made without the document, since any document is near to a
cluster that it has helped to make. A few of the documents are held out to find out how sure they
are on average; the scale of the margins is what makes the scores of all come to that.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import erf

import numpy as np

from textclust.geometry import Distortion
from textclust.geometry.affine import AffineForm, Array, Labels, Matrix, Moments
from textclust.geometry.assignment import compact_moments, make_backend, moments, nearest
from textclust.geometry.parts import is_sparse
from textclust.geometry.rows import slices

__all__ = ["certainty", "margin_scale"]

_MOST = 2_000  # documents that are held out, in turns
_SHARE = 5  # one in so many at a time
_SURE = 3.0  # the median document is never further from a toss-up than this, in deviations
_UNSURE = 1e3  # nor nearer to one than this
_STEPS = 50
_ROOT = 0.5**0.5


def certainty(margins: Array, scale: float) -> Array:
    """The scores of documents that are nearer to their clusters by such margins."""
    deviations = np.maximum(margins, 0.0) / scale
    return np.fromiter(map(erf, (deviations * _ROOT).tolist()), np.float64, len(deviations))


def margin_scale(X: Matrix, labels: Labels, distortion: Distortion, form: AffineForm) -> float:
    """The margin of one standard deviation, from prepared rows and their clusters."""
    k = len(form.offsets)
    if k < 2:
        return 1.0
    summed = compact_moments if is_sparse(form.slopes) else moments
    whole = summed(X, labels, np.ones(len(labels)), k)
    rows, targets = [], []
    for held in _held_out(labels, k):
        Y, own = X[held], labels[held]
        part = summed(Y, own, np.ones(len(own)), k)
        rest = Moments(whole.sums - part.sums, whole.masses - part.masses)
        without = distortion.affine(distortion.prototypes(*rest))
        rows.append(held)
        targets.append(certainty(_deviations(Y, own, without), np.sqrt(2.0)))
    if not rows:
        return 1.0
    held = np.concatenate(rows)
    found = nearest(X[held], form)
    margins = np.where(found.labels == labels[held], found.second_cost - found.cost, 0.0)
    return _scale_for(margins, float(np.concatenate(targets).mean()))


def _held_out(labels: Labels, k: int) -> Iterator[Labels]:
    """Some documents at a time, so that every cluster has others left."""
    n = len(labels)
    rows = np.random.default_rng(0).permutation(n)[: min(n, _MOST)]
    sizes = np.bincount(labels, minlength=k)
    for held in np.array_split(rows, max(1, -(-_SHARE * len(rows) // n))):
        emptied = np.bincount(labels[held], minlength=k) == sizes
        held = np.sort(held[~emptied[labels[held]]])
        if len(held):
            yield held


def _deviations(X: Matrix, labels: Labels, form: AffineForm) -> Array:
    """How many standard deviations each row is nearer to its cluster than to the next."""
    found, every = nearest(X, form), np.arange(X.shape[0])
    at_home = found.labels == labels
    rivals = np.where(at_home, found.second, found.labels)
    own = np.where(at_home, found.cost, make_backend(X).costs_at(form, every, labels))
    margins = np.where(at_home, found.second_cost, found.cost) - own
    spread = _spread(X, labels, rivals, form)
    return np.divide(margins, spread, out=np.zeros_like(margins), where=spread > 0)


def _spread(X: Matrix, labels: Labels, rivals: Labels, form: AffineForm) -> Array:
    """How long the vector of pulls of each row is, from its cluster to its rival."""
    squares = np.empty(X.shape[0])
    for rows in slices(X):
        row, terms, values = _entries(X, rows)
        clusters, others = labels[rows][row], rivals[rows][row]
        pulls = values * (form.slope(clusters, terms) - form.slope(others, terms))
        squares[rows] = np.bincount(row, pulls**2, minlength=rows.stop - rows.start)
    return np.sqrt(squares)


def _entries(X: Matrix, rows: slice) -> tuple[Labels, Labels, Array]:
    """The row, counted from the first of these, the column and the value of each entry."""
    count = rows.stop - rows.start
    if not is_sparse(X):
        d = X.shape[1]
        return np.repeat(np.arange(count), d), np.tile(np.arange(d), count), X[rows].ravel()
    block = X[rows]
    return np.repeat(np.arange(count), np.diff(block.indptr)), block.indices, block.data


def _scale_for(margins: Array, mean: float) -> float:
    """The scale under which documents with these margins are so sure on average."""
    typical = float(np.median(margins[margins > 0])) if (margins > 0).any() else 0.0
    if typical == 0.0:
        return 1.0
    low, high = np.log(typical / _SURE), np.log(typical * _UNSURE)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if certainty(margins, float(np.exp(middle))).mean() > mean:
            low = middle
        else:
            high = middle
    return float(np.exp((low + high) / 2))
