"""Supervision beside classifiers, and clusters under the names of classes: briefly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from textclust.experiments import experiment, newer, noise, questions, supervision
from textclust.experiments.as_named import error_as_named
from textclust.experiments.classifiers import CLASSIFIERS
from textclust.experiments.runner import perform
from textclust.experiments.supervision import named_documents


@pytest.fixture
def tiny(monkeypatch):
    """Two documents of each group of the sample are named, and a dozen."""
    monkeypatch.setitem(supervision.NAMED, "newsgroups", (2, 12))


@pytest.mark.parametrize("method", supervision.METHODS)
def test_every_method_is_scored_on_what_is_not_named(method, tiny):
    rows = list(supervision.unit({"collection": "newsgroups", "method": method}, 0))
    assert [row["named"] for row in rows] == [2, 12]
    assert rows[1]["accuracy"] > 0.5
    assert all(0 <= row["NMI"] <= 1 for row in rows)


def test_the_table_has_a_column_for_each_method(tiny):
    each = experiment("supervision")
    methods = ("GuidedClustering", "LinearSVC")
    cases = [{"collection": "newsgroups", "method": method} for method in methods]
    made = perform(replace(each, cases=tuple(cases)), runs=2)
    assert made.table().header == ("collection", "named", "measure", *methods)
    assert {cell.n for cell in made.cells} == {2}


def test_named_documents_are_the_same_for_all_methods_and_at_most_half_of_a_class():
    truth = np.repeat([0, 1, 2], [5, 40, 100])
    y = named_documents(truth, 30, np.random.default_rng(0))
    assert np.bincount(y[y >= 0]).tolist() == [2, 20, 30]
    assert (y == truth)[y >= 0].all()
    assert y.tolist() == named_documents(truth, 30, np.random.default_rng(0)).tolist()


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_classifiers_tell_apart_what_is_apart(classifier):
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 3
    X = 0.1 * rng.random((60, 6)) + np.eye(3, 6)[truth]
    y = np.where(np.arange(60) < 30, truth, -1)
    assert (CLASSIFIERS[classifier](X, y, 0) == truth).all()


def test_on_the_largest_what_is_slow_is_left_out():
    cases = experiment("supervision").cases
    largest = [case for case in cases if case["collection"] == supervision.LARGEST]
    assert {case["runs"] for case in largest} == {3}
    assert not {"LabelSpreading", "SelfTraining"} & {case["method"] for case in largest}


def test_errors_are_by_the_name_of_a_cluster():
    truth = np.array([0, 0, 1, 1])
    assert error_as_named(truth, truth, [0, 1]) == 0
    assert error_as_named(truth, 1 - truth, [0, 1]) == 1
    assert error_as_named(truth, np.array([0, 0, 0, 1]), [0, 1]) == 0.25


def test_new_clusters_are_matched_with_classes_that_no_cluster_is_named_with():
    truth = np.array([0, 0, 1, 1, 2, 2])
    labels = np.array([0, 0, 2, 2, 1, 1])
    assert error_as_named(truth, labels, [0, -1, -1]) == 0
    assert error_as_named(truth, labels, [1, -1, -1]) == pytest.approx(4 / 6)
    assert error_as_named(truth, np.zeros(6, dtype=int), [0]) == pytest.approx(4 / 6)


def test_links_and_questions_have_a_line_with_the_default():
    assert {"guided"} <= {case["variant"] for case in experiment("noise").cases}
    larger = [c for c in experiment("questions").cases if c["collection"] in questions.LARGER]
    assert {case["variant"] for case in larger} == set(questions.VARIANTS)
    assert questions._budgets(questions.LARGER[0]) == (50, 100, 200)


def test_sets_and_wrong_answers_are_measured_on_the_small_collections(monkeypatch):
    small = [c for c in experiment("questions").cases if c["collection"] in questions.COLLECTIONS]
    assert {case["variant"] for case in small} == set(questions.EVERY_VARIANT)
    monkeypatch.setattr(questions, "BUDGETS", (10, 20))
    for variant in (
        "guided, sets",
        "guided, sets, 20% wrong, rate known",
        "guided, 10% wrong, rate estimated",
    ):
        rows = list(questions.unit({"collection": "newsgroups", "variant": variant}, 0))
        assert [row["questions"] for row in rows] == [10, 20, 10, 20]
        assert all(row["NMI"] > 0.3 for row in rows)


def test_wrong_links_are_measured_with_the_default_too(monkeypatch):
    monkeypatch.setattr(noise, "WRONG", (0.0, 0.2))
    rows = list(noise.unit({"collection": "newsgroups", "links": 60, "variant": "guided"}, 0))
    assert [row["wrong"] for row in rows] == [0.0, 0.0, 0.2, 0.2]
    assert all(row["NMI"] > 0.3 for row in rows)


def test_newer_posts_have_both_errors(data, monkeypatch):
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))
    rows = {row["method"]: row for row in newer.unit({"kind": "akin", "share": 1, "choice": 1}, 0)}
    for method in ("SemiHard", "GuidedClustering", "LinearSVC", "naive Bayes"):
        assert rows[method]["error rate"] <= rows[method]["error as named"] + 1e-9
    assert "error as named" not in rows["k-means"]
