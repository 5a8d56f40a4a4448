"""The words that documents share, and those that only one of two has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Matrix

__all__ = ["PairWords", "words_of_pair", "words_of_set"]


@dataclass(frozen=True)
class PairWords:
    """The most important first."""

    shared: list[str]
    distinctive: list[str]


def words_of_pair(X: Matrix, terms: Sequence[str], i: int, j: int, most: int = 8) -> PairWords:
    """Words of two rows of a CSR matrix of weighted terms.

    Shared ones count by the product of their weights, their part in the similarity of the two;
    distinctive ones are the heaviest of either document that the other does not have.

    >>> import scipy.sparse as sp
    >>> X = sp.csr_array(np.array([[0.5, 0.8, 0.3, 0.0], [0.6, 0.1, 0.0, 0.7]]))
    >>> words_of_pair(X, ["chain", "bike", "oil", "tyre"], 0, 1)
    PairWords(shared=['chain', 'bike'], distinctive=['oil', 'tyre'])
    """
    weights = [_weights(X, row) for row in (i, j)]
    both = weights[0].keys() & weights[1].keys()
    shared = sorted(both, key=lambda column: (-weights[0][column] * weights[1][column], column))
    distinctive = []
    for own in weights:
        alone = sorted(own.keys() - both, key=lambda column: (-own[column], column))
        distinctive += alone[: most // 2]
    return PairWords(
        [terms[column] for column in shared[:most]], [terms[column] for column in distinctive]
    )


def words_of_set(X: Matrix, terms: Sequence[str], rows: Sequence[int], most: int = 8) -> list[str]:
    """Words that at least half of some rows have, by the sum of their weights.

    >>> import scipy.sparse as sp
    >>> X = sp.csr_array(np.array([[0.5, 0.8, 0.3], [0.6, 0.0, 0.0], [0.7, 0.2, 0.0]]))
    >>> words_of_set(X, ["chain", "bike", "oil"], [0, 1, 2])
    ['chain', 'bike']
    """
    weights = [_weights(X, row) for row in rows]
    counts = Counter(column for own in weights for column in own)
    totals = {
        column: sum(own.get(column, 0.0) for own in weights)
        for column, count in counts.items()
        if 2 * count >= len(rows)
    }
    chosen = sorted(totals, key=lambda column: (-totals[column], column))
    return [terms[column] for column in chosen[:most]]


def _weights(X: Matrix, row: int) -> dict[int, float]:
    entries = slice(X.indptr[row], X.indptr[row + 1])
    columns, values = X.indices[entries], np.asarray(X.data[entries])
    return dict(zip(columns.tolist(), values.tolist(), strict=True))
