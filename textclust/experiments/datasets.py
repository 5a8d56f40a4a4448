"""Points and classes by the name a paper gives them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import sparse

from textclust import corpora
from textclust.errors import InputError
from textclust.experiments import uci
from textclust.experiments.collections import classes, collection
from textclust.experiments.halves import terms_and_classes
from textclust.geometry.affine import Array, Matrix
from textclust.text.termspace import TermSpace
from textclust.text.weighting import weigh

__all__ = ["TABLES", "dataset"]

TABLES: dict[str, tuple[str, tuple[str, ...] | None, float]] = {  # file, classes, share
    "iris": ("iris", None, 1.0),
    "digits-389": ("pendigits", ("3", "8", "9"), 0.1),
    "letters-ijl": ("letter", ("I", "J", "L"), 0.1),
}
_CLASSIC3 = {"cran": 100, "med": 100, "cisi": 200}


@lru_cache(maxsize=4)
def dataset(name: str, damped: bool = False) -> tuple[Matrix, Array]:
    """Points, and the number of each one's class.

    Samples are drawn once and for all. `damped` is for term frequencies, where there are any.
    """
    if name in TABLES:
        file, kinds, share = TABLES[name]
        data = uci.read(file, kinds)
        if share < 1:
            data = data.sample(share, np.random.default_rng(0))
        return data.X, np.unique(data.y, return_inverse=True)[1]
    if name == "yahoo-news":
        return _yahoo_news(damped)
    if name == "classic3-subset":
        return _classic3(damped)
    return terms_and_classes(name, sublinear_tf=damped)


def _classic3(damped: bool) -> tuple[Matrix, Array]:
    """400 abstracts in three classes of unequal size (Basu 2005, 5.5.1), drawn at random."""
    documents, rng = collection("classic4"), np.random.default_rng(0)
    kinds = np.array(classes(documents))
    filled = np.array([bool(text.strip()) for text in documents.texts])
    rows = np.concatenate(
        [
            rng.choice(np.flatnonzero((kinds == kind) & filled), count, replace=False)
            for kind, count in _CLASSIC3.items()
        ]
    )
    texts = [documents.texts[row] for row in rows]
    X = TermSpace(sublinear_tf=damped).fit_transform(texts)
    return X, np.unique(kinds[rows], return_inverse=True)[1]


def _yahoo_news(damped: bool) -> tuple[Matrix, Array]:
    """The K1 set of Yahoo! News, 2,340 articles in 20 categories, pruned and weighed as texts are.

    The file is a matrix of CLUTO: a line with its size, then a line of columns and counts a row.
    """
    file = corpora.path("yahoo-news")
    with file.open(encoding="ascii") as lines:
        rows, columns, _ = map(int, next(lines).split())
        entries = [np.array(line.split(), float).reshape(-1, 2) for line in lines]
    if len(entries) != rows:
        raise InputError(f"{file}: {len(entries)} rows where {rows} were announced")
    ends = np.concatenate([[0], np.cumsum([len(row) for row in entries])])
    pairs = np.concatenate(entries)
    counts = sparse.csr_matrix(
        (pairs[:, 1], pairs[:, 0].astype(np.intp) - 1, ends), shape=(rows, columns)
    )
    frequencies = np.bincount(counts.indices, minlength=columns)
    kept = np.flatnonzero((frequencies >= 5) & (frequencies <= 0.95 * rows))
    X = counts[:, kept].sorted_indices()
    weigh(X, np.log2(rows / frequencies[kept]), sublinear_tf=damped)
    kinds = file.with_name(file.name + ".rclass").read_text(encoding="ascii").split()
    return X, np.unique(kinds, return_inverse=True)[1]
