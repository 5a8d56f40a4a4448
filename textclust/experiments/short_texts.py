"""Terms, dense vectors, and both: short texts and the long forms of the same documents.

Titles are the first twelve words of an abstract, subjects the first line of a post. Vectors are
those of wordllama, where `textclust[embed]` is installed, and those of another model, where
`TEXTCLUST_VECTORS` names a folder with COLLECTION.npy in it. What is missing is left out, and a
message says why. Package descriptions come from apt-cache, where there is one, by section.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

from textclust import metrics
from textclust.embedding.models import open_model, vectors_of
from textclust.errors import InputError
from textclust.experiments.collections import classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.blocks import beside_terms
from textclust.methods.kmeans import KMeansSolver
from textclust.model_selection.vector_weight import choose_weight
from textclust.text.termspace import TermSpace

__all__ = ["EXPERIMENTS"]

LONG = (
    "newsgroups",
    "classic4",
    "3-news-different-1000",
    "3-news-related-1000",
    "3-news-similar-1000",
    "20newsgroups",
)
SHORT = (
    "newsgroups subjects",
    "classic4 titles",
    "3-news-different-1000 subjects",
    "3-news-related-1000 subjects",
    "3-news-similar-1000 subjects",
    "20newsgroups subjects",
    "package descriptions",
)
MODELS = ("wordllama", "other")
FIXED = (0.0, 0.05, 0.1, 0.2, 0.4, 1.0)
VARIABLE = "TEXTCLUST_VECTORS"
_WORDS = 12  # of a title
_SECTIONS = (
    *("admin", "database", "editors", "education", "electronics", "games", "graphics", "hamradio"),
    *("mail", "math", "net", "science", "sound", "utils", "video", "web"),
)


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI of terms alone, of vectors alone, and of both by the weight that the evidence chooses."""
    name, model = case["collection"], case["vectors"]
    try:
        texts, truth = _texts(name)
        vectors = _vectors(model, name, texts)
    except InputError as error:
        warnings.warn(f"left out: {name} with vectors of {model} ({error})", stacklevel=1)
        return
    X, k = _terms(name), int(truth.max()) + 1
    chosen = choose_weight(X, vectors, k, random_state=run)
    labels = {weight: _labels(X, vectors, weight, k, run) for weight in {*FIXED, chosen.weight}}
    found = {weight: metrics.nmi(truth, each) for weight, each in labels.items()}
    for weight in FIXED:
        what = {0.0: "terms", 1.0: "vectors"}.get(weight, f"both, {weight:g}")
        yield {"clustered by": what, "NMI": found[weight], "weight": weight}
    yield {"clustered by": "both", "NMI": found[chosen.weight], "weight": chosen.weight}


def _labels(X: Matrix, vectors: Array, weight: float, k: int, run: int) -> Labels:
    """By k-means, as `textclust.cluster` has it; vectors alone are rows without terms."""
    rows = vectors if weight == 1.0 else beside_terms(X, vectors, weight)
    return KMeansSolver(k, distortion="cosine", random_state=run).solve(rows).labels


@lru_cache(maxsize=2)
def _texts(name: str) -> tuple[list[str], Labels]:
    """The texts of a collection, long or short, and the number of each one's class."""
    if name == "package descriptions":
        texts, kinds = _packages()
    else:
        whole, _, short = name.partition(" ")
        documents = collection(whole)
        texts, kinds = documents.texts, classes(documents)
        if short == "titles":
            texts = [" ".join(text.split()[:_WORDS]) for text in texts]
        elif short == "subjects":
            texts = [text.split("\n", 1)[0] for text in texts]
    return texts, np.unique(kinds, return_inverse=True)[1]


@lru_cache(maxsize=2)
def _terms(name: str) -> Matrix:
    return TermSpace(sublinear_tf=True).fit_transform(_texts(name)[0])


def _vectors(model: str, name: str, texts: list[str]) -> Array:
    """The vectors of a model for these texts; an InputError where it is not here."""
    if model != "other":
        return vectors_of(open_model(model), texts)
    folder = os.environ.get(VARIABLE)
    if not folder:
        raise InputError(f"{VARIABLE} names no folder of vectors")
    file = Path(folder) / f"{name.replace(' ', '-')}.npy"
    if not file.is_file():
        raise InputError(f"{file} is not there")
    found = np.load(file, allow_pickle=False)
    if len(found) != len(texts):
        raise InputError(f"{file} has {len(found)} rows for {len(texts)} documents")
    return np.asarray(found, dtype=np.float32)


def _packages() -> tuple[list[str], list[str]]:
    """A line about each Debian package of some sections, each line once."""
    import shutil
    import subprocess

    if shutil.which("apt-cache") is None:
        raise InputError("there is no apt-cache")
    listed = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=False)  # noqa: S607 - Debian
    section = ""
    found: dict[str, str] = {}
    for line in listed.stdout.decode("utf-8", "replace").splitlines():
        field, _, value = line.partition(": ")
        if field == "Section":
            section = value.rpartition("/")[2]
        elif field in ("Description", "Description-en") and section in _SECTIONS:
            found.setdefault(value, section)
    if not found:
        raise InputError("apt-cache knows no packages")
    return list(found), list(found.values())


EXPERIMENTS = (
    Experiment(
        name="short-texts",
        title="Terms, dense vectors, and both: short texts and their long forms",
        source="",
        unit=unit,
        cases=grid(collection=(*SHORT, *LONG), vectors=MODELS),
        runs=3,
        axes=("collection", "vectors", "clustered by"),
        x="collection",
        lines="clustered by",
        across="clustered by",
        measures=("NMI", "weight"),
        shown=("NMI", "weight"),
        baseline="terms",
        notes=(
            "titles: the first 12 words of each abstract; subjects: the first line of each post",
            "wordllama: vectors of textclust[embed]; other: COLLECTION.npy in TEXTCLUST_VECTORS",
            "both: the weight of the vectors chosen without labels; beside it fixed ones",
            "package descriptions: a line about each Debian package of 16 sections, by apt-cache",
        ),
    ),
)
