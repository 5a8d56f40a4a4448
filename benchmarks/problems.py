"""The matrices to cluster: made once, kept on disk, the same for every contestant."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.lib.format import open_memmap

from benchmarks.synthetic import Embedded, Planted

__all__ = [
    "CACHE",
    "MissingDataError",
    "Problem",
    "embedded",
    "kept",
    "latent",
    "newsgroups",
    "newsgroups_are_here",
    "planted",
    "require_newsgroups",
    "sample",
    "texts",
    "unstarted",
]

_PULL = 0.1
CACHE = Path(__file__).resolve().parents[1] / "build" / "bench"


@dataclass(frozen=True)
class Problem:
    """Rows to sort into k clusters, from given centres, for so many iterations at most.

    Links are pairs of rows of the same class, and of two classes.
    """

    X: Any
    truth: Any
    k: int
    iterations: int
    centres: Any
    must_link: Any = ()
    cannot_link: Any = ()

    def apart(self, count: int) -> Problem:
        """The same with so many random cannot-links, between rows of two classes."""
        rng, n = np.random.default_rng(0), len(self.truth)
        pairs = np.empty((0, 2), dtype=np.int64)
        while len(pairs) < count:
            drawn = np.unique(np.sort(rng.integers(n, size=(2 * count, 2)), axis=1), axis=0)
            drawn = drawn[self.truth[drawn[:, 0]] != self.truth[drawn[:, 1]]]
            pairs = np.unique(np.concatenate([pairs, drawn]), axis=0)
        return replace(self, must_link=(), cannot_link=rng.permutation(pairs)[:count])

    def linked(self, count: int) -> Problem:
        """The same with so many random pairs of rows, as the classes have them."""
        rng, n = np.random.default_rng(0), len(self.truth)
        left = rng.integers(n, size=count)
        right = (left + rng.integers(1, n, size=count)) % n  # never the same row
        pairs, same = np.column_stack([left, right]), self.truth[left] == self.truth[right]
        return replace(self, must_link=pairs[same], cannot_link=pairs[~same])


class MissingDataError(Exception):
    """What a part is measured on is not on this machine."""


def require_newsgroups() -> None:
    """Leave a part out where the archive of 20 Newsgroups cannot be found."""
    if not newsgroups_are_here():
        raise MissingDataError("20 Newsgroups is not on this machine")


def newsgroups_are_here() -> bool:
    """True where the archive of 20 Newsgroups can be found."""
    from textclust import corpora

    return corpora.find("20newsgroups") is not None


def newsgroups(iterations: int) -> Problem:
    """20 Newsgroups as TextVectorizer(min_df=3) sees it, without its empty posts."""
    folder = kept("newsgroups", _vectorise_newsgroups)
    return _problem(_read(folder), np.load(folder / "truth.npy"), 20, iterations)


def planted(plan: Planted, iterations: int, dtype: Any = np.float64) -> Problem:
    """A synthetic matrix; see `synthetic`."""
    folder = _planted(plan, dtype)
    return _problem(_read(folder), np.load(folder / "truth.npy"), plan.k, iterations)


def unstarted(plan: Planted, k: int, dtype: Any = np.float64) -> Problem:
    """A synthetic matrix to sort into any number of clusters; whoever does it finds a start."""
    folder = _planted(plan, dtype)
    return Problem(_read(folder), np.load(folder / "truth.npy"), k, 0, None)


def embedded(plan: Embedded, iterations: int) -> Problem:
    """Dense rows as a language model gives them; see `synthetic`."""
    X, truth = plan.rows()
    return _problem(X, truth, plan.k, iterations)


def latent(iterations: int) -> Problem:
    """2,000 posts, 100 from each group, in 100 latent dimensions: what dense peers can bear."""
    folder = kept("latent", _project_newsgroups)
    truth = np.load(folder / "truth.npy")
    return _problem(np.load(folder / "X.npy"), truth, 20, iterations)


def sample(each: int, iterations: int) -> Problem:
    """So many posts of each group in the words that one in a hundred of them has, unit rows."""
    folder = kept(f"sample-{each}", partial(_sample_newsgroups, each=each))
    return _problem(_read(folder), np.load(folder / "truth.npy"), 20, iterations)


def texts(limit: int | None = None) -> list[str]:
    """The cleaned posts of 20 Newsgroups, evenly thinned to the limit."""
    folder = kept("texts", _clean_newsgroups)
    posts: list[str] = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    return posts if limit is None else posts[:: max(1, len(posts) // limit)]


def _problem(X: Any, truth: Any, k: int, iterations: int) -> Problem:
    """Start from k rows, each pulled to the mean of all, or rounding would decide for many:

    a document that shares no term with any of the rows is equally far from all of them.
    """
    rows = np.sort(np.random.default_rng(0).choice(X.shape[0], k, replace=False))
    chosen = X[rows].toarray() if sp.issparse(X) else X[rows]
    mean = np.asarray(X.mean(axis=0)).ravel()
    centres = np.ascontiguousarray((1.0 - _PULL) * chosen + _PULL * mean, dtype=X.dtype)
    return Problem(X, truth, k, iterations, centres)


def kept(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of what is made once, by whoever comes first while the others wait."""
    folder, unfinished = CACHE / name, CACHE / f"{name}.unfinished"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished.mkdir(exist_ok=True)
            make(unfinished)
            unfinished.rename(folder)
    return folder


