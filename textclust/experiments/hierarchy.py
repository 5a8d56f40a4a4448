"""How well the groups above the clusters are the families of newsgroups, or the classes themselves.

More clusters than classes are merged until there are as many groups as families (comp, rec, sci,
talk with the religions, misc) or classes; the other ways to merge prototypes stand beside ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from textclust import metrics
from textclust.experiments.collections import classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.geometry.affine import Array
from textclust.pipeline import cluster
from textclust.result.clustering import Clustering
from textclust.result.tree import Tree, merged

__all__ = ["EXPERIMENTS", "unit"]

_FAMILIES = {"alt": "talk", "soc": "talk"}  # the religions are talked of beside politics
_COLLECTIONS = {"20newsgroups": (20, 40), "20-newsgroups-100": (20, 40), "classic4": (12, 20)}
Merging = Callable[[Clustering], Array]


def _by_scipy(method: str, *, centred: bool) -> Merging:
    def merge(clustering: Clustering) -> Array:
        from scipy.cluster.hierarchy import linkage

        rows = clustering.space.prototypes
        if centred:
            rows = rows - np.average(rows, axis=0, weights=clustering.sizes)
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return linkage(rows, method, metric="euclidean" if method == "ward" else "cosine")

    return merge


_WAYS: dict[str, Merging] = {
    "ours": lambda found: merged(found.space.prototypes, found.sizes),
    "average linkage": _by_scipy("average", centred=False),
    "ward": _by_scipy("ward", centred=False),
    "ward, less the mean": _by_scipy("ward", centred=True),
}


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI of the groups with the families, by each way to merge the same clusters."""
    documents = collection(case["collection"])
    given = classes(documents)
    heads = [name.partition(".")[0] for name in given]
    families = [_FAMILIES.get(head, head) for head in heads]
    n = len(set(families))
    found = cluster(documents, case["k"], random_state=run)
    for name, merge in _WAYS.items():
        groups = Tree(merge(found), []).cut(n)[found.labels]
        yield {"merged by": name, "NMI": metrics.nmi(families, groups)}


EXPERIMENTS = (
    Experiment(
        name="hierarchy",
        title="NMI of groups of clusters with families of classes",
        source="",
        unit=unit,
        cases=tuple(
            case
            for name, numbers in _COLLECTIONS.items()
            for case in grid(collection=(name,), k=numbers)
        ),
        runs=5,
        axes=("collection", "k", "merged by"),
        x="k",
        lines="merged by",
        across="collection",
        notes=("families: comp, rec, sci, talk, misc; of classic4 its four classes",),
    ),
)
