"""On the posts of five newsgroups, the oldest labelled. Needs the 20 Newsgroups archive."""

from __future__ import annotations

import pytest

from textclust.experiments.collections import collection
from textclust.experiments.dated import DEFAULT, PUBLISHED, split_by_date
from textclust.experiments.newer import CHOICES
from textclust.geometry import get
from textclust.methods.semihard import SemiHardSolver
from textclust.metrics import error_rate
from textclust.supervision.background.predicted_labels import predict_labels

AS_PUBLISHED = {"init": "confident", "n_init": 1, "refine": False, "random_state": 0}


def split_of(data, monkeypatch, share, weighting):
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))
    groups = CHOICES["apart"][0].split()
    return split_by_date(collection("20newsgroups"), groups, share, weighting)


def errors(split, labeller, distortion="cosine"):
    """Of a labeller by itself, and of SemiHard that starts from it."""
    said = predict_labels(labeller, split.placed, "auto", get(distortion))
    solver = SemiHardSolver(5, labeller=labeller, distortion=distortion, **AS_PUBLISHED)
    found = solver.solve(split.X, None, split.known)
    return [error_rate(split.truth, labels) for labels in (said.labels, found.labels)]


def test_the_nearest_neighbour_is_of_use_on_text(data, monkeypatch):
    """By the Euclidean distance both errors are 0.60."""
    split = split_of(data, monkeypatch, 10, DEFAULT)
    alone, clustered = errors(split, "nearest")
    assert alone < 0.25
    assert clustered < 0.15
    alone, clustered = errors(split, "nearest", "kl")
    assert alone < 0.25
    assert clustered < 0.15


@pytest.mark.parametrize(
    ("weighting", "share", "most"),
    [
        (DEFAULT, 10, (0.12, 0.05)),
        (DEFAULT, 1, (0.43, 0.06)),
        (PUBLISHED, 10, (0.12, 0.08)),
        (PUBLISHED, 1, (0.43, 0.09)),
    ],
    ids=["TF-IDF, 10%", "TF-IDF, 1%", "counts, 10%", "counts, 1%"],
)
def test_naive_bayes_knows_what_it_says(data, monkeypatch, weighting, share, most):
    """On TF-IDF with the prior of the old posts the errors are 0.16 and 0.66, 0.05 and 0.07.

    The posts that it is confident of are right as often as it says, within a few percent.
    """
    split = split_of(data, monkeypatch, share, weighting)
    alone, clustered = errors(split, "naive-bayes")
    assert alone < most[0]
    assert clustered < most[1]
    predicted = predict_labels("naive-bayes", split.placed, "auto", get("cosine"))
    groups = sorted(CHOICES["apart"][0].split())
    names = [split.background.classes[label] for label in predicted.labels]
    right = [groups[c] == name for c, name in zip(split.truth, names, strict=True)]
    known = predicted.confident.nonzero()[0]
    confidence = predicted.confidences[known].max(axis=1).mean()
    assert sum(right[row] for row in known) / len(known) > confidence - 0.05
