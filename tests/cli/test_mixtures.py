"""textclust cluster --method vmf and hmrf-em."""

from __future__ import annotations

import numpy as np
import pytest

import textclust as tc
from tests.cli.running import read_rows


@pytest.mark.parametrize(
    "options",
    [
        ("--method", "vmf"),
        ("--method", "hmrf-em"),
        ("--method", "hmrf-em", "--distortion", "kl"),
        ("--method", "hmrf-em", "--distortion", "euclidean"),
    ],
)
def test_probabilities_are_written_and_the_model_goes_on_working(
    textclust, sample, tmp_path, options
):
    out = tmp_path / "out"
    answer = textclust("cluster", sample, "--k", 3, *options, "--memberships", "--out", out)
    assert answer.code == 0
    rows, labels = read_rows(out / "memberships.csv"), read_rows(out / "labels.csv")
    p = np.array([[float(row[h]) for h in "012"] for row in rows])
    np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-5)
    assert p.argmax(axis=1).tolist() == [int(row["cluster"]) for row in labels]
    assert 0.6 < p.max(axis=1).mean() < 0.99
    np.testing.assert_allclose(tc.load(out).memberships, p, atol=1e-6)
    placed = textclust("predict", out, sample)
    assert [row["cluster"] for row in placed.rows] == [row["cluster"] for row in labels]
    page = (out / "report.html").read_text(encoding="utf-8")
    assert ("von Mises-Fisher mixture" if "vmf" in options else "HMRF-EM") in page
    assert "offset distortion" not in page


def test_seeds_are_certain_under_vmf(textclust, sample, tmp_path):
    seeds, out = tmp_path / "seeds.csv", tmp_path / "out"
    seeds.write_text("id,label\nrec.photo/20331,photo\nsci.astro/30133,astro\n")
    command = ("cluster", sample, "--k", 3, "--method", "vmf", "--seeds", seeds)
    assert textclust(*command, "--memberships", "--out", out).code == 0
    rows = {row["id"]: row for row in read_rows(out / "memberships.csv")}
    assert float(rows["sci.astro/30133"]["0"]) == 1.0  # classes are numbered in their order
    assert float(rows["rec.photo/20331"]["1"]) == 1.0


def test_links_are_taken_by_hmrf_em(textclust, sample, tmp_path):
    links = tmp_path / "links.csv"
    links.write_text("left,right,kind\nrec.photo/20331,sci.astro/30133,must-link\n")
    command = ("cluster", sample, "--k", 3, "--method", "hmrf-em", "--constraints", links)
    answer = textclust(*command, "--weight", 50)
    assert answer.code == 0
    assert "0 of 1 link overruled" in answer.out


def test_vmf_refuses_what_it_does_not_know(textclust, sample, tmp_path):
    answer = textclust("cluster", sample, "--k", 3, "--method", "vmf", "--distortion", "kl")
    assert answer.code == 2
    assert "distortion must be one of 'cosine'" in answer.err
