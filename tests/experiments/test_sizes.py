"""The experiment on sizes of clusters, briefly."""

from __future__ import annotations

import numpy as np

from textclust.experiments import experiment
from textclust.experiments.sizes import SHARES, unequal


def test_every_bound_is_measured():
    case = {"collection": "newsgroups", "classes": "unequal"}
    rows = list(experiment("sizes").unit(case, 0))
    assert [row["min_size"] for row in rows] == list(SHARES)
    assert rows[0]["too small"] == 0.0
    assert all(0 <= row["NMI"] <= 1 for row in rows)


def test_unequal_classes_have_from_all_documents_to_a_fifth():
    truth = np.repeat([0, 1, 2], 50)
    rows = unequal(truth, np.random.default_rng(0))
    assert sorted(np.bincount(truth[rows]).tolist()) == [10, 30, 50]
