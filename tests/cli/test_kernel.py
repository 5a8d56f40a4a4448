"""textclust cluster --method kernel, and what becomes of it afterwards."""

from __future__ import annotations

import json

import pytest

import textclust as tc


def test_the_graph_of_neighbours_clusters_texts_and_the_model_places_new_ones(
    textclust, sample, tmp_path
):
    arguments = ("cluster", sample, "--k", 3, "--method", "kernel", "--neighbours", 12)
    answer = textclust(*arguments, "--out", tmp_path / "out", "--json")
    assert answer.code == 0, answer.err
    content = json.loads(answer.out)
    assert content["agreement"]["nmi"] > 0.5
    model = tc.load(tmp_path / "out")
    assert model.settings["parameters"]["kernel"] == "neighbours"
    assert model.settings["parameters"]["n_neighbors"] == 12
    home = int(model.labels[model.ids.index("sci.astro/30133")])
    new = model.predict(["A telescope shows stars and planets in a dark sky, an inch of mirror."])
    assert new.labels.tolist() == [home]
    assert model.explain("sci.astro/30133").cluster == home


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "hmrf", "--kernel", "rbf"), "method 'hmrf' has no option --kernel"),
        (("--method", "kernel", "--landmarks", "50"), "--landmarks is for the kernels"),
        (("--method", "adaptive-kernel", "--kernel", "cosine"), "kernel must be one of 'rbf'"),
        (("--method", "kernel", "--kernel", "rbf", "--width", "0"), "width must be a number"),
    ],
)
def test_what_does_not_go_together_is_reported(textclust, sample, arguments, message):
    answer = textclust("cluster", sample, "--k", 3, *arguments)
    assert answer.code == 2
    assert message in answer.err


def test_links_bear_on_the_graph(sample):
    docs = tc.read_documents(sample)
    plain = tc.cluster(docs, k=3, method="kernel")
    rows = [(i, j) for i, j in zip(range(0, 70, 7), range(3, 73, 7), strict=True)]
    links = tc.Constraints(must_link=rows)
    guided = tc.cluster(docs, k=3, method="kernel", constraints=links, weight=1.0)
    assert not guided.outcome.overruled_links
    assert sum(plain.labels[i] != plain.labels[j] for i, j in rows) > 0
