"""select_k: how many clusters, with the evidence for every number."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from textclust import geometry
from textclust.display import Sheet
from textclust.errors import InputError
from textclust.geometry.affine import Labels, Matrix
from textclust.geometry.capabilities import without_direction
from textclust.geometry.validation import finite_rows
from textclust.methods.kmeans import generator
from textclust.model_selection import DISTORTIONS
from textclust.model_selection.criteria import (
    ClusterFit,
    agreement,
    bic,
    gap,
    kept_links,
    mdl,
    mml,
)
from textclust.model_selection.numbers import checked_numbers, default_range
from textclust.model_selection.recommendation import Recommendation, recommend
from textclust.model_selection.row import EvidenceRow
from textclust.model_selection.views import View, scatter
from textclust.parameters import RandomState, Seconds
from textclust.progress import track
from textclust.stopping import Stopped, due, searching, while_allowed
from textclust.supervision.constraints import Constraints
from textclust.supervision.seeds import Seeds
from textclust.threads import thread_count

__all__ = ["Selection", "select_k", "select_k_of_rows"]

_PAIRS = 8  # of halves
_SAMPLE = 3_000  # documents that are split in halves, at most
_REFERENCES = 3
_REFERENCE_SAMPLE = 1_000


@dataclass(frozen=True)
class Selection:
    """The evidence for each number of clusters, and the number recommended.

    `table` has a row for each k, `k` is the number chosen and `reason` says why; `picks` is
    what each criterion would choose by itself. `default` is the range that is looked at unless
    another is asked for, and `stopped` says that time did not suffice for all.
    """

    table: tuple[EvidenceRow, ...]
    recommendation: Recommendation
    default: range
    stopped: Stopped | None = None

    @property
    def k(self) -> int:
        """The number chosen."""
        return self.recommendation.k

    @property
    def reason(self) -> str:
        """Why, in plain words."""
        return self.recommendation.reason

    @property
    def picks(self) -> dict[str, int]:
        """What each criterion would choose by itself."""
        return dict(self.recommendation.picks)

    def to_dict(self) -> dict[str, object]:
        """All of it as plain data."""
        rows = [{name: v for name, v in asdict(row).items() if v is not None} for row in self.table]
        return {
            "k": self.k,
            "reason": self.reason,
            "picks": self.picks,
            "default_range": [self.default[0], self.default[-1]],
            "stopped": self.stopped and asdict(self.stopped),
            "table": rows,
        }

    def plot(self, path: str | os.PathLike[str]) -> Path:
        """Draw the criteria over k, to a file of a kind that matplotlib knows."""
        from textclust.model_selection.plot import draw

        return draw(self, Path(path))

    def __repr__(self) -> str:
        return f"Selection(k={self.k}, of {self.table[0].k} to {self.table[-1].k})"

    def _repr_html_(self) -> str:
        rows = [(row.k, row.stability, row.bic, row.gap, row.smallest) for row in self.table]
        heads = ("k", "stability", "BIC", "gap", "smallest cluster")
        return Sheet(f"{self!r}: {self.reason}", heads, rows, rows_shown=len(rows)).html()


def select_k(
    X: Matrix,
    k_range: Iterable[int] | None = None,
    constraints: Constraints | None = None,
    *,
    y: ArrayLike | None = None,
    seed_words: Mapping[int | str, Sequence[str]] | None = None,
    distortion: str = "cosine",
    max_seconds: float | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> Selection:
    """How many clusters the rows of X are in.

    Parameters
    ----------
    X : matrix of n x d, sparse or dense
    k_range : iterable of int or None
        The numbers to look at, such as ``range(2, 13)``. None is 2 to 20, with at least 5
        documents for each cluster on average and at least one cluster for each class of `y`.
    constraints : Constraints or None
        Pairs that belong together or do not. They take no part in clustering, so that they can
        say which number keeps them.
    y : array of n, or None
        The known class of each row, -1 for none. There are at least as many clusters as classes.
    seed_words : dict of lists of words by class, or None
        What `GuidedClustering` is going to be given: its classes count as those of `y` do.
    distortion : {"cosine", "euclidean"}, default="cosine"
    max_seconds : float or None, default=None
        No further number is looked at after this time; the first is in any case.
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
    halves of a sample there, and 4 of a smaller sample for the gap. Up to 20 clusters, the row
    of a number in the table does not depend on what other numbers are looked at.

    Papers: Ben-Hur et al. 2002 and Lange et al. 2004 (stability); Tibshirani, Walther and Hastie
    2001 (gap); Schwarz 1978 (BIC); Rissanen 1978 (MDL); Wallace and Freeman 1987 (MML).

    Examples
    --------
    >>> import numpy as np, textclust as tc
    >>> rng = np.random.default_rng(0)
    >>> X = np.repeat([[0.0, 9.0], [9.0, 0.0], [9.0, 9.0]], 20, axis=0) + rng.normal(size=(60, 2))
    >>> tc.select_k(X, range(2, 7), distortion="euclidean").k
    3
    """
    X = finite_rows(X)
    n = X.shape[0]
    known = Seeds.of(y, n, n, tuple(seed_words or ())).classes
    return select_k_of_rows(
        X,
        k_range,
        constraints,
        y=y,
        classes=sum(name is not None for name in known),
        distortion=distortion,
        max_seconds=max_seconds,
        random_state=random_state,
        n_jobs=n_jobs,
    )


def select_k_of_rows(
    X: Matrix,
    k_range: Iterable[int] | None = None,
    constraints: Constraints | None = None,
    *,
    y: ArrayLike | None = None,
    classes: int = 0,
    distortion: str = "cosine",
    max_seconds: float | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> Selection:
    """The same for rows that are known to be finite floats, and at least so many classes."""
    links = None if constraints is None else Constraints.given(constraints, X.shape[0])
    if distortion not in DISTORTIONS:
        known = " or ".join(map(repr, DISTORTIONS))
        raise InputError(f"distortion must be {known}; got {distortion!r}")
    classes = max(classes, len(np.unique(Seeds.of(y, *2 * X.shape[:1]).labels)))
    measure, rng = geometry.get(distortion), generator(random_state)
    X = measure.prepare(X)
    somewhere = np.flatnonzero(~without_direction(measure, X))
    default = default_range(len(somewhere), classes)
    numbers = checked_numbers(default if k_range is None else k_range, X.shape[0], classes)
    if len(somewhere) < max(numbers):
        raise InputError(f"{len(somewhere)} documents have any term: too few for {max(numbers)}")
    if not (limit := Seconds()).allows(max_seconds):
        raise InputError(f"max_seconds must be {limit}; got {max_seconds!r}")
    with searching(max_seconds) as search:
        view = View.of(X[somewhere], measure, numbers[-1], rng, thread_count(n_jobs))
        rows = tuple(_Evidence(view, rng, _within(links, somewhere)).rows(numbers))
    return Selection(rows, recommend(rows, default), default, search.stopped)


class _Evidence:
    """What every number of clusters is judged by: the same halves and the same references."""

    def __init__(self, view: View, rng: np.random.Generator, links: Constraints | None) -> None:
        self.view, self.links = view, links
        self.sample = view.some(_SAMPLE, rng)
        n = self.sample.X.shape[0]
        orders = [rng.permutation(n) for _ in range(_PAIRS)]
        self.halves = [(np.sort(o[: n // 2]), np.sort(o[n // 2 :])) for o in orders]
        self.small = view.some(_REFERENCE_SAMPLE, rng)
        self.references = [self.small.without_clusters(rng) for _ in range(_REFERENCES)]
        self.seed = int(rng.integers(2**63))

    def rows(self, numbers: Sequence[int]) -> Iterator[EvidenceRow]:
        """The evidence for each number, until it is time to stop; for the first in any case."""
        for k in track(while_allowed(numbers), "numbers of clusters", len(numbers)):
            row = self.row(k)
            if k != numbers[0] and due():  # it was cut short, and is not like the others
                return
            yield row

    def row(self, k: int) -> EvidenceRow:
        """The evidence for k clusters, whatever other numbers are looked at."""
        rng = np.random.default_rng([self.seed, k])
        labels = self.view.labels(k, rng)
        sizes = np.bincount(labels)
        fit = ClusterFit(scatter(self.view.X, labels), sizes[sizes > 0], self.view.dimension)
        width, error = gap(
            _scatter(self.small, k, rng),
            np.array([_scatter(each, k, rng) for each in self.references]),
        )
        kept = None if self.links is None else kept_links(self.links, labels)
        return EvidenceRow(
            k=k,
            bic=bic(fit),
            mdl=mdl(fit),
            mml=mml(fit),
            gap=width,
            gap_error=error,
            stability=None if k == 1 else self._stability(k, rng) if len(fit.sizes) == k else 0.0,
            links_kept=None if kept is None else round(kept.share, 2),
            links_error=None if kept is None else kept.error,
            smallest=int(fit.sizes.min()),
        )

    def _stability(self, k: int, rng: np.random.Generator) -> float:
        """How alike all documents are labelled by the clusters of one half and of the other."""
        if min(len(half) for half in self.halves[0]) < k:
            return 0.0
        pairs = ([self.sample.clusters(half, k, rng) for half in halves] for halves in self.halves)
        return round(float(np.mean([agreement(pair) for pair in pairs])), 2)


def _scatter(view: View, k: int, rng: np.random.Generator) -> float:
    return scatter(view.X, view.clusters(np.arange(view.X.shape[0]), k, rng))


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
