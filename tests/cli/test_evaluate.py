"""textclust evaluate: how well labels agree with the truth."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import write_files
from textclust import metrics

MEASURES = [
    "nmi",
    "pairwise_f1",
    "pairwise_precision",
    "pairwise_recall",
    "rand_index",
    "adjusted_rand_index",
    "weighted_rand_index",
    "complemented_entropy",
    "error_rate",
]


@pytest.fixture
def truth(tmp_path):
    """A table that puts moon/1 with the bread."""
    rows = {name: name.split("/")[0] for name in TEXTS} | {"moon/1": "bread"}
    path = tmp_path / "truth.csv"
    path.write_text("id,label\n" + "".join(f"{n},{label}\n" for n, label in rows.items()))
    return path


def test_a_folder_of_sub_folders_is_a_truth(textclust, results, corpus):
    answer = textclust("evaluate", results, corpus)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("12 documents compared\n")
    for measure in MEASURES:
        assert measure.replace("_", " ") in answer.out


@pytest.mark.parametrize("labels", ["", "labels.csv"])
def test_every_measure_is_that_of_the_library(textclust, results, truth, labels):
    content = textclust("evaluate", results / labels, truth, "--json").json
    assert list(content) == ["documents", "only_in_labels", "only_in_truth", *MEASURES]
    assert [content["only_in_labels"], content["only_in_truth"]] == [0, 0]
    known = [line.split(",")[1] for line in truth.read_text().splitlines()[1:]]
    found = [name.split("/")[0] for name in TEXTS]
    for measure in MEASURES:
        expected = getattr(metrics, measure)(known, found)
        assert content[measure] == pytest.approx(expected), measure
    assert 0 < content["nmi"] < 1
    assert content["error_rate"] > 0


def test_a_labels_file_is_perfect_beside_itself(textclust, results):
    content = textclust("evaluate", results, results / "labels.csv", "--json").json
    assert content["nmi"] == content["pairwise_f1"] == 1
    assert content["error_rate"] == 0


def test_documents_in_only_one_of_the_two_are_reported_and_do_not_count(
    textclust, results, corpus, truth, tmp_path
):
    with truth.open("a") as file:
        file.write("moon/99,moon\n")
    answer = textclust("evaluate", results, truth, "--json")
    assert answer.json["documents"] == 12
    assert [answer.json["only_in_labels"], answer.json["only_in_truth"]] == [0, 1]
    assert answer.err == f"1 document only in {truth} (e.g. 'moon/99'): not compared\n"
    folder = shutil.copytree(corpus, tmp_path / "texts")
    shutil.rmtree(folder / "moon")
    answer = textclust("evaluate", results, folder, "--json")
    assert answer.json["documents"] == 8
    assert [answer.json["only_in_labels"], answer.json["only_in_truth"]] == [4, 0]
    assert answer.err == f"4 documents only in {results} (e.g. 'moon/1'): not compared\n"


def test_an_empty_label_is_no_truth(textclust, results, truth):
    truth.write_text(truth.read_text().replace("moon/1,bread", "moon/1,"))
    answer = textclust("evaluate", results, truth, "--json")
    assert answer.json["documents"] == 11
    assert answer.json["nmi"] == pytest.approx(1)


def given(folder, rows):
    path = folder / "truth.csv"
    path.write_text("id,label\n" + "".join(f"{name},{label}\n" for name, label in rows))
    return path


@pytest.mark.parametrize("flag", [(), ("--json",)])
def test_one_document_in_common_is_no_comparison(textclust, results, tmp_path, flag):
    """Every measure would be perfect."""
    truth = given(tmp_path, [("moon/1", "moon"), ("sun/1", "sun")])
    answer = textclust("evaluate", results, truth, *flag)
    assert (answer.code, answer.out) == (2, "")
    assert "have only the document id 'moon/1' in common, at least two are needed" in answer.err
    assert f"{results} has e.g. 'bicycles/1', {truth} has e.g. 'sun/1'" in answer.err


def test_one_class_is_no_comparison(textclust, results, tmp_path):
    truth = given(tmp_path, [(name, "text") for name in TEXTS])
    answer = textclust("evaluate", results, truth)
    assert (answer.code, answer.out) == (2, "")
    assert "all 12 documents" in answer.err
    assert "are of the class 'text'; a comparison needs documents of at least two" in answer.err


SLIPS = [
    (lambda n: f"news/{n}", "start with 'news/'"),
    (lambda n: f"{n}.txt", "end in '.txt'"),
    (lambda n: f"a/b/{n}.txt", "start with 'a/b/' and end in '.txt'"),
    (lambda n: f"{n[0]}/{n}", "have 1 leading folder more"),
    (lambda n: f"{n}.{n[0]}", "have a file extension"),
]


@pytest.mark.parametrize(("change", "words"), SLIPS)
def test_where_no_id_matches_examples_and_the_slip_are_shown(
    textclust, results, tmp_path, change, words
):
    truth = given(tmp_path, [(change(name), name.split("/")[0]) for name in TEXTS])
    answer = textclust("evaluate", results, truth)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert f"{results} and {truth} have no document id in common" in answer.err
    assert f"{results} has e.g. 'bicycles/1', {truth} has e.g. {change('bicycles/1')!r}" in (
        answer.err
    )
    assert f"the ids of {truth} {words}, those of {results} do not" in answer.err
    labels = (results / "labels.csv").read_text().replace("id,cluster", "id,label")
    (tmp_path / "other.csv").write_text(labels)
    turned = textclust("evaluate", truth, tmp_path / "other.csv")
    assert f"the ids of {truth} {words}, those of {tmp_path / 'other.csv'} do not" in turned.err


def test_where_some_ids_do_not_match_examples_and_the_slip_are_shown(textclust, results, tmp_path):
    rows = [(f"{n}.txt" if n.startswith("moon") else n, n.split("/")[0]) for n in TEXTS]
    truth = given(tmp_path, rows)
    answer = textclust("evaluate", results, truth, "--json")
    assert answer.code == 0
    assert answer.json["documents"] == 8
    assert answer.err == (
        f"4 documents only in {results} (e.g. 'moon/1'), "
        f"4 documents only in {truth} (e.g. 'moon/1.txt'): not compared; "
        f"the ids of {truth} end in '.txt', those of {results} do not\n"
    )


def test_ids_that_have_nothing_in_common_are_no_slip(textclust, results, tmp_path):
    truth = given(tmp_path, [("x1", "a"), ("x2", "b")])
    answer = textclust("evaluate", results, truth)
    assert answer.code == 2
    assert "do not" not in answer.err
    assert "an id is a path below the folder, or what the id column says" in answer.err


def test_a_table_of_texts_with_labels_is_a_truth(textclust, results, tmp_path):
    rows = [{"id": n, "text": t, "label": n.split("/")[0]} for n, t in TEXTS.items()]
    table = write_files(tmp_path, {"texts.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})
    content = textclust("evaluate", results, table / "texts.jsonl", "--json").json
    assert content["documents"] == 12
    assert content["nmi"] == pytest.approx(1)
