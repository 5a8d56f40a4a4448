"""Labellers: what is learned from old documents, and the classes it gives to new ones.

A labeller is anything with `fit(X, y)` and `predict_proba(X)`, as scikit-learn's
classifiers have them; those here take less time to import. One that has `knows(X)` says
itself of which documents it has an opinion; all others have one where their confidence
reaches a threshold. `under(distortion)`, where a labeller has it, is the labeller to take
beside that distortion.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Protocol

from textclust.errors import InputError
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.supervision.background import LABELLERS

__all__ = ["Labeller", "labeller_for"]


class Labeller(Protocol):
    """Learns classes from labelled rows and says how likely each is for others."""

    def fit(self, X: Matrix, y: Labels) -> Labeller: ...

    def predict_proba(self, X: Matrix) -> Array: ...


def labeller_for(distortion: Distortion, given: str | Labeller) -> Labeller:
    """A labeller to fit, of this name or like this one, for clusters under a distortion."""
    own = LABELLERS[given]() if isinstance(given, str) else deepcopy(given)
    for name in ("fit", "predict_proba"):
        if not callable(getattr(own, name, None)):
            raise InputError(f"a labeller needs {name}; {type(own).__name__} has none")
    return own.under(distortion) if hasattr(own, "under") else own
