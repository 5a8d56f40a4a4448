"""Which model a name stands for, and what every model can do.

auto, wordllama     the table in the wheel of wordllama, which `textclust[embed]` brings
FOLDER              a static model in a folder: model.safetensors and tokenizer.json
st:NAME-OR-FOLDER   a model of sentence-transformers that is on this machine
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Protocol

from textclust.embedding.cache import cached
from textclust.errors import InputError
from textclust.geometry.affine import Array

__all__ = ["AUTO", "DEFAULT", "EmbeddingModel", "open_model", "vectors_of"]

AUTO = "auto"
DEFAULT = "wordllama"
_SENTENCE = "st:"


class EmbeddingModel(Protocol):
    """What computes a vector for a text, the same one for the same text whatever is beside it."""

    @property
    def name(self) -> str:
        """What it is known by."""

    @property
    def identity(self) -> str:
        """A digest of all that its vectors depend on."""

    @property
    def size(self) -> int:
        """How many numbers a vector has."""

    def encode(self, texts: Sequence[str]) -> Array:
        """A row for each text, in float32; zeros where a text says nothing to the model."""


def open_model(name: str | os.PathLike[str]) -> EmbeddingModel:
    """The model of this name; an InputError that says what to install, or what is amiss."""
    name = os.fspath(name)
    if name.startswith(_SENTENCE):
        from textclust.embedding.sentence import SentenceModel

        return SentenceModel.open(name.removeprefix(_SENTENCE))
    from textclust.embedding import static

    if name in (AUTO, DEFAULT):
        return static.wordllama()
    if not os.path.isdir(name):
        raise InputError(
            f"no embedding model {name!r}; give auto, the folder of a static model, or st: before "
            "the name or the folder of a sentence-transformers model"
        )
    return static.in_folder(name)


def vectors_of(model: EmbeddingModel, texts: Sequence[str]) -> Array:
    """A vector for each text, from the cache where it was computed before."""
    return cached(model.identity, model.size, model.encode, texts)
