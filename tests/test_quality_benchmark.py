"""What is said of other tools is what their scripts left behind."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.quality import contest, page
from benchmarks.quality.contestants import CONTESTANTS
from benchmarks.quality.environments import OURS, Environment
from benchmarks.quality.ledger import Ledger, Outcome
from textclust import corpora, read_documents
from textclust.metrics import nmi

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = Path(contest.__file__).with_name("scripts")


def test_every_contestant_has_its_script_and_its_requirements():
    for each in CONTESTANTS:
        if each.environment is not OURS:
            assert (SCRIPTS / each.words[0]).is_file()
            assert each.environment.requirements()


def test_a_script_leaves_a_label_for_every_text(tmp_path):
    """LSA and KMeans, which need no more than the environment of the tests has."""
    documents = read_documents(corpora.path("newsgroups"))
    texts, labels = tmp_path / "texts.jsonl", tmp_path / "labels.csv"
    lines = [json.dumps({"id": str(i), "text": text}) for i, text in enumerate(documents.texts)]
    texts.write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, str(SCRIPTS / "lsa.py"), str(texts), "3", "0", str(labels)]
    subprocess.run(command, check=True)
    with labels.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [str(i) for i in range(len(documents))]
    found = contest.judge(labels, documents.labels)
    assert found == {"nmi": nmi(documents.labels, [r["cluster"] for r in rows]), "clusters": 3}


def test_documents_that_a_tool_leaves_out_are_a_cluster_of_their_own(tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text("id,cluster\n0,5\n1,5\n3,-1\n", encoding="utf-8")
    found = contest.judge(labels, ["a", "a", "b", "b"])
    assert found == {"nmi": pytest.approx(1.0), "clusters": 1}


def test_outcomes_are_kept_and_those_that_failed_are_tried_again(tmp_path):
    ledger = Ledger.read(tmp_path / "kept.json")
    ledger.keep(
        Outcome("classic4", "textclust", "2026-01-01", (0.5, 0.7), (4, 4), 2.5, 1.5, 90.0, 80.0)
    )
    ledger.keep(Outcome("classic4", "LDA", "2026-01-01", failure="did not finish in 3600 s"))
    again = Ledger.read(tmp_path / "kept.json")
    assert again.outcomes == ledger.outcomes
    assert again.knows("classic4", "textclust")
    assert not again.knows("classic4", "LDA")
    text = page.page(again)
    assert "| textclust | – | 0.600 (0.500 to 0.700) |" in text
    assert "- LDA on classic4: did not finish in 3600 s." in text
    assert "| textclust | 1.5 | – | 90 | 80 |" in text


def test_what_cannot_be_installed_is_said(tmp_path, monkeypatch):
    environment = Environment("nothing")
    vars(environment)["folder"] = tmp_path / "environment"
    monkeypatch.setattr(Environment, "requirements", lambda self: ["./no-such-folder"])
    assert environment.prepare().startswith("./no-such-folder does not install: ")
    assert environment.prepare()  # and is tried again


def test_an_environment_of_a_checkout_is_made_anew_when_its_code_is_newer(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(
        "venv.create", lambda folder, **_: (made.append(1), folder.mkdir(exist_ok=True))
    )
    monkeypatch.setattr(Environment, "requirements", lambda self: [])
    code = tmp_path / "checkout" / "textclust" / "part.py"
    code.parent.mkdir(parents=True)
    code.touch()
    environment = Environment("ours", tmp_path / "checkout")
    vars(environment)["folder"] = tmp_path / "environment"
    assert [environment.prepare(), environment.prepare()] == ["", ""]
    assert len(made) == 1
    later = (tmp_path / "environment" / ".ready").stat().st_mtime + 5
    os.utime(code, (later, later))
    assert environment.prepare() == ""
    assert len(made) == 2


def rows_of(page, least):
    """The rows of the tables of a page that have so many cells or more."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line)
    return [row for row in cells if len(row) >= least]


def test_readme_has_the_means_of_the_page():
    header, _, *readme = rows_of("README.md", 6)
    collections, _, *tools = rows_of("docs/quality.md", 6)
    means = {tool: [cell.split()[0] for cell in found] for tool, *found in tools}
    assert readme
    for name, _, _, *shown in readme:
        column = collections.index(name) - 1
        assert shown == [means[tool][column] for tool in header[3:]], name
