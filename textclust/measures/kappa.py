"""Agreement of two people beyond chance: Cohen 1960, with the error of Fleiss et al. 1969."""

from __future__ import annotations

import math

import numpy as np

from textclust.errors import InputError
from textclust.measures.codes import Codes, Labels, codes_of, listed

__all__ = ["cohen_kappa", "cohen_kappa_error"]


def cohen_kappa(one: Labels, other: Labels) -> float:
    """Cohen's kappa: agreement of two people who labelled the same documents, beyond chance.

    kappa = (po - pe) / (1 - pe), with po the share of documents with the same label, and pe the
    share that would have it if each gave labels as often as now, but at random. 1 is perfect, 0 as
    by chance; NaN where both give one and the same label to all, which says nothing. Unlike all
    measures here labels go by their names. Symmetric. Cohen 1960.

    >>> cohen_kappa(["cat", "cat", "dog", "dog"], ["cat", "cat", "dog", "cat"])
    0.5
    """
    table = _table(one, other)
    chance = float(table.sum(axis=1) @ table.sum(axis=0))
    return math.nan if chance >= 1.0 else (float(np.trace(table)) - chance) / (1.0 - chance)


def cohen_kappa_error(one: Labels, other: Labels) -> float:
    """The standard error of Cohen's kappa, for documents that were drawn at random.

    SE^2 = [sum_i p_ii (q - (r_i + c_i) (1 - a))^2 + (1 - a)^2 sum_(i != j) p_ij (c_i + r_j)^2
    - (a e - 2 e + a)^2] / (n q^4), with p_ij the share of documents with label i of the one and j
    of the other, r and c its sums over rows and columns, a = sum_i p_ii, e = sum_i r_i c_i and
    q = 1 - e. For large numbers of documents; NaN where kappa is. The interval of 95% is
    kappa -+ 1.96 SE. Fleiss, Cohen and Everitt 1969, eq. (13).

    >>> round(cohen_kappa_error(["cat", "cat", "dog", "dog"], ["cat", "cat", "dog", "cat"]), 3)
    0.375
    """
    one = listed(one, "one")
    n, table = len(one), _table(one, other)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    agreed, chance = float(np.trace(table)), float(rows @ columns)
    if chance >= 1.0:
        return math.nan
    beyond, wrong = 1.0 - chance, 1.0 - agreed
    same = np.diag(table) @ (beyond - (rows + columns) * wrong) ** 2
    margins = (columns[:, None] + rows[None, :]) ** 2
    differing = ((table - np.diag(np.diag(table))) * margins).sum() * wrong**2
    spread = same + differing - (agreed * chance - 2 * chance + agreed) ** 2
    return math.sqrt(max(0.0, float(spread)) / n) / beyond**2


def _table(one: Labels, other: Labels) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The share of documents with each label of the one and each of the other."""
    first, second = listed(one, "one"), listed(other, "other")
    for labels, name in ((first, "one"), (second, "other")):
        codes_of(labels, name)  # refuses labels that are missing
    if len(first) != len(second):
        raise InputError(
            f"one has {len(first)} labels, other has {len(second)}: "
            "give one label per document in each, in the same order"
        )
    both: Codes = codes_of([*first, *second], "one")
    k = int(both.max()) + 1
    cells = both[: len(first)] * k + both[len(first) :]
    counts = np.bincount(cells, minlength=k * k).reshape(k, k)
    return counts / len(first)
