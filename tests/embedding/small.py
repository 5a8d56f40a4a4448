"""A static model of a few words, made for a test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="textclust[embed] is not installed")
pytest.importorskip("tokenizers", reason="textclust[embed] is not installed")


def write_tokenizer(place: Path, words: list[str]) -> None:
    """A tokenizer of whole words; the first is what it makes of all others."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    numbers = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(numbers, unk_token=words[0]))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(place / "tokenizer.json"))


def write_model(place: Path, vectors: dict[str, list[float]], **tensors: np.ndarray) -> Path:
    """A folder with a vector for each word, and one for unknown ones that nothing may use."""
    from safetensors.numpy import save_file

    place.mkdir(parents=True, exist_ok=True)
    size = len(next(iter(vectors.values())))
    rows = np.array([[9.0] * size, *vectors.values()], dtype=np.float32)
    save_file({"embeddings": rows, **tensors}, place / "model.safetensors")
    write_tokenizer(place, ["[UNK]", *vectors])
    return place


TOPICS = {
    "bikes": "bike chain wheel tyre brake true skips wobbles old new",
    "bread": "flour salt yeast dough knead bake bread oven damp rise",
    "moon": "telescope moon crater planet night sky low clear cold showed",
}


def write_topics(place: Path) -> Path:
    """A model that knows which of three topics a word is of, and a little of nothing else."""
    rng = np.random.default_rng(0)
    vectors = {
        word: (np.eye(4)[topic] + rng.normal(0.0, 0.1, 4)).tolist()
        for topic, words in enumerate(TOPICS.values())
        for word in words.split()
    }
    return write_model(place, vectors)
