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
                numbers, where there are any

Prototypes that are mostly zeros, as those of many clusters are, are a CSR matrix too.

Version 1 had the excerpts in model.json; before version 3 no prototypes were sparse.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
import zlib
from dataclasses import asdict, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from textclust.errors import ModelError, OutputError
from textclust.geometry.affine import Array
from textclust.result.arrays import CSR_PARTS, read_table, table_parts, write_arrays
from textclust.result.beside import VectorsBeside
from textclust.result.changes import Changes
from textclust.result.clustering import Card, Clustering, Whole
from textclust.result.distortion_file import described, distortion_of, learned_arrays
from textclust.result.fit import compared
from textclust.result.identities import Identities
from textclust.result.outcome import SupervisionOutcome
from textclust.result.placement import Placement, Space
from textclust.result.supervision_file import (
    background_from_dict,
    background_to_dict,
    outcome_from_dict,
    outcome_to_dict,
)
from textclust.stopping import Stopped
from textclust.text.frames import Keys
from textclust.writing import MODEL_FORMAT, recover, staged_folder, whole_file, write_whole

__all__ = ["load", "save_model"]

_VERSION = 3
_FILES = ("model.json", "arrays.npz")
_OPTIONAL = ("memberships", "known", "vectors", "outliers")  # as a clustering has them
# What a forged or half-understood model raises on its way in.
_BROKEN = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    EOFError,
    MemoryError,  # a table as large as no file says
    OSError,
    RecursionError,
    zipfile.BadZipFile,
    zlib.error,
)


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
    manifest = _read_manifest(folder)
    files = {name: _read_checked(folder / name, manifest["files"].get(name)) for name in _FILES}
    try:
        with np.load(io.BytesIO(files["arrays.npz"]), allow_pickle=False) as arrays:
            return _clustering(json.loads(files["model.json"]), dict(arrays))
    except _BROKEN as error:
        raise ModelError(f"{folder}: the model is inconsistent ({error})") from error


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
    numbers = _numbers(clustering)
    return {
        **table_parts("prototypes", clustering.space.prototypes),
        **learned_arrays(clustering.space.distortion),
        "idf": clustering.vectorizer.idf_,
        **_said(clustering.beside),
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
    }


def _numbers(clustering: Clustering) -> Array | None:
    """The ids as they were given, where they are whole numbers; others are kept as text alone."""
    whole = clustering.keys is not None and all(isinstance(key, int) for key in clustering.ids)
    fits = whole and all(abs(key) < 2**63 for key in clustering.ids)
    return np.array(clustering.ids, dtype=np.int64) if fits else None


def _clustering(model: dict[str, Any], arrays: dict[str, Array]) -> Clustering:
    from textclust.text.termspace import TermSpace

    parameters = model["vectorizer"]
    parameters["dtype"] = np.dtype(parameters["dtype"]).type
    parameters["ngram_range"] = tuple(parameters["ngram_range"])
    vectorizer = TermSpace(**parameters).restore(model["fitted"], arrays["idf"])
    columns = {"excerpt": _excerpts(arrays) if "excerpts" in arrays else None, **model["cards"]}
    columns.setdefault("group", [None] * len(columns["id"]))
    columns["date"] = _dates(arrays, len(columns["id"]))
    cards = [Card(*row) for row in zip(*(columns[name] for name in Card._fields), strict=True)]
    shape = (len(cards), len(vectorizer.vocabulary_))
    texts = sp.csr_array(tuple(arrays[f"texts_{name}"] for name in CSR_PARTS), shape=shape)
    texts.check_format(full_check=True)
    arrays["prototypes"] = read_table("prototypes", arrays)
    placement = Placement(*(arrays[name] for name in ("labels", "scores", "costs")))
    scale = model.get("margin_scale")
    space = Space(
        distortion_of(model["distortion"], arrays),
        arrays["prototypes"],
        None if scale is None else float(scale),
    )
    beside = _beside(model.get("beside"), arrays, (len(cards), len(space.prototypes)))
    _check(placement, space, shape, model["of_vectors"], 0 if beside is None else beside.size)
    return Clustering(
        cards=cards,
        placement=placement,
        space=space,
        vectorizer=vectorizer,
        texts=texts,
        objective=model["objective"],
        settings=model["settings"],
        of_vectors=model["of_vectors"],
        outcome=_outcome(model, arrays, [card.id for card in cards]),
        memberships=_memberships(arrays, len(cards)),
        known=_each(arrays, "known", "f", len(cards)),
        vectors=_each(arrays, "vectors", "f", len(compared(len(cards)))),
        outliers=_each(arrays, "outliers", "b", len(cards)),
        whole=_whole(model.get("whole"), len(space.prototypes)),
        identities=_identities(model.get("identities"), len(space.prototypes)),
        changes=None
        if model.get("changes") is None
        else Changes.from_dict(model["changes"], len(space.prototypes)),
        stopped=None if model.get("stopped") is None else Stopped.from_dict(model["stopped"]),
        keys=_keys(arrays, cards),
        beside=beside,
    )


def _said(beside: VectorsBeside | None) -> dict[str, Array]:
    return {} if beside is None or beside.said is None else {"said": beside.said}


