"""textclust cluster --journal: the labels that the workbench ended with."""

from __future__ import annotations

import pytest

from tests.cli.running import read_rows, snapshot
from textclust.pipeline import default_vectorizer
from textclust.text.documents import read_documents
from textclust.workbench.collection import Collection
from textclust.workbench.project import Project
from textclust.workbench.workbench import Workbench

BIKES = [f"bicycles/{number}" for number in range(1, 5)]
BREAD = [f"bread/{number}" for number in range(1, 5)]
MOON = [f"moon/{number}" for number in range(1, 5)]
LINES = [
    {"action": "move", "documents": [BIKES[0], MOON[3]], "cluster": 2},
    {"action": "refit"},
    {"action": "split", "cluster": 1, "documents": ["FIRST"], "hold": True, "name": 'one, "two"'},
    {"action": "merge", "clusters": [1, 2], "into": 2},
    {"action": "link", "left": BREAD[0], "right": BREAD[1], "kind": "must-link"},
    {"action": "refit"},
    {"action": "discard", "documents": [MOON[0]]},
    {"action": "undo"},
    {"action": "rename", "cluster": 3, "name": "überall"},
    {"action": "lock", "cluster": 3},
    {
        "action": "answer",
        "question": "pair",
        "left": BREAD[2],
        "right": MOON[2],
        "answer": "different",
    },
    {"action": "discard", "documents": [MOON[1]]},
    {"action": "refit"},
    {"action": "seed", "documents": [BREAD[3]]},
]


def played(corpus, folder, lines=LINES):
    """A scripted session; the journal of it, and what the workbench shows after every line."""
    opened = Collection.read(read_documents(corpus), default_vectorizer(frozenset()))
    tables = []
    with Project.open(folder) as project:
        bench = Workbench(opened, project, 3)
        for line in lines:
            if line["action"] == "split":
                first = bench.state()["labels"].index(1)
                line = {**line, "documents": [opened.documents.ids[first]]}
            assert bench.act(line)["state"]["warning"] is None
            tables.append((folder / "labels.csv").read_bytes())
    return folder / "journal.jsonl", tables


@pytest.fixture(scope="module")
def session(corpus, tmp_path_factory):
    return played(corpus, tmp_path_factory.mktemp("session") / "texts.textclust")


def test_the_labels_are_those_of_the_project_to_the_byte(textclust, corpus, session, tmp_path):
    journal, tables = session
    before = snapshot(journal.parent)
    answer = textclust("cluster", corpus, "--journal", journal, "--out", tmp_path / "out")
    assert answer.code == 0, answer.err
    assert (tmp_path / "out" / "labels.csv").read_bytes() == tables[-1]
    assert snapshot(journal.parent) == before
    names = {row["name"] for row in read_rows(tmp_path / "out" / "labels.csv")}
    assert {"überall", 'one, "two"'} <= names
    assert len(read_rows(tmp_path / "out" / "labels.csv")) == 11
    assert (tmp_path / "out" / "report.html").exists()


def test_a_run_by_a_journal_can_be_repeated(textclust, session, place):
    journal = place / "journal.jsonl"
    journal.write_bytes(session[0].read_bytes())
    assert textclust("cluster", "texts", "--journal", "journal.jsonl", "--out", "out").code == 0
    answer = textclust("replay", "out")
    assert answer.out == "out: bit-identical (11 documents)\n", answer
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:4]))
    answer = textclust("replay", "out")
    assert answer.code == 1
    assert "journal.jsonl: changed since the run" in answer.out


def test_so_they_are_after_every_line(textclust, corpus, session, tmp_path):
    journal, tables = session
    lines = journal.read_bytes().splitlines(keepends=True)
    for count in (4, 9):
        part = tmp_path / f"{count}.jsonl"
        part.write_bytes(b"".join(lines[: count + 1]))
        out = tmp_path / f"{count}.csv"
        assert textclust("cluster", corpus, "--journal", part, "--out", out).code == 0
        assert out.read_bytes() == tables[count - 1]


def test_locks_and_names_survive_when_it_is_opened_again(corpus, session):
    folder = session[0].parent
    opened = Collection.read(read_documents(corpus), default_vectorizer(frozenset()))
    with Project.open(folder) as project:
        clusters = {each["number"]: each for each in Workbench(opened, project).state()["clusters"]}
    assert clusters[3]["locked"]
    assert clusters[3]["name"] == "überall"
    assert [row["locked"] for row in read_rows(folder / "clusters.csv")].count("1") == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--seeds", "seeds.csv"),
        ("--constraints", "links.csv"),
        ("--seed-words", "words.csv"),
        ("--method", "kmeans"),
        ("--examples", "moon"),
        ("--background-before", "2020-01-01"),
        ("--distortion", "kl"),
        ("--as-published",),
        ("--weighting", "tf"),
        ("--n-init", "3"),
    ],
)
def test_what_a_journal_says_already_is_refused_beside_it(textclust, session, place, options):
    for name in ("seeds", "links", "words"):
        (place / f"{name}.csv").write_text("id,label\nmoon/1,x\n")
    before = snapshot(place)
    answer = textclust("cluster", "texts", "--journal", session[0], *options, "--out", "out")
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert f"{options[0]} does not go with --journal" in answer.err
    assert snapshot(place) == before


def refused(textclust, place, journal):
    before = snapshot(place)
    answer = textclust("cluster", "texts", "--journal", journal, "--out", "out")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert str(journal) in answer.err
    assert snapshot(place) == before
    return answer.err


def test_journals_that_cannot_be_replayed(textclust, session, place):
    lines = session[0].read_bytes().splitlines(keepends=True)
    journal = place / "journal.jsonl"
    journal.write_bytes(b"")
    assert "an empty journal" in refused(textclust, place, journal)
    journal.write_bytes(lines[0].replace(b'"open"', b'"refit"'))
    assert "is it a journal" in refused(textclust, place, journal)
    journal.write_bytes(lines[0] + lines[2])
    assert "line 2: not a line of a journal (its number is 3)" in refused(textclust, place, journal)
    assert "cannot be read" in refused(textclust, place, place / "nowhere.jsonl")
    journal.write_bytes(b"".join(lines))
    (place / "texts" / "moon" / "5").write_text("One more about the moon.\n")
    assert "12 documents then, 13 now" in refused(textclust, place, journal)


def test_terms_that_are_counted_in_another_way(textclust, session, place):
    answer = textclust("cluster", "texts", "--journal", session[0], "--ngrams", 2, "--out", "out")
    assert answer.code == 2
    assert "was begun with other terms of the same documents" in answer.err
    assert not (place / "out").exists()


def test_a_torn_last_line_is_left_out_and_the_file_stays(textclust, session, place):
    data = session[0].read_bytes()
    journal = place / "journal.jsonl"
    journal.write_bytes(data + b'{"n": 16, "at": "20')
    answer = textclust("cluster", "texts", "--journal", journal, "--out", "out")
    assert answer.code == 0, answer.err
    assert (place / "out" / "labels.csv").read_bytes() == session[1][-1]
    assert journal.read_bytes() == data + b'{"n": 16, "at": "20'


def test_two_clusters_of_one_name(textclust, corpus, tmp_path):
    lines = [{"action": "rename", "cluster": number, "name": "same"} for number in (1, 2)]
    journal, tables = played(corpus, tmp_path / "p.textclust", lines)
    out = tmp_path / "labels.csv"
    assert textclust("cluster", corpus, "--journal", journal, "--out", out).code == 0
    assert out.read_bytes() == tables[-1]
