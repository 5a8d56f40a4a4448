"""Posts in the order of their dates: the oldest with their classes, the others to be clustered."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Labels, Matrix
from textclust.parameters import Settings
from textclust.supervision.background.labelled import Background
from textclust.supervision.background.placed import PlacedBackground
from textclust.supervision.given import Supervision
from textclust.text.documents import Documents
from textclust.text.termspace import TermSpace

__all__ = ["DEFAULT", "PUBLISHED", "Split", "split_by_date"]

PUBLISHED: Settings = {"use_idf": False}  # the weighting of terms
DEFAULT: Settings = {"sublinear_tf": True}


class Split(NamedTuple):
    """Old posts with their classes, new ones, and what these are."""

    background: Background
    X: Matrix
    features: list[str]
    truth: Labels  # by the number of the group
    groups: list[str]

    @property
    def known(self) -> Supervision:
        """What a solver takes beside the rows."""
        return Supervision(background=self.background, features=self.features)

    @property
    def placed(self) -> PlacedBackground:
        """The old posts beside the new ones, in the terms that both have."""
        return PlacedBackground.of(self.background, self.X, self.features)


def split_by_date(
    documents: Documents, groups: list[str], share: float, weighting: Settings = DEFAULT
) -> Split:
    """The posts of some groups, the oldest `share` percent of them labelled."""
    if documents.labels is None or documents.dates is None or None in documents.dates:
        raise InputError("posts with a group and a date are needed")
    rows = [row for row, name in enumerate(documents.labels) if name in groups]
    dates = [date.timestamp() if date else 0.0 for date in documents.dates]
    rows.sort(key=lambda row: dates[row])
    first = len(rows) * share // 100
    old, new = documents.select(rows[: int(first)]), documents.select(rows[int(first) :])
    before, now = TermSpace(**weighting), TermSpace(**weighting)
    background = Background(
        before.fit_transform(old.texts), old.labels or [], list(before.vocabulary_)
    )
    X = now.fit_transform(new.texts)
    groups = sorted(groups)
    numbers = {name: number for number, name in enumerate(groups)}
    truth = np.array([numbers[str(name)] for name in new.labels or []], dtype=np.intp)
    return Split(background, X, list(now.vocabulary_), truth, groups)
