"""The native core and its readable reference; sparse matrices that are none."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import numpy as np
import scipy.sparse as sp

import textclust as tc
from tests import both_ways
from tests.strategies import random_documents
from tests.torture.trials import Trial, torture
from textclust import native
from textclust.errors import InputError

SPANS = [
    *((0x20, 0x7F), (0x20, 0x7F), (0, 0x20), (0x80, 0x250), (0x300, 0x370), (0x370, 0x600)),
    *((0x900, 0xD7FF), (0xE000, 0x10000), (0x10000, 0x10FFFF), (0x2000, 0x2070), (0xFF00, 0xFFF0)),
    *((0x1F300, 0x1FAFF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A4)),
]
WORDS = [
    "moon",
    "Moon",
    "MOON",
    "don't",
    "state-of-the-art",
    "the",
    "straße",
    "İstanbul",
    "ﬁ",
    "a1",
]


def any_text(rng: Random) -> str:
    """Words and letters of any script, single ones and thousands."""
    parts = []
    for _ in range(rng.choice([0, 1, 5, 40])):
        first, last = rng.choice(SPANS)
        letters = "".join(chr(rng.randrange(first, last)) for _ in range(rng.choice([1, 3, 8])))
        parts.append(rng.choice([letters, rng.choice(WORDS), letters + rng.choice(WORDS)]))
        parts.append(rng.choice([" ", " ", "", "\n", "\u00a0", "-", "'", "\u200d", "\0"]))
    return "".join(parts) * rng.choice([1, 1, 1, 30])


@torture("core: counts of texts", quick=500, share=1.5)
def counts(trial: Trial) -> None:
    """The same vocabulary and the same counts with the core and without it."""
    rng = trial.rng
    separator = "\u241e"
    data = trial.given("texts", lambda own: separator.join(any_texts(own)).encode())
    texts = data.decode().split(separator)
    low = rng.randint(1, 2)
    vectorizer = {
        "min_df": rng.choice([1, 1, 2, 0.1]),
        "max_df": rng.choice([1.0, 1.0, 0.9]),
        "ngram_range": (low, low + rng.randint(0, 2)),
        "stop_words": rng.choice(["english", None, ["moon", "the"]]),
        "stem": rng.random() < 0.2,
        "dtype": rng.choice([np.float32, np.float64]),
        "max_features": rng.choice([None, None, 5]),
        "n_jobs": rng.choice([1, 2]),
    }
    with_core = counted(texts, vectorizer)
    with native.without():
        without = counted(texts, vectorizer)
    assert with_core == without


def any_texts(rng: Random) -> list[str]:
    texts = [any_text(rng) for _ in range(rng.randint(2, 12))]
    return [text.replace("\u241e", "") for text in [*texts, *rng.sample(texts, 2)]]


def counted(texts: list[str], parameters: dict[str, object]) -> object:
    vectorizer = tc.TextVectorizer(**parameters)  # type: ignore[arg-type]
    try:
        rows = vectorizer.fit_transform(texts)
        later = vectorizer.transform([*texts[::-1], "moon"])
    except InputError as error:
        return str(error)
    names = vectorizer.get_feature_names_out().tolist()
    return names, *(part.tobytes() for X in (rows, later) for part in (X.data, X.indices, X.indptr))


@torture("core: labels of odd matrices", quick=40, share=1.5)
def labels(trial: Trial) -> None:
    """The same labels with the core and without it, whatever the scale of the numbers."""
    found = both_ways.fit_both(trial.rng.randrange(1 << 40))
    assert found is None, found


ESTIMATORS = [
    lambda k: tc.SphericalKMeans(k, n_init=1, random_state=0),
    lambda k: tc.KMeans(k, n_init=1, random_state=0),
    lambda k: tc.KMeans(k, distortion="kl", n_init=1, random_state=0),
    lambda k: tc.HAC(k),
    lambda k: tc.OverlappingKMeans(k, random_state=0),
]


@torture("malformed matrices", quick=5000)
def malformed(trial: Trial) -> None:
    """A sparse matrix whose parts do not fit is an InputError, and no crash."""
    rng = trial.rng
    X = random_documents(rng.randint(3, 30), rng.randint(2, 20), seed=rng.randrange(1 << 30))
    X = rng.choice([sp.csr_array, sp.csr_matrix, sp.csc_array, sp.bsr_array, sp.coo_array])(X)
    for _ in range(rng.randint(1, 2)):
        damage(rng, X)
    with suppress(ValueError):  # an InputError is one; scikit-learn refuses NaN
        found = rng.choice(ESTIMATORS)(rng.randint(1, 3)).fit(X)
        assert len(found.labels_) == X.shape[0]


def damage(rng: Random, X: sp.csr_array) -> None:
    """Change a number of a matrix, or the length of one of its parts, behind its back."""
    parts = ["row", "col", "data"] if X.format == "coo" else ["indices", "indptr", "data"]
    part = rng.choice(parts)
    values = getattr(X, part).copy()
    match rng.randrange(3) if len(values) else 2:
        case 0 if part != "data":
            values[rng.randrange(len(values))] = rng.choice([-1, 10**6, 2**31 - 1, -(2**31), 3])
        case 0:
            wrong = [np.nan, np.inf, -1.0, 1e308, 5e-324, 0.0]
            values.reshape(-1)[rng.randrange(values.size)] = rng.choice(wrong)
        case 1:
            values = values[: rng.randrange(len(values) + 1)]
        case 2:
            values = np.concatenate([values, values[:3]])
    setattr(X, part, values)
