"""A group column on the command line."""

from __future__ import annotations

import csv

import pytest

import textclust as tc


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    docs = tc.read_documents(tc.corpora.path("newsgroups"))
    path = tmp_path_factory.mktemp("groups") / "tickets.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, delimiter=";")
        rows.writerow(["id", "text", "label", "requester"])
        for i, (name, text) in enumerate(zip(docs.ids, docs.texts, strict=True)):
            rows.writerow([name, text, docs.labels[i], f"{docs.labels[i]} {i % 7}"])
    return path


def test_the_table_says_documents_and_groups(textclust, table):
    answer = textclust("cluster", table, "-k", 3, "--group-column", "requester")
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[0] == "225 documents of 21 groups in 3 clusters"
    assert [cell.strip() for cell in lines[2].split("┃")[1:5]] == [
        "cluster",
        "name",
        "size",
        "groups",
    ]


@pytest.mark.parametrize("mode", ["together", "weigh"])
def test_the_groups_are_in_the_results(textclust, table, mode):
    options = ("-k", 3, "--group-column", "requester", "--groups", mode, "--json")
    answer = textclust("cluster", table, *options)
    assert answer.code == 0, answer.err
    assert answer.json["settings"]["groups"] == {"mode": mode, "number": 21}
    assert sum(each["groups"] for each in answer.json["clusters"]) == pytest.approx(21, abs=0.1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--groups", "weigh"), "--groups needs --group-column"),
        (("--group-column", "author"), "no column 'author', only 'id', 'text', 'label',"),
        (("--group-column", "author"), "name the right one with --group-column"),
        (("--group-column", "requester", "--k", "99"), "or use --groups weigh"),
        (("--group-column", "requester", "--k", "3", "--method", "hac"), "leave the groups out"),
        (("--group-column", "requester", "--scheduler", "local"), "--group-column"),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_reported(textclust, table, options, message):
    answer = textclust("cluster", table, *options)
    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


def test_a_folder_has_no_groups(textclust):
    answer = textclust("cluster", tc.corpora.path("newsgroups"), "--group-column", "author")
    assert answer.code == 2
    assert "a folder has no columns; leave --group-column out" in answer.err