def _read(folder: Path) -> sp.csr_matrix:
    data, indices, indptr, shape = (
        np.load(folder / f"{part}.npy") for part in ("data", "indices", "indptr", "shape")
    )
    X = sp.csr_matrix((data, indices, indptr), shape=tuple(shape))
    X.has_canonical_format = True
    return X


def _write(folder: Path, X: Any, truth: Any) -> None:
    parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape}
    for part, values in {**parts, "truth": truth}.items():
        np.save(folder / f"{part}.npy", np.asarray(values))


def _clean_newsgroups(folder: Path) -> None:
    from textclust.experiments.collections import collection

    posts = collection("20newsgroups").texts
    (folder / "texts.json").write_text(json.dumps(posts), encoding="utf-8")


def _vectorise_newsgroups(folder: Path) -> None:
    import textclust as tc
    from textclust.experiments.collections import classes, collection

    posts = collection("20newsgroups")
    X = tc.TextVectorizer(min_df=3).fit_transform(posts.texts)
    filled = np.flatnonzero(np.diff(X.indptr))
    _write(folder, X[filled], np.unique(classes(posts), return_inverse=True)[1][filled])


def _first_of_each(whole: Problem, each: int) -> Any:
    groups = (np.flatnonzero(whole.truth == group)[:each] for group in range(whole.k))
    return np.concatenate(list(groups))


def _sample_newsgroups(folder: Path, each: int) -> None:
    from sklearn.preprocessing import normalize

    whole = newsgroups(1)
    rows = _first_of_each(whole, each)
    X = whole.X[rows]
    common = np.bincount(X.indices, minlength=X.shape[1]) >= len(rows) / 100
    _write(folder, normalize(X[:, common]), whole.truth[rows])


def _project_newsgroups(folder: Path) -> None:
    from sklearn.decomposition import TruncatedSVD

    whole = newsgroups(1)
    rows = _first_of_each(whole, 100)
    np.save(folder / "X.npy", TruncatedSVD(100, random_state=0).fit_transform(whole.X[rows]))
    np.save(folder / "truth.npy", whole.truth[rows])


def _planted(plan: Planted, dtype: Any) -> Path:
    dtype = np.dtype(dtype)
    name = f"planted-{plan.n}-{plan.d}-{plan.k}-{plan.terms}-{dtype}"
    return kept(name, partial(_plant, plan=plan, dtype=dtype))


def _plant(folder: Path, plan: Planted, dtype: np.dtype[Any]) -> None:
    size = plan.n * plan.terms
    data = open_memmap(folder / "data.npy", "w+", dtype, (size,))
    indices = open_memmap(folder / "indices.npy", "w+", np.int32, (size,))
    truth = open_memmap(folder / "truth.npy", "w+", np.int32, (plan.n,))
    row = 0
    for block in plan.blocks():
        rows = len(block.clusters)
        here = slice(row * plan.terms, (row + rows) * plan.terms)
        data[here], indices[here] = block.weights.ravel(), block.terms.ravel()
        truth[row : row + rows] = block.clusters
        row += rows
    np.save(folder / "indptr.npy", np.arange(plan.n + 1, dtype=np.int32) * plan.terms)
    np.save(folder / "shape.npy", np.array([plan.n, plan.d]))
