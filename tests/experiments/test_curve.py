"""tc.learning_curve: on documents that no supervision mentions, on any labelled folder."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import ttest_rel

import textclust as tc
from textclust.experiments.halves import folds, random_pairs
from textclust.measures.names import Measure
from textclust.methods import METHODS


@pytest.fixture(scope="module")
def points():
    """Three clouds that overlap."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 30)
    return rng.normal(size=(90, 3)) + 2.2 * np.eye(3)[np.repeat([0, 1, 2], 30)], y


class Spy(tc.KMeans):
    """Remembers the rows that supervision mentions."""

    mentioned: list = []  # noqa: RUF012

    def fit(self, X, y=None, constraints=None):
        links = set() if constraints is None else set(constraints.links.documents.tolist())
        Spy.mentioned.append(links)
        super().fit(X)
        return self


@pytest.mark.parametrize("supervision", ["seeds", "links", "questions"])
def test_no_supervision_mentions_the_documents_that_are_scored(points, supervision):
    X, y = points
    Spy.mentioned = []
    amounts = (0, 0.5) if supervision == "seeds" else (0, 25)
    settings = {"supervision": supervision, "amounts": amounts, "runs": 1, "folds": 3}
    curve = tc.learning_curve(X, y, methods={"spy": Spy(3)}, **settings)
    parts = [set(training.tolist()) for training, _ in folds(90, 3, np.random.default_rng(0))]
    lines = 2 if supervision == "questions" else 1
    for number, rows in enumerate(Spy.mentioned):
        part = parts[number // 2 % 3]
        assert rows <= part
        assert bool(rows) == (number % 2 == 1)
    assert len(curve.rows) == len(Spy.mentioned) == lines * 3 * 2


def test_rows_and_summary_agree_and_more_links_are_the_same_and_more(points):
    X, y = points
    curve = tc.learning_curve(X, y, amounts=(0, 10, 60), runs=2, folds=2)
    assert len(curve.rows) == 2 * 2 * 3
    scores = [row["nmi"] for row in curve.rows if row["amount"] == 60]
    (point,) = [point for point in curve.summary if point["amount"] == 60]
    assert point["mean"] == pytest.approx(np.mean(scores))
    assert point["se"] == pytest.approx(np.std(scores, ddof=1) / 2)
    assert (point["n"], point["line"]) == (4, "hmrf")
    assert {(row["run"], row["fold"]) for row in curve.rows} == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_methods_are_compared_with_the_first_in_the_same_folds(points):
    X, y = points
    methods = {"plain": tc.KMeans(3, n_init=1), "linked": tc.PCKMeans(3, weight="auto")}
    curve = tc.learning_curve(X, y, amounts=(0, 200), runs=2, methods=methods)
    scores = {
        name: [row["nmi"] for row in curve.rows if (row["method"], row["amount"]) == (name, 200)]
        for name in methods
    }
    expected = ttest_rel(scores["linked"], scores["plain"])
    (point,) = [p for p in curve.summary if (p["line"], p["amount"]) == ("linked", 200)]
    assert point["difference"] == pytest.approx(
        np.mean(scores["linked"]) - np.mean(scores["plain"])
    )
    assert (point["t"], point["p"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert [p["p"] for p in curve.summary if p["line"] == "plain"] == ["", ""]
    assert "* differs from plain in the same runs" in curve.table().notes[-1]


def test_chosen_questions_are_compared_with_random_ones(points):
    curve = tc.learning_curve(*points, supervision="questions", amounts=(20,), runs=1)
    assert [point["difference"] == "" for point in curve.summary] == [False, True]


def test_supervision_helps_and_wrong_supervision_does_less(points):
    X, y = points
    settings = {"supervision": "seeds", "amounts": (1.0,), "runs": 2, "folds": 3}
    methods = {"constrained": tc.ConstrainedKMeans(3, distortion="euclidean", init="seeds")}
    right = tc.learning_curve(X, y, methods=methods, **settings).summary[0]["mean"]
    wrong = tc.learning_curve(X, y, methods=methods, wrong=0.66, **settings).summary[0]["mean"]
    assert right > wrong


def test_questions_are_asked_both_ways_and_the_work_can_go_to_other_processes(points):
    curve = tc.learning_curve(*points, supervision="questions", amounts=(5,), runs=1)
    lines = [point["line"] for point in curve.summary]
    assert lines == ["hmrf, chosen", "hmrf, random"]
    unit = pickle.loads(pickle.dumps(curve._made.experiment.unit))
    again = [row["nmi"] for case in curve._made.experiment.cases for row in unit(case, 0)]
    assert again == [row["nmi"] for row in curve.rows]


FITTING = {
    "seeds": [name for name in METHODS if METHODS[name].supervision <= {"seeds", "constraints"}],
    "links": [name for name in METHODS if METHODS[name].supervision <= {"constraints"}],
}


@pytest.mark.parametrize("supervision", list(FITTING))
def test_every_method_that_fits_can_be_named(points, supervision):
    names, amounts = FITTING[supervision], (0.3,) if supervision == "seeds" else (10,)
    settings = {"supervision": supervision, "amounts": amounts, "runs": 1}
    X, y = (part[::3] for part in points)
    curve = tc.learning_curve(X, y, methods=names, **settings)
    assert [point["line"] for point in curve.summary] == names
    assert all(0 <= row["nmi"] <= 1 for row in curve.rows)


@pytest.mark.parametrize("sparse", [False, True])
def test_a_name_is_the_estimator_with_the_usual_settings(points, sparse):
    X, y = points
    X, distortion = (sp.csr_array(np.abs(X)), "cosine") if sparse else (X, "euclidean")
    settings = {"amounts": (20,), "runs": 1}
    by_hand = {"pckmeans": tc.PCKMeans(3, distortion=distortion)}
    named = tc.learning_curve(X, y, methods="pckmeans", **settings)
    assert named.rows == tc.learning_curve(X, y, methods=by_hand, **settings).rows


@pytest.mark.parametrize("measure", list(Measure))
def test_every_measure_of_labels_can_be_taken(points, measure):
    curve = tc.learning_curve(*points, amounts=(0,), runs=1, methods=["kmeans"], measure=measure)
    assert all(0 <= row[measure] <= 1 for row in curve.rows if measure != "adjusted_rand_index")
    assert curve.table().title.startswith(measure)


@pytest.mark.parametrize(
    ("supervision", "name"),
    [("links", "seeded"), ("questions", "clue"), ("seeds", "semihard"), ("links", "luck")],
)
def test_a_method_that_does_not_fit_is_refused(points, supervision, name):
    with pytest.raises(tc.InputError, match=f"{name}.*takes {supervision}; take one of kmeans"):
        tc.learning_curve(*points, supervision=supervision, methods=[name])


def test_a_labelled_folder_is_enough_and_the_curve_can_be_drawn(sample, tmp_path):
    methods = {"plain": tc.SphericalKMeans(3, init="k-means++", n_init=1)}
    curve = tc.learning_curve(sample, amounts=(0,), methods=methods, runs=1)
    assert curve.plot(tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert "svg" in curve.plot(tmp_path / "curve.svg").read_text(encoding="utf-8")
    with pytest.raises(tc.InputError, match=r"\.png, \.svg or \.pdf"):
        curve.plot(tmp_path / "curve.txt")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"supervision": "hope"}, "seeds, links, questions"),
        ({"measure": "luck"}, "nmi"),
        ({"folds": 1}, "folds must be 2"),
        ({"supervision": "seeds", "amounts": (0, 50)}, "shares from 0 to 1"),
        ({"amounts": ()}, "one at least"),
        ({"y": [0, 1]}, "2 classes for 90 rows"),
        ({"y": [0] * 90}, "one class only"),
        ({"y": [None] + [0, 1] * 44 + [1]}, "class of every row must be known"),
        ({"y": [float("nan")] + [0.0, 1.0] * 44 + [1.0]}, "class of every row must be known"),
        ({"folds": 91}, "91 folds cannot be made of 90 documents"),
    ],
)
def test_bad_input_is_reported(points, settings, message):
    X, y = points
    with pytest.raises(tc.InputError, match=message):
        tc.learning_curve(X, **{"y": y, **settings})


def test_documents_without_classes_are_refused():
    documents = tc.Documents.from_texts(["one text", "another text"])
    with pytest.raises(tc.InputError, match="class of every document"):
        tc.learning_curve(documents)


@pytest.mark.parametrize("n", [2, 3, 50])
def test_random_pairs_are_all_pairs_when_as_many_are_wanted(n):
    rng = np.random.default_rng(0)
    pairs = random_pairs(n, 10**6, rng)
    assert len({frozenset(pair) for pair in pairs.tolist()}) == n * (n - 1) // 2 == len(pairs)
    assert pairs.min() == 0
    assert pairs.max() == n - 1
    assert len(random_pairs(n, 1, rng)) == 1
