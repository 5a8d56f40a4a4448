"""textclust diff: what changed between two runs."""

from __future__ import annotations

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import read_rows, write_files


@pytest.fixture(scope="module")
def two(results, corpus, tmp_path_factory):
    """Another run on the same documents, with two clusters."""
    from textclust.cli.main import run

    folder = tmp_path_factory.mktemp("two") / "out"
    assert run(["cluster", str(corpus), "--k", "2", "--out", str(folder)]) == 0
    return folder


def test_a_table_of_clusters_and_of_documents_that_moved(textclust, results, two):
    answer = textclust("diff", results, two)
    assert (answer.code, answer.err) == (0, "")
    first, *_ = answer.out.splitlines()
    assert first == "12 documents before, 12 after, 12 in both"
    assert "merged of" in answer.out
    assert "merged into" in answer.out
    assert "gone" not in answer.out
    assert "shared" in answer.out
    assert "\nShared are the documents that are in both clusters of a row.\n" in answer.out
    assert "Agreement on the documents in both: NMI 0." in answer.out
    assert "of 12 documents in both did not go where their cluster went" in answer.out


def test_numbers_add_up_where_some_fit_nowhere(textclust, results, corpus, tmp_path):
    write_files(tmp_path / "texts", {**TEXTS, "bread/odd": "Parliament adjourned sine die.\n"})
    out, texts = tmp_path / "out", tmp_path / "texts"
    assert textclust("cluster", texts, "--k", 3, "--outliers", "--out", out).code == 0
    names = [row["name"] for row in read_rows(out / "labels.csv")]
    answer = textclust("diff", results, out)
    cells = [[c.strip() for c in line.split("│")] for line in answer.out.splitlines()]
    (row,) = [each for each in cells if each[1:3] == ["fits nowhere"] * 2]
    assert row[4:6] == ["0", str(names.count("fits nowhere"))]
    went_on = textclust("cluster", texts, "--continue", out, "--outliers")
    assert went_on.code == 0, went_on.err
    assert "fits nowhere: " in went_on.out


def test_the_same_run_twice(textclust, results):
    answer = textclust("diff", results, results)
    assert "NMI 1.000, adjusted Rand index 1.000" in answer.out
    assert "0 of 12 documents in both" in answer.out
    assert "because of" not in answer.out


def test_json_is_one_object(textclust, results, two, tmp_path):
    page = tmp_path / "page.html"
    answer = textclust("diff", results, two, "--json", "--out", page)
    assert answer.json.keys() == {"documents", "agreement", "clusters", "moves"}
    assert answer.json["documents"]["both"] == 12
    assert {each["kind"] for each in answer.json["clusters"]} >= {"merged", "absorbed"}
    assert answer.err == f"written to {page}\n"
    assert page.read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "."], "nowhere: no such folder; check the path"),
        (["{results}", "{results}", "--out", "page.txt"], "page.txt: --out of diff is a page"),
    ],
)
def test_what_cannot_be_is_one_line(textclust, results, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    answer = textclust("diff", *(each.format(results=results) for each in arguments))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"textclust: {said}")
    assert answer.err.count("\n") == 1
