"""Who clusters: textclust and its peers, one small adapter each.

An adapter takes a problem, imports its library, and returns the work to be timed, which
returns a `Sorted`: labels, and what is worth saying about them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks.problems import Problem
from benchmarks.workers import Contestant

__all__ = [
    "DENSE",
    "LLOYD",
    "OURS",
    "OWN_START",
    "QUICK",
    "REFINED",
    "SAME_RUN",
    "SAME_START",
    "SPARSE",
    "Sorted",
    "active_semi_supervised",
    "broken_links",
    "judge",
    "objective",
]

SAME_START, OWN_START = "the same centres", "its own start"
_LATENT_DIMENSIONS = 100


@dataclass(frozen=True)
class Sorted:
    """Labels, the iterations they took, and a remark."""

    labels: Any
    iterations: int | None = None
    remark: str = ""


Work = Callable[[], Sorted]


def objective(X: Any, labels: Any) -> float:
    """Squared distances of the rows to their clusters' means, whoever made the labels."""
    n, k = X.shape[0], int(labels.max()) + 1
    member = sp.csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, k)).T.tocsr()
    sums = member @ X
    squares = sums.multiply(sums) if sp.issparse(sums) else sums**2
    sizes = np.maximum(np.bincount(labels, minlength=k), 1)
    values = X.data if sp.issparse(X) else X
    whole = float(np.sum(np.square(values, dtype=np.float64)))
    return whole - float(np.sum(np.asarray(squares.sum(axis=1)).ravel() / sizes))


def broken_links(problem: Problem, labels: Any) -> int:
    """How many of the links these labels break."""
    must, cannot = (
        np.asarray(pairs, dtype=np.intp).reshape(-1, 2)
        for pairs in (problem.must_link, problem.cannot_link)
    )
    torn = labels[must[:, 0]] != labels[must[:, 1]]
    joined = labels[cannot[:, 0]] == labels[cannot[:, 1]]
    return int(torn.sum() + joined.sum())


def judge(problem: Problem, result: Sorted) -> dict[str, Any]:
    """The columns of a clustering."""
    from textclust.metrics import nmi

    labels = np.asarray(result.labels, dtype=np.int64)
    return {
        "objective": objective(problem.X, labels),
        "nmi": nmi(problem.truth, labels),
        "broken": broken_links(problem, labels),
        "iterations": result.iterations,
        "remark": result.remark,
        "digest": hashlib.sha256(labels.tobytes()).hexdigest(),
    }


def textclust(problem: Problem, native: bool = True, **options: Any) -> Work:
    """From the given centres, in all else as its user gets it but for the options."""
    import textclust as tc
    from textclust.native import without

    model = tc.KMeans(
        problem.k, init=problem.centres, max_iter=problem.iterations, tol=0.0, **options
    )

    def work() -> Sorted:
        with nullcontext() if native else without():
            model.fit(problem.X)
        return Sorted(model.labels_, model.n_iter_)

    return work


def scikit_learn(problem: Problem, algorithm: str) -> Work:
    from sklearn.cluster import KMeans

    model = KMeans(
        problem.k,
        init=problem.centres,
        n_init=1,
        max_iter=problem.iterations,
        tol=0.0,
        algorithm=algorithm,
    )
    return partial(_fitted, model, problem.X)


def mini_batch(problem: Problem) -> Work:
    from sklearn.cluster import MiniBatchKMeans

    model = MiniBatchKMeans(problem.k, init=problem.centres, n_init=1, random_state=0)
    return partial(_fitted, model, problem.X)


def bisecting(problem: Problem) -> Work:
    from sklearn.cluster import BisectingKMeans

    model = BisectingKMeans(problem.k, max_iter=problem.iterations, random_state=0)
    return lambda: Sorted(model.fit(problem.X).labels_)


def scipy_loop(problem: Problem) -> Work:
    """What one writes in ten lines: a product, an argmax, a product."""
    X, n = problem.X, problem.X.shape[0]

    def nearest(centres: Any) -> Any:
        return (X @ (2.0 * centres.T) - np.square(centres).sum(axis=1)).argmax(axis=1)

    def work() -> Sorted:
        centres, labels = problem.centres, np.full(n, -1)
        for iteration in range(1, problem.iterations + 1):
            before, labels = labels, nearest(centres)
            if np.array_equal(before, labels):
                return Sorted(labels, iteration)
            member = sp.csr_array((np.ones(n), labels, np.arange(n + 1)), (n, problem.k)).T
            sizes = np.bincount(labels, minlength=problem.k)
            sums = member @ X
            means = (sums.toarray() if sp.issparse(sums) else sums) / np.maximum(sizes, 1)[:, None]
            centres = np.where(sizes[:, None] > 0, means, centres)
        return Sorted(nearest(centres), problem.iterations)

    return work


