"""Models of sentence-transformers, with a stand-in for the library."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest

from textclust.embedding.models import open_model
from textclust.errors import InputError


class Tensor:
    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float32)

    def detach(self):
        return self

    float = cpu = detach

    def numpy(self):
        return self.values


class Stand:
    """Vectors of the length of a text, and how often it has an a."""

    max_seq_length = 64
    asked: ClassVar[list[list[str]]] = []

    def __init__(self, name, device, local_files_only):
        assert (device, local_files_only) == ("cpu", True)
        if name == "missing":
            raise OSError("no such model\nwith a long explanation")
        self.name = name

    def state_dict(self):
        return {"table": Tensor([len(self.name)])}

    def encode(self, texts, **settings):
        self.asked.append(list(texts))
        return np.array([[len(text), text.count("a")] for text in texts], dtype=np.float32)


@pytest.fixture
def library(monkeypatch):
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = Stand
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    Stand.asked.clear()


def test_rows_come_in_the_order_of_the_texts(library):
    model = open_model("st:small")

    assert (model.name, model.size) == ("st:small", 2)
    assert model.encode(["aa", "b", "aabb"]).tolist() == [[2, 2], [1, 0], [4, 2]]
    assert Stand.asked[-1] == ["aabb", "aa", "b"]


def test_another_model_has_another_identity(library):
    assert open_model("st:small").identity == open_model("st:other").identity
    assert open_model("st:small").identity != open_model("st:larger").identity


def test_a_model_that_is_not_here_is_an_error_of_one_line(library):
    with pytest.raises(InputError, match=r"^st:missing is no .* machine \(no such model\)$"):
        open_model("st:missing")


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)

    with pytest.raises(InputError, match="st:small needs sentence-transformers; pip install"):
        open_model("st:small")
