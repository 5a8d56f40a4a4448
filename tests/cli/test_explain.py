"""textclust explain: why a document is in its cluster."""

from __future__ import annotations

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import read_rows, write_files


def test_a_document_is_explained_by_its_id(textclust, results):
    answer = textclust("explain", results, "moon/2")
    assert (answer.code, answer.err) == (0, "")
    row = next(row for row in read_rows(results / "labels.csv") if row["id"] == "moon/2")
    first, second, *_ = answer.out.splitlines()
    assert first == f"moon/2 is in cluster {row['cluster']}, {row['name']}."
    assert second.startswith("Second choice: cluster ")
    assert f"pulls to {row['name']}" in answer.out
    assert "telescope" in answer.out


def test_pulls_add_up_to_the_margin(textclust, results):
    content = textclust("explain", results, "bread/1", "--json").json
    assert content["document"] == "bread/1"
    assert "bread" in content["name"]
    assert content["cluster"] != content["runner_up"]
    pulls = sum(term["weight"] for term in content["here"] + content["there"])
    assert content["margin"] == pytest.approx(pulls + content["rest"])
    assert {term["term"] for term in content["here"]} >= {"dough", "flour"}


def test_a_new_file_is_explained_too(textclust, results, tmp_path):
    file = tmp_path / "note.txt"
    file.write_text("From: a@b.org\nSubject: dough\n\nFlour and yeast, said the moon.\n")
    answer = textclust("explain", results, file, "--json").json
    assert "bread" in answer["name"]
    assert {term["term"] for term in answer["here"]} == {"dough", "flour", "yeast"}
    assert textclust("explain", results, file).out.startswith(f"{file} is in cluster ")


def test_an_id_counts_before_a_file_of_that_name(textclust, results, tmp_path, monkeypatch):
    write_files(tmp_path, {"moon/1": "dough and bread and flour"})
    monkeypatch.chdir(tmp_path)
    assert "moon" in textclust("explain", results, "moon/1", "--json").json["name"]


def test_a_new_file_is_cleaned_as_the_clustered_ones_were(textclust, corpus, tmp_path):
    out = tmp_path / "out"
    assert textclust("cluster", corpus, "--k", 3, "--quotes", "strip", "--out", out).code == 0
    file = tmp_path / "reply.txt"
    file.write_text("The moon.\n> and my bike\n")
    content = textclust("explain", out, file, "--json").json
    assert {term["term"] for term in content["here"] + content["there"]} == {"moon"}


def test_as_many_terms_are_shown_as_asked(textclust, results):
    longer, shorter = (textclust("explain", results, "moon/2", "--terms", n).out for n in (8, 1))
    assert "planet" in longer
    assert len(shorter.splitlines()) < len(longer.splitlines())


def test_an_unknown_document_brings_up_those_of_a_like_name(textclust, results):
    answer = textclust("explain", results, "bred/2")
    assert answer.code == 2
    assert "neither a document of this model nor a file; did you mean bread/2" in answer.err
    assert "did you mean" not in textclust("explain", results, "zzzzzzzz").err


def test_one_cluster_has_no_runner_up(textclust, corpus, tmp_path):
    assert textclust("cluster", corpus, "--k", 1, "--out", tmp_path / "out").code == 0
    answer = textclust("explain", tmp_path / "out", "moon/1")
    assert (answer.code, answer.err) == (0, "")
    assert "the only cluster" in answer.out


def test_a_document_without_a_known_term_is_not_a_fault(textclust, results, tmp_path):
    (tmp_path / "other.txt").write_text("parliament adjourned")
    assert textclust("explain", results, tmp_path / "other.txt").code == 0
    (tmp_path / "empty.txt").write_text("")
    assert textclust("explain", results, tmp_path / "empty.txt").code == 0


def test_hostile_ids_cannot_write_to_the_terminal(textclust, tmp_path):
    hostile = "\x1b[2J[red]\x9b"
    files = {f"{name.replace('/', '-')}{hostile}": text for name, text in TEXTS.items()}
    folder = write_files(tmp_path / "texts", files)
    out = tmp_path / "out"
    assert textclust("cluster", folder, "--k", 3, "--out", out).code == 0
    for asked in (f"moon-1{hostile}", "moon-1[2J[red]"):
        answer = textclust("explain", out, asked)
        assert not set(answer.out + answer.err) & set("\x1b\x9b")
        assert "[red]" in answer.out + answer.err
