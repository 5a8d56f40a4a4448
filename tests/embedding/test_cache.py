"""The cache changes nothing but how often a vector is computed."""

from __future__ import annotations

import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from textclust.embedding import cache
from textclust.embedding.cache import cached, folder


class Counted:
    """Vectors by length and first letter, and how many were computed."""

    def __init__(self):
        self.computed = []

    def __call__(self, texts):
        self.computed.extend(texts)
        rows = [[len(text), ord(text[0]) if text else 0] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), 2)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "vectors"))
    return tmp_path / "vectors"


def test_a_vector_is_computed_once(place):
    encode = Counted()
    first = cached("model", 2, encode, ["a", "bb", "a"])
    again = cached("model", 2, encode, ["bb", "ccc", "a"])

    assert encode.computed == ["a", "bb", "ccc"]
    assert first.tolist() == [[1, 97], [2, 98], [1, 97]]
    assert again.tolist() == [[2, 98], [3, 99], [1, 97]]


def test_another_model_has_vectors_of_its_own(place):
    encode = Counted()
    cached("one", 2, encode, ["a"])
    cached("two", 2, encode, ["a"])

    assert encode.computed == ["a", "a"]


@pytest.mark.parametrize("value", ["off", "OFF", "0", ""])
def test_it_can_be_switched_off(value, tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    encode = Counted()
    cached("model", 2, encode, ["a"])
    cached("model", 2, encode, ["a"])

    assert folder() is None
    assert encode.computed == ["a", "a"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="the places of other systems")
def test_it_lies_where_the_system_keeps_caches(tmp_path, monkeypatch):
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder() == tmp_path / "textclust" / "vectors"

    monkeypatch.delenv("XDG_CACHE_HOME")
    assert folder() == Path.home() / ".cache" / "textclust" / "vectors"


def test_a_damaged_file_costs_time_alone(place):
    encode = Counted()
    before = cached("model", 2, encode, ["a", "bb"])
    (place / "model.sqlite").write_bytes(b"no database at all" * 100)

    np.testing.assert_array_equal(cached("model", 2, encode, ["a", "bb"]), before)


def test_values_that_are_no_vectors_are_computed_anew(place):
    encode = Counted()
    before = cached("model", 2, encode, ["a", "bb", "ccc"])
    with sqlite3.connect(place / "model.sqlite") as file:
        file.execute("UPDATE vectors SET vector = x'00' WHERE rowid = 1")
        nan = np.array([np.nan, 1], dtype="<f4").tobytes()
        file.execute("UPDATE vectors SET vector = ? WHERE rowid = 2", (nan,))
    file.close()

    np.testing.assert_array_equal(cached("model", 2, encode, ["a", "bb", "ccc"]), before)
    assert len(encode.computed) == 5


def test_a_place_that_cannot_be_written_costs_time_alone(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file" / "vectors"))

    assert cached("model", 2, Counted(), ["a"]).tolist() == [[1, 97]]
    assert (tmp_path / "file").read_text() == "in the way"


def test_the_oldest_leave_where_it_is_full(place, monkeypatch):
    monkeypatch.setattr(cache, "_BYTES", 3 * 8)
    encode = Counted()
    for text in "abcde":
        cached("model", 2, encode, [text])
    cached("model", 2, encode, ["c", "d", "e"])
    assert encode.computed == list("abcde")

    cached("model", 2, encode, ["a"])
    assert encode.computed == list("abcdea")
    cached("model", 2, encode, list("fghij"))  # more than there is room for
    with sqlite3.connect(place / "model.sqlite") as file:
        assert file.execute("SELECT count(*) FROM vectors").fetchone() == (3,)
    file.close()


def test_several_at_once_have_the_same_vectors(place):
    texts = [f"{letter}{'x' * length}" for letter in "abcdefgh" for length in range(40)]
    wanted = Counted()(texts)

    def use(start):
        return cached("model", 2, Counted(), texts[start:] + texts[:start])

    with ThreadPoolExecutor(4) as pool:
        for start, found in zip(range(0, 200, 50), pool.map(use, range(0, 200, 50)), strict=True):
            np.testing.assert_array_equal(found, np.roll(wanted, -start, axis=0))


def test_many_texts_are_asked_for_in_parts(place):
    texts = [f"{number:04}" for number in range(1_200)]
    encode = Counted()
    cached("model", 2, encode, texts)
    cached("model", 2, encode, texts)

    assert len(encode.computed) == 1_200
