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
    assert answer.out.startswith("12 documents\n")
    for measure in MEASURES:
        assert measure.replace("_", " ") in answer.out


@pytest.mark.parametrize("labels", ["", "labels.csv"])
def test_every_measure_is_that_of_the_library(textclust, results, truth, labels):
    content = textclust("evaluate", results / labels, truth, "--json").json
    assert list(content) == ["documents", *MEASURES]
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


def test_documents_in_only_one_of_the_two_are_told_and_do_not_count(
    textclust, results, corpus, truth, tmp_path
):
    with truth.open("a") as file:
        file.write("moon/99,moon\n")
    answer = textclust("evaluate", results, truth, "--json")
    assert answer.json["documents"] == 12
    assert answer.err == "1 document in only one of the two, not counted\n"
    folder = shutil.copytree(corpus, tmp_path / "texts")
    shutil.rmtree(folder / "moon")
    answer = textclust("evaluate", results, folder, "--json")
    assert answer.json["documents"] == 8
    assert answer.err == "4 documents in only one of the two, not counted\n"


def test_an_empty_label_is_no_truth(textclust, results, truth):
    truth.write_text(truth.read_text().replace("moon/1,bread", "moon/1,"))
    answer = textclust("evaluate", results, truth, "--json")
    assert answer.json["documents"] == 11
    assert answer.json["nmi"] == pytest.approx(1)


def test_one_document_in_common_still_gives_numbers(textclust, results, tmp_path):
    (tmp_path / "truth.csv").write_text("id,label\nmoon/1,moon\n")
    answer = textclust("evaluate", results, tmp_path / "truth.csv", "--json")
    assert answer.code == 0

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    assert json.loads(answer.out, parse_constant=refuse)["documents"] == 1


def test_a_table_of_texts_with_labels_is_a_truth(textclust, results, tmp_path):
    rows = [{"id": n, "text": t, "label": n.split("/")[0]} for n, t in TEXTS.items()]
    table = write_files(tmp_path, {"texts.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})
    content = textclust("evaluate", results, table / "texts.jsonl", "--json").json
    assert content["documents"] == 12
    assert content["nmi"] == pytest.approx(1)
