"""select_k: how many clusters, with the evidence for every number."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from textclust import geometry
from textclust.errors import InputError
from textclust.geometry.affine import Labels, Matrix
from textclust.geometry.rows import canonical
from textclust.methods.kmeans import generator
from textclust.parameters import Whole
from textclust.progress import track
from textclust.selection.criteria import (
    Fit,
    agreement,
    bic,
    gap,
    kept_links,
    mdl,
    mml,
)
from textclust.selection.verdict import Row, Verdict, verdict
from textclust.selection.views import View, scatter
from textclust.supervision.constraints import Constraints
from textclust.threads import thread_count

__all__ = ["Selection", "select_k"]

_PAIRS = 8  # of halves
_SAMPLE = 3_000  # documents that are split in halves, at most
_REFERENCES = 3
_REFERENCE_SAMPLE = 1_000
_MEASURES = ("cosine", "euclidean")


@dataclass(frozen=True)
class Selection:
    """The evidence for each number of clusters, and the number it speaks for.

    `table` has a row for each k, `k` is the number chosen and `reason` says why; `picks` is
    what each criterion would choose by itself.
    """

    table: tuple[Row, ...]
    verdict: Verdict

    @property
    def k(self) -> int:
        """The number chosen."""
        return self.verdict.k

    @property
    def reason(self) -> str:
        """Why, in plain words."""
        return self.verdict.reason

    @property
    def picks(self) -> dict[str, int]:
        """What each criterion would choose by itself."""
        return dict(self.verdict.picks)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        rows = [{name: v for name, v in asdict(row).items() if v is not None} for row in self.table]
        return {"k": self.k, "reason": self.reason, "picks": self.picks, "table": rows}

    def plot(self, path: str | os.PathLike[str]) -> Path:
        """Draw the criteria over k, to a file of a kind that matplotlib knows."""
        from textclust.selection.plot import draw

        return draw(self, Path(path))

    def __repr__(self) -> str:
        return f"Selection(k={self.k}, of {self.table[0].k} to {self.table[-1].k})"


def select_k(
    X: Matrix,
    k_range: Iterable[int],
    constraints: Constraints | None = None,
    *,
    distortion: str = "cosine",
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> Selection:
    """How many clusters the rows of X are in.

    Parameters
    ----------
    X : matrix of n x d, sparse or dense
    k_range : iterable of int
        The numbers to look at, such as ``range(2, 13)``.
    constraints : Constraints or None
        Pairs that belong together or do not. They take no part in clustering, so that they can
        say which number keeps them.
    distortion : {"cosine", "euclidean"}, default="cosine"
    random_state : int, RandomState, Generator or None, default=0
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Returns
    -------
    Selection
        With `k`, `reason`, `table`, `picks` and `plot(path)`.

    Notes
    -----
    Each number costs one clustering of all documents from a start in the latent space, 16 of
    halves of a sample there, and 4 of a smaller sample for the gap.

    Examples
    --------
    >>> import numpy as np, textclust as tc
    >>> rng = np.random.default_rng(0)
    >>> X = np.repeat([[0.0, 9.0], [9.0, 0.0], [9.0, 9.0]], 20, axis=0) + rng.normal(size=(60, 2))
    >>> tc.select_k(X, range(2, 7), distortion="euclidean").k
    3
    """
    X = _checked(X)
    numbers = _numbers(k_range, X.shape[0])
    links = None if constraints is None else Constraints.given(constraints, X.shape[0])
    if distortion not in _MEASURES:
        raise InputError(f"distortion must be 'cosine' or 'euclidean'; got {distortion!r}")
    measure, rng = geometry.get(distortion), generator(random_state)
    X = measure.prepare(X)
    somewhere = np.flatnonzero(~measure.without_direction(X))
    if len(somewhere) < max(numbers):
        raise InputError(f"{len(somewhere)} documents have any term: too few for {max(numbers)}")
    view = View.of(X[somewhere], measure, numbers[-1], rng, thread_count(n_jobs))
    evidence = _Evidence(view, rng, _within(links, somewhere))
    rows = tuple(evidence.row(k) for k in track(numbers, "numbers of clusters", len(numbers)))
    return Selection(rows, verdict(rows))


class _Evidence:
    """What every number of clusters is judged by: the same halves and the same references."""

    def __init__(self, view: View, rng: np.random.Generator, links: Constraints | None) -> None:
        self.view, self.rng, self.links = view, rng, links
        self.sample = view.some(_SAMPLE, rng)
        n = self.sample.X.shape[0]
        orders = [rng.permutation(n) for _ in range(_PAIRS)]
        self.halves = [(np.sort(o[: n // 2]), np.sort(o[n // 2 :])) for o in orders]
        self.small = view.some(_REFERENCE_SAMPLE, rng)
        self.references = [self.small.without_clusters(rng) for _ in range(_REFERENCES)]

    def row(self, k: int) -> Row:
        """The evidence for k clusters."""
        labels = self.view.labels(k, self.rng)
        sizes = np.bincount(labels)
        fit = Fit(scatter(self.view.X, labels), sizes[sizes > 0], self.view.dimension)
        width, error = gap(
            self._scatter(self.small, k),
            np.array([self._scatter(each, k) for each in self.references]),
        )
        kept = None if self.links is None else kept_links(self.links, labels)
        return Row(
            k=k,
            bic=bic(fit),
            mdl=mdl(fit),
            mml=mml(fit),
            gap=width,
            gap_error=error,
            stability=self._stability(k),
            links_kept=None if kept is None else kept.share,
            links_error=None if kept is None else kept.error,
            smallest=int(fit.sizes.min()),
        )

    def _stability(self, k: int) -> float:
        """How alike all documents are labelled by the clusters of one half and of the other."""
        if k == 1 or min(len(half) for half in self.halves[0]) < k:
            return float(k == 1)
        pairs = (
            [self.sample.clusters(half, k, self.rng) for half in halves] for halves in self.halves
        )
        return float(np.mean([agreement(pair) for pair in pairs]))

    def _scatter(self, view: View, k: int) -> float:
        return scatter(view.X, view.clusters(np.arange(view.X.shape[0]), k, self.rng))


def _within(links: Constraints | None, rows: Labels) -> Constraints | None:
    """The links between some rows alone, which ascend, by their place among them, if any."""
    if links is None:
        return None
    kinds = []
    for pairs in (links.must_link, links.cannot_link):
        known = np.asarray(pairs, dtype=np.intp).reshape(-1, 2)
        known = known[np.isin(known, rows).all(axis=1)]
        kinds.append([(int(i), int(j)) for i, j in np.searchsorted(rows, known)])
    found = Constraints(*kinds)
    return found if len(found) else None


def _checked(X: Any) -> Matrix:
    if sp.issparse(X):
        table = canonical(sp.csr_array(X))
        values = table.data
    else:
        table = values = np.asarray(X)
    if table.ndim != 2 or values.dtype.kind not in "fiub" or not np.isfinite(values).all():
        raise InputError("X must be a table of finite numbers, a row for each document")
    return table if table.dtype in (np.float32, np.float64) else table.astype(np.float64)


def _numbers(k_range: Iterable[int], n: int) -> list[int]:
    """The numbers to look at, ascending and each once."""
    given = list(k_range)
    if not given or not all(Whole(1).allows(k) for k in given):
        raise InputError("k_range must be whole numbers of at least 1, such as range(2, 13)")
    numbers = sorted({int(k) for k in given})
    if numbers[-1] > n:
        raise InputError(f"{numbers[-1]} clusters cannot be made of {n} documents; look at fewer")
    return numbers
