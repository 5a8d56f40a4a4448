"""One name for a cluster, wherever it is shown."""

from __future__ import annotations

import csv
import html
import json

import textclust as tc


def test_tables_json_report_model_and_terminal_show_the_same_names(textclust, sample, tmp_path):
    out = tmp_path / "out"
    answer = textclust("cluster", sample, "--k", 3, "--out", out)
    assert answer.code == 0
    expected = tc.cluster(sample, k=3).names
    with open(out / "labels.csv", encoding="utf-8", newline="") as file:
        in_table = {int(row["cluster"]): row["name"] for row in csv.DictReader(file)}
    assert [in_table[h] for h in range(3)] == expected
    clusters = json.loads((out / "clusters.json").read_bytes())["clusters"]
    assert [cluster["name"] for cluster in clusters] == expected
    assert tc.load(out).names == expected
    page = html.unescape((out / "report.html").read_text(encoding="utf-8"))
    assert all(name in page for name in expected)
    assert (
        textclust("cluster", sample, "--k", 3, "--json").json["clusters"][0]["name"] == expected[0]
    )
