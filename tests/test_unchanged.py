"""No public function or estimator changes what it is given.

Every public name has an entry here: what calls it with all the data that it takes, or the reason
why it takes none. A new name without one fails.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from inspect import signature
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

import textclust as tc
from tests.strategies import random_documents

N, K = 30, 3
TRUTH = np.arange(N) % K


# The forms of a matrix


def unsorted(X):
    """The entries of each row in the order of the columns from the last to the first."""
    order = np.concatenate([np.arange(b, a, -1) - 1 for a, b in pairwise(X.indptr)])
    return type(X)((X.data[order], X.indices[order], X.indptr.copy()), shape=X.shape)


def in_halves(X):
    """Each entry as two of half the size."""
    parts = np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr
    return type(X)(parts, shape=X.shape)


def with_zeros(X):
    """Each entry with a zero in the same place."""
    data = np.stack([X.data, np.zeros_like(X.data)], axis=1).ravel()
    return type(X)((data, np.repeat(X.indices, 2), 2 * X.indptr), shape=X.shape)


def wide(X):
    """The indices in 64 bits."""
    return type(X)((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)


FORMS: dict[str, Callable[[Any], Any]] = {  # each in the place of several: all traits, few runs
    "dense, whole numbers": lambda X: X.toarray().astype(np.int64),
    "dense, by columns, float32, read-only": lambda X: np.asfortranarray(X.toarray(), np.float32),
    "csr_array": sp.csr_array,
    "csr_array, unsorted, float32": lambda X: unsorted(X.astype(np.float32)),
    "csr_array, unsorted, wide, duplicates, read-only": lambda X: wide(unsorted(in_halves(X))),
    "csr_matrix, duplicates and zeros": lambda X: with_zeros(in_halves(sp.csr_matrix(X))),
    "csr_array, unsorted, many columns": unsorted,
    "csc_array, unsorted": lambda X: unsorted(sp.csc_array(X)),
}


@dataclass
class Given:
    """All kinds of data that a public name can take."""

    X: Any
    names: list[str]
    matrix: Any
    init: Any = None
    background: Any = None
    y: Any = field(default_factory=lambda: np.where(np.arange(N) < 9, TRUTH, -1))
    truth: Any = field(default_factory=TRUTH.copy)
    strings: Any = field(default_factory=lambda: np.array(list("abc"))[TRUTH])
    sample_weight: Any = field(default_factory=lambda: np.linspace(1.0, 2.0, N))
    pairs: Any = field(default_factory=lambda: np.array([[3, 0], [1, 4], [4, 1]]))
    apart: Any = field(default_factory=lambda: np.array([[1, 0], [5, 0]]))
    weights: Any = field(default_factory=lambda: np.array([1.0, 0.5, 2.0, 1.0, 3.0]))
    examples: Any = field(default_factory=lambda: [np.array([6, 0, 3]), [4, 1]])
    texts: list[str] = field(
        default_factory=lambda: [f"{['moon', 'bread', 'bike'][h]} {h}x word{h}" for h in TRUTH] * 2
    )
    seeds: dict[str, str] = field(default_factory=lambda: {"1": "moon", "2": "bread", "3": "bike"})
    constraints: Any = None
    graph: Any = field(default_factory=lambda: sp.csr_array(np.eye(N, k=9)))

    @classmethod
    def of(cls, form: str) -> Given:
        d = 150 if "many columns" in form else 9
        X = random_documents(N, d, density=0.5)
        given = cls(FORMS[form](X), [f"term{j}" for j in range(d)], np.diag(np.arange(1.0, d + 1)))
        given.init = np.asfortranarray(X[[0, 1, 2]].toarray() + 0.01).astype(np.float32)
        given.background = tc.Background(FORMS[form](X), given.strings, given.names)
        given.constraints = tc.Constraints(given.pairs, given.apart, given.weights)
        for array in arrays_in(vars(given)):
            array.flags.writeable = "read-only" not in form
        return given


def arrays_in(value: Any, seen: set[int] | None = None) -> Iterator[np.ndarray]:
    """Every array in a value, or in what it is made of."""
    seen = set() if seen is None else seen
    if id(value) in seen or isinstance(value, str | bytes | type):
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        yield value
    elif sp.issparse(value):
        yield from (value.data, value.indices, value.indptr)
    elif isinstance(value, dict):
        for each in value.values():
            yield from arrays_in(each, seen)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from arrays_in(each, seen)
    else:
        slots = [n for c in type(value).__mro__ for n in getattr(c, "__slots__", ())]
        parts = [
            *getattr(value, "__dict__", {}).values(),
            *(getattr(value, n, None) for n in slots),
        ]
        for each in parts:
            yield from arrays_in(each, seen)


# The entries


def fit(name: str, given: Given, **parameters: Any) -> None:
    """Fit an estimator with all that it takes, and call what it has for rows."""
    kind = getattr(tc, name)
    known = {"n_clusters": K, "n_init": 1, "max_iter": 5, "random_state": 0, **parameters}
    takes = signature(kind).parameters
    offered = {**vars(given), "feature_names": given.names}
    model = kind(**{key: value for key, value in known.items() if key in takes})
    accepted = [key for key in signature(model.fit).parameters if key not in ("X", "self")]
    if not isinstance(model, tc.SeededKMeans | tc.ConstrainedKMeans):
        accepted.remove("y")
    model.fit(given.X, **{key: offered[key] for key in accepted})
    for method in ("predict", "transform", "predict_proba", "score"):
        if hasattr(model, method):
            getattr(model, method)(given.X)


def fit_both(name: str, given: Given) -> None:
    """From the usual start and from centres that are given."""
    fit(name, given, distortion="euclidean")
    fit(name, given, distortion="kl", init=given.init)


def guide(name: str, given: Given) -> None:
    """By seeds and links, and with a background that has the classes of the seeds."""
    model = tc.GuidedClustering(K, n_init=1, max_iter=5, random_state=0)
    linked = {"constraints": given.constraints, "sample_weight": given.sample_weight}
    model.fit(given.X, given.y, **linked).predict_proba(given.X)
    beside = {"background": given.background, "feature_names": given.names}
    model.fit(given.X, given.strings, **linked, **beside).predict(given.X)


def label(name: str, given: Given) -> None:
    labeller = getattr(tc, name)().fit(given.X, given.truth)
    labeller.predict_proba(given.X)
    for method in ("distances", "knows"):
        if hasattr(labeller, method):
            getattr(labeller, method)(given.X)


def learn_metrics(name: str, given: Given) -> None:
    for each in tc.learned_metrics.__all__:
        learner = getattr(tc.learned_metrics, each)
        if isinstance(learner, type) and learner is not tc.learned_metrics.MetricLearner:
            learner().fit(given.X, given.examples, given.graph).transform(given.X)


def measure(name: str, given: Given) -> None:
    X, truth = given.X, given.truth
    of_rows = {
        "cori": lambda cori: cori(truth, given.examples),
        "inter_intra_ratio": lambda ratio: ratio(X, truth),
        "overfitting_ratio": lambda ratio: ratio(X, truth, 0),
        "within_between_ratio": lambda ratio: ratio(X, given.strings, "a"),
        "weighted_category_utility": lambda utility: utility(X, truth, given.matrix),
    }
    for each in tc.metrics.__all__:
        function = getattr(tc.metrics, each)
        if each in of_rows:
            sparse_too = each in ("cori", "inter_intra_ratio")  # points of others are dense
            if sparse_too or isinstance(X, np.ndarray):
                of_rows[each](function)
        else:
            for labels in (truth, given.strings, given.y, truth.tolist()):
                function(labels, given.strings)


def ask(name: str, given: Given) -> None:
    for more in ({}, {"space": "latent", "consolidating": "random"}):
        asking = tc.ExploreConsolidate(K, 12, **more)
        asking.query(given.X, lambda i, j: bool(TRUTH[i] == TRUTH[j]), given.constraints)


def select(name: str, given: Given) -> None:
    tc.select_k(given.X, [2], given.constraints, distortion="euclidean")


def curve(name: str, given: Given) -> None:
    seeded, linked = tc.SeededKMeans(K, n_init=1), tc.PCKMeans(K, n_init=1)
    kinds = (("links", 5, linked), ("seeds", 0.5, seeded), ("questions", 5, linked))
    for supervision, amount, model in kinds:
        settings = {"supervision": supervision, "amounts": [amount], "methods": {"one": model}}
        tc.learning_curve(given.X, given.truth, runs=1, **settings)


def constrain(name: str, given: Given) -> None:
    constraints = tc.Constraints(given.pairs, given.apart, given.weights)
    for method in ("conflicts", "repair", "neighbourhoods", "entailed"):
        getattr(constraints, method)()
    constraints.times(given.weights[: len(constraints)])
    constraints.violated(given.truth)
    tc.Constraints.from_labels(given.y)


def remember(name: str, given: Given) -> None:
    background = tc.Background(given.X, given.strings, given.names)
    tc.SemiHard(K, random_state=0).fit(given.X, background=background, feature_names=given.names)


def cluster(name: str, given: Given) -> None:
    if isinstance(given.X, np.ndarray):  # vectors are dense
        tc.cluster(given.texts[:N], K, vectors=given.X)
    tc.cluster(given.texts, K, seeds=given.seeds)
    tc.cluster(given.texts, K, constraints=given.constraints)


def place(name: str, given: Given) -> None:
    if isinstance(given.X, np.ndarray):
        tc.cluster(given.texts[:N], K, vectors=given.X).predict(vectors=given.X)
    clustering = tc.cluster(given.texts, K)
    clustering.predict(given.texts)
    clustering.agreement()
    clustering.to_dict()


def compare(name: str, given: Given) -> None:
    one, other = (tc.cluster(given.texts, k) for k in (K, 2))
    before = [(array, array.copy()) for each in (one, other) for array in arrays_in(vars(each))]
    list(tc.diff(one, other).moves())
    assert all(array.tobytes() == content.tobytes() for array, content in before)


def vectorise(name: str, given: Given) -> None:
    vectorizer = tc.TextVectorizer(min_df=1)
    vectorizer.fit_transform(given.texts, given.y)
    vectorizer.transform(given.texts)


def gather(name: str, given: Given) -> None:
    tc.Documents.from_texts(given.texts, [str(i) for i in range(len(given.texts))])
    tc.cluster(tc.Documents(list("abcdef"), given.texts[:6], list("xyzxyz")), 2)


ENTRIES: dict[str, Callable[[str, Given], None]] = {
    **dict.fromkeys(
        (
            *("KMeans", "SeededKMeans", "ConstrainedKMeans", "PCKMeans", "HMRFKMeans", "COPKMeans"),
            *("SemiHard", "SemiFuzzy", "OverlappingKMeans", "HMRFEM"),
        ),
        fit_both,
    ),
    **dict.fromkeys(
        (
            *("SphericalKMeans", "MKMeans", "MPCKMeans", "CLUE", "CLUEDO", "ConsensusClustering"),
            *("SSKernelKMeans", "AdaptiveSSKernelKMeans", "VonMisesFisherMixture", "HAC"),
        ),
        fit,
    ),
    **dict.fromkeys(("NaiveBayesLabeller", "NearestNeighbourLabeller"), label),
    "Background": remember,
    "Clustering": place,
    "Constraints": constrain,
    "Documents": gather,
    "ExploreConsolidate": ask,
    "GuidedClustering": guide,
    "TextVectorizer": vectorise,
    "cluster": cluster,
    "diff": compare,
    "learned_metrics": learn_metrics,
    "learning_curve": curve,
    "metrics": measure,
    "select_k": select,
}
TAKES_NO_DATA = {
    "refit": "takes a result",
    "Cleaning": "switches alone",
    "Difference": "a result",
    "Explanation": "a result",
    "InputError": "an error",
    "LearningCurve": "a result",
    "ModelError": "an error",
    "OutputError": "an error",
    "TextclustError": "an error",
    "corpora": "names and paths",
    "load": "a path",
    "open_documents": "a path",
    "read_documents": "a path",
}


def test_every_public_name_has_an_entry_or_a_reason():
    assert {*ENTRIES, *TAKES_NO_DATA} == set(tc.__all__)
    assert not {*ENTRIES} & {*TAKES_NO_DATA}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_nothing_that_is_given_is_changed(name, form):
    given = Given.of(form)
    before = [(array, array.copy()) for array in arrays_in(vars(given))]
    X, texts = copy.deepcopy(given.X), copy.deepcopy((given.names, given.texts, given.seeds))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ENTRIES[name](name, given)
    for array, content in before:
        assert array.tobytes() == content.tobytes()
        assert (array.shape, array.dtype) == (content.shape, content.dtype)
    for one, other in zip(arrays_in(given.X), arrays_in(X), strict=True):
        assert one.tobytes() == other.tobytes()  # the same arrays are in it
    assert (given.names, given.texts, given.seeds) == texts
