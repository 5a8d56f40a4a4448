"""Seeds: what it costs to learn from named documents, beside clustering without them."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.kernels import spherical
from benchmarks.links import fits
from benchmarks.peers import Sorted, judge
from benchmarks.problems import Problem, newsgroups, require_newsgroups, sample
from benchmarks.sections import Column, Scale, Section, comparison, headline
from benchmarks.workers import Contest, Contestant, Work

__all__ = ["measure"]

_NAMED = 20  # documents of each class
_FEW_EACH = 50  # posts of each group, for the quick run


def by_seeds(problem: Problem, method: str) -> Work:
    import textclust as tc

    y, rng = np.full(len(problem.truth), -1), np.random.default_rng(0)
    for label in np.unique(problem.truth):
        y[rng.permutation(np.flatnonzero(problem.truth == label))[:_NAMED]] = label
    return fits(getattr(tc, method)(problem.k, random_state=0), problem.X, y=y)


def linear_svc(problem: Problem) -> Work:
    from sklearn.svm import LinearSVC

    rng, truth = np.random.default_rng(0), problem.truth
    rows = np.concatenate(
        [rng.permutation(np.flatnonzero(truth == label))[:_NAMED] for label in np.unique(truth)]
    )

    def work() -> Sorted:
        return Sorted(LinearSVC().fit(problem.X[rows], truth[rows]).predict(problem.X))

    return work


WITHOUT = Contestant("SphericalKMeans", spherical, essential=True)
WITH = Contestant("GuidedClustering", partial(by_seeds, method="GuidedClustering"), essential=True)
CONTESTANTS = (
    WITHOUT,
    Contestant("ConstrainedKMeans", partial(by_seeds, method="ConstrainedKMeans"), essential=True),
    WITH,
    Contestant("scikit-learn LinearSVC", linear_svc, essential=True),
)
_COLUMNS: dict[str, Column] = {
    "CPU seconds": lambda result: f"{result.cpu:.2f}",
    "NMI, seeds among them": lambda result: f"{result.verdict['nmi']:.3f}",
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


def measure(scale: Scale) -> Section:
    """All posts of 20 Newsgroups, twenty of each group named."""
    require_newsgroups()
    made = partial(sample, _FEW_EACH, 1) if scale.quick else partial(newsgroups, 1)
    results = Contest(made, judge).among(CONTESTANTS, scale.repeats)
    posts = f"{20 * _FEW_EACH:,} posts" if scale.quick else "20 Newsgroups"
    title = f"Seeds: {posts}, k = 20, {_NAMED} of each class named"
    return Section(
        "seeds",
        [headline(title, results, WITH.name)],
        [comparison(title, results, _COLUMNS)],
    )