def soyclustering(problem: Problem, restored: bool = False) -> Work:
    """Spherical k-means; written for numpy before 1.24, which still had np.int."""
    from soyclustering import SphericalKMeans

    if restored:
        np.int = int  # type: ignore[attr-defined]
    model = SphericalKMeans(problem.k, init=problem.centres, max_iter=problem.iterations, tol=0)
    return lambda: Sorted(model.fit_predict(problem.X))


def faiss_on_svd(problem: Problem) -> Work:
    import time

    import faiss
    from sklearn.decomposition import TruncatedSVD

    def work() -> Sorted:
        started = time.perf_counter()
        svd = TruncatedSVD(_LATENT_DIMENSIONS, random_state=0)
        Z = np.ascontiguousarray(svd.fit_transform(problem.X), dtype=np.float32)
        seconds = time.perf_counter() - started
        iterations = min(problem.iterations, 25)
        model = faiss.Kmeans(Z.shape[1], problem.k, niter=iterations, seed=0)
        model.train(Z)
        remark = f"{seconds:.2f} s of it the SVD to {_LATENT_DIMENSIONS}"
        return Sorted(model.index.search(Z, 1)[1].ravel(), iterations, remark)

    return work


def active_semi_supervised(problem: Problem, method: str = "PCKMeans") -> Work:
    from active_semi_clustering.semi_supervised import pairwise_constraints

    X = problem.X.toarray() if sp.issparse(problem.X) else problem.X
    links = {
        "ml": [(int(i), int(j)) for i, j in problem.must_link],
        "cl": [(int(i), int(j)) for i, j in problem.cannot_link],
    }

    def work() -> Sorted:
        np.random.seed(0)  # it draws from the global generator
        model = getattr(pairwise_constraints, method)(problem.k, max_iter=problem.iterations)
        return Sorted(model.fit(X, **links).labels_)

    return work


def k_means_constrained(problem: Problem) -> Work:
    from k_means_constrained import KMeansConstrained

    model = KMeansConstrained(
        problem.k,
        size_min=1,
        init=problem.centres,
        n_init=1,
        max_iter=problem.iterations,
        random_state=0,
    )
    return partial(_fitted, model, problem.X)


def _fitted(model: Any, X: Any) -> Sorted:
    model.fit(X)
    return Sorted(model.labels_, model.n_iter_)


_CORES = os.cpu_count() or 1
_PLAIN = partial(textclust, refine=False)  # the peers have no such search
OURS = (
    Contestant("textclust", partial(_PLAIN, n_jobs=_CORES), SAME_START, essential=True),
    Contestant("textclust, 1 thread", partial(_PLAIN, n_jobs=1), SAME_START),
    Contestant("textclust, no native core", partial(_PLAIN, n_jobs=1, native=False), SAME_START),
)
REFINED = (
    Contestant("textclust, refined", textclust, SAME_START, essential=True),
    Contestant("textclust, refined, 1 thread", partial(textclust, n_jobs=1), SAME_START),
    Contestant(
        "textclust, refined, no native core",
        partial(textclust, n_jobs=1, native=False),
        SAME_START,
    ),
)
LLOYD = Contestant(
    "scikit-learn KMeans, lloyd",
    partial(scikit_learn, algorithm="lloyd"),
    SAME_START,
    "scikit-learn",
    essential=True,
)
_ELKAN = Contestant(
    "scikit-learn KMeans, elkan",
    partial(scikit_learn, algorithm="elkan"),
    SAME_START,
    "scikit-learn",
)
_LOOP = Contestant("a loop in scipy", scipy_loop, SAME_START, "scipy")
SAME_RUN = (*OURS, LLOYD, _ELKAN, _LOOP)
QUICK = (*OURS, LLOYD, _LOOP)
SPARSE = (
    *SAME_RUN,
    Contestant(
        "scikit-learn MiniBatchKMeans", mini_batch, "the same centres, its own stop", "scikit-learn"
    ),
    Contestant("scikit-learn BisectingKMeans", bisecting, OWN_START, "scikit-learn"),
    Contestant("soyclustering", soyclustering, SAME_START, "soyclustering"),
    Contestant(
        "soyclustering, np.int put back",
        partial(soyclustering, restored=True),
        SAME_START,
        "soyclustering",
    ),
    Contestant("faiss on an SVD", faiss_on_svd, OWN_START, "faiss-cpu"),
)
DENSE = (
    *SAME_RUN,
    Contestant(
        "active-semi-supervised-clustering, PCKMeans without pairs",
        active_semi_supervised,
        OWN_START,
        "active-semi-supervised-clustering",
    ),
    Contestant("k-means-constrained", k_means_constrained, SAME_START, "k-means-constrained"),
)
