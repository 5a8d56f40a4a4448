"""The whole way in one call: from a path to a `Clustering`."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable, Iterator
from dataclasses import asdict, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from textclust.engine.matching import matched
from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry import Distortion
from textclust.geometry.capabilities import places_rows
from textclust.geometry.cosine import Cosine
from textclust.geometry.euclidean import Euclidean
from textclust.methods import METHODS
from textclust.methods.hac import HACSolver
from textclust.methods.kmeans import KMeansSolver
from textclust.result.clustering import Card, Clustering, Space, checked_vectors, place
from textclust.sources import MatchedSupervision, SupervisionSource, solver_of
from textclust.supervision.given import Supervision
from textclust.text.catalogue import Catalogue
from textclust.text.documents import Documents
from textclust.text.reading import Reading, open_documents

if TYPE_CHECKING:
    from textclust.examples import Examples
    from textclust.model_selection.choice import Selection
    from textclust.result.past import Past
    from textclust.supervision.background.labelled import Background

__all__ = ["cluster", "vectorised"]


def cluster(
    source: str | os.PathLike[str] | Documents | Reading | Iterable[str],
    k: int | str = "auto",
    *,
    method: str | None = None,
    distortion: str | Distortion | None = None,
    seeds: Any = None,
    constraints: Any = None,
    background: Any = None,
    background_before: Any = None,
    examples: Any = None,
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
    k : int or "auto", default="auto"
        The number of clusters. "auto" is what `select_k` says by default; with a background, one
        for each of its classes and more while the evidence for new ones supports them; with
        examples as many as these suggest.
    method : str or None
        "kmeans", "seeded", "constrained", "hmrf", "pckmeans", "mpckmeans", "mkmeans", "cop",
        "kernel", "adaptive-kernel", "vmf", "hmrf-em", "overlapping", "hac", "semihard",
        "semifuzzy", "clue" or "cluedo".
        None is "kmeans"; with seeds alone "constrained", which keeps them where they are put; with
        constraints "hmrf"; with a background "semihard"; with examples "cluedo".
    distortion : {"cosine", "euclidean", "kl", "i-divergence", "itakura-saito"} or None
        None is "cosine"; for "mpckmeans", "mkmeans" and kernels, which know no other, "euclidean".
        An object of `textclust.geometry`, such as ``KL(floor=0.1)``, sets the smoothing.
    seeds : path of a CSV table ``id,label``, or a dict of labels by id, or None
        Documents whose class is known. Under "seeded" and "constrained" the classes in their
        order are clusters 0, 1, ...
    constraints : path of a CSV table ``left,right,kind[,weight]``, `Constraints`, or None
        Pairs that belong together or do not. Seeds count as constraints too under "hmrf".
    background : path, Documents, Clustering, Background or None
        Older documents whose classes are known: labelled ones, or the clusters of a model. Their
        classes come first, in their order and under their names.
    background_before : date or None
        The documents of the collection itself that are older than this are the background.
    examples : names of folders, or a dict, or None
        Example clusters, after which the rest is sorted: folders below the source, folders
        elsewhere, whose documents are added, or classes of the documents. A dict has for each
        name the ids of documents, or the path of a folder. Clusters have their names.
    vectors : array of n x m, or None
        Ready-made vectors of the same documents to cluster instead of their terms; names
        and terms still come from the texts.
    vectorizer : TextVectorizer, TermSpace or None
        None takes the default but for damped term frequencies, 1 + log2(f), which the
        measurements in docs/starts.md favour; with ``as_published=True`` plain ones.
    random_state : int or None, default=0
    **parameters
        Further parameters of the method, such as `init` or `n_init`; ``learn=True`` has "hmrf"
        learn a weight for every term. "kernel" takes ``kernel="neighbours"`` by default.
        ``as_published=True`` runs the method as its paper prints it.

    Examples
    --------
    >>> import textclust as tc
    >>> r = tc.cluster(tc.corpora.path("newsgroups"), k=3)
    >>> r.sizes
    [86, 71, 68]
    """
    reading = _reading(source)
    given = SupervisionSource.read(seeds, constraints)
    if vectorizer is None:
        of_background = background is not None or background_before is not None
        vectorizer = _default_vectorizer(bool(parameters.get("as_published")), of_background)
    if background is not None or background_before is not None:
        if seeds is not None or constraints is not None:
            raise InputError("a background goes with neither seeds nor constraints; choose one")
        if vectors is not None:
            raise InputError("a background is compared by its terms; leave the vectors out")
    known, reading = _background(background, background_before, reading, vectorizer)
    sorted_like = None if examples is None else _examples(examples, source)
    if sorted_like is not None:
        if given.is_some or known is not None:
            raise InputError("examples go with neither seeds, constraints nor a background")
        reading = sorted_like.joined(reading)
    method = method or _usual_method(given, known, sorted_like)
    _refuse_unused(method, known, sorted_like)
    least = _least(k, known)
    by_itself = k == "auto" and sorted_like is not None
    solver = solver_of(method, None if by_itself else least, distortion, random_state, parameters)
    given.refuse_unused(method)
    texts, documents = vectorised(reading, vectorizer, least)
    X = texts if vectors is None else checked_vectors(vectors)
    if X.shape[0] != len(documents):
        raise InputError(
            f"{X.shape[0]} vectors for {len(documents)} documents; give one for each, in order"
        )
    choosing = k == "auto" and known is None and sorted_like is None
    most = len(documents) if choosing else least
    supervision = (
        given.matched(documents.ids, most)
        if sorted_like is None
        else sorted_like.matched(documents)
    )
    selection = _selection(X, supervision, solver) if choosing else None
    if selection is not None:
        least, solver = selection.k, replace(solver, n_clusters=selection.k)
    if known is None:
        solution = solver.solve(X, None, supervision.for_method(method))
        _refuse_too_many(least, solution, supervision.is_some)
        past = None
    else:
        solution, past = _from_past(solver, X, known, list(vectorizer.vocabulary_), k == "auto")
    space = _space(solution, X)
    elsewhere = space.distortion is not solution.distortion
    several = solution.memberships is not None
    labels_given = supervision.is_some or known is not None or elsewhere or several
    labels_given = labels_given or not solution.by_nearest
    return Clustering(
        cards=_cards(documents),
        placement=place(X, space, solution.labels if labels_given else None),
        space=space,
        vectorizer=vectorizer,
        texts=texts,
        objective=solution.energy,
        settings={
            "method": method,
            "description": METHODS[method].describe(solver),
            "parameters": _plain({**solver.parameters(), "n_clusters": len(solution.prototypes)}),
            "vectorizer": _plain(vectorizer.get_params()),
            "vectors": None if vectors is None else _described(X),
            "iterations": solution.n_iter,
            "collection": _collection(documents, texts),
            "selection": selection and selection.to_dict(),
            "background": known and {"documents": len(known), "classes": list(known.classes)},
            "versions": _versions(),
        },
        of_vectors=vectors is not None,
        evidence=supervision.evidence(solution, method, _moved(solution, supervision, solver, X)),
        past=past,
        memberships=solution.memberships,
    )


