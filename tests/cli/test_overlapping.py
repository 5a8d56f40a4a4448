"""textclust cluster --method overlapping."""

from __future__ import annotations

import numpy as np

import textclust as tc
from tests.cli.running import read_rows


def test_memberships_are_written_and_the_model_goes_on_working(textclust, sample, tmp_path):
    out = tmp_path / "out"
    more = ("--method", "overlapping", "--memberships", "--out", out)
    answer = textclust("cluster", sample, "--k", 3, *more)
    assert answer.code == 0
    assert "of 225 documents in several clusters" in answer.out
    assert "In several clusters: " in (out / "report.html").read_text(encoding="utf-8")
    rows, labels = read_rows(out / "memberships.csv"), read_rows(out / "labels.csv")
    z = np.array([[int(row[h]) for h in "012"] for row in rows])
    assert (z.sum(axis=1) >= 1).all()
    assert (z.sum(axis=1) > 1).any()
    assert all(z[i, int(row["cluster"])] for i, row in enumerate(labels))
    np.testing.assert_array_equal(tc.load(out).memberships, z.astype(bool))
    placed = textclust("predict", out, sample)
    assert placed.code == 0
    same = [a["cluster"] == b["cluster"] for a, b in zip(placed.rows, labels, strict=True)]
    assert np.mean(same) == 1.0


def test_links_are_taken(textclust, sample, tmp_path):
    links = tmp_path / "links.csv"
    links.write_text("left,right,kind\nrec.photo/20331,sci.astro/30133,cannot-link\n")
    command = ("cluster", sample, "--k", 3, "--method", "overlapping", "--constraints", links)
    answer = textclust(*command)
    assert answer.code == 0
    assert "0 of 1 link overruled" in answer.out
