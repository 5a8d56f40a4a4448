"""textclust curve: a learning curve of a labelled corpus."""

from __future__ import annotations

import pytest

from tests.cli.running import read_rows, snapshot


def test_the_curve_is_printed_and_written(textclust, corpus, tmp_path):
    out = tmp_path / "curve"
    answer = textclust("curve", corpus, "--amounts", "0,6", "--runs", 2, "--out", out)
    assert (answer.code, answer.err) == (0, "")
    assert "nmi on held-out documents, by the amount of links" in answer.out
    assert set(snapshot(out)) == {"runs.csv", "summary.csv", "plot.png"}
    rows, points = read_rows(out / "runs.csv"), read_rows(out / "summary.csv")
    assert len(rows) == 2 * 2 * 2
    assert [(point["line"], point["amount"], point["n"]) for point in points] == [
        ("hmrf", "0", "4"),
        ("hmrf", "6", "4"),
    ]
    mean = sum(float(row["nmi"]) for row in rows if row["amount"] == "6") / 4
    assert float(points[1]["mean"]) == pytest.approx(mean)


def test_the_curve_as_json_is_one_object(textclust, corpus):
    options = ("--supervision", "seeds", "--amounts", "0.5", "--runs", 1, "--json")
    content = textclust("curve", corpus, *options).json
    assert [point["line"] for point in content["summary"]] == ["seeded", "constrained"]
    assert all(row["amount"] == 0.5 for row in content["rows"])


def test_methods_and_measure_are_chosen_by_name(textclust, corpus):
    options = ("--method", "pckmeans", "--method", "kmeans", "--measure", "error_rate")
    content = textclust("curve", corpus, "--amounts", "6", "--runs", 1, *options, "--json").json
    assert [point["line"] for point in content["summary"]] == ["pckmeans", "kmeans"]
    assert all("error_rate" in row for row in content["rows"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--method", "seeded"), "'seeded' is not a method that takes links; take one of kmeans"),
        (("--method", "luck"), "'luck' is not a method that takes links"),
        (("--measure", "luck"), "'luck' is not one of 'nmi'"),
        (("--amounts", "many"), "give numbers, such as 0,50,100"),
        (("--supervision", "seeds", "--amounts", "0,50"), "shares from 0 to 1"),
    ],
)
def test_bad_choices_end_with_one_line(textclust, corpus, options, message):
    answer = textclust("curve", corpus, *options)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1
