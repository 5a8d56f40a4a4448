"""textclust add and refit: new documents into the results of a run, and a new run from all."""

from __future__ import annotations

import json
import shutil
import signal

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import finish, read_rows, snapshot, start, write_files
from tests.cli.test_interruption import interrupted_at

LATER = {
    "bicycles/5": "A wheel and a brake for the old bike.\n",
    "bread/5": "Bake the dough in the oven, salt and flour.\n",
    "moon/5": "The crater and the planet in a night of clear sky.\n",
}


@pytest.fixture
def home(place, results):
    """The results of a run, and later texts."""
    shutil.copytree(results, place / "out")
    write_files(place / "later", LATER)
    return place


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def test_the_results_are_written_again_with_the_old_lines_as_they_were(textclust, home):
    before = lines(home / "out" / "labels.csv")
    answer = textclust("add", "out", "later")
    assert answer.code == 0, answer.err
    assert "3 documents added to out, which has 15 documents now" in answer.out
    assert "No refit is needed: the 3 added documents fit as the others do." in answer.out
    assert answer.err == "written to out\n"
    after = lines(home / "out" / "labels.csv")
    assert after[: len(before)] == before
    assert [line.split(",")[0] for line in after[len(before) :]] == sorted(LATER)
    content = json.loads((home / "out" / "clusters.json").read_bytes())
    assert content["documents"] == 15
    assert content["added"]["documents"] == 3
    clusters = {
        row["id"].split("/")[0]: row["cluster"] for row in read_rows(home / "out/labels.csv")
    }
    assert len(set(clusters.values())) == 3
    assert "moon/5" in (home / "out" / "report.html").read_text()
    assert textclust("explain", "out", "moon/5").code == 0
    assert textclust("rename", "out", 0, "Mine").code == 0


def test_json_says_where_each_new_document_is(textclust, home):
    answer = textclust("add", "out", "later", "--json").json
    assert [row["id"] for row in answer["labels"]] == sorted(LATER)
    assert all(row["fits"] in (True, False) and 0 <= row["score"] <= 1 for row in answer["labels"])
    assert answer["documents"] == 15
    assert answer["drift"]["due"] is False
    assert answer["already"] == []
    assert answer["refit"] is None
    again = textclust("add", "out", "later", "--json").json
    assert (again["labels"], again["already"]) == ([], sorted(LATER))
    assert again["drift"] == answer["drift"]


def test_elsewhere_the_run_stays_as_it_is(textclust, home):
    before = snapshot(home / "out")
    assert textclust("add", "out", "later", "--out", "more").code == 0
    assert snapshot(home / "out") == before
    assert len(read_rows(home / "more" / "labels.csv")) == 15
    assert textclust("replay", "more").code == 0


@pytest.mark.parametrize("command", [["add", "out", "later"], ["refit", "out"]])
def test_what_is_replaced_can_be_kept(textclust, home, command):
    before = snapshot(home / "out")
    answer = textclust(*command, "--keep")
    assert answer.code == 0, answer.err
    (kept,) = (home / "out" / "history").iterdir()
    assert snapshot(kept) == before
    assert f"kept the results of an earlier run in out/history/{kept.name}" in answer.err
    assert len(textclust("history", "out", "--json").json["runs"]) == 2


def test_a_model_alone_has_no_history(textclust, home):
    shutil.copytree(home / "out" / "model", home / "alone")
    answer = textclust("add", "alone", "later", "--keep")
    assert answer.code == 2
    assert answer.err == (
        "textclust: alone: --keep is for the results of a run, and this is a model alone\n"
    )


def test_a_model_alone_will_do(textclust, home):
    shutil.copytree(home / "out" / "model", home / "bare")
    assert textclust("add", "bare", "later").code == 0
    assert sorted(path.name for path in (home / "bare").iterdir()) == [
        "arrays.npz",
        "manifest.json",
        "model.json",
    ]
    assert "15 documents now" in textclust("add", "bare", "later").out
    assert textclust("add", "bare", "later", "--out", "whole").code == 0
    assert (home / "whole" / "report.html").is_file()
    answer = textclust("replay", "whole")
    assert "no record of a command" in answer.err
    assert textclust("add", home / "out" / "model", "later").code == 0  # that of a run is its own
    assert len(read_rows(home / "out" / "labels.csv")) == 15


def test_additions_are_replayed(textclust, place):
    write_files(place / "later", LATER)
    write_files(place / "last", {"moon/6": "A telescope at night.\n"})
    assert textclust("cluster", "texts", "-k", 3, "--out", "out").code == 0
    for folder in ("later", "last"):
        assert textclust("add", "out", folder).code == 0
    assert textclust("rename", "out", 1, "Mine").code == 0
    answer = textclust("replay", "out")
    assert answer.out == "out: bit-identical (16 documents)\n", answer
    write_files(place / "later", {"moon/5": "Flour and dough.\n"})
    answer = textclust("replay", "out")
    assert answer.code == 1
    assert "the documents have changed since the run" in answer.out
    shutil.rmtree(place / "last")
    answer = textclust("replay", "out")
    assert answer.code == 1
    assert "the command ends with an error now: last: no such file" in answer.out


def test_what_came_from_standard_input_cannot_be_replayed(textclust, place):
    assert textclust("cluster", "texts", "-k", 3, "--out", "out").code == 0
    line = json.dumps({"id": "x", "text": "a bike chain"}).encode()
    assert textclust("add", "out", "-", stdin=line).code == 0
    assert "its documents came from standard input" in textclust("replay", "out").err


