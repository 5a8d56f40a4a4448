"""How well a distance suits known classes, and how well clusters hold together under it.

The documents are rows of numbers, in the space whose Euclidean distance is judged: after a
metric was learned, what its `transform` gives. Those that rank pairs take another `metric` too:
a name that `scipy.spatial.distance.pdist` knows, or a function of two rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from textclust.errors import InputError
from textclust.measures.codes import Codes, Labels, codes_of

__all__ = [
    "cluster_utilities",
    "overfitting_ratio",
    "weighted_category_utility",
    "within_between_ratio",
]

_MOST_PAIRS = 50_000_000  # 400 MB of distances, and as much for their ranks
_LEAST_SPREAD = 1e-12  # of the largest value: a feature that spreads less is constant

Array = NDArray[np.float64]
Metric = str | Callable[[Array, Array], float]


def weighted_category_utility(
    X: ArrayLike, predicted: Labels, matrix: ArrayLike | None = None, acuity: float = 0.1
) -> float:
    """What clusters tell of the features of their documents, for each cluster.

    WCU = 1/k sum_h n_h/n 1/(2 sqrt(pi)) sum_f (1/s_hf - 1/s_f), with s_f the standard
    deviation of feature f in all documents and s_hf that within cluster h, after the documents
    were transformed by the square root of a Mahalanobis `matrix`, if there is one. A cluster
    of one document would tell infinitely much, so s_hf is never taken below `acuity` times
    s_f; Witten et al. 2011 have a fixed minimum there. A constant feature tells nothing.
    Hu et al. 2013, section 2.4.

    >>> weighted_category_utility([[0.0], [2.0], [10.0], [12.0]], [0, 0, 1, 1]) > 0
    True
    >>> weighted_category_utility([[0.0], [2.0], [10.0], [12.0]], [0, 0, 0, 0])
    0.0
    """
    clusters = codes_of(predicted, "predicted")
    rows = _rows(X, clusters.size)
    if not 0 < acuity <= 1:
        raise InputError(f"acuity must be above 0 and at most 1; got {acuity!r}")
    if matrix is not None:
        rows = rows @ _root(matrix, rows.shape[1])
    spread = rows.std(axis=0)
    varying = spread > _LEAST_SPREAD * np.abs(rows).max(initial=0.0)
    rows, spread = rows[:, varying] - rows[:, varying].mean(axis=0), spread[varying]
    sizes = np.bincount(clusters)
    member = (clusters[:, None] == np.arange(sizes.size)).T.astype(np.float64)
    means, squares = member @ rows / sizes[:, None], member @ rows**2 / sizes[:, None]
    utilities = cluster_utilities(means, squares, spread, acuity)
    return float(sizes @ utilities) / clusters.size / sizes.size


def cluster_utilities(means: Array, squares: Array, spread: Array, acuity: float) -> Array:
    """1/(2 sqrt(pi)) sum_f (1/s_hf - 1/s_f) of clusters, by their mean values and mean squares."""
    within = np.maximum(np.sqrt(np.maximum(squares - means**2, 0.0)), acuity * spread)
    return np.asarray((1 / within - 1 / spread).sum(axis=1) / (2 * np.sqrt(np.pi)))


def overfitting_ratio(
    X: ArrayLike, truth: Labels, example: Hashable, metric: Metric = "euclidean"
) -> float:
    """How much nearer the pairs of an example cluster are than those of other classes.

    All pairs of documents that share a class are ranked by distance. With S_c the sum of the
    ranks of the pairs of class c, ratio = S_example / (mean of S_c over all classes). Near 1 the
    distance treats the example as it does all others; near 0 it has been fitted to it alone.
    Ties share the mean of their ranks. `example` is the class of the example cluster, in
    `truth`. Hu et al. 2013, section 3.4.

    >>> overfitting_ratio([[0.0], [1.0], [5.0], [6.0]], "aabb", "a")
    1.0
    >>> overfitting_ratio([[0.0], [1.0], [5.0], [7.0]], "aabb", "a")  # (1) / ((1 + 2) / 2)
    0.6666666666666666
    """
    classes, own, rows = _classes(X, truth, example)
    sizes = np.bincount(classes)
    _refuse_many(int((sizes * (sizes - 1) // 2).sum()))
    distances = [_distances(rows[classes == each], metric) for each in range(sizes.size)]
    ranks = _ranks(np.concatenate(distances))
    ends = np.cumsum([len(part) for part in distances])
    sums = [float(part.sum()) for part in np.split(ranks, ends[:-1])]
    whole = sum(sums)
    return sums[own] * len(sums) / whole if whole else 1.0


def within_between_ratio(
    X: ArrayLike, truth: Labels, example: Hashable, metric: Metric = "euclidean"
) -> float:
    """How near the pairs within other classes are beside the pairs between them.

    All pairs of documents outside the example cluster are ranked by distance, and
    ratio = (sum of the ranks of pairs that share a class) / (sum of those of all others). Less is
    better; what is little depends on the number of classes and their sizes. Ties share the mean
    of their ranks. `example` is the class of the example cluster, in `truth`. Hu et al. 2013,
    section 3.4.

    >>> within_between_ratio([[9.0], [0.0], [1.0], [5.0]], "abbc", "a")  # 1 / (2 + 3)
    0.2
    """
    classes, own, rows = _classes(X, truth, example)
    others = classes != own
    classes, rows = classes[others], rows[others]
    _refuse_many(len(classes) * (len(classes) - 1) // 2)
    left, right = np.triu_indices(len(classes), 1)
    ranks, same = _ranks(_distances(rows, metric)), classes[left] == classes[right]
    if same.all():
        raise InputError("within_between_ratio needs two classes beside the example")
    return float(ranks[same].sum() / ranks[~same].sum())


def _rows(X: ArrayLike, n: int) -> Array:
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or len(rows) != n or not np.isfinite(rows).all():
        raise InputError(
            f"X must be a table of finite numbers, a row for each of {n} labels; "
            f"got shape {rows.shape}"
        )
    return rows


def _root(matrix: ArrayLike, d: int) -> Array:
    given = _rows(matrix, d)
    if given.shape != (d, d) or not np.allclose(given, given.T):
        raise InputError(f"matrix must be symmetric, {d} x {d}; got shape {given.shape}")
    values, turn = np.linalg.eigh(given)
    return np.asarray((turn * np.sqrt(np.maximum(values, 0.0))) @ turn.T)


def _classes(X: ArrayLike, truth: Labels, example: Hashable) -> tuple[Codes, int, Array]:
    names = list(truth)
    classes = codes_of(names, "truth")
    if example not in names:
        raise InputError(f"no document is of the class {example!r}: name one that truth has")
    return classes, int(classes[names.index(example)]), _rows(X, classes.size)


def _refuse_many(pairs: int) -> None:
    if pairs > _MOST_PAIRS:
        raise InputError(
            f"{pairs:,} pairs of documents take {16 * pairs / 1e9:.1f} GB to rank; measure a sample"
        )


def _distances(rows: Array, metric: Metric) -> Array:
    from scipy.spatial.distance import pdist

    try:
        return np.asarray(pdist(rows, metric))
    except ValueError as error:
        raise InputError(f"metric {metric!r}: {error}") from error


def _ranks(distances: Array) -> Array:
    from scipy.stats import rankdata

    return np.asarray(rankdata(distances))
