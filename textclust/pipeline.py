"""The whole way in one call: from a path to a `Clustering`."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable, Iterator
from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np

from textclust.answer.clustering import Card, Clustering, Space, checked_vectors, place
from textclust.errors import InputError
from textclust.geometry import Distortion
from textclust.hints import Hints, recipe_of
from textclust.text.catalogue import Catalogue
from textclust.text.documents import Documents
from textclust.text.reading import Reading, open_documents

__all__ = ["cluster"]


def cluster(
    source: str | os.PathLike[str] | Documents | Reading | Iterable[str],
    k: int,
    *,
    method: str | None = None,
    distortion: str = "cosine",
    seeds: Any = None,
    constraints: Any = None,
    vectors: Any = None,
    vectorizer: Any = None,
    random_state: int | None = 0,
    **parameters: Any,
) -> Clustering:
    """Read, vectorise, cluster and name a collection of documents.

    Parameters
    ----------
    source : path, Documents, Reading or iterable of texts
        What to cluster; see `read_documents` for the paths that can be read. From a path or a
        `Reading` the texts are counted as they come and not kept.
    k : int
        The number of clusters.
    method : {"kmeans", "seeded", "constrained", "hmrf", "pckmeans", "cop"} or None
        None is "kmeans"; with seeds alone "constrained", which keeps them where they are put;
        with constraints "hmrf".
    distortion : {"cosine", "euclidean", "kl", "i-divergence"}, default="cosine"
    seeds : path of a CSV table ``id,label``, or a dict of labels by id, or None
        Documents whose class is known. Under "seeded" and "constrained" the classes in their
        order are clusters 0, 1, ...
    constraints : path of a CSV table ``left,right,kind[,weight]``, `Constraints`, or None
        Pairs that belong together or do not. Seeds count as constraints too under "hmrf".
    vectors : array of n x m, or None
        Ready-made vectors of the same documents to cluster instead of their terms; names
        and terms still come from the texts.
    vectorizer : TextVectorizer, TermSpace or None
        None takes the default but for damped term frequencies, 1 + log2(f), which the
        measurements in docs/starts.md favour.
    random_state : int or None, default=0
    **parameters
        Further parameters of the method, such as `init` or `n_init`.

    Examples
    --------
    >>> import textclust as tc
    >>> r = tc.cluster(tc.corpora.path("newsgroups"), k=3)
    >>> r.sizes
    [86, 71, 68]
    """
    reading = _reading(source)
    told = Hints.read(seeds, constraints)
    method = method or told.usual_method
    recipe = recipe_of(method, k, distortion, random_state, parameters)
    told.refuse_unused(method)
    if vectorizer is None:
        vectorizer = _default_vectorizer()
    texts, documents = _vectorised(reading, vectorizer, k)
    X = texts if vectors is None else checked_vectors(vectors)
    if X.shape[0] != len(documents):
        raise InputError(
            f"{X.shape[0]} vectors for {len(documents)} documents; give one for each, in order"
        )
    supervision = told.matched(documents.ids, k)
    solution = recipe.solve(X, **supervision.arguments(method))
    found = len(np.unique(solution.labels))
    if found < k:
        raise InputError(
            f"only {found} of {k} clusters can be told apart: "
            + (
                "what was said beforehand leaves no document for the others"
                if supervision.is_some
                else "too many documents are identical in the words that count"
            )
            + "; ask for fewer clusters"
        )
    space = Space(solution.distortion, solution.prototypes)
    return Clustering(
        cards=_cards(documents),
        placement=place(X, space, solution.labels if supervision.is_some else None),
        space=space,
        vectorizer=vectorizer,
        texts=texts,
        objective=solution.energy,
        settings={
            "method": method,
            "parameters": _plain(recipe.parameters()),
            "vectorizer": _plain(vectorizer.get_params()),
            "vectors": None if vectors is None else _described(X),
            "iterations": solution.n_iter,
            "collection": _collection(documents, texts),
            "versions": _versions(),
        },
        of_vectors=vectors is not None,
        evidence=supervision.evidence(solution, method),
    )


def _reading(source: Any) -> Reading:
    if isinstance(source, Reading):
        return source
    if isinstance(source, str | os.PathLike):
        return open_documents(source)
    documents = source if isinstance(source, Documents) else Documents.from_texts(source)
    return documents.reading()


def _vectorised(reading: Reading, vectorizer: Any, k: int) -> tuple[Any, Catalogue]:
    """The weighted terms of the documents, in their order, and the documents."""
    texts = vectorizer.fit_transform(_at_least(k, reading))
    documents = reading.catalogue()
    if len(documents) < texts.shape[0]:
        return _vectorised(reading.without_replaced(), vectorizer, k)
    in_order = documents.rows == list(range(len(documents)))
    return texts if in_order else texts[documents.rows], documents


def _at_least(k: int, texts: Iterable[str]) -> Iterator[str]:
    """The same texts; an error at their end if they are fewer than the clusters."""
    count = 0
    for text in texts:
        count += 1
        yield text
    if count < k:
        raise InputError(f"{k} clusters cannot be made of {count} documents; ask for fewer")


def _default_vectorizer() -> Any:
    from textclust.text.termspace import TermSpace

    return TermSpace(sublinear_tf=True)


def _cards(documents: Catalogue) -> list[Card]:
    truth = documents.labels or [None] * len(documents)
    return list(map(Card, documents.ids, documents.titles, documents.excerpts, truth))


def _collection(documents: Catalogue, texts: Any) -> dict[str, Any]:
    return {
        **documents.provenance,
        "documents": len(documents),
        "terms": texts.shape[1],
        "without_terms": int((np.diff(texts.indptr) == 0).sum()),
        "skipped": len(documents.skipped),
        "sha256": documents.sha256(),
    }


def _versions() -> dict[str, str]:
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


def _plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters as JSON can hold them."""
    return {name: _described(value) for name, value in sorted(parameters.items())}


def _described(value: Any) -> Any:
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
        return [_described(item) for item in ordered]
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}, sha256 {hashlib.sha256(value.tobytes()).hexdigest()}"
    return repr(value)