def _beside(
    known: dict[str, Any] | None, arrays: dict[str, Array], shape: tuple[int, int]
) -> VectorsBeside | None:
    if known is None:
        return None
    weight, size, said = float(known["weight"]), int(known["size"]), arrays.get("said")
    if not 0.0 <= weight <= 1.0 or size < 1:
        raise ValueError("the vectors beside the terms are described wrongly")
    if said is not None and (said.shape != shape or said.dtype.kind != "f"):
        raise ValueError("what vectors say does not fit the documents and clusters")
    model, identity = (known[name] and str(known[name]) for name in ("model", "identity"))
    return VectorsBeside(weight, size, model, identity, said)


def _dates(arrays: dict[str, Array], n: int) -> list[datetime | None]:
    """The date of each document; models of earlier versions have none."""
    if "dates" not in arrays:
        return [None] * n
    if arrays["dates"].shape != (n,) or arrays["dates"].dtype != np.dtype("datetime64[us]"):
        raise ValueError("dates do not fit the documents")
    found = arrays["dates"].tolist()
    return [None if moment is None else moment.replace(tzinfo=UTC) for moment in found]


def _keys(arrays: dict[str, Array], cards: list[Card]) -> Keys | None:
    """The ids as they were given, where these are numbers."""
    if "ids" not in arrays:
        return None
    ids = arrays["ids"].tolist()
    if list(map(str, ids)) != [card.id for card in cards]:
        raise ValueError("the ids differ from those of the documents")
    return Keys(ids)


def _whole(known: dict[str, Any] | None, k: int) -> Whole | None:
    if known is None:
        return None
    names, sizes = tuple(map(str, known["names"])), tuple(map(int, known["sizes"]))
    if len(names) != k or len(sizes) != k or min(sizes) < 0:
        raise ValueError("names and sizes do not fit the clusters")
    return Whole(names, sizes)


def _identities(known: dict[str, Any] | None, k: int) -> Identities | None:
    found = None if known is None else Identities.from_dict(known)
    if found is not None and len(found.numbers) != k:
        raise ValueError("numbers for life do not fit the clusters")
    return found


def _memberships(arrays: dict[str, Array], n: int) -> Array | None:
    found = arrays.get("memberships")
    if found is None:
        return None
    if found.shape != (n, len(arrays["prototypes"])) or found.dtype.kind not in "fb":
        raise ValueError("memberships do not fit the documents and clusters")
    return found


def _each(arrays: dict[str, Array], name: str, kind: str, n: int) -> Array | None:
    """An array of this kind with a value or a row for each of n documents, if there is one."""
    found = arrays.get(name)
    if found is not None and (len(found) != n or found.dtype.kind != kind):
        raise ValueError(f"{name} and documents differ in number, or in kind")
    return found


def _outcome(model: dict[str, Any], arrays: dict[str, Array], ids: list[str]) -> SupervisionOutcome:
    found = SupervisionOutcome(ids)
    if "evidence" in model:
        memberships = _memberships(arrays, len(ids))
        k = len(arrays["prototypes"])
        found = outcome_from_dict(model["evidence"], ids, arrays["labels"], memberships, k)
    past = model.get("past")
    if past is None:
        return found
    shape = len(ids), len(arrays["prototypes"])
    return replace(found, background=background_from_dict(past, arrays["novelty"], shape))


def _excerpts(arrays: dict[str, Array]) -> list[str]:
    letters, lengths = arrays["excerpts"].tobytes().decode("utf-8"), arrays["excerpt_lengths"]
    ends = np.cumsum(lengths)
    if lengths.min(initial=0) < 0 or ends[-1:].sum() != len(letters):
        raise ValueError("the excerpts have other lengths than they should")
    return [letters[begin:end] for begin, end in pairwise([0, *ends.tolist()])]


def _check(
    placement: Placement, space: Space, shape: tuple[int, int], vectors: bool, beside: int
) -> None:
    n, d = shape
    k = len(space.prototypes)
    if not len(placement.labels) == len(placement.scores) == len(placement.costs) == n:
        raise ValueError("labels, scores and documents differ in number")
    if not vectors and space.features != d + beside:
        raise ValueError("prototypes and terms differ in number")
    if placement.labels.dtype.kind not in "iu" or not np.isin(placement.labels, range(k)).all():
        raise ValueError("a label is no cluster")


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder}: manifest.json is damaged ({error})") from error
    if not isinstance(manifest, dict) or manifest.get("format") != MODEL_FORMAT:
        raise ModelError(f"{folder}: not a textclust model")
    version = manifest.get("version")
    if not isinstance(version, int) or not isinstance(manifest.get("files"), dict):
        raise ModelError(f"{folder}: manifest.json is damaged")
    if version > _VERSION:
        raise ModelError(
            f"{folder}: written in model format {version}, this textclust reads up to {_VERSION}; "
            "upgrade textclust"
        )
    return manifest


def _read_checked(path: Path, checksum: str | None) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: missing from the model ({error.strerror})") from error
    if hashlib.sha256(data).hexdigest() != checksum:
        raise ModelError(f"{path}: damaged, its checksum does not match; save the model again")
    return data


def _column(clustering: Clustering, name: str) -> list[str]:
    return [getattr(card, name) for card in clustering.cards]


def _json(content: dict[str, object]) -> bytes:
    def of_numpy(scalar: np.generic) -> object:
        return scalar.item()

    return json.dumps(content, ensure_ascii=False, default=of_numpy).encode("utf-8")
