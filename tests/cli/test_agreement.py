"""textclust agreement: two people from the command line."""

from __future__ import annotations

import shutil

import pytest

import textclust as tc
from tests.cli.running import read_rows, snapshot, write_files
from textclust.workbench.collection import Collection
from textclust.workbench.project import Project
from textclust.workbench.workbench import Workbench

HEAD = "left,right,kind\n"
ANNA = HEAD + "bread/1,bread/2,must-link\nbread/2,bread/3,must-link\nbread/1,moon/1,cannot-link\n"
BEN = HEAD + "bread/1,bread/2,must-link\nbread/1,bread/3,cannot-link\nbread/1,moon/1,dont-know\n"


@pytest.fixture
def people(tmp_path):
    return write_files(
        tmp_path / "people",
        {
            "anna.csv": ANNA,
            "ben.csv": BEN,
            "one.csv": "id,label\nbread/1,food\nbread/2,food\nmoon/1,sky\nmoon/2,sky\n",
            "two.csv": "id,label\nbread/1,food\nbread/2,sky\nmoon/1,sky\nmoon/3,sky\n",
        },
    )


def test_answers(textclust, people):
    anna, ben = people / "anna.csv", people / "ben.csv"
    found = textclust("agreement", anna, ben, "--json").json
    assert (found["pairs"]["both"], found["pairs"]["same"]) == (1, 1)
    assert found["pairs"]["kappa"] is None
    assert (found["following"]["both"], found["following"]["same"]) == (3, 1)
    assert found["dont_know"] == {"one": 0, "other": 1, "both": 0}
    assert [each["how"] for each in found["disagreements"]] == ["follows", "follows"]
    shown = textclust("agreement", anna, ben)
    assert (shown.code, shown.err) == (0, "")
    assert "1 pair judged by both\n  the same: 1 of 1 (100.0%)" in shown.out
    assert "kappa: unknown, as both say one and the same of all" in shown.out
    assert f"answered with don't know: 1 pair by {ben}" in shown.out
    assert "3 pairs judged by both, or known by what follows" in shown.out
    assert "--list shows everything" in shown.out
    listed = textclust("agreement", anna, ben, "--list").out
    assert "2 disagreements" in listed
    assert "bread/2" in listed[listed.index("2 disagreements") :]


def test_labels(textclust, people):
    found = textclust("agreement", people / "one.csv", people / "two.csv", "--json").json["labels"]
    assert (found["both"], found["same"], found["only_one"], found["only_other"]) == (3, 2, 1, 1)
    expected = tc.metrics.cohen_kappa(["food", "food", "sky"], ["food", "sky", "sky"])
    assert found["kappa"] == pytest.approx(expected)
    assert found["error"] > 0
    shown = textclust("agreement", people / "one.csv", people / "two.csv").out
    assert "3 documents labelled by both" in shown
    assert f"kappa: {expected:.3f}, standard error" in shown
    assert "labels that differ" in shown


def test_labels_imply_links(textclust, people):
    """Both know bread/1, bread/2 and moon/1, and say the same of all three pairs."""
    found = textclust("agreement", people / "anna.csv", people / "one.csv", "--json").json
    assert "labels" not in found
    assert found["pairs"]["both"] == 0
    assert (found["following"]["both"], found["following"]["same"]) == (3, 3)


def test_the_list_has_titles_and_can_be_written(textclust, people, results):
    files, out = (people / "anna.csv", people / "ben.csv"), people / "list.csv"
    answer = textclust("agreement", *files, "--model", results, "--list", "--out", out)
    assert answer.code == 0
    rows = read_rows(out)
    assert list(rows[0]) == ["left", "right", "one", "other", "how", "left_title", "right_title"]
    assert (rows[0]["left"], rows[0]["right"]) == ("bread/1", "bread/3")
    assert rows[0]["left_title"].startswith("Flour, salt and yeast")
    assert "Flour, salt and yeast" in answer.out
    assert textclust("agreement", *files, "--out", out).code == 0  # ours, so it may be replaced
    out.write_text("mine")
    assert textclust("agreement", *files, "--out", out).code == 2
    assert out.read_text() == "mine"