def _space(solution: Solution, X: Any) -> Space:
    """Where new documents meet the clusters: at their prototypes.

    If these lie in the feature space of a kernel, at the centroids of the documents instead.
    """
    if places_rows(solution.distortion):
        return Space(solution.distortion, solution.prototypes)
    seen: Distortion = Cosine() if sp.issparse(X) else Euclidean()
    return Space.of_centroids(seen.prepare(X), solution.labels, len(solution.prototypes), seen)


def _background(
    given: Any, before: Any, reading: Reading, vectorizer: Any
) -> tuple[Background | None, Reading]:
    """What is known of the past, if anything, and what is left to cluster."""
    if given is None and before is None:
        return None, reading
    from textclust.knowledge import read_background, split_at

    if before is None:
        return read_background(given, vectorizer), reading
    if given is not None:
        raise InputError("give a background, or a date before which it is, not both")
    old, new = split_at(Documents.from_reading(reading), before)
    return read_background(old, vectorizer), new.reading()


def _examples(given: Any, source: Any) -> Examples:
    from textclust.examples import Examples

    return given if isinstance(given, Examples) else Examples.read(given, source)


def _usual_method(
    given: SupervisionSource, known: Background | None, examples: Examples | None
) -> str:
    """The method that makes use of all that is known."""
    if examples is not None:
        return "cluedo"
    return "semihard" if known is not None else given.usual_method


