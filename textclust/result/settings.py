"""Everything needed to repeat a run, as JSON can hold it."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from textclust.engine.problem import Solution
from textclust.geometry import Distortion
from textclust.geometry.affine import Array
from textclust.methods import METHODS
from textclust.methods.choice import Run
from textclust.supervision.given import Supervision
from textclust.text.corpus import Corpus
from textclust.text.termspace import TermSpace

if TYPE_CHECKING:
    from textclust.model_selection.choice import Selection

__all__ = ["collection_of", "run_settings", "versions"]


def run_settings(
    run: Run,
    solution: Solution,
    supervision: Supervision,
    vectorizer: TermSpace,
    collection: Mapping[str, object],
    selection: Selection | None,
    vectors: Array | None,
) -> dict[str, Any]:
    """The method, its parameters, and what it was run on."""
    background, words = supervision.background, supervision.seed_words
    return {
        "method": run.method,
        "description": METHODS[run.method].describe(run.solver),
        "parameters": _described_all(
            {**run.solver.parameters(), "n_clusters": solution.prototypes.shape[0]}
        ),
        "vectorizer": _described_all(vectorizer.get_params()),
        "vectors": None if vectors is None else _described(vectors),
        "iterations": solution.n_iter,
        "collection": dict(collection),
        "selection": selection and selection.to_dict(),
        "background": background
        and {"documents": len(background), "classes": list(background.classes)},
        "seed_words": words and {name: list(given) for name, given in words.words.items()},
        "versions": versions(),
    }


def collection_of(corpus: Corpus) -> dict[str, object]:
    """Where the documents came from, and a digest of them."""
    documents = corpus.documents
    return {
        **documents.provenance,
        "documents": len(documents),
        "terms": corpus.X.shape[1],
        "without_terms": int((np.diff(corpus.X.indptr) == 0).sum()),
        "skipped": len(documents.skipped),
        "sha256": documents.sha256(),
    }


def versions() -> dict[str, str]:
    """Of all that a run depends on; of a package that is imported its own word is the quickest."""
    from importlib.metadata import version

    import scipy

    import textclust

    return {
        "python": platform.python_version(),
        "textclust": textclust.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": version("scikit-learn"),
    }


def _described_all(parameters: Mapping[str, object]) -> dict[str, object]:
    """Parameters by name, in the order of the alphabet."""
    return {name: _described(value) for name, value in sorted(parameters.items())}


def _described(value: object) -> object:
    """A value of a parameter in plain data."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(name): _described(each) for name, each in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Distortion):
        return {"name": value.name, **(asdict(value) if is_dataclass(value) else {})}
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, list | tuple | set | frozenset):
        ordered = sorted(value) if isinstance(value, set | frozenset) else value
        return [_described(item) for item in ordered]
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}, sha256 {hashlib.sha256(value.tobytes()).hexdigest()}"
    return repr(value)
