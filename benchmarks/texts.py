"""From texts to a matrix: TextVectorizer beside the vectorizers of scikit-learn."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any

import scipy.sparse as sp

from benchmarks import problems
from benchmarks.sections import Column, Scale, Section, agree, comparison, headline
from benchmarks.workers import Contest, Contestant

__all__ = ["digest", "measure"]

_FEW = 2_000  # posts, for the quick run
_FIRST = 50  # posts to warm up with, so that no import is timed
_WORDS = {"stop_words": "english"}
_PRUNED = {**_WORDS, "min_df": 5, "max_df": 0.95}

Work = Callable[[], Any]


def textclust(texts: list[str], n_jobs: int | None = None, native: bool = True) -> Work:
    import textclust as tc
    from textclust.native import without

    def vectorise(some: list[str]) -> Any:
        with nullcontext() if native else without():
            return tc.TextVectorizer(n_jobs=n_jobs).fit_transform(some)

    vectorise(texts[:_FIRST])
    return partial(vectorise, texts)


def scikit_learn(texts: list[str], name: str, parameters: dict[str, Any]) -> Work:
    from sklearn.feature_extraction import text

    vectorizer = getattr(text, name)(**parameters)
    vectorizer.fit_transform(texts[:_FIRST])
    return partial(vectorizer.fit_transform, texts)


def judge(texts: list[str], X: Any) -> dict[str, Any]:
    """The size of the matrix, and the speed at which text goes by."""
    return {
        "shape": X.shape,
        "nnz": X.nnz,
        "megabytes": sum(len(text.encode()) for text in texts) / 1e6,
        "digest": digest(X),
    }


def digest(X: sp.csr_array) -> str:
    """SHA-256 of a matrix."""
    parts = (X.indptr, X.indices, X.data)
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


def _peer(name: str, parameters: dict[str, Any], essential: bool = False) -> Contestant:
    prepare = partial(scikit_learn, name=name, parameters=parameters)
    given = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
    return Contestant(f"scikit-learn {name}", prepare, given, "scikit-learn", essential)


_CORES = os.cpu_count() or 1
OURS = (
    Contestant("textclust TextVectorizer", textclust, "its defaults", essential=True),
    Contestant(f"textclust, n_jobs={_CORES}", partial(textclust, n_jobs=_CORES), "its defaults"),
    Contestant("textclust, no native core", partial(textclust, native=False), "its defaults"),
)
PEERS = (
    _peer("TfidfVectorizer", _PRUNED, essential=True),
    _peer("CountVectorizer", _PRUNED),
    _peer("HashingVectorizer", _WORDS),
)

_COLUMNS: dict[str, Column] = {
    "MB/s": lambda result: f"{result.verdict['megabytes'] / result.seconds:.1f}",
    "terms": lambda result: f"{result.verdict['shape'][1]:,}",
    "non-zeros": lambda result: f"{result.verdict['nnz']:,}",
    "peak MB": lambda result: f"{result.peak / 1e6:.0f}",
}


def measure(scale: Scale) -> Section:
    """The cleaned posts of 20 Newsgroups, in memory."""
    problems.require_newsgroups()
    load = partial(problems.texts, _FEW if scale.quick else None)
    results = Contest(load, judge).among((*OURS, *PEERS), scale.repeats)
    whole, shared, readable = (contestant.name for contestant in OURS)
    title = "Texts to matrix" + (f", {_FEW:,} posts" if scale.quick else ", 20 Newsgroups")
    checks = (
        f"Same matrix with one job and with {_CORES}: {agree(results, (whole, shared))}; "
        f"with and without the native core: {agree(results, (whole, readable))}."
    )
    table = comparison(title, results, _COLUMNS, [checks])
    return Section("texts", [headline(title, results, PEERS[0].name)], [table])
