"""Where clusters and documents lie on the map; numbers only, nothing of size n x n.

The prototypes are placed by classical multidimensional scaling of the distortions between
them, improved by stress majorisation (de Leeuw 1977) and moved apart until their discs no
longer overlap. A document lies at the mean of the prototypes, weighted by a softmax of its
costs, plus its place in the disc of its cluster: the nearer to the prototype, the further
inside. So typical documents are in the middle of their discs and borderline documents drift
towards the cluster they might as well be in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix, costs
from textclust.geometry.capabilities import as_rows, innermost
from textclust.result.placement import Space

__all__ = ["Layout", "arrange", "have_a_place", "separations", "spread_sample"]

_OWN_SHARE = 0.9  # the mean weight of a document's own cluster
_DISC = 0.62  # radius of the disc of a cluster that holds everything; mean distance is 1
_LANDSCAPE = np.array([1.25, 1.0])  # pages are wider than high
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
_BLOCK = 1 << 20  # entries of the cost table held at a time


@dataclass(frozen=True)
class Layout:
    """A centre for every cluster and a point for every document, in the same plane."""

    centres: Array
    radii: Array
    points: Array


def have_a_place(texts: Matrix, labels: Labels) -> Array:
    """Which documents can be on a map: those with terms, in a cluster."""
    return np.asarray((np.diff(texts.indptr) > 0) & (labels >= 0))


def spread_sample(labels: Labels, scores: Array, limit: int) -> Labels:
    """About `limit` rows, each cluster by its share, from its lowest score to its highest."""
    n = len(labels)
    if n <= limit:
        return np.arange(n)
    order = np.lexsort((scores, labels))
    chosen = []
    for members in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        quota = max(1, limit * len(members) // n)
        steps = np.linspace(0, len(members) - 1, quota).round().astype(np.intp)
        chosen.append(members[steps])
    return np.sort(np.concatenate(chosen))


def separations(space: Space) -> Array:
    """k x k: the distortion between prototypes, the same both ways and zero on the diagonal."""
    apart = Space(innermost(space.distortion), space.prototypes)
    table = costs(as_rows(apart.distortion, apart.prototypes), apart.form)
    excess = table - np.diag(table)[:, None]
    return np.maximum((excess + excess.T) / 2, 0.0)


def arrange(X: Matrix, labels: Labels, space: Space, apart: Array) -> Layout:
    """Place clusters with these separations, and the documents X, which have these labels."""
    k = space.prototypes.shape[0]
    sizes = np.bincount(labels, minlength=k)
    radii = _DISC * np.sqrt(sizes / max(sizes.sum(), 1))
    centres = _apart(_improved(*_scaled(apart)) * _LANDSCAPE, radii)
    table = np.empty((X.shape[0], k))
    step = max(1, _BLOCK // k)
    for begin in range(0, len(table), step):
        rows = slice(begin, begin + step)
        table[rows] = costs(space.distortion.prepare(X[rows]), space.form)
    own = table[np.arange(len(table)), labels]
    offsets = _in_discs(own, X @ np.cos(np.arange(X.shape[1])), labels, radii)
    return Layout(centres, radii, _mixed(table) @ centres + offsets)


def _scaled(squared: Array) -> tuple[Array, Array]:
    """Classical scaling to the plane, and the distances scaled to a mean of 1."""
    k = len(squared)
    distances = np.sqrt(squared)
    mean = distances.sum() / max(k * (k - 1), 1)
    distances = distances / mean if mean > 0 else 1.0 - np.eye(k)
    centring = np.eye(k) - 1 / k
    values, vectors = np.linalg.eigh(-0.5 * centring @ distances**2 @ centring)
    order = np.argsort(-values, kind="stable")[:2]
    axes = vectors[:, order] * np.sqrt(np.maximum(values[order], 0.0))
    axes *= np.where(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])] < 0, -1.0, 1.0)
    return np.pad(axes, ((0, 0), (0, 2 - axes.shape[1]))), distances


def _improved(positions: Array, distances: Array, rounds: int = 60) -> Array:
    """Stress majorisation: the Guttman transform, repeated."""
    for _ in range(rounds):
        lengths = _lengths(positions)
        ratio = np.divide(distances, lengths, out=np.zeros_like(lengths), where=lengths > 1e-9)
        pull = -ratio
        np.fill_diagonal(pull, ratio.sum(axis=1))
        positions = pull @ positions / len(positions)
    return positions


def _apart(centres: Array, radii: Array, rounds: int = 200) -> Array:
    """Centres moved away from each other until discs with a little air between do not overlap."""
    wanted = 1.25 * (radii[:, None] + radii)
    np.fill_diagonal(wanted, 0.0)
    k = len(centres)
    angle = np.arange(k) * _GOLDEN_ANGLE
    centres = centres + 1e-6 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for _ in range(rounds):
        lengths = _lengths(centres)
        short = np.maximum(wanted - lengths, 0.0)
        if short.max(initial=0.0) < 1e-3:
            break
        factor = np.divide(short, lengths, out=np.zeros_like(short), where=lengths > 0)
        centres = centres + 0.25 * (factor.sum(axis=1)[:, None] * centres - factor @ centres)
    return centres - centres.mean(axis=0)


def _lengths(positions: Array) -> Array:
    """How far any two points of the plane are from each other."""
    x, y = (np.subtract.outer(along, along) for along in positions.T)
    x *= x
    y *= y
    x += y
    return np.asarray(np.sqrt(x, out=x))


def _mixed(table: Array) -> Array:
    """Softmax of the costs, as sharp as leaves each document `_OWN_SHARE` at home on average."""
    gaps = table - table.min(axis=1, keepdims=True)
    scale = gaps.mean() if gaps.size else 0.0
    if scale <= 0:
        return np.full_like(gaps, 1 / max(gaps.shape[1], 1))
    low, high, coarse = 0.0, 12.0, (gaps / scale).astype(np.float32)
    for _ in range(24):
        middle = (low + high) / 2
        sharp = np.float32(-np.exp(middle))
        largest = 1 / np.exp(sharp * coarse).sum(axis=1)  # where the gap is 0
        if largest.mean() < _OWN_SHARE:
            low = middle
        else:
            high = middle
    return _softmax(gaps, np.exp(high) / scale)


def _softmax(gaps: Array, sharpness: float) -> Array:
    weights = np.exp(-sharpness * gaps)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _in_discs(own: Array, content: Array, labels: Labels, radii: Array) -> Array:
    """A sunflower for each cluster: its documents from the middle outwards, by rank of cost.

    Of equal costs, as any two documents by themselves have, the content decides and not
    the order of the documents.
    """
    offsets = np.zeros((len(labels), 2))
    for h in range(len(radii)):
        members = np.flatnonzero(labels == h)
        members = members[np.lexsort((content[members], own[members]))]
        rank = np.arange(len(members))
        reach = radii[h] * np.sqrt((rank + 0.5) / max(len(members), 1))
        angle = rank * _GOLDEN_ANGLE
        offsets[members] = reach[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return offsets
