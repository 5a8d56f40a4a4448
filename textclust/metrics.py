"""How well a clustering agrees with known classes, or with a few example clusters.

Every measure takes `truth` and `predicted`, one label per document in the same order;
`cori` takes example clusters instead of a full truth, and those that judge a distance, or
clusters without known classes, take the documents themselves, as rows. Labels are any
hashable values, and only which documents share one matters, not what it is called; for
`cohen_kappa`, of two people with the same labels, names do matter. Nothing is
guessed: a missing label (None, NaN) is an InputError, and -1 is a label like any other, so
leave unlabelled documents out of both lists first.

Pairs of documents are counted from the table of classes against clusters, never listed,
and the table stays sparse: a million documents are no trouble. A share of no pairs at
all counts as fulfilled, 1: where nothing is asked, nothing is wrong.

`nmi`, `rand_index` and `adjusted_rand_index` are scikit-learn's, which tests compare them with.
They are a line or two each on that table, and the command line ends with NMI and chooses k by the
adjusted index: importing scikit-learn for them would cost it more than a small collection does.

References: Basu 2005 (thesis), section 2.4; Gao, Tan, Cheng 2005, section 4; Hu, Vens,
Verstrynge, Blockeel 2013, sections 2.4, 3.2 and 3.4.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from textclust.errors import InputError
from textclust.measures.codes import Codes, Labels, codes_of
from textclust.measures.distances import (
    overfitting_ratio,
    weighted_category_utility,
    within_between_ratio,
)
from textclust.measures.inter_intra import inter_intra_ratio
from textclust.measures.kappa import cohen_kappa, cohen_kappa_error
from textclust.supervision.example_rows import example_of_each

__all__ = [
    "adjusted_rand_index",
    "cohen_kappa",
    "cohen_kappa_error",
    "complemented_entropy",
    "cori",
    "error_rate",
    "inter_intra_ratio",
    "nmi",
    "overfitting_ratio",
    "pairwise_f1",
    "pairwise_precision",
    "pairwise_recall",
    "rand_index",
    "weighted_category_utility",
    "weighted_rand_index",
    "within_between_ratio",
]


def nmi(truth: Labels, predicted: Labels) -> float:
    """Normalized mutual information: what classes and clusters tell about each other.

    NMI = I(C; K) / ((H(C) + H(K)) / 2), between 0 and 1; 1 also where both have one group.
    With n documents, n_c in class c, n_k in cluster k and n_ck in both,
    I = sum n_ck/n log(n n_ck / (n_c n_k)) and H(C) = sum n_c/n log(n / n_c).
    Symmetric. Basu 2005, eq. (2.4); Hu et al. 2013, eq. (5).

    >>> nmi(["cat", "cat", "dog", "dog"], [1, 1, 0, 0])
    1.0
    >>> round(nmi(["cat", "cat", "dog", "dog"], [0, 0, 0, 1]), 3)
    0.344
    """
    table = _contingency(*_both(truth, predicted))
    n = table.data.sum()
    chance = table.classes[table.row] * table.clusters[table.col]
    shared = (table.data / n * np.log(n * table.data / chance)).sum()
    whole = sum((sizes / n * np.log(n / sizes)).sum() for sizes in (table.classes, table.clusters))
    return min(1.0, max(0.0, float(2 * shared / whole))) if whole else 1.0


def rand_index(truth: Labels, predicted: Labels) -> float:
    """Rand index: the share of all pairs on which classes and clusters agree.

    RI = (together in both + apart in both) / all pairs; 1 for a single document.
    Symmetric. Hu et al. 2013, section 3.2.

    >>> rand_index(["cat", "cat", "dog", "dog"], [0, 0, 0, 1])
    0.5
    """
    pairs = _count_pairs(*_both(truth, predicted))
    return _share(pairs.together + pairs.apart, sum(pairs))


def adjusted_rand_index(truth: Labels, predicted: Labels) -> float:
    """Rand index corrected for chance: 0 on average for random clusters, 1 for perfect ones.

    ARI = (RI - E[RI]) / (1 - E[RI]), with E over shuffled labels; it can be negative.
    Symmetric. Hubert & Arabie 1985; not in the papers textclust builds on.

    >>> adjusted_rand_index(["cat", "cat", "dog", "dog"], [0, 1, 0, 1])
    -0.5
    """
    together, mixed, split, apart = _count_pairs(*_both(truth, predicted))
    by_class, by_cluster = (
        (together + split) * (split + apart),
        (together + mixed) * (mixed + apart),
    )
    return _share(2 * (together * apart - mixed * split), by_class + by_cluster)


def weighted_rand_index(truth: Labels, predicted: Labels) -> float:
    """Rand index with equal weight for the pairs to be joined and the pairs to be separated.

    WRI = (joined / pairs together in truth + parted / pairs apart in truth) / 2, so that
    many clusters do not drown the joined pairs in parted ones. Where truth has no pairs of
    one kind, that half counts as fulfilled. Not symmetric: truth sets the weights.
    Hu et al. 2013, section 3.2.

    >>> weighted_rand_index(["cat", "cat", "dog", "dog"], [0, 0, 0, 1])
    0.5
    """
    pairs = _count_pairs(*_both(truth, predicted))
    return (pairs.joined + pairs.separated) / 2


def pairwise_precision(truth: Labels, predicted: Labels) -> float:
    """Of the pairs that share a cluster, the share that also shares a class.

    Precision = pairs together in both / pairs together in predicted; 1 where no two
    documents share a cluster. Basu 2005, section 2.4.

    >>> round(pairwise_precision(["cat", "cat", "dog", "dog"], [0, 0, 0, 1]), 3)
    0.333
    """
    pairs = _count_pairs(*_both(truth, predicted))
    return _share(pairs.together, pairs.together + pairs.mixed)


def pairwise_recall(truth: Labels, predicted: Labels) -> float:
    """Of the pairs that share a class, the share that also shares a cluster.

    Recall = pairs together in both / pairs together in truth; 1 where no two documents
    share a class. Basu 2005, section 2.4.

    >>> pairwise_recall(["cat", "cat", "dog", "dog"], [0, 0, 0, 1])
    0.5
    """
    return _count_pairs(*_both(truth, predicted)).joined


def pairwise_f1(truth: Labels, predicted: Labels) -> float:
    """Pairwise F-measure: the harmonic mean of pairwise precision and recall.

    F = 2 * precision * recall / (precision + recall); 1 where neither labelling puts two
    documents together. Symmetric. Basu 2005, section 2.4.

    >>> pairwise_f1(["cat", "cat", "dog", "dog"], [0, 0, 0, 1])
    0.4
    """
    pairs = _count_pairs(*_both(truth, predicted))
    return _share(2 * pairs.together, 2 * pairs.together + pairs.mixed + pairs.split)


def error_rate(truth: Labels, predicted: Labels) -> float:
    """Share of documents misplaced when clusters are matched one-to-one with classes.

    error = 1 - max over matchings m of sum_j |class j and cluster m(j)| / n. The matching
    that keeps most documents is found exactly. Clusters beyond the number of classes have
    no class, so all their documents count as wrong, and so do those of classes beyond the
    number of clusters. Symmetric. Gao et al. 2005, section 4, report "the error rate" as
    external measure without a formula; this is its usual meaning for a clustering.

    >>> error_rate(["cat", "cat", "dog", "dog"], [0, 0, 0, 1])
    0.25
    >>> error_rate(["cat", "cat", "dog", "dog"], [0, 1, 2, 3])
    0.5
    """
    classes, clusters = _both(truth, predicted)
    return (classes.size - _matched(_contingency(classes, clusters))) / classes.size


def complemented_entropy(truth: Labels, predicted: Labels) -> float:
    """Purity of clusters and wholeness of classes, each group counting the same whatever its size.

    CE = 1 - (Ht / (k log l) + Hp / (l log k)) / 2 for k clusters and l classes. Ht sums,
    over the clusters, the entropy of the classes inside; Hp sums, over the classes, that of
    the clusters. With one class Ht is 0 of 0, with one cluster Hp is: that term is then 0.
    Symmetric. Hu et al. 2013, eq. (6).

    >>> round(complemented_entropy(["cat", "cat", "dog", "dog"], [0, 0, 0, 1]), 3)
    0.52
    """
    table = _contingency(*_both(truth, predicted))
    n_classes, n_clusters = table.classes.size, table.clusters.size
    ht = _entropy_share(table.col, table.data, n_classes)
    hp = _entropy_share(table.row, table.data, n_clusters)
    return max(0.0, 1 - (ht + hp) / 2)


def cori(predicted: Labels, examples: Iterable[Iterable[int]]) -> float:
    """How well a clustering rebuilds example clusters, given as lists of row numbers.

    CORI = (must-links kept / must-links + cannot-links kept / cannot-links) / 2. An example
    is a whole cluster: any two of its rows must link, and none may link with a row outside
    it. So one cluster and all singletons both score 0.5, and 1 says that every example is a
    cluster. Where there are no pairs of one kind, that half counts as fulfilled; with no
    example at all CORI is 1. Examples may not overlap; a row repeated within one counts
    once. Hu et al. 2013, section 2.3 and eq. (4).

    >>> cori(["x", "x", "y", "y", "z"], examples=[[0, 1], [4]])
    1.0
    >>> cori(["x", "x", "x", "x", "x"], examples=[[0, 1], [4]])
    0.5
    """
    clusters = codes_of(predicted, "predicted")
    membership = example_of_each(examples, clusters.size)
    inside = membership >= 0
    must_links = _count_pairs(membership[inside], clusters[inside])
    cannot_links = _count_pairs(membership + 1, clusters)  # all rows outside as one more class
    return (must_links.joined + cannot_links.separated) / 2


class _Pairs(NamedTuple):
    """Ordered pairs of documents, so every pair twice: only their ratios are used."""

    together: int  # in truth and predicted
    mixed: int  # together in predicted alone
    split: int  # together in truth alone
    apart: int  # in truth and predicted

    @property
    def joined(self) -> float:
        """Of the pairs together in truth, the share together in predicted."""
        return _share(self.together, self.together + self.split)

    @property
    def separated(self) -> float:
        """Of the pairs apart in truth, the share apart in predicted."""
        return _share(self.apart, self.apart + self.mixed)


def _count_pairs(classes: Codes, clusters: Codes) -> _Pairs:
    table = _contingency(classes, clusters)
    n = classes.size
    both, same_class, same_cluster = (
        int((sizes**2).sum()) for sizes in (table.data, table.classes, table.clusters)
    )  # a document and itself counted as well
    apart = n**2 - same_class - same_cluster + both
    return _Pairs(both - n, same_cluster - both, same_class - both, apart)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


class _Table(NamedTuple):
    """How many documents are in both a class (row) and a cluster (column), where any are."""

    row: Codes
    col: Codes
    data: Codes
    classes: Codes  # their sizes
    clusters: Codes


def _contingency(classes: Codes, clusters: Codes) -> _Table:
    sizes = np.bincount(clusters)
    cells, data = np.unique(classes * sizes.size + clusters, return_counts=True)
    return _Table(*np.divmod(cells, sizes.size), data, np.bincount(classes), sizes)


def _entropy_share(groups: Codes, counts: Codes, n_kinds: int) -> float:
    """The mean entropy within a group, of `n_kinds` possible kinds, as a share of log(n_kinds)."""
    if n_kinds == 1:
        return 0.0
    sizes = np.bincount(groups, weights=counts)
    shares = counts / sizes[groups]
    return float(-(shares * np.log(shares)).sum()) / (sizes.size * math.log(n_kinds))


def _matched(table: _Table) -> int:
    """The most documents a one-to-one matching of the table's rows and columns can keep.

    A dense table is out of reach for many classes and clusters, so this is a sparse
    matching. It has to match every row; a column of its own for each row, at the price
    of an empty cell, lets the row go without.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    alone = (np.bincount(table.row)[table.row] == 1) & (np.bincount(table.col)[table.col] == 1)
    settled = int(table.data[alone].sum())  # classes that are exactly one cluster
    if alone.all():
        return settled
    counts = table.data[~alone]
    sides = [
        np.unique(side[~alone], return_inverse=True)[1].astype(np.int32)  # as scipy asks for
        for side in (table.row, table.col)
    ]
    rows, columns = sorted(sides, key=lambda side: int(side.max()))  # the fewer as rows
    n_rows, n_columns = int(rows.max()) + 1, int(columns.max()) + 1
    spare = np.arange(n_rows, dtype=np.int32)
    empty = int(counts.max()) + 1  # prices are positive: a stored zero would be no edge
    prices = np.concatenate([empty - counts, np.full(n_rows, empty)])
    ends = np.concatenate([rows, spare]), np.concatenate([columns, n_columns + spare])
    graph = coo_array((prices, ends), shape=(n_rows, n_columns + n_rows)).tocsr()
    paid = int(graph[min_weight_full_bipartite_matching(graph)].sum())
    return settled + n_rows * empty - paid


def _both(truth: Labels, predicted: Labels) -> tuple[Codes, Codes]:
    classes, clusters = codes_of(truth, "truth"), codes_of(predicted, "predicted")
    if classes.size != clusters.size:
        raise InputError(
            f"truth has {classes.size} labels, predicted has {clusters.size}: "
            "give one label per document in each, in the same order"
        )
    return classes, clusters
