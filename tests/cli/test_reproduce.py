"""textclust reproduce: the experiments, here on the sample alone."""

from __future__ import annotations

import importlib
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import textclust as tc
from tests.cli.running import read_rows, snapshot
from textclust.experiments import experiment, experiments, learning, mpckmeans, questions
from textclust.experiments.declared import grid


@pytest.fixture
def shrunk(monkeypatch, tmp_path):
    """An experiment on some of its cases, or on others; the folder it writes to."""
    monkeypatch.chdir(tmp_path)

    def shrink(name, cases=None, **chosen):
        whole = experiment(name)
        kept = [c for c in whole.cases if all(c[key] == chosen[key] for key in chosen)]
        small = replace(whole, cases=tuple(cases or kept))
        monkeypatch.setitem(experiments(), whole.name, small)
        return tmp_path / "reproduced" / whole.name

    return shrink


def rows_of(answer):
    """The rows of the table, by the column across it."""
    assert (answer.code, answer.err) == (0, "")
    return answer.json["rows"]


@pytest.mark.parametrize("arguments", [[], ["--list"]])
def test_without_a_name_the_experiments_are_listed(textclust, arguments):
    answer = textclust("reproduce", *arguments)
    assert (answer.code, answer.err) == (0, "")
    listed = textclust("reproduce", *arguments, "--json").json
    assert list(listed) == list(experiments())
    for name, each in experiments().items():
        assert name in answer.out
        assert listed[name] == {"source": each.source, "about": each.title, "runs": each.runs}


def test_an_unknown_name_lists_those_there_are(textclust):
    answer = textclust("reproduce", "everything")
    assert (answer.code, answer.out) == (2, "")
    for name, each in experiments().items():
        assert name in answer.err
        assert all(other in answer.err for other in each.also)


def test_every_experiment_is_declared_whole():
    for name, each in experiments().items():
        assert each.name == name
        assert each.title
        assert {each.x, each.lines, each.across or each.x} <= set(each.axes), name
        assert set(each.shown) <= set(each.measures), name
        assert all(len(place) == len(each.axes) for place in each.paper), name
        module = importlib.import_module(each.unit.__module__)
        assert getattr(module, each.unit.__name__) is each.unit, name
        assert each.cases, name


def test_an_experiment_prints_its_table_and_writes_every_run(textclust, shrunk):
    folder = shrunk("defaults", collection="newsgroups")
    answer = textclust("reproduce", "defaults", "--runs", 2)
    assert answer.code == 0
    assert answer.err.strip().endswith("reproduced/defaults")
    title, *_ = answer.out.splitlines()
    assert title == "NMI with the defaults"
    assert set(snapshot(folder)) == {"runs.csv", "settings.json", "summary.csv", "plot.png"}
    ours, theirs = read_rows(folder / "summary.csv")
    assert (ours["collection"], ours["method"], ours["n"]) == ("newsgroups", "textclust", "2")
    assert float(ours["mean"]) > 0.5
    assert f"{float(theirs['mean']):.3f}" in answer.out
    assert "TfidfVectorizer" in answer.out
    again = textclust("reproduce", "defaults", "--runs", 2)
    said = "replaced summary.csv and plot.png of an earlier run in reproduced/defaults\n"
    assert (said in answer.err, again.err.endswith(said)) == (False, True)


def test_an_experiment_as_json_is_one_object(textclust, shrunk, tmp_path):
    shrunk("defaults", collection="newsgroups", method="textclust")
    content = textclust(
        "reproduce", "defaults", "--runs", 1, "--out", tmp_path / "x", "--json"
    ).json
    assert [row["collection"] for row in content["rows"]] == ["newsgroups"]
    assert content["summary"][0]["n"] == 1
    assert content["name"] == "defaults"
    assert content["folder"] == str(tmp_path / "x" / "defaults")


def test_links_and_a_learned_metric_are_measured_on_the_unlinked_half(
    textclust, data, shrunk, monkeypatch
):
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))
    monkeypatch.setattr(mpckmeans, "LINKS", (0, 100))
    methods = {name: partial(method, n_init=1) for name, method in mpckmeans._METHODS.items()}
    monkeypatch.setattr(mpckmeans, "_METHODS", methods)
    shrunk("mpckmeans", points="iris", start="default")
    rows = rows_of(textclust("reproduce", "mpckmeans", "--runs", 1, "--json"))
    assert [row["links"] for row in rows] == [0, 100]
    assert float(rows[1]["MPC"]) > float(rows[1]["PC"])


def test_labels_that_share_few_features_are_measured_beside_the_paper(
    textclust, data, shrunk, monkeypatch
):
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))
    shrunk("partial", data="waveform21")
    ours, paper, *_ = rows_of(textclust("reproduce", "partial", "--runs", 2, "--json"))
    assert float(ours["SemiFuzzy"]) < float(ours["k-means"])
    assert (paper["data"], paper["SemiFuzzy"]) == ("waveform21, the paper", "0.4186")