def test_two_workbenches(textclust, corpus, people):
    collection = Collection.read(tc.read_documents(corpus), tc.TextVectorizer(min_df=1))
    for name, kind in (("first", "must-link"), ("second", "cannot-link")):
        with Project.open(people / name) as project:
            bench = Workbench(collection, project, 3)
            bench.act({"action": "link", "left": "bread/1", "right": "bread/2", "kind": kind})
            bench.act(
                {"action": "link", "left": "bread/3", "right": "bread/4", "kind": "must-link"}
            )
            bench.act({"action": "seed", "documents": ["moon/1", "moon/2"]})
    before = snapshot(people)
    for end in ("", "journal.jsonl"):
        places = [people / name / end for name in ("first", "second")]
        found = textclust("agreement", *places, "--json").json
        assert (found["pairs"]["both"], found["pairs"]["same"]) == (2, 1)
        assert found["pairs"]["kappa"] == 0
        assert (found["labels"]["both"], found["labels"]["same"]) == (2, 2)
        assert found["following"]["both"] == 3
    assert snapshot(people) == before
    (people / "first" / "seeds.csv").unlink()
    answer = textclust("agreement", people / "first", people / "second")
    assert answer.code == 2
    assert "no seeds.csv and constraints.csv beside journal.jsonl" in answer.err


def test_answers_of_ask(textclust, corpus, people):
    for name, queries in (("a.csv", 6), ("b.csv", 9)):
        arguments = ("--oracle", "folders", "--queries", queries, "--answers", people / name)
        seed = ("--random-state", queries)
        assert textclust("ask", corpus, "-k", 3, *arguments, *seed).code == 0
    found = textclust("agreement", people / "a.csv", people / "b.csv", "--json").json
    assert found["following"]["both"] > 0
    assert found["following"]["same"] == found["following"]["both"]
    assert found["disagreements"] == []


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("anna.csv", "unused", "has neither labels nor links yet"),
        ("anna.csv", "missing.csv", "cannot be read"),
        ("anna.csv", "empty.csv", "no links in it"),
        ("anna.csv", "else.csv", "have judged nothing in common"),
        ("one.csv", "labels.csv", "needs the columns id and label"),
        ("anna.csv", "nowhere", "journal.jsonl: cannot be read"),
        ("anna.csv", "unused/other.jsonl", "other.jsonl: not called journal.jsonl"),
        ("anna.csv", "run", "the results of a run; textclust diff compares two of these"),
    ],
)
def test_what_cannot_be_compared_is_one_line(textclust, corpus, people, results, one, other, said):
    write_files(people, {"empty.csv": HEAD, "else.csv": HEAD + "x,y,must-link\n"})
    (people / "nowhere").mkdir()
    collection = Collection.read(tc.read_documents(corpus), tc.TextVectorizer(min_df=1))
    with Project.open(people / "unused") as project:
        Workbench(collection, project, 3).act({"action": "lock", "cluster": 1})
    shutil.copy(results / "labels.csv", people / "labels.csv")
    shutil.copy(people / "unused" / "journal.jsonl", people / "unused" / "other.jsonl")
    shutil.copytree(results, people / "run")
    answer = textclust("agreement", people / one, people / other)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1


def test_what_files_say_is_shown_as_text(textclust, people):
    evil = "id,label\n\x1b[31mred,\x1b[0ma\nb,x\n"
    write_files(people, {"evil.csv": evil, "other.csv": evil.replace("[0ma", "[0mb")})
    answer = textclust("agreement", people / "evil.csv", people / "other.csv", "--list")
    assert answer.code == 0
    assert "\x1b" not in answer.out
