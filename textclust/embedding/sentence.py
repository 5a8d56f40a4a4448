"""Models of sentence-transformers: imported late, and only from what is on this machine."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array
from textclust.progress import track

__all__ = ["SentenceModel"]

_BATCH = 256  # texts between two reports of progress


@dataclass(frozen=True, eq=False)
class SentenceModel:
    """A model that reads the words of a text together, as far as it can read."""

    name: str
    identity: str
    size: int
    model: Any

    @classmethod
    def open(cls, name: str) -> SentenceModel:
        """The model of this name, or in this folder; nothing is downloaded."""
        try:
            from sentence_transformers import SentenceTransformer
        except ModuleNotFoundError:
            raise InputError(
                f"st:{name} needs sentence-transformers; pip install sentence-transformers"
            ) from None
        try:
            model = SentenceTransformer(os.fspath(name), device="cpu", local_files_only=True)
        except Exception as error:  # of many kinds, from several libraries
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(
                f"st:{name} is no sentence-transformers model on this machine ({reason})"
            ) from error
        size = len(model.encode(["size"], show_progress_bar=False)[0])
        return cls(f"st:{name}", _identity(model), size, model)

    def encode(self, texts: Sequence[str]) -> Array:
        """A row for each text; texts of a like length are read together."""
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        found = np.zeros((len(texts), self.size), dtype=np.float32)
        steps = range(0, len(order), _BATCH)
        for begin in track(steps, "embedding", len(steps)):
            rows = order[begin : begin + _BATCH]
            batch = [texts[i] for i in rows]
            found[rows] = self.model.encode(batch, show_progress_bar=False, convert_to_numpy=True)
        return found


def _identity(model: Any) -> str:
    """A digest of all numbers of a model, and of how far it reads."""
    digest = hashlib.sha256(f"st {model.max_seq_length}".encode())
    for name, values in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(values.detach().float().cpu().numpy().tobytes())
    return digest.hexdigest()
