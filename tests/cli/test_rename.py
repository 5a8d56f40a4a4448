"""textclust rename: a person's own name for a cluster."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import read_rows, snapshot, write_files


@pytest.fixture
def run(results, tmp_path):
    """The results of a run, to be changed."""
    return shutil.copytree(results, tmp_path / "run")


def test_the_name_is_in_all_files_and_in_the_next_run(textclust, run, tmp_path):
    before = [row["cluster"] for row in read_rows(run / "labels.csv")]
    answer = textclust("rename", run, 1, "Two  wheels")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith("is now Two wheels.\n")
    rows = read_rows(run / "labels.csv")
    assert [row["cluster"] for row in rows] == before
    assert {row["name"] for row in rows if row["cluster"] == "1"} == {"Two wheels"}
    assert json.loads((run / "clusters.json").read_bytes())["clusters"][1]["name"] == "Two wheels"
    assert "Two wheels" in (run / "report.html").read_text()
    texts = write_files(tmp_path / "later", TEXTS)
    later = textclust("cluster", texts, "--continue", run, "--json").json
    assert later["clusters"][1]["name"] == "Two wheels"
    assert textclust("rename", run, 1, "Wheels").code == 0


def test_a_report_without_texts_stays_without(textclust, corpus, tmp_path):
    out = tmp_path / "out"
    assert textclust("cluster", corpus, "--k", 3, "--out", out, "--no-text").code == 0
    assert "wobbles" not in (out / "report.html").read_text()
    assert textclust("rename", out, 0, "Some name").code == 0
    page = (out / "report.html").read_text()
    assert "Some name" in page
    assert "wobbles" not in page


@pytest.mark.parametrize(
    ("cluster", "name", "said"),
    [
        (7, "x", "there is no cluster 7; clusters are 0 to 2"),
        (0, " ", "cluster 0 needs a name"),
        (0, "{other}", "two clusters would be called"),
    ],
)
def test_what_cannot_be_is_one_line_and_changes_nothing(textclust, run, cluster, name, said):
    other = next(row["name"] for row in read_rows(run / "labels.csv") if row["cluster"] == "1")
    before = snapshot(run)
    answer = textclust("rename", run, cluster, name.format(other=other))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"textclust: {said}")
    assert snapshot(run) == before


def test_tables_that_a_person_edited_stay(textclust, run):
    with (run / "labels.csv").open("a") as file:
        file.write("mine,0,x,0.5\n")
    before = snapshot(run)
    assert textclust("rename", run, 0, "x").code == 2
    assert snapshot(run) == before


def test_a_model_alone_is_not_a_run(textclust, run):
    answer = textclust("rename", run / "model", 0, "x")
    assert answer.code == 2
    assert "not the --out folder of a run" in answer.err
