"""From the name of a method to its estimator."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from textclust.hints import METHODS

__all__ = ["estimator_by_name"]


def estimator_by_name(method: str, k: int, distortion: str | None = None) -> Any:
    """The estimator of a method of `textclust cluster`, as that command would set it for texts.

    Without a distortion, or with one that it cannot take, it has its usual one.

    >>> estimator_by_name("pckmeans", 3)
    PCKMeans(distortion='cosine', n_clusters=3)
    """
    import textclust

    found = METHODS[method]
    solver = getattr(import_module(f"textclust.{found.home}"), found.solver)
    public = (getattr(textclust, name) for name in textclust.__all__)
    kind = next(each for each in public if isinstance(each, type) and solver in each.__bases__)
    if distortion is None or not solver._parameters["distortion"].allows(distortion):
        distortion = found.distortion
    return kind(n_clusters=k, distortion=distortion, **dict(found.usual))
