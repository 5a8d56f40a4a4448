"""A background: what it costs to listen to old documents, beside clustering and a labeller."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks.problems import require_newsgroups
from benchmarks.sections import Column, Scale, Section, comparison, headline
from benchmarks.workers import Contest, Contestant, Work

__all__ = ["measure"]

_K = 5
_PERCENT = 10  # of the posts, the oldest, are labelled


def posts_by_date(groups: str) -> Any:
    """The posts of five groups, split by date."""
    from textclust.experiments.collections import collection
    from textclust.experiments.dated import split_by_date

    return split_by_date(collection("20newsgroups"), groups.split(), _PERCENT)


def clusters_and_labels(split: Any) -> Work:
    """The new posts clustered without their elders, and labelled by them."""
    import textclust as tc
    from textclust.geometry.cosine import Cosine
    from textclust.supervision.background.placed import PlacedBackground
    from textclust.supervision.background.predicted_labels import predict_labels

    model = tc.SphericalKMeans(_K, random_state=0)

    def work() -> Any:
        placed = PlacedBackground.of(split.background, split.X, split.features)
        predict_labels("naive-bayes", placed, 0.0, Cosine())
        return model.fit(split.X).labels_

    return work


def semi_hard(split: Any) -> Work:
    import textclust as tc

    model = tc.SemiHard(_K, random_state=0)
    known = {"background": split.background, "feature_names": split.features}
    return lambda: model.fit(split.X, **known).labels_


def guided(split: Any) -> Work:
    import textclust as tc

    model = tc.GuidedClustering(_K, random_state=0)
    known = {"background": split.background, "feature_names": split.features}
    return lambda: model.fit(split.X, **known).labels_


def judge(split: Any, labels: Any) -> dict[str, Any]:
    """The error of a clustering, its clusters named as suits it best."""
    from textclust.metrics import error_rate

    return {"error": error_rate(split.truth, labels)}


WITHOUT = Contestant("SphericalKMeans and naive Bayes", clusters_and_labels, essential=True)
SEMI_HARD = Contestant("SemiHard", semi_hard, essential=True)
WITH = Contestant("GuidedClustering", guided, essential=True)
_COLUMNS: dict[str, Column] = {
    "CPU seconds": lambda result: f"{result.cpu:.3f}",
    "error": lambda result: f"{result.verdict['error']:.3f}",
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


def measure(scale: Scale) -> Section:
    """Groups that are easy to tell apart, where the old posts change little, and others."""
    require_newsgroups()
    from textclust.experiments.newer import CHOICES

    headlines, tables = [], []
    for kind, choices in CHOICES.items():
        contest = Contest(partial(posts_by_date, choices[0]), judge)
        results = contest.among((WITHOUT, SEMI_HARD, WITH), scale.repeats)
        title = f"Background: the oldest {_PERCENT}% of the posts of five groups, {kind}"
        tables.append(comparison(title, results, _COLUMNS, [f"{choices[0]}."]))
        headlines.append(headline(title, results, WITH.name))
    return Section("background", headlines, tables)
