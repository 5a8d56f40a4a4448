"""How many clusters there are: criteria, the evidence for each number, a recommendation."""

from __future__ import annotations

__all__ = ["DISTORTIONS"]

DISTORTIONS = ("cosine", "euclidean")  # under which halves of a collection are compared
