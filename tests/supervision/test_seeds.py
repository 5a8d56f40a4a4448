"""Seeds beside classes that are known already."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.errors import InputError
from textclust.supervision.seeds import Seeds

KNOWN = ["sport", "art"]


def test_seeds_of_the_same_name_join_and_new_names_follow_in_their_order():
    seeds = Seeds.beside(["zoo", None, "art", "law", None], 5, 5, KNOWN)
    assert seeds.documents.tolist() == [0, 2, 3]
    assert seeds.labels.tolist() == [3, 1, 2]
    assert seeds.classes == ("sport", "art", "law", "zoo", None)


def test_classes_by_number_have_the_names_they_are_given():
    seeds = Seeds.beside([1, -1, 0], 3, 3, KNOWN, names=("law", "sport"))
    assert seeds.labels.tolist() == [0, 2]
    assert seeds.classes == ("sport", "art", "law")


@pytest.mark.parametrize("y", [[7, -1, 3, 7], [700, -1, 3, 700]])
def test_numbers_without_names_are_called_as_they_are(y):
    seeds = Seeds.beside(y, 4, 3, ["3"])
    assert seeds.labels.tolist() == [1, 0, 1]
    assert seeds.classes == ("3", str(y[0]), None)


def test_without_seeds_the_known_classes_come_first():
    seeds = Seeds.beside(None, 4, 3, KNOWN)
    assert len(seeds) == 0
    assert seeds.classes == ("sport", "art", None)


def test_more_classes_than_clusters_are_reported():
    message = "3 classes among the seeds and the background, but n_clusters=2; use more clusters"
    with pytest.raises(InputError, match=message):
        Seeds.beside(["law", None], 2, 2, KNOWN)


def test_a_label_for_each_document_is_asked_for():
    with pytest.raises(InputError, match="one label for each of 3 documents"):
        Seeds.beside(["law"], 3, 4, KNOWN)


@given(
    y=st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=8),
    known=st.lists(st.sampled_from(["a", "b", "d"]), unique=True),
)
def test_every_seed_is_in_the_cluster_of_its_class(y, known):
    seeds = Seeds.beside(y, len(y), 6, known)
    assert list(seeds.classes[: len(known)]) == known
    called = [seeds.classes[label] for label in seeds.labels]
    assert called == [y[row] for row in seeds.documents]
    assert seeds.documents.tolist() == [row for row, name in enumerate(y) if name is not None]
    named = [name for name in seeds.classes if name is not None]
    assert len(set(named)) == len(named)


def test_a_seed_is_free_to_be_in_its_own_cluster_alone():
    unary = Seeds.of(["b", None, "a"], 3, 3).clamps(3)
    inf = np.inf
    assert unary.documents.tolist() == [0, 2]
    assert unary.costs.tolist() == [[inf, 0.0, inf], [0.0, inf, inf]]
    assert Seeds.of(None, 3, 3).clamps(3) is None
