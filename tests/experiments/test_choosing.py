"""The experiments on the number of clusters and on overlap, briefly."""

from __future__ import annotations

import numpy as np
import pytest

from textclust.experiments import experiment
from textclust.experiments.overlap import _found, _two_nearest


@pytest.mark.parametrize("links", [0, 100])
def test_the_number_of_groups_in_the_sample_is_found(links):
    (row,) = experiment("select-k").unit({"collection": "newsgroups", "links": links}, 0)
    assert row == {"true": 3, "k": 3, "factor": 1.0}


def test_the_second_cluster_goes_to_those_on_the_border():
    near = np.array([[0.9, 0.1, 0.0], [0.5, 0.4, 0.1], [0.0, 0.2, 0.8]])
    found = _two_nearest(near, 1)
    assert found.tolist() == [[True, False, False], [True, True, False], [False, False, True]]
    assert _two_nearest(near, 3).sum(axis=1).tolist() == [2, 2, 2]


def test_both_groups_are_found_in_the_clusters_that_stand_for_them():
    class_of_cluster = [(0,), (0,), (1,), (1,), (0, 1)]
    labels = np.array([1, 1, 0, 0, 1])  # cluster 1 is group 0
    z = np.eye(2, dtype=bool)[labels]
    assert _found(z, labels, class_of_cluster) == {"both": 0.0, "one in several": 0.0}
    z[[0, 4]] = True
    assert _found(z, labels, class_of_cluster) == {"both": 1.0, "one in several": 0.25}
