"""textclust cluster --method hac, and what becomes of it afterwards."""

from __future__ import annotations

import csv
import json

import pytest

import textclust as tc
from textclust.methods.hierarchy import LINKAGES


@pytest.mark.parametrize("linkage", LINKAGES)
def test_texts_are_clustered_bottom_up_and_the_model_places_new_ones(
    textclust, corpus, tmp_path, linkage
):
    out = tmp_path / "out"
    arguments = ("cluster", corpus, "--k", 3, "--method", "hac", "--linkage", linkage)
    answer = textclust(*arguments, "--out", out, "--json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["agreement"]["nmi"] > 0.5
    model = tc.load(out)
    assert model.settings["parameters"]["linkage"] == linkage
    page = (out / "report.html").read_text("utf-8")
    assert f"Found by HAC with {linkage} linkage and cosine distortion" in page
    vectors = tc.TextVectorizer(sublinear_tf=True).fit_transform(tc.read_documents(corpus).texts)
    expected = tc.HAC(3, linkage=str(linkage)).fit(vectors).labels_
    assert model.labels.tolist() == expected.tolist()


def test_links_are_kept(textclust, corpus, tmp_path):
    links = tmp_path / "links.csv"
    links.write_text(
        "left,right,kind\nbread/1,moon/1,must-link\nbread/2,bread/3,cannot-link\n", "utf-8"
    )
    out = tmp_path / "out.csv"
    arguments = ("--method", "hac", "--constraints", links, "--out", out)
    assert textclust("cluster", corpus, "--k", 3, *arguments).code == 0
    found = {row["id"]: row["cluster"] for row in csv.DictReader(out.open(encoding="utf-8"))}
    assert found["bread/1"] == found["moon/1"]
    assert found["bread/2"] != found["bread/3"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "hac", "--init", "lsa"), "method 'hac' has no option --init"),
        (("--method", "hac", "--distortion", "kl"), "distortion must be one of 'cosine'"),
        (("--method", "kmeans", "--linkage", "ward"), "method 'kmeans' has no option --linkage"),
        (("--method", "hac", "--linkage", "median"), "'average'"),
    ],
)
def test_what_does_not_go_together_is_an_error(textclust, corpus, arguments, message):
    answer = textclust("cluster", corpus, "--k", 3, *arguments)
    assert answer.code == 2
    assert message in answer.err
