"""Texts become the same matrix in parts as on one machine, whatever files they lie in."""

from __future__ import annotations

import csv
import io
import json
import shutil
from copy import copy

import numpy as np
import pandas as pd
import pytest

import textclust as tc
import textclust.distributed as td
from tests.cli.running import write_files
from tests.distributed.collections import DOCUMENTS, rows, write_jsonl
from tests.distributed.fake import FakeClient
from tests.distributed.parts import assert_same_matrix
from textclust.errors import InputError
from textclust.text.splitting import ReadingSettings, split_source
from textclust.text.termspace import TermSpace

SPACES = {
    "as usual": {},
    "counts": {"use_idf": False, "sublinear_tf": True},
    "stems": {"stem": True},
    "pairs of words": {"ngram_range": (1, 2)},
    "stems of pairs": {"stem": "english", "ngram_range": (1, 2)},
    "single precision": {"dtype": np.float32},
    "common terms": {"min_df": 6, "max_df": 0.2},
    "numbers of documents": {"min_df": 2, "max_df": 12},
    "few terms": {"max_features": 7},
    "few stems": {"max_features": 5, "stem": True, "numbers": False},
    "a vocabulary": {"vocabulary": ["moon", "unheard", "bike", "oven"]},
    "words of one's own": {"token_pattern": r"[a-z]{4}(\w+)", "binary": True},
}


def assert_same_as_alone(paths, space, texts, client=None, pieces=None):
    """The matrix in parts, once it is what one machine makes of these texts."""
    alone = copy(space)
    expected = alone.fit_transform(texts)
    found = td.vectorise(paths, client or FakeClient(), copy(space), pieces=pieces)
    assert_same_matrix(found[np.arange(found.shape[0])], expected)
    ours = found.vectorizer
    assert list(ours.vocabulary_.items()) == list(alone.vocabulary_.items())
    np.testing.assert_array_equal(ours.idf_, alone.idf_)
    assert ours.fitted_state() == alone.fitted_state()
    assert ours.readable_terms() == alone.readable_terms()
    return found


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """The documents in one file."""
    return write_jsonl(tmp_path_factory.mktemp("lines")) / "0.jsonl"


@pytest.mark.parametrize("kind", SPACES)
@pytest.mark.parametrize("size", [300, 2500])
def test_a_file_cut_into_pieces(lines, kind, size):
    pieces = split_source(lines, size=size)
    assert len(pieces) > 1
    texts = tc.read_documents(lines).texts
    assert_same_as_alone(lines, TermSpace(**SPACES[kind]), texts, pieces=pieces)


def test_with_workers_of_dask(client, lines):
    pieces, texts = split_source(lines, size=2000), tc.read_documents(lines).texts
    found = assert_same_as_alone(lines, tc.TextVectorizer(), texts, client, pieces)
    assert repr(found).startswith(f"<48 x {found.shape[1]} matrix in {len(pieces)} parts, ")
    alone = tc.SphericalKMeans(3, n_init=1, random_state=0)
    expected = alone.fit(found[np.arange(48)]).labels_.copy()
    np.testing.assert_array_equal(alone.fit(found).labels_, expected)


def test_stop_words_of_a_file_that_only_the_driver_has(lines, tmp_path):
    file = tmp_path / "stops.txt"
    file.write_text("moon\nthe\n")
    expected = TermSpace(stop_words=["moon", "the"]).fit(tc.read_documents(lines).texts)

    class Elsewhere(FakeClient):
        def submit(self, *arguments, **others):
            file.unlink(missing_ok=True)
            return super().submit(*arguments, **others)

    found = td.vectorise(lines, Elsewhere(), TermSpace(stop_words=file))
    assert found.vectorizer.vocabulary_ == expected.vocabulary_


def test_several_files_a_pattern_and_empty_ones(tmp_path):
    write_jsonl(tmp_path, 3)
    write_files(tmp_path, {"1a.jsonl": "", "9.jsonl": "\n \n"})
    texts = list(DOCUMENTS.values())
    found = assert_same_as_alone(str(tmp_path / "*.jsonl"), TermSpace(), texts)
    assert [size.rows for size in found.sizes] == [16, 16, 0, 16, 0]
    skipped = [each for part in found.documents for each in part.value.skipped]
    assert [(each.name, each.reason) for each in skipped] == [
        (str(tmp_path / name), "no documents in it") for name in ("1a.jsonl", "9.jsonl")
    ]
    paths = [tmp_path / "2.jsonl", tmp_path / "0.jsonl"]
    assert_same_as_alone(paths, TermSpace(), texts[32:] + texts[:16])