def test_newer_posts_are_measured_beside_the_labeller_and_kmeans(
    textclust, data, shrunk, monkeypatch
):
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))
    shrunk("newer", kind="akin", share=10, choice=0)
    rows = rows_of(textclust("reproduce", "newer", "--runs", 1, "--json"))
    error, as_named, *printed = rows
    assert (error["measure"], as_named["measure"]) == ("error rate", "error as named")
    assert as_named["k-means"] == ""
    assert float(as_named["GuidedClustering"]) < float(as_named["SemiHard"])
    assert float(as_named["GuidedClustering"]) < float(as_named["LinearSVC"])
    assert float(error["SemiHard"]) < float(error["SemiHard, naive Bayes"])
    assert float(error["SemiHard, naive Bayes"]) < float(error["naive Bayes"])
    assert float(error["naive Bayes"]) < float(error["SemiHard as published"])
    assert float(error["SemiHard as published"]) < float(error["k-means++"])
    assert float(error["SemiHard"]) < float(error["k-means"])
    assert [row["SemiHard as published"] for row in printed] == ["0.0233", "0.0952", "0.2602"]


def test_a_table_that_is_not_here_is_reported(textclust, tmp_path, monkeypatch):
    monkeypatch.setenv("TEXTCLUST_DATA", str(tmp_path))
    answer = textclust("reproduce", "mpckmeans", "--runs", 1, "--out", tmp_path)
    assert (answer.code, answer.out) == (2, "")
    assert "uci/iris.csv" in answer.err.replace("\n", "")
    assert "TEXTCLUST_DATA" in answer.err


def test_a_corpus_that_is_not_here_is_reported(textclust, tmp_path, monkeypatch):
    monkeypatch.setenv("TEXTCLUST_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    importlib.import_module("textclust.experiments.collections")._read.cache_clear()
    importlib.import_module("textclust.experiments.halves").terms_and_classes.cache_clear()
    answer = textclust("reproduce", "starts", "--runs", 1, "--out", tmp_path)
    assert (answer.code, answer.out) == (2, "")
    assert "textclust corpora fetch 20newsgroups" in answer.err


def test_learned_weights_are_measured_beside_even_ones(textclust, shrunk, monkeypatch):
    weights = ("cosine", "cosine, learned", "kl", "kl, learned")
    shrunk("learning", grid(collection=("newsgroups",), weights=weights))
    monkeypatch.setattr(learning, "COUNTS", (20,))
    monkeypatch.setattr(learning, "HMRFKMeans", partial(tc.HMRFKMeans, n_init=1))
    (row,) = rows_of(textclust("reproduce", "learning", "--runs", 1, "--json"))
    assert (row["collection"], row["links"]) == ("newsgroups", 20)
    for column in weights:
        assert 0.3 < float(row[column]) <= 1


def test_questions_are_measured_on_the_half_never_asked_about(textclust, shrunk, monkeypatch):
    shrunk("questions", grid(collection=("newsgroups",), variant=questions.VARIANTS))
    monkeypatch.setattr(questions, "BUDGETS", (10, 60))
    monkeypatch.setattr(questions, "HMRFKMeans", partial(tc.HMRFKMeans, n_init=1))
    rows = rows_of(textclust("reproduce", "questions", "--runs", 1, "--json"))
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

    rng = np.random.default_rng(0)
    X, truth = rng.random((40, 4)), rng.integers(3, size=40)
    asked, scored = np.arange(0, 40, 2), np.arange(1, 40, 2)
    monkeypatch.setattr(questions, "HMRFKMeans", Model)
    monkeypatch.setattr(questions, "GuidedClustering", Model)
    monkeypatch.setattr(questions, "BUDGETS", (10, 60))
    monkeypatch.setattr(questions, "dataset", lambda *_, **__: (X, truth))
    monkeypatch.setattr(questions, "halves", lambda *_: [(asked, scored)])
    for variant in questions.VARIANTS:
        seen.clear()
        assert len(list(questions.unit({"collection": "ours", "variant": variant}, 0))) == 2
        assert all(rows <= set(asked.tolist()) for rows in seen)
        assert max(map(len, seen)) > 15


def test_example_clusters_are_measured_beside_the_paper(textclust, data, shrunk, monkeypatch):
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))
    shrunk("hu2013-table-3", data="seeds")
    rows = {
        row["method"]: row["seeds"]
        for row in rows_of(textclust("reproduce", "hu2013-table-3", "--json"))
    }
    assert float(rows["CLUEDO"]) <= float(rows["CLUE"])
    assert float(rows["true"]) == 3


def test_folders_given_are_measured_on_the_rest(textclust, shrunk):
    shrunk("folders", grid(collection=("newsgroups",), folders=(1,), given=("whole",)))
    rows = rows_of(textclust("reproduce", "folders", "--runs", 1, "--json"))
    found = {row["measure"]: row for row in rows}
    assert 2 <= float(found["clusters"]["CLUEDO"]) <= 5
    assert float(found["NMI"]["CLUEDO"]) > float(found["NMI"]["CLUE"])
