"""Which seed words tell something of their class, by what else their documents are about.

The context of a word is the mean of the documents that hold it, without any seed word and less the
mean of all documents. A word belongs to the class whose other words have contexts like its own. It
is set aside where those of another class are more like it or, where there is no other, its own are
not: one word at a time, the worst first, as each makes the company of the others better. Where more
than a third of the words go, or the rest hardly belong together, the whole list says nothing: words
drawn at random end there. Of a class with one word nothing can be said in this way; that word is
compared with clusters of the documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.cosine import inverse
from textclust.geometry.rows import squared_norms

__all__ = [
    "LIKE_ALL",
    "Judgement",
    "context_similarities",
    "judged_by_company",
    "spread_like_all",
    "unhelpful",
]

LIKE_ALL = "its documents lie in the clusters as any others do"
_ENOUGH = 30  # documents; fewer say nothing about words
_RARE = 3  # documents: a word in fewer is left out where its class has others
_EVERYWHERE = 0.5  # of the documents
_MOST_REJECTED = 1 / 3  # of the words that have company: more, and the list is of no use
_LEAST_MARGIN = 0.2  # of a cosine, on average over the words that are left
_TOGETHER = "words of a class have hardly more in common than words of different classes"
_CHANCE = 0.01  # of a spread like this one, where a word tells nothing
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Judgement:
    """What the company of words says of them."""

    nearer: dict[int, int | None]  # words to set aside: the class they belong to, None for no class
    is_sound: bool  # whether words of a class have more in common than those of different ones


def unhelpful(
    X: Matrix, columns: Labels, classes: Labels, held: Matrix, names: Sequence[str]
) -> dict[int, str]:
    """The words that are better left out, each with the reason.

    `columns` are those of the words in X, `classes` the places of their classes among the names;
    `held` is n x words, 1 for the words that a row holds.
    """
    n, count = X.shape[0], len(names)
    if n < _ENOUGH:
        return {}
    frequencies = np.asarray(held.sum(axis=0)).ravel()
    common, rare = frequencies > _EVERYWHERE * n, frequencies < _RARE
    others = np.bincount(classes[~common & ~rare], minlength=count)
    rare &= others[classes] > 0
    rejected = {int(w): f"it is in {frequencies[w] / n:.0%} of the documents" for w in _at(common)}
    rejected |= {int(w): f"only {frequencies[w]:.0f} of the documents have it" for w in _at(rare)}
    rest = _at(~common & ~rare)
    similar = context_similarities(X, columns, held[:, rest])
    found = judged_by_company(similar, classes[rest], count)
    if not found.is_sound:
        return dict.fromkeys(range(len(classes)), _TOGETHER) | rejected
    for word, nearer in found.nearer.items():
        own = names[classes[rest[word]]]
        rejected[int(rest[word])] = (
            f"its documents have little in common with those of the other words of {own}"
            if nearer is None
            else f"its documents are more like those of the words of {names[nearer]}"
        )
    return rejected


def context_similarities(X: Matrix, columns: Labels, held: Matrix) -> Array:
    """The cosine of the contexts of every two words.

    `columns` are those of the words in X; `held` is n x words, 1 for the words that a row holds.
    """
    kept = np.ones(X.shape[1])
    kept[columns] = 0.0
    rest = X @ sp.diags_array(kept) if sp.issparse(X) else X * kept
    lengths = inverse(np.sqrt(squared_norms(rest)))
    rest = sp.diags_array(lengths) @ rest if sp.issparse(rest) else rest * lengths[:, None]
    share = sp.csr_array(held.T) * inverse(np.asarray(held.sum(axis=0)).ravel())[:, None]
    contexts = share @ rest
    mean = np.asarray(rest.mean(axis=0)).ravel()
    products = contexts @ contexts.T
    if sp.issparse(products):
        pairs, products = products.tocoo(), np.zeros(products.shape)
        products[pairs.row, pairs.col] = pairs.data
    along = np.asarray(contexts @ mean).ravel()
    products = products - along[:, None] - along + mean @ mean
    scale = inverse(np.sqrt(np.maximum(products.diagonal(), 0.0)))
    return np.asarray(products * scale * scale[:, None])


def judged_by_company(similar: Array, classes: Labels, count: int) -> Judgement:
    """Which words of so many classes do not belong with the others of their class.

    >>> similar = np.array([[1, 0.9, -0.5, 0.8], [0.9, 1, -0.4, 0.7],
    ...                     [-0.5, -0.4, 1, -0.3], [0.8, 0.7, -0.3, 1]])
    >>> judged_by_company(similar, np.array([0, 0, 1, 1]), 2).nearer
    {3: 0}
    """
    left = np.ones(len(classes), dtype=bool)
    judged = np.isfinite(_margins(similar, classes, count, left)[0])
    nearer: dict[int, int | None] = {}
    while True:
        margins, rivals = _margins(similar, classes, count, left)
        worst = int(margins.argmin()) if len(margins) else 0
        if not len(margins) or margins[worst] >= 0:
            break
        left[worst] = False
        nearer[worst] = None if rivals[worst] < 0 else int(rivals[worst])
    known = margins[left & np.isfinite(margins)]
    together = not judged.any() or (len(known) > 0 and known.mean() >= _LEAST_MARGIN)
    return Judgement(nearer, len(nearer) <= _MOST_REJECTED * judged.sum() + _ROUNDING and together)


def spread_like_all(held: Matrix, clusters: Labels) -> Array:
    """True for words whose documents lie in the clusters as any documents do (chi-squared)."""
    from scipy.special import chdtrc

    k = int(clusters.max(initial=0)) + 1
    sizes = np.bincount(clusters, minlength=k)
    found = np.asarray(held.T @ np.eye(k)[clusters])
    expected = found.sum(axis=1, keepdims=True) * sizes / sizes.sum()
    off = np.divide((found - expected) ** 2, expected, where=expected > 0, out=0.0 * expected)
    enough = (expected[:, sizes > 0] >= 5).all(axis=1)  # for chi-squared to be about right
    return np.asarray(enough & (chdtrc(max((sizes > 0).sum() - 1, 1), off.sum(axis=1)) > _CHANCE))


def _at(flags: Array) -> Labels:
    return np.flatnonzero(flags)


def _margins(similar: Array, classes: Labels, count: int, left: Array) -> tuple[Array, Labels]:
    """By how much each word is more like its own class than like another, and which: -1 is none.

    Infinity for a word that was set aside, and for one without others of its class.
    """
    every = np.arange(len(classes))
    member = np.zeros((len(classes), count))
    member[every[left], classes[left]] = 1.0
    to_sums = similar @ member
    lengths = np.einsum("ic,ic->c", member, to_sums)
    own = to_sums[every, classes] - 1.0
    others = lengths[classes] - 2.0 * own - 1.0
    likeness = to_sums * inverse(np.sqrt(np.maximum(lengths, 0.0)))
    likeness[every, classes] = -np.inf
    rivals = likeness.argmax(axis=1)
    best = likeness[every, rivals] if count > 1 else np.zeros(len(classes))
    company = left & (member.sum(axis=0)[classes] > 1)
    margins = own * inverse(np.sqrt(np.maximum(others, 0.0))) - best
    return np.where(company, margins, np.inf), np.where(best > 0, rivals, -1)
