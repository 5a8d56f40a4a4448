"""--by and textclust over-time: the course of the clusters."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cli.running import read_rows, snapshot

WORDS = {
    "bikes": "bike chain wheel brake tyre saddle",
    "bread": "flour dough oven yeast bread salt",
    "moon": "moon telescope crater planet night sky",
}


def lines():
    """270 texts of six months: bikes get fewer, bread is as it was, the moon is new in June."""
    for month in range(1, 7):
        counts = {"bikes": 35 - 5 * month, "bread": 20, "moon": 40 if month == 6 else 0}
        for name, count in counts.items():
            for n in range(count):
                words = WORDS[name].split()
                text = " ".join(words[(n + i) % 6] for i in range(4))
                yield {"id": f"{name}{month}-{n}", "text": text, "date": f"2024-0{month}-10"}
    for n in range(5):
        yield {"id": f"undated-{n}", "text": WORDS["bread"]}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "texts.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines()))
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory, table):
    """What `cluster --by month` writes; not to be changed."""
    from textclust.cli.main import run

    out = tmp_path_factory.mktemp("over-time") / "out"
    assert run(["cluster", str(table), "-k", "3", "--by", "month", "--out", str(out)]) == 0
    return out


def number_of(out, word):
    clusters = json.loads((out / "clusters.json").read_bytes())["clusters"]
    return next(c["cluster"] for c in clusters if word in {t["term"] for t in c["terms"]})


def test_the_terminal_says_what_becomes_of_the_clusters(textclust, table):
    answer = textclust("cluster", table, "-k", 3, "--by", "month")
    assert answer.code == 0
    said = answer.out[answer.out.index("By month") :].splitlines()
    assert said[0] == (
        "By month, from January 2024 to June 2024; shares before April 2024 and from then on; "
        "5 documents without a date:"
    )
    assert said[1].endswith(": new in June 2024")
    assert ": falling, from 55.6% to 23.1%" in said[2]
    assert len(said) == 3  # bread is not said to change


def test_the_table_has_every_cluster_in_every_month(written):
    rows = read_rows(written / "over_time.csv")
    assert list(rows[0]) == ["period", "cluster", "name", "documents", "share", "terms", "rising"]
    assert len(rows) == 6 * 3
    moon = [row for row in rows if int(row["cluster"]) == number_of(written, "moon")]
    assert [int(row["documents"]) for row in moon] == [0, 0, 0, 0, 0, 40]
    assert [row["period"] for row in moon] == [f"2024-0{month}-01" for month in range(1, 7)]
    assert set(moon[-1]["terms"].split(", ")) < set(WORDS["moon"].split())
    assert moon[0]["terms"] == ""
    assert float(moon[-1]["share"]) == pytest.approx(40 / 65)
    assert sum(int(row["documents"]) for row in rows) == 105 + 120 + 40


def test_clusters_json_has_the_same(written):
    found = json.loads((written / "clusters.json").read_bytes())["over_time"]
    assert (found["by"], found["undated"], found["later_half_from"]) == ("month", 5, "2024-04-01")
    kinds = {each["cluster"]: (each["kind"], each["when"]) for each in found["trends"]}
    assert kinds == {
        number_of(written, "moon"): ("new", "2024-06-01"),
        number_of(written, "bike"): ("falling", None),
    }
    for row in read_rows(written / "over_time.csv"):
        of = found["clusters"][int(row["cluster"])]["periods"]
        (same,) = [each for each in of if each["period"] == row["period"]]
        assert same["documents"] == int(row["documents"])
        assert ", ".join(same["terms"]) == row["terms"]
        assert ", ".join(same["rising"]) == row["rising"]


def test_the_report_says_it_in_words(written):
    page = (written / "report.html").read_text()
    assert "new in June 2024" in page
    assert "falling, from 55.6% to 23.1%" in page
    assert "Documents by month: 0, 0, 0, 0, 0, 40" in page


def test_a_run_is_repeated_and_renamed_with_its_course(textclust, written, tmp_path):
    out = shutil.copytree(written, tmp_path / "out")
    assert "bit-identical" in textclust("replay", out).out
    moon = number_of(out, "moon")
    assert textclust("rename", out, moon, "Nights, mostly").code == 0
    rows = read_rows(out / "over_time.csv")
    assert {row["name"] for row in rows if int(row["cluster"]) == moon} == {"Nights, mostly"}
    assert "bit-identical" in textclust("replay", out).out


def test_a_run_without_it_takes_the_table_away(textclust, table, written, tmp_path):
    out = shutil.copytree(written, tmp_path / "out")
    answer = textclust("cluster", table, "-k", 3, "--out", out)
    assert "removed over_time.csv" in answer.err
    assert not (out / "over_time.csv").exists()


def test_a_table_that_a_person_edited_stays(textclust, table, written, tmp_path):
    out = shutil.copytree(written, tmp_path / "out")
    with (out / "over_time.csv").open("a") as file:
        file.write("2024-07-01,0,mine,1,1.0,,\n")
    before = snapshot(out)
    assert textclust("cluster", table, "-k", 3, "--by", "month", "--out", out).code == 2
    assert snapshot(out) == before
    assert "changed since the run" in textclust("replay", out).out


def test_a_run_that_is_there_already(textclust, table, tmp_path):
    out, file = tmp_path / "out", tmp_path / "course.csv"
    assert textclust("cluster", table, "-k", 3, "--out", out).code == 0
    before = snapshot(out)
    found = textclust("over-time", out, "--by", "quarter", "--json").json
    assert [each["period"] for each in found["clusters"][0]["periods"]] == [
        "2024-01-01",
        "2024-04-01",
    ]
    answer = textclust("over-time", out, "--by", "quarter", "--out", file)
    assert "By quarter, from Q1 2024 to Q2 2024" in answer.out
    assert "new in Q2 2024" in answer.out
    assert len(read_rows(file)) == 2 * 3
    assert textclust("over-time", out, "--out", file).code == 0  # ours, so it may be replaced
    assert len(read_rows(file)) == 23 * 3  # by week, as these are no more than 31
    assert snapshot(out) == before
    file.write_text(file.read_text() + "mine\n")
    assert textclust("over-time", out, "--out", file).code == 2


def test_what_cannot_be_is_one_line(textclust, corpus, results, table):
    answer = textclust("over-time", results)
    assert (answer.code, answer.out) == (2, "")
    assert "its documents have no dates" in answer.err
    answer = textclust("cluster", corpus, "-k", 3, "--by", "month")
    assert (answer.code, answer.out) == (2, "")
    assert "--by month needs dates, and no document has one" in answer.err
    answer = textclust("cluster", table, "-k", 3, "--by", "hour")
    assert answer.code == 2
