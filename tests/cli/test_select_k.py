"""textclust select-k, and cluster without a number."""

from __future__ import annotations

import pytest

from tests.cli.running import read_rows


def test_the_table_and_a_recommendation_are_shown(textclust, sample):
    answer = textclust("select-k", sample, "--from", 2, "--to", 4)
    assert answer.code == 0
    assert "225 documents, the evidence for each number of clusters" in answer.out
    assert "Recommended: 3 clusters: two halves of the documents agree on them" in answer.out
    assert "stability" in answer.out
    assert "links kept" not in answer.out


def test_a_few_documents_are_not_asked_for_more_clusters_than_they_are(textclust, tmp_path):
    for number, text in enumerate(["red lens", "red film", "dark star", "dark sky", "blue sky"]):
        (tmp_path / f"{number}.txt").write_text(text)
    answer = textclust("select-k", tmp_path, "--json")
    assert answer.code == 0
    assert [row["k"] for row in answer.json["table"]] == [2, 3, 4, 5]


def test_everything_can_be_had_as_files_and_json(textclust, sample, tmp_path):
    pytest.importorskip("matplotlib")
    links = tmp_path / "links.csv"
    links.write_text(
        "left,right,kind\nrec.photo/20331,sci.astro/30133,cannot-link\n"
        "rec.bicycles/10204,rec.bicycles/10211,must-link\n"
    )
    table, plot = tmp_path / "k.csv", tmp_path / "k.svg"
    more = ("--constraints", links, "--out", table, "--plot", plot, "--json")
    answer = textclust("select-k", sample, "--from", 3, "--to", 4, *more)
    assert answer.code == 0
    assert answer.json["k"] == 3
    assert set(answer.json["picks"]) == {"bic", "mdl", "mml", "gap", "stability", "links"}
    assert [row["k"] for row in read_rows(table)] == ["3", "4"]
    assert read_rows(table)[0]["links_kept"] != ""
    assert plot.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--from", 5, "--to", 3), "--from 5 is more than --to 3; turn them round"),
        (("--to", 400), "400 clusters cannot be made of 225 documents"),
        (("--plot", "k.txt"), "a picture is one of .png, .svg, .pdf"),
    ],
)
def test_a_bad_question_is_told_in_one_line(textclust, sample, arguments, message):
    answer = textclust("select-k", sample, *arguments)
    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


def test_cluster_chooses_where_no_number_is_given(textclust, sample):
    answer = textclust("cluster", sample, "--json")
    assert answer.code == 0
    assert len(answer.json["clusters"]) == 3
    assert "chosen: 3 clusters: two halves" in answer.err
    assert answer.json["settings"]["selection"]["k"] == 3