def as_table(delimiter):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([("id", "text"), *DOCUMENTS.items()])
    return out.getvalue()


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "folder", "archive"])
def test_other_kinds_of_collections(tmp_path, kind, monkeypatch):
    monkeypatch.setattr("textclust.text.splitting._FILES", 7)
    path = tmp_path / f"docs.{kind}"
    if kind == "parquet":
        pytest.importorskip("pyarrow")
        table = {"id": list(DOCUMENTS), "text": list(DOCUMENTS.values())}
        pd.DataFrame(table).to_parquet(path)
    elif kind in ("csv", "tsv"):
        write_files(tmp_path, {path.name: as_table("," if kind == "csv" else "\t")})
    else:
        write_files(path, {**DOCUMENTS, "empty": "", "bread/.hidden": "x"})
    if kind == "archive":
        path = shutil.make_archive(str(tmp_path / "docs"), "gztar", tmp_path, path.name)
    documents = tc.read_documents(path)
    found = assert_same_as_alone(path, TermSpace(), documents.texts)
    parts = [part.value for part in found.documents]
    firsts = found.offsets[:-1].tolist()
    ids = [name for part, first in zip(parts, firsts, strict=True) for name in part.ids(first)]
    assert ids == list(documents.ids)
    if kind == "folder":
        assert len(parts) == 8  # of 49 documents, and a file that is none
        labels = [label for part in parts for label in part.labels]
        assert labels == list(documents.labels)
        assert [each.reason for part in parts for each in part.skipped] == ["hidden"]


def test_documents_without_ids_are_numbered_through(tmp_path):
    lines = [json.dumps({"text": text}) + "\n" for text in DOCUMENTS.values()]
    write_files(tmp_path, {"a.jsonl": "".join(lines[:20]), "b.jsonl": "".join(lines[20:])})
    pieces = split_source(str(tmp_path / "*.jsonl"), size=1000)
    found = assert_same_as_alone((), TermSpace(), list(DOCUMENTS.values()), pieces=pieces)
    parts = zip(found.documents, found.offsets, strict=False)
    ids = [name for part, first in parts for name in part.value.ids(int(first))]
    assert ids == [str(number) for number in range(1, 49)]


def test_the_rows_of_some_ids(lines):
    found = td.vectorise(lines, FakeClient(), pieces=split_source(lines, size=2000))
    wanted = ["moon/2-3", "bread/1-0", "nowhere"]
    rows = {}
    for part, first in zip(found.documents, found.offsets[:-1], strict=True):
        rows |= part.value.rows_of(wanted, int(first))
    assert rows == {name: list(DOCUMENTS).index(name) for name in wanted[:2]}
    title, *_ = [part.value.cards_of([0], 0) for part in found.documents]
    assert title == [("bicycles/1-0", DOCUMENTS["bicycles/1-0"].strip(), "bicycles")]


def test_a_vectorizer_with_a_tokenizer_of_the_users(lines):
    texts = tc.read_documents(lines).texts
    space = TermSpace(tokenizer=str.split, lowercase=False, stop_words=["a"])
    assert_same_as_alone(lines, space, texts, pieces=split_source(lines, size=3000))


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("{", "not valid JSON"),
        ('{"id": "x"}', "no column 'text', only 'id'"),
        ('{"text": 3}', "'text' is not text but int"),
    ],
)
def test_a_broken_line_is_named_with_its_place(tmp_path, client, broken, reason):
    write_files(tmp_path, {"a.jsonl": rows(), "b.jsonl": rows() + broken + "\n"})
    with pytest.raises(InputError, match=reason) as refusal:
        td.vectorise(str(tmp_path / "*.jsonl"), client)
    assert str(refusal.value).startswith(f"{tmp_path}/b.jsonl: line 49")
    pieces = split_source(tmp_path / "b.jsonl", size=2000)
    with pytest.raises(InputError, match=reason) as refusal:
        td.vectorise((), client, pieces=pieces)
    place = f"{tmp_path}/b.jsonl from byte {pieces[-1].begin:,} on: line "
    assert str(refusal.value).startswith(place)


def test_where_there_is_nothing_to_learn_it_says_so(tmp_path):
    write_files(tmp_path, {"a.jsonl": "\n", "b.jsonl": '{"text": "the of"}\n{"text": "and"}\n'})
    with pytest.raises(InputError, match="there are no texts to learn a vocabulary from"):
        td.vectorise(tmp_path / "a.jsonl", FakeClient())
    with pytest.raises(InputError, match="no term that tells the 2 texts apart is left"):
        td.vectorise(str(tmp_path / "*.jsonl"), FakeClient())
    with pytest.raises(InputError, match="not a kind of file that can be read"):
        td.vectorise(write_files(tmp_path, {"c.xyz": "x"}) / "c.xyz", FakeClient())


def test_wrong_settings_of_the_vectorizer_are_refused(lines):
    for wrong in ({"min_df": 0}, {"max_df": -1.0}, {"ngram_range": (2, 1)}, {"dtype": int}):
        for fit in (
            lambda space: space.fit_transform(["a text"]),
            lambda space: td.vectorise(lines, FakeClient(), space),
        ):
            with pytest.raises(InputError, match=next(iter(wrong))):
                fit(TermSpace(**wrong))


def test_columns_are_as_the_settings_name_them(tmp_path):
    lines = [json.dumps({"key": name, "body": text}) + "\n" for name, text in DOCUMENTS.items()]
    write_files(tmp_path, {"a.jsonl": "".join(lines)})
    columns = type(ReadingSettings().columns)("body", "key")
    found = td.vectorise(
        tmp_path / "a.jsonl", FakeClient(), settings=ReadingSettings(columns=columns)
    )
    assert found.documents[0].value.ids(0) == list(DOCUMENTS)
