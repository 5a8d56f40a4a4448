"""Everything needed to repeat a run, as JSON can hold it."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np

from textclust.geometry import Distortion
from textclust.text.corpus import Corpus

__all__ = ["collection_settings", "described", "described_all", "versions"]


def collection_settings(corpus: Corpus) -> dict[str, Any]:
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


def described_all(parameters: Mapping[str, object]) -> dict[str, Any]:
    """Parameters by name, in the order of the alphabet."""
    return {name: described(value) for name, value in sorted(parameters.items())}


def described(value: object) -> Any:
    """A value of a parameter in plain data."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Distortion):
        return {"name": value.name, **(asdict(value) if is_dataclass(value) else {})}
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, list | tuple | set | frozenset):
        ordered = sorted(value) if isinstance(value, set | frozenset) else value
        return [described(item) for item in ordered]
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}, sha256 {hashlib.sha256(value.tobytes()).hexdigest()}"
    return repr(value)
