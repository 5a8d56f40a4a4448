"""Dense vectors beside the terms of the same documents: which, and how much they count."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from numpy.typing import ArrayLike

from textclust.errors import InputError, in_words
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.blocks import BESIDE_TERMS, beside_terms
from textclust.methods.choice import Run
from textclust.result.beside import VectorsBeside
from textclust.result.placement import checked_vectors
from textclust.supervision.given import Supervision

if TYPE_CHECKING:
    from textclust.embedding.models import EmbeddingModel
    from textclust.model_selection.vector_weight import VectorWeight

__all__ = ["Blocks", "EmbedLike", "Embedding", "is_asked_for"]

EmbedLike = str | os.PathLike[str] | None
_OFF = "off"


def is_asked_for(embed: EmbedLike) -> bool:
    """Whether vectors are to count beside the terms."""
    return embed is not None and os.fspath(embed) != _OFF


@dataclass(frozen=True, eq=False)
class Embedding:
    """Where vectors come from, a model or whoever gave them, and what they are to count."""

    model: EmbeddingModel | None
    given: Array | None
    weight: float | None  # None is what the evidence says

    @classmethod
    def asked(
        cls,
        embed: EmbedLike,
        vectors: ArrayLike | None,
        weight: float | str,
        run: Run,
        kinds: frozenset[str],
    ) -> Self:
        """What `embed`, `vectors` and `embed_weight` ask for, if this run can take it."""
        from textclust.embedding.models import AUTO, open_model

        _refuse(run, kinds)
        share = _checked_weight(weight)
        assert embed is not None
        name = os.fspath(embed)
        if vectors is None:
            return cls(open_model(name), None, share)
        if name != AUTO:
            raise InputError(
                f"vectors= and embed={name!r} were both given; leave one out, "
                "or give embed='auto', which takes the vectors"
            )
        return cls(None, checked_vectors(vectors), share)

    def of(self, texts: Sequence[str]) -> Array:
        """A vector for each text."""
        if self.given is None:
            from textclust.embedding.models import vectors_of

            assert self.model is not None
            return vectors_of(self.model, texts)
        if len(self.given) != len(texts):
            raise InputError(
                f"{len(self.given)} vectors for {len(texts)} documents; give one for each, in order"
            )
        return self.given


@dataclass(frozen=True, eq=False)
class Blocks:
    """The terms and the vectors of the same documents."""

    X: Matrix
    vectors: Array
    source: Embedding

    @property
    def first_weight(self) -> float:
        """What vectors count before it is known how many clusters there are."""
        from textclust.model_selection.vector_weight import UNTRIED

        return UNTRIED if self.source.weight is None else self.source.weight

    def rows(self, weight: float) -> Matrix:
        """Both together, the vectors by this weight."""
        return beside_terms(self.X, self.vectors, weight)

    def chosen(self, run: Run, supervision: Supervision) -> VectorWeight:
        """What the vectors count: as asked for, or by the evidence."""
        from textclust.model_selection.vector_weight import VectorWeight, choose_weight

        if self.source.weight is not None:
            return VectorWeight(self.source.weight, given=True)
        assert run.k is not None
        solver = run.solver
        return choose_weight(
            self.X,
            self.vectors,
            run.k,
            supervision.constraints,
            y=supervision.seeds,
            random_state=solver.random_state,
            n_jobs=solver.n_jobs,
        )

    def part(self, weight: float) -> VectorsBeside:
        """The vectors' part of a result."""
        return VectorsBeside.by(self.source.model, self.vectors.shape[1], weight)


def _refuse(run: Run, kinds: frozenset[str]) -> None:
    """Raise an InputError where vectors beside terms mean nothing."""
    if "background" in kinds:
        raise InputError("a background is compared by its terms; leave the embedding out")
    if "examples" in kinds:
        raise InputError("examples are followed by terms alone; leave the embedding out")
    distortion = getattr(run.solver, "distortion", None)
    name = getattr(distortion, "name", distortion)
    if name not in BESIDE_TERMS:
        raise InputError(
            f"an embedding goes with distortion {in_words([repr(each) for each in BESIDE_TERMS])}, "
            f"which weigh terms and vectors alike; got {name!r}"
        )


def _checked_weight(weight: float | str) -> float | None:
    if isinstance(weight, str) and weight == "auto":
        return None
    if isinstance(weight, str | bool) or not 0.0 <= float(weight) <= 1.0:
        raise InputError(
            f"embed_weight must be auto, or from 0 (terms alone) to 1 (vectors alone); got {weight}"
        )
    return float(weight)
