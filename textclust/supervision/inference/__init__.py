"""Rules that label linked documents together, given what each cluster costs each of them."""

from __future__ import annotations

from textclust.supervision.inference.icm import icm

__all__ = ["INFERENCES"]

INFERENCES = {"icm": icm}
