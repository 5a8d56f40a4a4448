"""textclust predict: new documents into the clusters of a saved model."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import read_rows, snapshot, write_files

NEW = [
    {"id": "wheels", "text": "A bike with a bent wheel and a rusty chain"},
    {"id": "loaf", "text": "Yeast, flour, dough: bread"},
    {"id": "night", "text": "The moon over a telescope"},
    {"id": "else", "text": "Parliament adjourned"},
]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.mark.parametrize("model", ["", "model"])
def test_the_clustered_documents_get_the_labels_they_have(textclust, results, corpus, model):
    answer = textclust("predict", results / model, corpus)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (results / "labels.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("distortion", ["kl", "euclidean"])
def test_every_distortion_predicts_what_it_clustered(textclust, corpus, tmp_path, distortion):
    out = tmp_path / "out"
    options = ("--distortion", distortion, "--stem", "--ngrams", 2)
    assert textclust("cluster", corpus, "--k", 3, "--out", out, *options).code == 0
    assert textclust("predict", out, corpus).rows == read_rows(out / "labels.csv")


def test_new_documents_go_where_their_words_are(textclust, results):
    answer = textclust("predict", results, "-", stdin=lines(NEW))
    rows = {row["id"]: row for row in answer.rows}
    assert list(rows) == ["wheels", "loaf", "night", "else"]
    assert "bike" in rows["wheels"]["name"]
    assert "bread" in rows["loaf"]["name"]
    assert "moon" in rows["night"]["name"]
    assert float(rows["else"]["score"]) == 0


def test_json_is_one_object_and_nothing_else(textclust, results, tmp_path):
    table = tmp_path / "new.jsonl"
    table.write_bytes(lines(NEW))
    plain, answer = (
        textclust("predict", results, table),
        textclust("predict", results, table, "--json"),
    )
    assert list(answer.json) == ["labels"]
    assert [{n: str(v) for n, v in row.items()} for row in answer.json["labels"]] == plain.rows


def test_out_writes_a_file_instead_of_printing(textclust, results, corpus, tmp_path):
    target = tmp_path / "new" / "labels.csv"
    answer = textclust("predict", results, corpus, "--out", target)
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == f"written to {target}\n"
    assert target.read_bytes() == (results / "labels.csv").read_bytes()
    assert set(snapshot(tmp_path)) == {"new", "new/labels.csv"}


def test_whether_each_fits_is_a_column_more(textclust, results, tmp_path):
    odd = "Parliament adjourned " + " ".join(f"clause{i}" for i in range(20))
    given = lines([NEW[1], {"id": "odd", "text": odd}])
    answer = textclust("predict", results, "-", "--fits", "--json", stdin=given)
    assert [row["fits"] for row in answer.json["labels"]] == [True, False]
    table = tmp_path / "new.csv"
    for said in ("written to", "replaced the results of an earlier run"):
        written = textclust("predict", results, "-", "--fits", "--out", table, stdin=given)
        assert (written.code, said in written.err) == (0, True)
    assert list(read_rows(table)[0]) == ["id", "cluster", "name", "score", "fits"]
    assert [row["fits"] for row in read_rows(table)] == ["true", "false"]
    table.write_text(table.read_text().replace("false", "no"))
    refused = textclust("predict", results, "-", "--fits", "--out", table, stdin=given)
    assert refused.code == 2


def test_out_and_json_give_both(textclust, results, corpus, tmp_path):
    answer = textclust("predict", results, corpus, "--json", "--out", tmp_path / "labels.csv")
    assert len(answer.json["labels"]) == 12 == len(read_rows(tmp_path / "labels.csv"))


def test_files_left_out_are_reported(textclust, results, corpus, tmp_path):
    folder = shutil.copytree(corpus, tmp_path / "texts")
    write_files(folder, {"photo": b"\x00\x01" * 99})
    answer = textclust("predict", results, folder)
    assert answer.err == "1 file left out: 1 binary\n"
    assert len(answer.rows) == 12


def test_documents_are_cleaned_as_those_of_the_model_were(textclust, tmp_path):
    head = "From: ann@example.org\nSubject: {}\nOrganization: {}\n\n{}"
    kinds = {"bicycles": "velodrome", "bread": "bakery", "moon": "observatory"}
    files = {
        name: head.format(f"post {i}", kinds[name.split("/")[0]], text)
        for i, (name, text) in enumerate(TEXTS.items())
    }
    folder = write_files(tmp_path / "texts", files)
    out = tmp_path / "out"
    assert textclust("cluster", folder, "--k", 3, "--headers", "keep", "--out", out).code == 0
    labels = (out / "labels.csv").read_text()
    assert textclust("predict", out, folder).out == labels
    assert textclust("predict", out, folder, "--headers", "keep").out == labels
    assert textclust("predict", out, folder, "--headers", "strip").out != labels


def test_columns_can_be_renamed(textclust, results, tmp_path):
    table = tmp_path / "new.csv"
    table.write_text("key,body\nx,moon and telescope\n")
    answer = textclust("predict", results, table, "--text-column", "body", "--id-column", "key")
    assert [row["id"] for row in answer.rows] == ["x"]


@pytest.fixture
def of_vectors(textclust, corpus, tmp_path):
    """The results of a run on vectors, and the file they came from."""
    table = np.array([[9.0, 1.0] if name.startswith("bi") else [1.0, 9.0] for name in TEXTS])
    np.save(tmp_path / "vectors.npy", table)
    options = ("--vectors", tmp_path / "vectors.npy", "--out", tmp_path / "out")
    assert textclust("cluster", corpus, "--k", 2, *options).code == 0
    return tmp_path / "out", tmp_path / "vectors.npy"


def test_vectors_are_placed_where_they_were_clustered(textclust, corpus, of_vectors):
    out, vectors = of_vectors
    answer = textclust("predict", out, corpus, "--vectors", vectors)
    assert answer.out == (out / "labels.csv").read_text()


def test_new_vectors_are_placed_by_themselves(textclust, of_vectors, tmp_path):
    out, _ = of_vectors
    np.save(tmp_path / "new.npy", np.array([[5.0, 0.0], [0.0, 5.0]]))
    answer = textclust(
        "predict", out, "-", "--vectors", tmp_path / "new.npy", stdin=lines(NEW[:2][::-1])
    )
    assert [row["id"] for row in answer.rows] == ["loaf", "wheels"]
    assert "bike" in answer.rows[0]["name"]  # the vector says so, whatever the text


def test_predicting_changes_nothing_in_the_model(textclust, results, corpus):
    before = snapshot(results)
    textclust("predict", results, corpus)
    assert snapshot(results) == before
