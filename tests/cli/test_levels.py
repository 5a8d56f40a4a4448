"""--levels and --outliers: in the terminal, in every file, and in what reads them later."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cli.running import read_rows, write_files

TOPICS = (
    ["bread", "flour", "dough", "yeast", "oven", "crust", "loaf", "bake"],
    ["orbit", "moon", "planet", "comet", "rocket", "star", "launch", "probe"],
    ["goal", "match", "referee", "striker", "league", "penalty", "keeper", "pitch"],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Thirty documents of each topic, each with six of its eight words; and one of no topic."""
    files = {
        f"{h}/{i:02}.txt": " ".join(topic[(i + j) % 8] for j in range(6)) + " today people"
        for h, topic in enumerate(TOPICS)
        for i in range(30)
    }
    files["2/odd.txt"] = "quarterly invoice remittance ledger accrual audit today people"
    return write_files(tmp_path_factory.mktemp("docs") / "docs", files)


@pytest.fixture(scope="module")
def out(folder, tmp_path_factory):
    from textclust.cli.main import run

    place = tmp_path_factory.mktemp("levels") / "out"
    options = ["-k", "6", "--levels", "2", "--outliers", "--out", str(place)]
    assert run(["cluster", str(folder), *options]) == 0
    return place


def test_tables_have_the_groups_and_the_label(out):
    rows = read_rows(out / "labels.csv")
    assert list(rows[0]) == ["id", "cluster", "name", "score", "level_1"]
    (odd,) = [row for row in rows if row["id"] == "2/odd.txt"]
    assert (odd["cluster"], odd["name"], odd["score"]) == ("-1", "fits nowhere", "0.0")
    assert odd["level_1"] == "fits nowhere"
    assert len({row["level_1"] for row in rows}) < len({row["name"] for row in rows})


def test_the_summary_has_the_tree_and_the_outliers(out):
    found = json.loads((out / "clusters.json").read_text(encoding="utf-8"))
    assert found["tree"]["levels"][-1] == 6
    assert [line["id"] for line in found["outliers"]["documents"]] == ["2/odd.txt"]
    sizes = [cluster["size"] for cluster in found["clusters"]]
    assert sum(sizes) + found["outliers"]["size"] == found["documents"] == 91
    assert found["settings"]["levels"] == 2


def test_the_report_has_both(out):
    page = (out / "report.html").read_text(encoding="utf-8")
    assert 'id="hierarchy"' in page
    assert 'id="nowhere"' in page
    assert '<option value="-1">fits nowhere</option>' in page


def test_the_terminal_shows_both(textclust, folder):
    answer = textclust("cluster", folder, "-k", 6, "--levels", 2, "--outliers")
    assert answer.code == 0
    assert "fits nowhere" in answer.out
    assert "[5]" in answer.out
    assert "what fits nowhere counts as one more cluster" in " ".join(answer.out.split())


def test_none_has_no_row(textclust, folder, tmp_path):
    """Where every document is like others."""
    whole = shutil.copytree(folder, tmp_path / "whole", ignore=shutil.ignore_patterns("odd.txt"))
    said = textclust("cluster", whole, "-k", 3, "--outliers").out
    assert "-1" not in said
    assert "No document fits nowhere" in said


def test_labels_in_json_are_those_of_the_table(textclust, folder, out):
    answer = textclust("cluster", folder, "-k", 6, "--levels", 2, "--outliers", "--json").json
    rows = read_rows(out / "labels.csv")
    assert [line["id"] for line in answer["labels"]] == [row["id"] for row in rows]
    assert [line["level_1"] for line in answer["labels"]] == [row["level_1"] for row in rows]


def test_our_own_tables_may_be_replaced(textclust, folder, out):
    table = out.parent / "alone.csv"
    command = ("cluster", folder, "-k", 6, "--levels", 2, "--outliers", "--out", table)
    assert textclust(*command).code == 0
    assert textclust(*command).code == 0
    table.write_text("id,cluster,name,score,level_2\na,-1,fits nowhere,0.0,x\n", encoding="utf-8")
    answer = textclust(*command)
    assert answer.code == 2
    assert "level_2" in table.read_text(encoding="utf-8")


def test_predict_knows_what_fits_nowhere(textclust, out, tmp_path):
    new = tmp_path / "new.jsonl"
    lines = [
        {"id": "a", "text": "dough oven bread flour crust loaf"},
        {"id": "b", "text": "xyzzy"},
    ]
    new.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    first, second = textclust("predict", out, new).rows
    assert first["cluster"] != "-1"
    assert (second["cluster"], second["name"]) == ("-1", "fits nowhere")


def test_explain_names_the_nearest_cluster(textclust, out):
    answer = textclust("explain", out, "2/odd.txt")
    assert "2/odd.txt fits nowhere; the nearest is cluster" in answer.out
    assert "is in cluster" in textclust("explain", out, "0/01.txt").out


def test_evaluate_counts_them_as_a_cluster(textclust, out, folder):
    assert textclust("evaluate", out / "labels.csv", folder, "--json").json["documents"] == 91


@pytest.mark.parametrize("options", [("--levels", 0), ("--levels", "many")])
def test_levels_are_a_number(textclust, folder, options):
    answer = textclust("cluster", folder, "-k", 3, *options)
    assert answer.code == 2
    assert "--levels" in answer.err


@pytest.mark.parametrize("option", [("--levels", 3), ("--outliers",)])
def test_they_do_not_go_with_a_journal_or_a_scheduler(textclust, folder, option):
    for other in (("--journal", "journal.jsonl"), ("--scheduler", "local", "-k", 2)):
        answer = textclust("cluster", folder, *other, *option)
        assert answer.code == 2
        assert option[0] in answer.err
