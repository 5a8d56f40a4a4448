"""A text has the mean of the vectors of its tokens, and a model is read for what it is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.embedding.small import write_model, write_tokenizer
from textclust.embedding import static
from textclust.embedding.models import open_model
from textclust.errors import InputError

WORDS = {"red": [1.0, 0.0], "green": [0.0, 1.0], "blue": [2.0, 2.0]}


@pytest.fixture
def folder(tmp_path):
    return write_model(tmp_path / "model", WORDS)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return open_model(write_model(tmp_path_factory.mktemp("model"), WORDS))


def test_a_text_is_the_mean_of_its_tokens(model):
    found = model.encode(["red green", "Red red red BLUE", "blue"])

    assert found.tolist() == [[0.5, 0.5], [1.25, 0.5], [2.0, 2.0]]
    assert found.dtype == np.float32


def test_what_the_tokenizer_does_not_know_says_nothing(model):
    assert model.encode(["red purple"]).tolist() == [[1.0, 0.0]]
    assert model.encode(["", "purple", "\ud800"]).tolist() == [[0.0, 0.0]] * 3


def test_no_texts_are_no_rows(model):
    assert model.encode([]).shape == (0, 2)


@given(st.lists(st.lists(st.sampled_from([*WORDS, "purple"]), max_size=6), max_size=8))
def test_a_vector_does_not_depend_on_the_texts_beside_it(model, texts):
    texts = [" ".join(words) for words in texts]
    alone = [model.encode([text])[0] for text in texts]

    np.testing.assert_array_equal(model.encode(texts), np.reshape(alone, (len(texts), 2)))


def test_batches_are_put_together(model, monkeypatch):
    texts = ["red", "green blue", "", "blue blue red"] * 3
    whole = model.encode(texts)
    monkeypatch.setattr(static, "_BATCH", 5)

    np.testing.assert_array_equal(model.encode(texts), whole)


def test_tokens_share_rows_and_have_weights_where_the_file_says_so(tmp_path):
    folder = write_model(
        tmp_path,
        WORDS,
        mapping=np.array([0, 1, 1, 3]),
        weights=np.array([1.0, 1.0, 3.0, 0.5]),
    )

    assert open_model(folder).encode(["red", "green", "blue"]).tolist() == [[1, 0], [3, 0], [1, 1]]


def test_another_table_or_tokenizer_is_another_model(tmp_path):
    one = open_model(write_model(tmp_path / "one", WORDS))
    same = open_model(write_model(tmp_path / "same", WORDS))
    other = open_model(write_model(tmp_path / "other", {**WORDS, "blue": [2.0, 2.5]}))

    assert one.identity == same.identity != other.identity


def test_a_folder_without_a_model_says_what_is_missing(tmp_path):
    with pytest.raises(InputError, match=r"no static model, there is no model.safetensors in it"):
        open_model(tmp_path)


def test_a_name_that_is_no_folder(tmp_path):
    with pytest.raises(InputError, match=r"no embedding model 'nothing-here'; give auto"):
        open_model("nothing-here")


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({"mapping": np.array([0, 1, 9, 2])}, "its mapping names rows that are not there"),
        ({"weights": np.array([1.0])}, "1 weights for 4 tokens"),
    ],
)
def test_tensors_that_do_not_fit(tmp_path, tensors, message):
    with pytest.raises(InputError, match=message):
        open_model(write_model(tmp_path, WORDS, **tensors))


def test_a_table_of_too_few_rows(folder):
    write_tokenizer(folder, ["[UNK]", *WORDS, "purple"])

    with pytest.raises(InputError, match="4 rows for 5 tokens; they do not belong together"):
        open_model(folder)


def test_a_table_with_values_that_are_not_finite(tmp_path):
    with pytest.raises(InputError, match="values that are not finite"):
        open_model(write_model(tmp_path, {"red": [np.nan, 0.0]}))


def test_no_table(folder):
    from safetensors.numpy import save_file

    save_file({"other": np.zeros(3)}, folder / "model.safetensors")
    with pytest.raises(InputError, match="no table of embeddings in it; it has other"):
        open_model(folder)


@pytest.mark.parametrize("file", ["model.safetensors", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"{}", b"\x00\xff no such thing"])
def test_a_damaged_file_is_an_error_of_one_line(folder, file, content):
    (folder / file).write_bytes(content)

    with pytest.raises(InputError) as error:
        open_model(folder)
    assert "\n" not in str(error.value)
    assert str(folder) in str(error.value)


def test_a_tokenizer_with_padding_and_truncation_reads_whole_texts(folder):
    file = folder / "tokenizer.json"
    rules = json.loads(file.read_text())
    rules["truncation"] = {
        "direction": "Right",
        "max_length": 1,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    file.write_text(json.dumps(rules))

    assert open_model(folder).encode(["red green", "red"]).tolist() == [[0.5, 0.5], [1.0, 0.0]]


def test_the_model_of_wordllama_without_its_code():
    wordllama = pytest.importorskip("wordllama", reason="textclust[embed] is not installed")
    theirs = wordllama.WordLlama.load(
        cache_dir=Path(wordllama.__file__).parent, disable_download=True
    )
    texts = ["A telescope for the moon", "bread", "The bike has a new chain, and the wheel is true"]
    ours = open_model("auto")

    assert (ours.name, ours.size) == ("wordllama", 256)
    np.testing.assert_allclose(ours.encode(texts), theirs.embed(texts), atol=1e-6)
    np.testing.assert_array_equal(ours.encode([""]), np.zeros((1, 256)))


def test_wordllama_that_is_not_installed_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    with pytest.raises(InputError, match=r"not installed; .*pip install 'textclust\[embed\]'"):
        open_model("wordllama")
