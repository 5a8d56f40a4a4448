"""Models on disk: a folder of JSON and plain arrays, checked byte for byte, never pickled.

manifest.json   format, version, and the SHA-256 of each of the other files
model.json      settings, vectorizer, distortion, the supervision, the documents' cards
                but for the excerpts
arrays.npz      prototypes, labels, scores, costs, idf, the CSR matrix of the texts, what a
                distortion has learned, the novelty of documents beside a background, the share
                of each one's terms that are known, their memberships and which are outliers
                where there are any, some of the vectors where these were clustered, what dense
                vectors beside the terms say of each cluster, and the excerpts: their letters in
                UTF-8, one after the other, and how many each has; dates in UTC and ids that are
                numbers, where there are any; the stability of documents where it was asked for;
                SHA-256 of the texts; and where documents were added how they fit, and the sums of
                the clusters by now

Prototypes that are mostly zeros, as those of many clusters are, are a CSR matrix too.

Version 1 had the excerpts in model.json; before version 3 no prototypes were sparse, and before
version 4 no documents were added.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from textclust.errors import ModelError, OutputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.rows import canonical
from textclust.regular_files import parsed_json, read_regular
from textclust.result.additions import Additions
from textclust.result.archive import checked_arrays
from textclust.result.arrays import CSR_PARTS, read_table, table_parts, write_arrays
from textclust.result.beside import VectorsBeside
from textclust.result.changes import Changes
from textclust.result.clustering import Card, Clustering, Whole
from textclust.result.distortion_file import described, distortion_of, learned_arrays
from textclust.result.fields import MismatchError, Sizes
from textclust.result.fit import compared
from textclust.result.identities import Identities
from textclust.result.outcome import SupervisionOutcome
from textclust.result.placement import NOWHERE, Placement, Space
from textclust.result.schema import MANIFEST, MODEL
from textclust.result.stability import Stability
from textclust.result.supervision_file import (
    background_from_dict,
    background_to_dict,
    outcome_from_dict,
    outcome_to_dict,
)
from textclust.stopping import Stopped
from textclust.text.frames import Keys
from textclust.writing import MODEL_FORMAT, recover, staged_folder, whole_file, write_whole

if TYPE_CHECKING:
    from textclust.text.termspace import TermSpace

__all__ = ["load", "save_model"]

_VERSION = 4
_FILES = ("model.json", "arrays.npz")
_SHOWN = 300  # letters of a reason
_ROOM, _RATIO = 1 << 28, 100  # bytes of a table that was written sparse
_TABLES = ("prototypes", "added_sums")  # which may be
_OPTIONAL = ("memberships", "known", "vectors", "outliers", "digests")  # as a clustering has them
# What a forged or half-understood model raises on its way in.
_BROKEN = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, MemoryError)


def save_model(clustering: Clustering, path: str | os.PathLike[str]) -> Path:
    """Write a clustering to a folder, whole or not at all; only a model may be replaced there."""
    folder = Path(path)
    with staged_folder(folder, ("manifest.json", *_FILES)) as stage:
        model = _json(_description(clustering))
        write_whole(stage / "model.json", model)
        with whole_file(stage / "arrays.npz") as file:
            checksum = write_arrays(file, _arrays(clustering))
        checksums = {"model.json": hashlib.sha256(model).hexdigest(), "arrays.npz": checksum}
        manifest = {"format": MODEL_FORMAT, "version": _VERSION, "files": checksums}
        write_whole(stage / "manifest.json", _json(manifest))
    return folder


def load(path: str | os.PathLike[str]) -> Clustering:
    """Read a clustering that `Clustering.save` wrote; refuse what is damaged or newer."""
    folder = Path(path)
    for place in (folder.parent, folder):  # where a run was killed as it replaced the model
        recover(place)
    if not (folder / "manifest.json").is_file() and (folder / "model").is_dir():
        folder = folder / "model"
    if not folder.exists():
        raise ModelError(f"{folder}: no such folder; check the path")
    if not (folder / "manifest.json").is_file():
        raise ModelError(f"{folder}: not a textclust model, there is no manifest.json in it")
    manifest = _manifest(folder)
    model, arrays = (_checked(folder / name, manifest["files"][name]) for name in _FILES)
    sizes = Sizes()
    with _of(folder / "model.json"):
        content = parsed_json(model)
        MODEL.check(content, "", sizes)
    with _of(folder / "arrays.npz"):
        found = checked_arrays(arrays, sizes)
        for name in _TABLES:
            if name == "prototypes" or f"{name}_shape" in found:
                found[name] = read_table(name, found, _RATIO * len(arrays) + _ROOM)
        sizes.agree("clusters", found["prototypes"].shape[0], "prototypes")
    with _of(folder):
        return _clustering(content, found, sizes)


def _description(clustering: Clustering) -> dict[str, object]:
    vectorizer, distortion = clustering.vectorizer, clustering.space.distortion
    outcome, whole = clustering.outcome, clustering.whole
    if vectorizer.tokenizer is not None:
        raise OutputError(
            "a clustering with a tokenizer of your own cannot be saved: a model file holds no code"
        )
    parameters = vectorizer.get_params()
    parameters["dtype"] = np.dtype(parameters["dtype"]).name
    parameters["stop_words"] = vectorizer.plain_stop_words()
    parameters["vocabulary"] = vectorizer.fixed_vocabulary()
    return {
        "objective": clustering.objective,
        "stopped": clustering.stopped and asdict(clustering.stopped),
        "stability": clustering.stability and clustering.stability.to_dict(),
        "of_vectors": clustering.of_vectors,
        "beside": clustering.beside and clustering.beside.to_dict(),
        "settings": clustering.settings,
        "distortion": described(distortion),
        "margin_scale": clustering.space.scale,
        "vectorizer": parameters,
        "fitted": vectorizer.fitted_state(),
        "evidence": outcome_to_dict(outcome),
        "whole": None if whole is None else {"names": whole.names, "sizes": whole.sizes},
        "identities": clustering.identities and clustering.identities.to_dict(),
        "changes": clustering.changes and clustering.changes.to_dict(),
        "added": None if clustering.additions is None else clustering.additions.to_dict(),
        "past": None if outcome.background is None else background_to_dict(outcome.background),
        "cards": {
            name: _column(clustering, name)
            for name in ("id", "title", "truth", "group")
            if name != "group" or clustering.group_sizes is not None
        },
    }


def _arrays(clustering: Clustering) -> dict[str, Array]:
    texts, excerpts = clustering.texts, _column(clustering, "excerpt")
    background = clustering.outcome.background
    numbers, stability = _numbers(clustering), clustering.stability
    return {
        **table_parts("prototypes", clustering.space.prototypes),
        **learned_arrays(clustering.space.distortion),
        "idf": clustering.vectorizer.idf_,
        **_said(clustering.beside),
        **({} if stability is None else {"stability": stability.documents}),
        **({} if background is None else {"novelty": background.novelty}),
        **{
            name: getattr(clustering, name)
            for name in _OPTIONAL
            if getattr(clustering, name) is not None
        },
        **{name: getattr(clustering.placement, name) for name in ("labels", "scores", "costs")},
        **{f"texts_{name}": getattr(texts, name) for name in CSR_PARTS},
        "excerpts": np.frombuffer(b"".join(map(str.encode, excerpts)), dtype=np.uint8),
        "excerpt_lengths": np.array([len(excerpt) for excerpt in excerpts], dtype=np.int64),
        **({} if clustering.moments is None else {"dates": clustering.moments}),
        **({} if numbers is None else {"ids": numbers}),
        **({} if clustering.additions is None else clustering.additions.arrays()),
    }


def _numbers(clustering: Clustering) -> Array | None:
    """The ids as they were given, where they are whole numbers; others are kept as text alone."""
    whole = clustering.keys is not None and all(isinstance(key, int) for key in clustering.ids)
    fits = whole and all(abs(key) < 2**63 for key in clustering.ids)
    return np.array(clustering.ids, dtype=np.int64) if fits else None


def _clustering(model: dict[str, Any], arrays: dict[str, Array], sizes: Sizes) -> Clustering:
    """What a model says whose fields and arrays are each as the schema has them."""
    n, k = sizes.of("documents"), sizes.of("clusters")
    with _part("vectorizer"):
        vectorizer = _vectorizer(model, arrays["idf"])
    cards = _cards(model["cards"], arrays)
    with _part("texts"):
        texts = _rows(arrays, (n, len(vectorizer.vocabulary_)))
    labels = arrays["labels"].astype(np.intp, copy=False)
    placement = Placement(labels, arrays["scores"], arrays["costs"])
    beside = _beside(model.get("beside"), arrays)
    with _part("distortion"):
        distortion = distortion_of(model["distortion"], arrays)
    space = Space(distortion, arrays["prototypes"], model.get("margin_scale"))
    _check(placement, space, texts, model["of_vectors"], 0 if beside is None else beside.size)
    with _part("added"):
        added = model.get("added")
        additions = None if added is None else Additions.from_file(added, arrays, n, k)
    if "vectors" in arrays:
        fitted = n if additions is None else additions.fitted
        sizes.agree("compared documents", len(compared(fitted)), "the sample of all documents")
    memberships = arrays.get("memberships")
    with _part("evidence"):
        outcome = _outcome(model, arrays, [card.id for card in cards], k)
    with _part("identities"):
        identities = model.get("identities") and Identities.from_dict(model["identities"])
    with _part("changes"):
        changes = model.get("changes") and Changes.from_dict(model["changes"], k)
    with _part("stability"):
        stability = _stability(model.get("stability"), arrays, k)
    whole = model.get("whole")
    return Clustering(
        cards=cards,
        placement=placement,
        space=space,
        vectorizer=vectorizer,
        texts=texts,
        objective=model["objective"],
        settings=model["settings"],
        of_vectors=model["of_vectors"],
        outcome=outcome,
        memberships=memberships,
        known=arrays.get("known"),
        vectors=arrays.get("vectors"),
        outliers=arrays.get("outliers"),
        whole=None if whole is None else Whole(tuple(whole["names"]), tuple(whole["sizes"])),
        identities=identities,
        changes=changes,
        stopped=None if model.get("stopped") is None else Stopped.from_dict(model["stopped"]),
        keys=_keys(arrays, cards),
        digests=arrays.get("digests"),
        additions=additions,
        beside=beside,
        stability=stability,
    )


def _vectorizer(model: dict[str, Any], idf: Array) -> TermSpace:
    from textclust.text.termspace import TermSpace

    parameters = dict(model["vectorizer"])
    if "dtype" in parameters:
        parameters["dtype"] = np.dtype(parameters["dtype"]).type
    if "ngram_range" in parameters:
        parameters["ngram_range"] = tuple(parameters["ngram_range"])
    vectorizer = TermSpace(**parameters).restore(model["fitted"], idf)
    vectorizer.prepare()
    return vectorizer


def _cards(columns: dict[str, Any], arrays: dict[str, Array]) -> list[Card]:
    n = len(columns["id"])
    if "excerpts" in arrays:
        with _part("excerpts"):
            columns = {**columns, "excerpt": _excerpts(arrays)}
    elif "excerpt" not in columns:
        raise MismatchError("excerpts are missing")
    columns = {"group": [None] * n, **columns, "date": _dates(arrays, n)}
    return [Card(*row) for row in zip(*(columns[name] for name in Card._fields), strict=True)]


def _rows(arrays: dict[str, Array], shape: tuple[int, int]) -> Matrix:
    texts = sp.csr_array(tuple(arrays[f"texts_{name}"] for name in CSR_PARTS), shape=shape)
    texts.check_format(full_check=True)
    return canonical(texts)


def _said(beside: VectorsBeside | None) -> dict[str, Array]:
    return {} if beside is None or beside.said is None else {"said": beside.said}


def _beside(known: dict[str, Any] | None, arrays: dict[str, Array]) -> VectorsBeside | None:
    return None if known is None else VectorsBeside(**known, said=arrays.get("said"))


def _dates(arrays: dict[str, Array], n: int) -> list[datetime | None]:
    """The date of each document; models of earlier versions have none."""
    if "dates" not in arrays:
        return [None] * n
    found = arrays["dates"].tolist()
    if not all(moment is None or isinstance(moment, datetime) for moment in found):
        raise MismatchError("dates has a date that no calendar has")
    return [None if moment is None else moment.replace(tzinfo=UTC) for moment in found]


def _keys(arrays: dict[str, Array], cards: list[Card]) -> Keys | None:
    """The ids as they were given, where these are numbers."""
    if "ids" not in arrays:
        return None
    ids = arrays["ids"].tolist()
    if list(map(str, ids)) != [card.id for card in cards]:
        raise MismatchError("ids differ from those of the documents")
    return Keys(ids)


def _stability(known: dict[str, Any] | None, arrays: dict[str, Array], k: int) -> Stability | None:
    if known is None:
        return None
    labels = arrays["labels"].astype(np.intp)
    labels[arrays.get("outliers", np.zeros(len(labels), dtype=bool))] = NOWHERE
    if "stability" not in arrays:
        raise MismatchError("stability, of the documents, is missing")
    return Stability.from_dict(known, arrays["stability"], labels, k)


def _outcome(
    model: dict[str, Any], arrays: dict[str, Array], ids: list[str], k: int
) -> SupervisionOutcome:
    found = SupervisionOutcome(ids)
    if "evidence" in model:
        memberships = arrays.get("memberships")
        found = outcome_from_dict(model["evidence"], ids, arrays["labels"], memberships, k)
    past = model.get("past")
    if past is None:
        return found
    if "novelty" not in arrays:
        raise MismatchError("novelty is missing")
    background = background_from_dict(past, arrays["novelty"], (len(ids), k))
    return replace(found, background=background)


def _excerpts(arrays: dict[str, Array]) -> list[str]:
    letters, lengths = arrays["excerpts"].tobytes().decode("utf-8"), arrays["excerpt_lengths"]
    ends = np.cumsum(lengths)
    if lengths.min(initial=0) < 0 or ends[-1:].sum() != len(letters):
        raise ValueError("the excerpts have other lengths than they should")
    return [letters[begin:end] for begin, end in pairwise([0, *ends.tolist()])]


def _check(placement: Placement, space: Space, texts: Matrix, vectors: bool, beside: int) -> None:
    """A MismatchError where parts that are sound by themselves do not fit each other."""
    if not len(placement.labels):
        raise MismatchError("cards has no documents")
    if not vectors and space.features != texts.shape[1] + beside:
        raise MismatchError("prototypes and terms differ in number")
    if placement.labels.max() >= space.prototypes.shape[0]:
        raise MismatchError("labels has a number that is no cluster")


def _manifest(folder: Path) -> dict[str, Any]:
    """The manifest, of a version that is known here."""
    path = folder / "manifest.json"
    with _of(path):
        manifest = parsed_json(_read(path))
        if not isinstance(manifest, dict) or manifest.get("format") != MODEL_FORMAT:
            raise ModelError(f"{folder}: not a textclust model")
        version = manifest.get("version")
        if type(version) is int and version > _VERSION:
            written = str(version)[:20]
            raise ModelError(
                f"{folder}: written in model format {written}, this textclust reads up to "
                f"{_VERSION}; upgrade textclust"
            )
        MANIFEST.check(manifest, "", Sizes())
    return dict(manifest)


def _checked(path: Path, checksum: str) -> bytes:
    data = _read(path)
    if hashlib.sha256(data).hexdigest() != checksum:
        raise ModelError(f"{path}: damaged, its checksum does not match; save the model again")
    return data


def _read(path: Path) -> bytes:
    try:
        return read_regular(path)
    except FileNotFoundError as error:
        raise ModelError(f"{path}: missing from the model; save the model again") from error
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error.strerror})") from error


@contextmanager
def _part(name: str) -> Iterator[None]:
    """What goes wrong in the block is a MismatchError that names this field, or these arrays."""
    try:
        yield
    except MismatchError:
        raise
    except _BROKEN as error:
        raise MismatchError(f"{name}: {str(error) or type(error).__name__}") from error


@contextmanager
def _of(place: Path) -> Iterator[None]:
    """What a forged or half-understood file raises in the block is a ModelError that names it."""
    try:
        yield
    except _BROKEN as error:
        why = str(error)[:_SHOWN] or type(error).__name__
        raise ModelError(f"{place}: the model is inconsistent: {why}; save it again") from error


def _column(clustering: Clustering, name: str) -> list[str]:
    return [getattr(card, name) for card in clustering.cards]


def _json(content: dict[str, object]) -> bytes:
    def of_numpy(scalar: np.generic) -> object:
        return scalar.item()

    return json.dumps(content, ensure_ascii=False, default=of_numpy).encode("utf-8")
