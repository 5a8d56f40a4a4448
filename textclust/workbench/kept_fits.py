"""The labels of earlier refits, so that a journal need not be worked through again on opening.

They are no more than a help: without them, or where they are of another journal or another version
of textclust, everything is computed anew.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import textclust
from textclust.array_files import array_in
from textclust.errors import TextclustError
from textclust.geometry.affine import Labels
from textclust.regular_files import open_regular
from textclust.workbench.state import State
from textclust.writing import whole_file

__all__ = ["KeptFits"]

_FOLDER = "fits"


class KeptFits:
    """Files of labels in the folder of a project, each named by all lines that led to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER

    def labels(self, lines: Sequence[Mapping[str, object]], state: State) -> Labels | None:
        """What the refit in the last of these lines made of the state before it, if kept."""
        try:
            with open_regular(self._place(lines)) as file:
                found = array_in(file)
        except (OSError, ValueError):
            return None
        fits = found.shape == state.alive.shape and found.dtype.kind == "i"
        if not fits or found.min(initial=0) < 0 or found.max(initial=0) >= len(state.clusters):
            return None
        return np.asarray(found, dtype=np.intp)

    def keep(self, lines: Sequence[Mapping[str, object]], labels: Labels) -> None:
        """Keep what the refit in the last of these lines found; where that fails, go without."""
        data = io.BytesIO()
        np.save(data, labels.astype(np.int32))
        try:
            self._folder.mkdir(exist_ok=True)
            with whole_file(self._place(lines)) as file:
                file.write(data.getvalue())
        except (OSError, TextclustError):
            return

    def _place(self, lines: Sequence[Mapping[str, object]]) -> Path:
        whole = hashlib.sha256(textclust.__version__.encode())
        for line in lines:
            whole.update(json.dumps(line, sort_keys=True).encode() + b"\n")
        return self._folder / f"{len(lines)}-{whole.hexdigest()[:16]}.npy"
