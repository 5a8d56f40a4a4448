"""textclust cluster --continue: the same clusters next month."""

from __future__ import annotations

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import read_rows, write_files

LATER = {
    "bicycles/9": "A new brake for the bike, a chain and a tyre for its wheel.\n",
    "bread/9": "Bread: flour, yeast and salt make a dough for the oven.\n",
    "moon/9": "The telescope shows a planet and the moon in the night sky.\n",
}


@pytest.fixture
def later(tmp_path):
    return write_files(tmp_path / "later", {**dict(list(TEXTS.items())[::2]), **LATER})


def test_names_and_identities_go_on(textclust, results, later, tmp_path):
    out = tmp_path / "out"
    answer = textclust("cluster", later, "--continue", results, "--out", out)
    assert answer.code == 0, answer.err
    assert "identity" in answer.out
    assert "Clusters since the run before: " in answer.out
    before = {row["name"] for row in read_rows(results / "labels.csv")}
    rows = read_rows(out / "labels.csv")
    assert list(rows[0]) == ["id", "cluster", "name", "score", "novelty", "identity"]
    assert {row["name"] for row in rows} <= before
    assert {row["identity"] for row in rows} <= {"1", "2", "3"}
    assert 'id="changes"' in (out / "report.html").read_text()
    again = textclust("cluster", later, "--continue", results, "--out", out)  # replaces its own
    assert again.code == 0, again.err


def test_json_says_what_became_of_each(textclust, results, later):
    content = textclust("cluster", later, "--continue", results, "--json").json
    assert {fate["kind"] for fate in content["continued"]["fates"]} <= {"kept", "grew", "shrank"}
    assert [cluster["identity"] for cluster in content["clusters"]] == [1, 2, 3]
    assert content["labels"][0].keys() >= {"identity"}


def test_a_background_that_is_a_run_goes_on_too(textclust, results, later, tmp_path):
    written = []
    for option, out in (("--continue", tmp_path / "one"), ("--background", tmp_path / "two")):
        answer = textclust("cluster", later, option, results, "--out", out)
        assert answer.code == 0, answer.err
        written.append((answer.out, (out / "labels.csv").read_bytes()))
    assert written[0] == written[1]
    assert "Clusters since the run before: " in written[1][0]


def test_what_cannot_be_is_one_line(textclust, results, later, tmp_path):
    for arguments, said in [
        (["--continue", tmp_path], "not a textclust model"),
        (
            ["--continue", results, "--background", results],
            "--continue is itself the background; leave --background ",
        ),
        (["--continue", results, "--out", results], "is read by this run"),
    ]:
        answer = textclust("cluster", later, *arguments)
        assert (answer.code, answer.out) == (2, "")
        assert said in answer.err
        assert answer.err.count("\n") == 1
