"""select_k as a whole."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import textclust as tc
from textclust.errors import InputError
from textclust.model_selection.numbers import default_range


def topics(n=40, k=4, words=40, seed=0):
    """Documents of k topics: most words of each are its own."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), n)
    table = rng.poisson(0.05, (n * k, words * k))
    for row, topic in enumerate(y):
        table[row, topic * words : (topic + 1) * words] += rng.poisson(0.5, words)
    return sp.csr_array(table.astype(float)), y


@pytest.fixture(scope="module")
def chosen():
    X, _ = topics()
    return tc.select_k(X, range(2, 7))


def test_the_topics_of_texts_are_counted(chosen):
    assert chosen.k == 4
    assert chosen.picks["stability"] == 4
    assert [row.k for row in chosen.table] == [2, 3, 4, 5, 6]


def test_the_answer_is_plain_data_too(chosen):
    content = chosen.to_dict()
    assert content["k"] == 4
    assert content["table"][0].keys() >= {"k", "bic", "mdl", "mml", "gap", "stability"}
    assert "links_kept" not in content["table"][0]
    assert content["default_range"] == [2, 20]
    assert "only 2 to 6 looked at, the default is 2 to 20" in content["reason"]
    assert repr(chosen) == "Selection(k=4, of 2 to 6)"


def test_the_same_seed_says_the_same_whatever_the_threads(chosen):
    X, _ = topics()
    assert tc.select_k(X, range(2, 7), n_jobs=1).table == chosen.table


def test_a_row_does_not_depend_on_the_other_numbers(chosen):
    X, _ = topics()
    assert tc.select_k(X, [3, 5]).table == (chosen.table[1], chosen.table[3])


def test_by_default_2_to_20_are_looked_at(chosen):
    X, _ = topics()
    found = tc.select_k(X)
    assert [row.k for row in found.table] == list(range(2, 21))
    assert found.k == 4
    assert found.table[:5] == chosen.table
    assert "looked at" not in found.reason


@pytest.mark.parametrize(
    ("n", "classes", "ends"),
    [
        (1, 0, (1, 1)),
        (2, 0, (2, 2)),
        (14, 0, (2, 2)),
        (15, 0, (2, 3)),
        (99, 0, (2, 19)),
        (100, 0, (2, 20)),
        (10_000, 0, (2, 20)),
        (15, 3, (3, 3)),
        (15, 7, (7, 7)),
        (10_000, 30, (30, 30)),
    ],
)
def test_the_default_range_has_five_documents_a_cluster_and_a_cluster_a_class(n, classes, ends):
    found = default_range(n, classes)
    assert (found[0], found[-1]) == ends


def test_there_is_a_cluster_for_each_class_of_y():
    X, y = topics()
    assert tc.select_k(X, y=np.where(np.arange(len(y)) % 9, -1, y)).table[0].k == 4
    with pytest.raises(InputError, match="3 clusters cannot hold the 4 classes"):
        tc.select_k(X, range(3, 6), y=y)


def test_documents_without_terms_do_not_count_towards_the_default_range():
    X, _ = topics(n=4)
    with_zeros = sp.vstack([sp.csr_array((50, X.shape[1])), X], format="csr")
    assert [row.k for row in tc.select_k(with_zeros).table] == [2, 3]


def test_dense_texts_and_rows_of_zeros_are_taken(chosen):
    X, _ = topics()
    with_zeros = sp.vstack([sp.csr_array((2, X.shape[1])), X], format="csr")
    assert tc.select_k(with_zeros, range(3, 6)).k == 4
    assert tc.select_k(X.toarray(), range(3, 6)).k == 4


def test_links_are_heard_and_those_of_empty_documents_left_out():
    X, y = topics()
    pairs = np.random.default_rng(0).integers(len(y), size=(120, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = y[pairs[:, 0]] == y[pairs[:, 1]]
    pairs = pairs + 1  # an empty document comes first
    links = tc.Constraints([*map(tuple, pairs[same].tolist()), (0, 1)], pairs[~same].tolist())
    X = sp.vstack([sp.csr_array((1, X.shape[1])), X], format="csr")
    found = tc.select_k(X, range(3, 6), links)
    assert found.k == found.picks["links"] == 4
    assert found.table[1].links_kept == 1.0
    assert "100% of the links kept" in found.reason


@pytest.mark.parametrize("file", ["k.png", "k.svg"])
def test_the_evidence_can_be_drawn(chosen, tmp_path, file):
    pytest.importorskip("matplotlib")
    assert chosen.plot(tmp_path / file).stat().st_size > 1000


@pytest.mark.parametrize(
    ("X", "numbers", "more", "message"),
    [
        (np.eye(4), [], {}, "k_range must be whole numbers"),
        (np.eye(4), [0, 2], {}, "at least 1"),
        (np.eye(4), [2, 5], {}, "5 clusters cannot be made of 4 documents"),
        (np.eye(4), [2], {"distortion": "kl"}, "distortion must be 'cosine' or 'euclidean'"),
        (np.zeros((4, 2)), [2], {}, "0 documents have any term"),
        (np.array([["a"]]), [1], {}, "table of numbers"),
        (np.eye(4), [2], {"constraints": [(0, 1)]}, "constraints must be textclust.Constraints"),
    ],
)
def test_a_bad_input_is_named(X, numbers, more, message):
    with pytest.raises(InputError, match=message):
        tc.select_k(X, numbers, **more)


def test_a_picture_of_no_known_kind_is_refused(chosen, tmp_path):
    with pytest.raises(InputError, match=r"k.txt: a picture is one of .png"):
        chosen.plot(tmp_path / "k.txt")


def test_what_cannot_be_told_apart_is_one_cluster():
    """Identical rows, however they are split, are never two clusters that come back."""
    found = tc.select_k(np.ones((12, 3)), [1, 2, 3])
    assert found.k == 1
    assert [row.stability for row in found.table] == [None, 0.0, 0.0]


def test_rows_that_share_nothing_are_in_no_stable_number_of_clusters():
    found = tc.select_k(sp.csr_array(np.eye(6, 200)), range(2, 6))
    assert "no number has a stability of 0.5 or more" in found.reason
