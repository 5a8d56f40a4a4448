"""Posts sent to two newsgroups at once: does an overlapping clustering find both?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from textclust.estimators.kmeans import SphericalKMeans
from textclust.estimators.overlapping import OverlappingKMeans
from textclust.experiments.collections import classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.geometry.affine import Array, Labels
from textclust.text.cleaning import Cleaning
from textclust.text.termspace import TermSpace

__all__ = ["EXPERIMENTS"]

GROUPS = {
    "politics": ("talk.politics.guns", "talk.politics.mideast", "talk.politics.misc"),
    "religion": ("alt.atheism", "soc.religion.christian", "talk.religion.misc"),
    "politics and religion": (
        "alt.atheism",
        "talk.politics.guns",
        "talk.politics.misc",
        "talk.religion.misc",
    ),
}
_PER_GROUP = 300  # posts that were sent to one group
_MESSAGE_ID = re.compile(r"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)


def unit(case: Case, run: int) -> Iterator[Row]:
    """The share of posts sent to two groups that are found in the clusters of both."""
    groups = GROUPS[case["groups"]]
    rows, groups_of = _posts(groups, np.random.default_rng(run))
    texts = collection("20newsgroups").texts
    X = TermSpace(sublinear_tf=True).fit_transform([texts[row] for row in rows])
    hard = SphericalKMeans(len(groups), random_state=run).fit(X)
    near = np.asarray(X @ hard.cluster_centers_.T)
    model = OverlappingKMeans(len(groups), random_state=run).fit(X)
    second = _two_nearest(near, int((model.memberships_.sum(axis=1) > 1).sum()))
    every = _two_nearest(near, len(rows))
    yield {"way": "overlapping", **_found(model.memberships_, model.labels_, groups_of)}
    yield {"way": "two nearest, as many", **_found(second, hard.labels_, groups_of)}
    yield {"way": "two nearest of all", **_found(every, hard.labels_, groups_of)}


def _found(memberships: Array, labels: Array, groups_of: list[tuple[int, ...]]) -> dict[str, float]:
    """How often both groups are found, and how many posts of one group are in several clusters."""
    k = memberships.shape[1]
    table = np.zeros((k, k))
    for label, own in zip(labels, groups_of, strict=True):
        table[label, own[0]] += len(own) == 1
    cluster_of = _matched(table)
    crossed = [i for i, own in enumerate(groups_of) if len(own) == 2]
    alone = [i for i, own in enumerate(groups_of) if len(own) == 1]
    both = [all(memberships[i, cluster_of[g]] for g in groups_of[i]) for i in crossed]
    return {
        "both": float(np.mean(both)),
        "one in several": float((memberships[alone].sum(axis=1) > 1).mean()),
    }


def _matched(table: Array) -> Labels:
    """The cluster of each group, so that most posts of one group are in theirs."""
    from scipy.optimize import linear_sum_assignment

    clusters, groups = linear_sum_assignment(-table)
    return np.asarray(clusters[np.argsort(groups)])


def _two_nearest(near: Array, count: int) -> Array:
    """The nearest cluster of each post, and the next of the `count` to which it is as near."""
    order = np.argsort(-near, axis=1)
    rows = np.arange(len(near))
    ratio = near[rows, order[:, 1]] / np.maximum(near[rows, order[:, 0]], 1e-12)
    several = np.argsort(-ratio, kind="stable")[:count]
    found = np.zeros(near.shape, dtype=bool)
    found[rows, order[:, 0]] = True
    found[several, order[several, 1]] = True
    return found


def _posts(
    groups: tuple[str, ...], rng: np.random.Generator
) -> tuple[list[int], list[tuple[int, ...]]]:
    """Posts sent to two of the groups, each once, and some that were sent to one alone."""
    chosen: dict[int, tuple[int, ...]] = {}
    alone: dict[str, list[int]] = defaultdict(list)
    for first, names in _destinations():
        if len(names) == 1:
            alone[names[0]].append(first)
        elif len(names) == 2 and set(names) <= set(groups):
            chosen[first] = tuple(groups.index(name) for name in names)
    for number, name in enumerate(groups):
        for row in rng.choice(alone[name], _PER_GROUP, replace=False):
            chosen[int(row)] = (number,)
    rows = sorted(chosen)
    return rows, [chosen[row] for row in rows]


@lru_cache(maxsize=1)
def _destinations() -> list[tuple[int, list[str]]]:
    """The first row of every message, and the groups it was sent to."""
    posts = collection("20newsgroups", Cleaning(headers=False))
    found: dict[str, tuple[int, set[str]]] = {}
    for row, (text, group) in enumerate(zip(posts.texts, classes(posts), strict=True)):
        named = _MESSAGE_ID.search(text)
        if named is not None:
            found.setdefault(named[1], (row, set()))[1].add(group)
    return [(row, sorted(names)) for row, names in found.values()]


EXPERIMENTS = (
    Experiment(
        name="overlap",
        title="Posts sent to two newsgroups: how often the clusters of both are found",
        source="",
        unit=unit,
        cases=grid(groups=GROUPS),
        runs=5,
        axes=("groups", "way"),
        x="groups",
        lines="way",
        across="way",
        baseline="two nearest, as many",
        measures=("both", "one in several"),
        notes=(
            "overlapping: OverlappingKMeans(k), as it comes",
            "two nearest, as many: spherical k-means, with the second cluster of as many posts as "
            "are in several under overlapping, those nearest to the border first",
            "two nearest of all: every post in two clusters",
            "one in several: the share of posts sent to one group that are in several clusters",
        ),
    ),
)