@pytest.mark.parametrize("added", [[7], [{"arguments": ["cluster"]}], [{"arguments": ["add"]}]])
def test_a_damaged_record_is_one_line(textclust, home, added):
    path = home / "out" / "run.json"
    content = json.loads(path.read_bytes())
    path.write_text(json.dumps({**content, "added": added}))
    answer = textclust("replay", "out")
    assert (answer.code, answer.out) == (2, "")
    assert "its record is damaged" in answer.err


def test_another_text_of_an_id_that_is_there_changes_nothing(textclust, home):
    write_files(home / "later", {"moon/1": "Something else.\n"})
    before = snapshot(home)
    answer = textclust("add", "out", "later")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("textclust: 'moon/1': a document of this id is there already")
    assert snapshot(home) == before


def test_a_report_without_texts_stays_without(textclust, home):
    assert textclust("cluster", "texts", "-k", 3, "--out", "quiet", "--no-text").code == 0
    assert textclust("add", "quiet", "later").code == 0
    page = (home / "quiet" / "report.html").read_text()
    assert "wobbles" not in page
    assert "clear sky" not in page


def test_tables_that_a_person_edited_stay(textclust, home):
    with (home / "out" / "labels.csv").open("a") as file:
        file.write("mine,0,x,0.5\n")
    before = snapshot(home)
    assert textclust("add", "out", "later").code == 2
    assert snapshot(home) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("out", "nowhere"), "nowhere: no such file or folder"),
        (("later", "texts"), "later: not a textclust model"),
        (("out", "later", "--out", "x.csv"), "x.csv: --out is a folder here"),
        (("out", "out"), "out: the results cannot lie among the documents"),
        (("out", "later", "--out", "later"), "later: the results cannot lie among the documents"),
        (("out", "later", "--vectors", "none.npy"), "none.npy: cannot be read"),
        (("soft", "later"), "no documents can be added to this clustering: its documents are in"),
    ],
)
def test_what_cannot_be_is_one_line_and_changes_nothing(textclust, home, arguments, said):
    assert textclust("cluster", "texts", "-k", 2, "--method", "vmf", "--out", "soft").code == 0
    before = snapshot(home)
    answer = textclust("add", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"textclust: {said}")
    assert snapshot(home) == before


@pytest.mark.parametrize(
    "function", ["textclust.result.adding:add_documents", "textclust.report:gather"]
)
def test_ctrl_c_leaves_the_old_results(home, function):
    before = snapshot(home)
    answer = interrupted_at(function, "add", "out", "later", place=home)
    assert (answer.code, answer.out) == (130, "")
    assert snapshot(home) == before


def test_killed_between_two_moves_the_old_or_the_new_results_are_there(textclust, home):
    before = lines(home / "out" / "labels.csv")
    killed = finish(start("add", "out", "later", cwd=home, program=KILLING))
    assert killed.code == -signal.SIGKILL, killed
    assert textclust("predict", "out", "later").code == 0  # whoever comes next puts it right
    now = lines(home / "out" / "labels.csv")
    assert now[: len(before)] == before
    assert len(now) in (13, 16)
    assert textclust("explain", "out", "moon/5").code == (0 if len(now) == 16 else 2)


# The command, killed after the second entry was moved.
KILLING = """
import os, signal

real, count = os.rename, [0]

def rename(*arguments, **options):
    real(*arguments, **options)
    count[0] += 1
    if count[0] == 3:
        os.kill(os.getpid(), signal.SIGKILL)

from textclust.cli.main import main
os.rename = rename
os.replace = rename
main()
"""


def test_refit_makes_the_clusters_anew_in_place_or_elsewhere(textclust, home):
    assert textclust("add", "out", "later").code == 0
    before = snapshot(home / "out")
    answer = textclust("refit", "out", "--out", "anew", "--json")
    assert answer.code == 0, answer.err
    assert answer.json["documents"] == 15
    assert answer.json["continued"]["shared"] == 15
    assert snapshot(home / "out") == before
    assert textclust("refit", "out").code == 0
    assert read_rows(home / "out" / "labels.csv") == read_rows(home / "anew" / "labels.csv")
    assert "its command is textclust refit, and only" in textclust("replay", "out").err
    assert textclust("diff", "out", "anew").code == 0


def test_a_preview_says_what_refit_would_change_and_writes_nothing_of_it(textclust, home):
    answer = textclust("add", "out", "later", "--refit-preview", "--json").json
    assert answer["refit"]["documents"] == {"old": 15, "new": 15, "both": 15, "moved": 0}
    assert "continued" not in json.loads((home / "out" / "clusters.json").read_bytes())
    shown = textclust("add", "out", "later", "--refit-preview").out
    assert "What a refit would change:" in shown
    refit = textclust("refit", "out", "--json").json
    kinds = [each["kind"] for each in refit["continued"]["fates"]]
    assert kinds == [each["kind"] for each in answer["refit"]["clusters"]]


def test_where_a_refit_is_due_the_command_is_named(textclust, posts, tmp_path):
    old = shutil.copytree(posts, tmp_path / "old")
    write_files(tmp_path / "new", {})
    (tmp_path / "new").mkdir(exist_ok=True)
    shutil.move(old / "sci.astro", tmp_path / "new" / "sci.astro")
    assert textclust("cluster", old, "-k", 2, "--out", tmp_path / "out").code == 0
    answer = textclust("add", tmp_path / "out", tmp_path / "new")
    assert "A refit is due: " in answer.out
    assert f"textclust refit {tmp_path / 'out'}" in answer.out.replace("\n", "")


def test_later_texts_are_none_of_the_old(corpus):
    assert not LATER.keys() & TEXTS.keys()
