"""--keep and textclust history: the runs that an out folder has had."""

from __future__ import annotations

import json
import os
import re
import shutil
from functools import partial

import pytest
from textclust.cli.main import run

import textclust as tc
from tests.cli.conftest import TEXTS
from tests.cli.running import read_rows, snapshot, write_files
from tests.writing.steps import in_another_process, kill

NAME = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?")


@pytest.fixture
def out(results, tmp_path):
    """The results of a run with three clusters, to be written again."""
    return shutil.copytree(results, tmp_path / "out")


def again(textclust, corpus, out, *more):
    answer = textclust("cluster", corpus, "--k", 2, "--out", out, "--keep", *more)
    assert answer.code == 0, answer.err
    return answer


def kept_of(out):
    return sorted((out / "history").iterdir())


def test_what_is_replaced_is_a_complete_folder(textclust, corpus, out, tmp_path):
    before = snapshot(out)
    answer = again(textclust, corpus, out)
    [kept] = kept_of(out)
    assert NAME.fullmatch(kept.name)
    assert f"kept the results of an earlier run in {kept}\n" in answer.err
    assert "replaced the results" not in answer.err
    assert snapshot(kept) == before
    assert tc.load(kept).k == 3
    assert tc.load(out).k == 2
    assert textclust("replay", kept).out.endswith("bit-identical (12 documents)\n")
    assert textclust("replay", out).out.endswith("bit-identical (12 documents)\n")
    assert textclust("diff", kept, out).code == 0
    assert textclust("predict", kept, corpus, "--out", tmp_path / "labels.csv").code == 0
    assert (tmp_path / "labels.csv").read_bytes() == before["labels.csv"]
    texts = write_files(tmp_path / "later", TEXTS)
    assert textclust("cluster", texts, "--continue", kept, "--out", out, "--keep").code == 0
    assert len(kept_of(out)) == 2


def test_the_list(textclust, corpus, out):
    again(textclust, corpus, out)
    assert textclust("rename", out, 0, "A name", "--keep").code == 0
    first, second = kept_of(out)
    found = textclust("history", out, "--json").json["runs"]
    assert [each["folder"] for each in found] == [str(first), str(second), str(out)]
    assert [(each["documents"], each["clusters"]) for each in found] == [(12, 3), (12, 2), (12, 2)]
    assert found[0]["command"] == f"cluster {corpus} --k 3"
    assert found[1]["command"] == f"cluster {corpus} --k 2 --keep"
    labels = [
        {row["id"]: row["cluster"] for row in read_rows(folder / "labels.csv")}
        for folder in (first, second)
    ]
    ids = sorted(labels[0])
    nmi = tc.metrics.nmi(*([each[name] for name in ids] for each in labels))
    assert found[0]["nmi"] == pytest.approx(nmi)
    assert 0 < nmi < 1
    assert (found[0]["shared"], found[1]["nmi"], found[2]["nmi"]) == (12, 1.0, None)
    shown = textclust("history", out)
    assert shown.code == 0
    assert "3 runs in" in shown.out
    assert f"{nmi:.3f} on 12" in shown.out
    assert f"textclust diff {second} {out}\n" in shown.out
    only = {row["id"] for row in read_rows(first / "labels.csv")}
    assert len(only) == 12


def test_only_documents_that_both_runs_have_are_compared(textclust, corpus, out, tmp_path):
    more = {f"other/{n}": f"{text} And more of it." for n, text in enumerate(TEXTS.values())}
    some = dict(list(TEXTS.items())[4:])
    texts = write_files(tmp_path / "texts", {**some, **more})
    again(textclust, texts, out)
    assert textclust("history", out, "--json").json["runs"][0]["shared"] == 8
    other = write_files(tmp_path / "other", more)
    again(textclust, other / "other", out)
    assert textclust("history", out, "--json").json["runs"][1]["nmi"] is None


def test_a_folder_without_history(textclust, out, corpus):
    answer = textclust("history", out)
    assert (answer.code, answer.err) == (0, "")
    assert "1 run in" in answer.out
    assert "Nothing was kept" in answer.out
    wrong = textclust("history", corpus)
    assert wrong.code == 2
    assert "not the --out folder of a run" in wrong.err


def test_nothing_grows_without_being_asked(textclust, corpus, out):
    assert textclust("cluster", corpus, "--k", 2, "--out", out).code == 0
    assert textclust("rename", out, 0, "A name").code == 0
    assert not (out / "history").exists()


def test_a_first_run_keeps_nothing(textclust, corpus, tmp_path):
    again(textclust, corpus, tmp_path / "new")
    assert not (tmp_path / "new" / "history").exists()


def test_answers_keep_too(textclust, corpus, out, tmp_path):
    arguments = ("--oracle", "folders", "--k", 3, "--queries", 5, "--out", out, "--keep")
    assert textclust("ask", corpus, *arguments).code == 0
    assert len(kept_of(out)) == 1


@pytest.mark.parametrize("to", [(), ("--out", "labels.csv")])
def test_only_a_folder_can_keep(textclust, corpus, to, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = textclust("cluster", corpus, "--k", 2, "--keep", *to)
    assert answer.code == 2
    assert "--keep keeps what is in a folder; name one with --out" in answer.err
    assert snapshot(tmp_path) == {}


def test_a_history_of_somebody_else_is_left_alone(textclust, corpus, out):
    (out / "history").mkdir()
    (out / "history" / "of-rome.txt").write_text("mine")
    before = snapshot(out)
    answer = textclust("cluster", corpus, "--k", 2, "--out", out, "--keep")
    assert answer.code == 2
    assert "history: there already, and not recognised as written by textclust" in answer.err
    assert snapshot(out) == before


def test_runs_of_the_folder_among_the_documents_are_no_documents(textclust, tmp_path, monkeypatch):
    monkeypatch.chdir(write_files(tmp_path / "texts", TEXTS))
    for _ in range(3):
        answer = textclust("cluster", ".", "--k", 3, "--out", "out", "--keep", "--json")
        assert answer.json["documents"] == 12
    assert len(kept_of(tmp_path / "texts" / "out")) == 2
    assert textclust("cluster", ".", "--k", 3, "--json").json["documents"] == 12


def test_killed_at_the_last_moment_the_next_command_has_the_old_results(
    textclust, corpus, out, monkeypatch
):
    def killed(path, unlink=os.unlink):
        if str(path).endswith("journal.json"):
            kill()
        unlink(path)

    before = snapshot(out)
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", killed)
        arguments = ["cluster", str(corpus), "--k", "2", "--out", str(out), "--keep"]
        in_another_process(partial(run, arguments))
    assert (out / "history").exists()
    found = textclust("history", out, "--json").json["runs"]
    assert [each["clusters"] for each in found] == [3]
    assert snapshot(out) == before


def test_what_a_forged_record_says_is_shown_as_text(textclust, corpus, out):
    again(textclust, corpus, out)
    [kept] = kept_of(out)
    record = {"run": {"arguments": ["cluster", "\x1b[31mred"], "folder": ".", "read": {}}}
    (kept / "run.json").write_text(json.dumps(record))
    assert "\x1b" not in textclust("history", out).out
    (kept / "clusters.json").write_text("{")
    assert len(textclust("history", out, "--json").json["runs"]) == 1
