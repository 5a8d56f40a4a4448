"""textclust reproduce: the experiments, here on the sample alone."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from tests.cli.running import read_rows
from textclust.experiments import (
    EXPERIMENTS,
    defaults,
    learning,
    mpckmeans,
    newer,
    partial,
    questions,
)


@pytest.fixture
def small(monkeypatch):
    """The experiment looks at the embedded sample only."""
    monkeypatch.setattr(defaults, "COLLECTIONS", ("newsgroups",))


def test_without_a_name_the_experiments_are_listed(textclust):
    answer = textclust("reproduce")
    assert (answer.code, answer.err) == (0, "")
    for name, experiment in EXPERIMENTS.items():
        assert name in answer.out
        assert experiment.about in answer.out
    content = textclust("reproduce", "--json").json
    assert content == {name: experiment.about for name, experiment in EXPERIMENTS.items()}


def test_an_unknown_name_lists_those_there_are(textclust):
    answer = textclust("reproduce", "everything")
    assert (answer.code, answer.out) == (2, "")
    assert ", ".join(EXPERIMENTS) in answer.err


def test_every_experiment_has_a_module_that_runs():
    for name in EXPERIMENTS:
        assert callable(importlib.import_module(f"textclust.experiments.{name}").run)


def test_an_experiment_prints_its_table_and_writes_it(textclust, small, tmp_path):
    table = tmp_path / "table.csv"
    answer = textclust("reproduce", "defaults", "--runs", 1, "--out", table)
    assert (answer.code, answer.err) == (0, "")
    title, *_ = answer.out.splitlines()
    assert title == "Mean NMI with the defaults"
    (row,) = read_rows(table)
    assert (row["collection"], row["documents"], row["k"]) == ("newsgroups", "225", "3")
    assert float(row["textclust"]) > 0.5
    assert row["textclust"] in answer.out
    assert "TfidfVectorizer" in answer.out


def test_an_experiment_as_json_is_one_object(textclust, small):
    content = textclust("reproduce", "defaults", "--runs", 1, "--json").json
    assert [row["collection"] for row in content["rows"]] == ["newsgroups"]
    assert content["title"]


def test_links_and_a_learned_metric_are_measured_on_the_unlinked_half(textclust, data, monkeypatch):
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))
    monkeypatch.setattr(mpckmeans, "TABLES", {"iris": (None, 1.0)})
    monkeypatch.setattr(mpckmeans, "LINKS", (0, 100))
    rows = textclust("reproduce", "mpckmeans", "--runs", 1, "--json").json["rows"]
    assert [(row["start"], row["links"]) for row in rows] == [
        ("paper", 0),
        ("paper", 100),
        ("default", 0),
        ("default", 100),
    ]
    assert float(rows[-1]["MPC"]) > float(rows[-1]["PC"])


def test_labels_that_share_few_features_are_measured_beside_the_paper(textclust, data, monkeypatch):
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))
    monkeypatch.setattr(partial, "PAPER", {"waveform21": partial.PAPER["waveform21"]})
    ours, paper = textclust("reproduce", "partial", "--runs", 2, "--json").json["rows"]
    error = {name: float(ours[name].split()[0]) for name in ours if name != "data"}
    assert error["SemiFuzzy"] < error["k-means"]
    assert paper["SemiFuzzy"] == "0.4186"


def test_newer_posts_are_measured_beside_the_labeller_and_kmeans(textclust, data, monkeypatch):
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))
    monkeypatch.setattr(newer, "CHOICES", {"akin": newer.CHOICES["akin"][:1]})
    monkeypatch.setattr(newer, "SHARES", (10,))
    (row,) = textclust("reproduce", "newer", "--runs", 1, "--json").json["rows"]
    assert float(row["SemiHard"]) < float(row["k-means"]) < float(row["naive Bayes"])
    assert float(row["SemiHard as published"]) < float(row["naive Bayes"])


def test_a_table_that_is_not_here_is_told(textclust, tmp_path, monkeypatch):
    monkeypatch.setenv("TEXTCLUST_DATA", str(tmp_path))
    answer = textclust("reproduce", "mpckmeans", "--runs", 1)
    assert (answer.code, answer.out) == (2, "")
    assert "uci/iris.csv" in answer.err.replace("\n", "")


def test_a_corpus_that_is_not_here_is_told(textclust, tmp_path, monkeypatch):
    monkeypatch.setenv("TEXTCLUST_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    collections = importlib.import_module("textclust.experiments.collections")
    collections._read.cache_clear()
    answer = textclust("reproduce", "starts", "--runs", 1)
    assert (answer.code, answer.out) == (2, "")
    assert "textclust corpora fetch 20newsgroups" in answer.err


def test_learned_weights_are_measured_beside_even_ones(textclust, monkeypatch):
    monkeypatch.setattr(learning, "COLLECTIONS", ("newsgroups",))
    monkeypatch.setattr(learning, "COUNTS", (20,))
    (row,) = textclust("reproduce", "learning", "--runs", 1, "--json").json["rows"]
    assert (row["collection"], row["links"]) == ("newsgroups", 20)
    for column in ("cosine", "cosine, learned", "kl", "kl, learned"):
        assert 0.3 < float(row[column]) <= 1


def test_questions_are_measured_on_the_half_never_asked_about(textclust, monkeypatch):
    monkeypatch.setattr(questions, "COLLECTIONS", ("newsgroups",))
    monkeypatch.setattr(questions, "BUDGETS", (10, 60))
    rows = textclust("reproduce", "questions", "--runs", 1, "--json").json["rows"]
    scores = {row["variant"]: float(row["60"]) for row in rows}
    assert list(scores) == list(questions.VARIANTS)
    assert scores["thesis"] > scores["thesis, random pairs"]
    assert all(0 <= float(row["10"]) <= 1 for row in rows)


def test_no_question_is_about_the_half_that_is_scored(monkeypatch):
    seen = []

    class Model:
        def __init__(self, *_, **__): ...

        def fit(self, X, constraints):
            seen.append(set(constraints.links.documents.tolist()))
            self.labels_ = X[:, 0]
            return self

    monkeypatch.setattr(questions, "HMRFKMeans", Model)
    rng = np.random.default_rng(0)
    X, truth = rng.random((40, 4)), rng.integers(3, size=40)
    told, asked = np.arange(0, 40, 2), np.arange(1, 40, 2)
    for variant in questions.VARIANTS.values():
        list(questions._scores(X, truth, told, asked, variant, 0))
    assert all(rows <= set(told.tolist()) for rows in seen)
    assert max(map(len, seen)) > 15