def _refuse_unused(method: str, known: Background | None, examples: Examples | None) -> None:
    """Raise an InputError where a method would not look at what is known, or lacks it."""
    if method not in METHODS:
        return  # which `solver_of` tells
    takes = METHODS[method].supervision
    if known is not None and takes != "background":
        raise InputError(f"method {method!r} takes no background; use semihard or semifuzzy")
    if examples is not None and takes != "examples":
        raise InputError(f"method {method!r} takes no examples; use cluedo or clue")
    if examples is None and takes == "examples":
        raise InputError(f"method {method!r} needs examples; name some folders or classes")


def _least(k: int | str, known: Background | None) -> int:
    """The number of clusters, or the least it can be."""
    if k != "auto":
        return k  # type: ignore[return-value]  # which `solver_of` checks
    return 1 if known is None else len(known.classes)


def _selection(X: Any, supervision: MatchedSupervision, solver: Any) -> Selection:
    """How many clusters there are, as `select_k` has it by default."""
    from textclust.model_selection.choice import select_k

    return select_k(
        X,
        constraints=supervision.constraints,
        y=supervision.y,
        distortion="euclidean" if solver.distortion == "euclidean" else "cosine",
        random_state=solver.random_state,
        n_jobs=solver.n_jobs,
    )


def _from_past(
    solver: Any, X: Any, known: Background, features: list[str], growing: bool
) -> tuple[Solution, Past]:
    """The solution by what is known of the past, and what that makes of it."""
    from textclust.result.past import Past

    given = Supervision(background=known, features=features)

    def solve(k: int) -> Solution:
        found: Solution = replace(solver, n_clusters=k).solve(X, None, given)
        return found

    if growing:
        from textclust.model_selection.new_clusters import grown

        solution = grown(solve, solver.n_clusters, X)
    else:
        solution = solve(solver.n_clusters)
    assert solution.findings is not None
    past = Past.of(known, solution.findings, X, solution.labels, features)
    return solution, past


def _moved(solution: Solution, supervision: MatchedSupervision, solver: Any, X: Any) -> int | None:
    """How many documents are elsewhere than without supervision; None where there was none.

    Clusters are matched by the documents that they share.
    """
    if not supervision.is_some or not isinstance(solver, KMeansSolver | HACSolver):
        return None
    before = solution.unsupervised
    if before is None:
        before = solver.solve(X).labels
    k = len(solution.prototypes)
    order = matched(before, solution.labels, k, k)
    return int((np.argsort(order)[before] != solution.labels).sum())


def _refuse_too_many(k: int, solution: Solution, is_supervised: bool) -> None:
    found = len(np.unique(solution.labels))
    if found < k:
        raise InputError(
            f"only {found} of {k} clusters can be distinguished: "
            + (
                "what was said beforehand leaves no document for the others"
                if is_supervised
                else "too many documents are identical in the words that count"
            )
            + "; ask for fewer clusters"
        )


def _reading(source: Any) -> Reading:
    if isinstance(source, Reading):
        return source
    if isinstance(source, str | os.PathLike):
        return open_documents(source)
    documents = source if isinstance(source, Documents) else Documents.from_texts(source)
    return documents.reading()


def vectorised(reading: Reading, vectorizer: Any, k: int) -> tuple[Any, Catalogue]:
    """The weighted terms of the documents, in their order, and the documents."""
    texts = vectorizer.fit_transform(_at_least(k, reading))
    documents = reading.catalogue()
    if len(documents) < texts.shape[0]:
        return vectorised(reading.without_replaced(), vectorizer, k)
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


def _default_vectorizer(as_published: bool, of_background: bool) -> Any:
    """As published plain term frequencies; beside a background, without IDF (Gao et al. 2005)."""
    from textclust.text.termspace import TermSpace

    return TermSpace(sublinear_tf=not as_published, use_idf=not (as_published and of_background))


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
