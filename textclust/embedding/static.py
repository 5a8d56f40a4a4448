"""Static models: a table with a vector for each token; a text has the mean of its tokens'.

The tokens of all texts are counted in a sparse matrix, which is multiplied with the table: no text
is padded to the length of another, and a token that occurs often is looked up once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array
from textclust.progress import track

__all__ = ["StaticModel", "in_folder", "wordllama"]

_BATCH = 1_024  # texts whose tokens are in memory at a time
_TABLES = ("embeddings", "embedding.weight")  # what the table is called in a file of tensors
_INSTALL = "static embeddings need an extra: pip install 'textclust[embed]'"


@dataclass(frozen=True, eq=False)
class StaticModel:
    """A tokenizer, and the row of each token in a table."""

    name: str
    identity: str
    tokenizer: Any
    table: Array  # a row for each token
    unknown: int | None = None  # the token for what the tokenizer does not know

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        return int(self.table.shape[1])

    def encode(self, texts: Sequence[str]) -> Array:
        """The mean of the rows of each text's tokens; zeros where it has none."""
        found = np.zeros((len(texts), self.size), dtype=np.float32)
        begin = 0
        for counts in track(self._counts(texts), "embedding", -(-len(texts) // _BATCH)):
            end = begin + counts.shape[0]
            totals = np.maximum(counts.sum(axis=1), 1.0)
            found[begin:end] = (counts @ self.table) / totals[:, None]
            begin = end
        return found

    def _counts(self, texts: Sequence[str]) -> Iterator[sp.csr_array]:
        """How often each token occurs in each of some texts, batch by batch."""
        for begin in range(0, len(texts), _BATCH):
            batch = [_plain(text) for text in texts[begin : begin + _BATCH]]
            read = self.tokenizer.encode_batch_fast(batch, add_special_tokens=False)
            tokens = [np.array(each.ids, dtype=np.int32) for each in read]
            ends = np.cumsum([0, *map(len, tokens)])
            columns = np.concatenate(tokens)
            values = np.ones(len(columns), dtype=np.float32)
            if self.unknown is not None:
                values[columns == self.unknown] = 0.0
            counts = sp.csr_array(
                (values, columns, ends), shape=(len(batch), len(self.table)), copy=False
            )
            counts.sum_duplicates()
            yield counts


def wordllama() -> StaticModel:
    """The table and the tokenizer in the wheel of wordllama, read without its own code."""
    from importlib.util import find_spec

    found = find_spec("wordllama")
    if found is None or found.origin is None:
        raise InputError(f"wordllama is not installed; {_INSTALL}")
    place = Path(found.origin).parent
    tables = sorted((place / "weights").glob("*_256.safetensors"))
    tokenizers = sorted((place / "tokenizers").glob("*_tokenizer_config.json"))
    if not tables or not tokenizers:
        raise InputError(f"{place}: this wordllama carries no model; {_INSTALL}")
    return _read("wordllama", tables[0], tokenizers[0])


def in_folder(folder: str) -> StaticModel:
    """A model as model2vec saves it."""
    place = Path(folder)
    for file in ("model.safetensors", "tokenizer.json"):
        if not (place / file).is_file():
            raise InputError(
                f"{folder}: no static model, there is no {file} in it; put st: before the folder "
                "of a sentence-transformers model"
            )
    return _read(folder, place / "model.safetensors", place / "tokenizer.json")


def _read(name: str, table: Path, tokenizer: Path) -> StaticModel:
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load
        from tokenizers import Tokenizer
    except ModuleNotFoundError as error:
        raise InputError(f"{error.name} is not installed; {_INSTALL}") from None
    try:
        tensors, rules = table.read_bytes(), tokenizer.read_bytes()
        content = load(tensors)
        made = Tokenizer.from_str(rules.decode("utf-8"))
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{table.parent}: the model cannot be read ({error})") from error
    except Exception as error:  # tokenizers raises nothing more special
        raise InputError(f"{tokenizer}: no tokenizer ({error})") from error
    made.no_padding()
    made.no_truncation()
    digest = hashlib.sha256(tensors)
    digest.update(rules)
    rows = _rows(content, table, made.get_vocab_size())
    return StaticModel(name, digest.hexdigest(), made, rows, _unknown(rules, made))


def _rows(content: dict[str, Array], file: Path, tokens: int) -> Array:
    """The row of each token, as heavy as the token is where the file says so."""
    table = next((content[name] for name in _TABLES if name in content), None)
    if table is None or table.ndim != 2 or table.dtype.kind not in "fi":
        raise InputError(f"{file}: no table of embeddings in it; it has {', '.join(content)}")
    rows = table.astype(np.float32)
    if "mapping" in content:  # several tokens may have one row
        mapping = content["mapping"].astype(np.int64)
        if mapping.ndim != 1 or not ((mapping >= 0) & (mapping < len(rows))).all():
            raise InputError(f"{file}: its mapping names rows that are not there")
        rows = rows[mapping]
    if "weights" in content:
        weights = content["weights"].astype(np.float32).ravel()
        if len(weights) != len(rows):
            raise InputError(f"{file}: {len(weights)} weights for {len(rows)} tokens")
        rows = rows * weights[:, None]
    if not np.isfinite(rows).all():
        raise InputError(f"{file}: its table has values that are not finite")
    if len(rows) < tokens:
        raise InputError(
            f"{file}: {len(rows)} rows for {tokens} tokens; they do not belong together"
        )
    return np.ascontiguousarray(rows)


def _unknown(rules: bytes, tokenizer: Any) -> int | None:
    """The token that says nothing, where there is one."""
    model = json.loads(rules).get("model") or {}
    token = model.get("unk_token")
    if token is None and isinstance(model.get("unk_id"), int):
        return int(model["unk_id"])
    return None if token is None else tokenizer.token_to_id(token)


def _plain(text: str) -> str:
    """A text as a tokenizer takes it: without lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")
