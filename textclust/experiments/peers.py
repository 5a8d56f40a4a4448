"""Today's tools on the same points: scikit-learn, and active-semi-supervised-clustering."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from textclust.geometry.affine import Array, Matrix
from textclust.supervision.constraints import Constraints

__all__ = ["ASSC", "NOTE", "assc", "assc_methods", "scikit_learn_kmeans"]

_LARGE = 5000  # rows
ASSC = "peer "  # before the name of a method of active-semi-supervised-clustering
NOTE = (
    "peer: active-semi-supervised-clustering 0.0.1, where it is installed; runs in which it gives "
    "up are left out"
)


def scikit_learn_kmeans(X: Matrix, k: int, state: int) -> tuple[Array, float]:
    """Labels and objective of scikit-learn's KMeans: ten starts, one where X is large."""
    from sklearn.cluster import KMeans

    model = KMeans(k, n_init=10 if X.shape[0] < _LARGE else 1, random_state=state).fit(X)
    return model.labels_, model.inertia_


def assc_methods(*names: str) -> tuple[str, ...]:
    """These methods of active-semi-supervised-clustering, or none where it is not installed."""
    installed = find_spec("active_semi_clustering") is not None
    return tuple(ASSC + name for name in names) if installed else ()


def assc(name: str, X: Array, k: int, links: Constraints, state: int) -> Array | None:
    """The labels of one of its methods; None where it gives up.

    It takes dense points only, and draws from the global generator of numpy, which is left as
    it was.
    """
    from active_semi_clustering.exceptions import (
        ClusteringNotFoundException,
        EmptyClustersException,
    )
    from active_semi_clustering.semi_supervised import pairwise_constraints

    kind = getattr(pairwise_constraints, name.removeprefix(ASSC))
    pairs = {
        "ml": [(int(i), int(j)) for i, j in links.must_link],
        "cl": [(int(i), int(j)) for i, j in links.cannot_link],
    }
    before = np.random.get_state()
    np.random.seed(state)
    try:
        return np.asarray(kind(k).fit(X, **pairs).labels_)
    except (ClusteringNotFoundException, EmptyClustersException):
        return None
    finally:
        np.random.set_state(before)
