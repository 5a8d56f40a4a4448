"""The weight of vectors: by what terms and vectors of different halves agree on."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from textclust.geometry.blocks import beside_terms
from textclust.geometry.cosine import Cosine
from textclust.model_selection.vector_weight import (
    UNTRIED,
    WeightRow,
    _chosen,
    choose_weight,
)
from textclust.supervision.constraints import Constraints

K = 3
TRUTH = np.arange(240) % K
SOME = (0.0, 0.05, 0.3, 1.0)


def terms(words, seed=0):
    """So many words of its class in each document, and as many of any class."""
    rng = np.random.default_rng(seed)
    X = np.zeros((len(TRUTH), 150))
    for row, label in enumerate(TRUTH):
        X[row, rng.choice(np.arange(50) * K + label, words)] = 1.0
        X[row, rng.choice(150, 4)] = 1.0
    return sp.csr_array(X)


def vectors(spread, seed=1):
    """Around the corner of the class, this far."""
    rng = np.random.default_rng(seed)
    return (np.eye(K)[TRUTH] + rng.normal(0.0, spread, (len(TRUTH), K))).astype(np.float32)


def test_terms_that_say_enough_are_left_alone():
    assert choose_weight(terms(12), vectors(0.4), K, weights=SOME).weight <= 0.05


def test_vectors_count_where_terms_say_little():
    found = choose_weight(terms(1), vectors(0.2), K, weights=SOME)

    by_weight = {row.weight: row.agreement for row in found.table}
    assert found.weight > 0.0
    assert by_weight[found.weight] > by_weight[0.0] + 0.1
    assert "terms alone at" in found.reason


def test_vectors_that_say_nothing_do_not_take_over():
    noise = np.random.default_rng(2).normal(size=(len(TRUTH), 8)).astype(np.float32)
    found = choose_weight(terms(12), noise, K, weights=SOME)

    assert found.weight <= 0.15


def test_vectors_of_something_else_are_outvoted_by_links():
    other = np.random.default_rng(3).permutation(TRUTH)
    wrong = (np.eye(K)[other] * 2 + 0.01).astype(np.float32)
    X = terms(5)
    pairs = np.random.default_rng(4).integers(len(TRUTH), size=(300, 2))
    alike = TRUTH[pairs[:, 0]] == TRUTH[pairs[:, 1]]
    links = Constraints(pairs[alike & (pairs[:, 0] != pairs[:, 1])], pairs[~alike])
    found = choose_weight(X, wrong, K, links, weights=SOME)

    kept = {row.weight: row.links_kept for row in found.table}
    assert kept[found.weight] > kept[1.0]
    assert found.weight <= 0.3
    assert "keep what is given" in found.reason


def row(weight, agreement, kept=None, kept_error=None):
    return WeightRow(weight, agreement, kept, kept_error)


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        ([row(0.0, 0.7), row(0.5, 0.71), row(1.0, 0.6)], 0.0),  # as good as the best
        ([row(0.0, 0.5), row(0.2, 0.69), row(0.5, 0.7)], 0.2),
        ([row(0.0, 0.9, 0.5, 0.1), row(0.5, 0.7, 0.8, 0.1)], 0.5),  # links decide
        ([row(0.0, 0.9, 0.7, 0.2), row(0.5, 0.7, 0.8, 0.2)], 0.0),  # by chance alone they would
    ],
)
def test_the_least_weight_among_those_that_do_as_well(rows, chosen):
    assert _chosen(rows) == chosen


def test_too_few_documents_to_try():
    found = choose_weight(terms(3)[:8], vectors(0.2)[:8], K)

    assert found.weight == UNTRIED
    assert found.table == ()
    assert "too few documents" in found.reason


def test_it_does_not_depend_on_threads_or_on_which_weights_are_tried():
    X, Z = terms(2), vectors(0.3)
    one = choose_weight(X, Z, K, weights=(0.05, 0.2), n_jobs=1)
    two = choose_weight(X, Z, K, weights=(0.05, 0.2), n_jobs=2)
    some = choose_weight(X, Z, K, weights=(0.2,))

    assert one == two
    assert set(some.table) <= set(one.table)


def test_documents_without_terms_or_vector_are_left_out():
    X, Z = terms(2), vectors(0.3)
    empty = np.arange(0, len(TRUTH), 5)
    full = X.toarray()
    full[empty] = 0.0
    Z[empty + 1] = 0.0
    found = choose_weight(sp.csr_array(full), Z, K, weights=SOME)

    assert all(np.isfinite(row.agreement) for row in found.table)


def test_seeds_tell_by_their_neighbours():
    """Against each seed left out, class by class, in whole rows."""
    X, Z = terms(3), vectors(0.5)
    y = np.where(np.arange(len(TRUTH)) < 40, TRUTH, -1)
    seeds = np.flatnonzero(y >= 0)
    found = choose_weight(X, Z, K, y=y, weights=(0.1, 0.5))

    for each in found.table:
        rows = Cosine().prepare(beside_terms(X, Z, each.weight)).toarray()
        right = []
        for i in seeds:
            others = [
                rows[[j for j in seeds if y[j] == h and j != i]].sum(axis=0) for h in range(K)
            ]
            near = [other @ rows[i] / np.linalg.norm(other) for other in others]
            right.append(int(np.argmax(near)) == y[i])
        assert each.seeds_right == pytest.approx(np.mean(right))
    assert "the other seeds predict the class of" in found.reason


def test_one_seed_of_each_class_tells_nothing():
    y = np.full(len(TRUTH), -1)
    y[:3] = TRUTH[:3]

    assert (
        choose_weight(terms(3), vectors(0.3), K, y=y, weights=(0.1,)).table[0].seeds_right is None
    )


def test_the_middle_of_the_weights_by_which_seeds_are_told_best():
    rows = [
        WeightRow(w, 0.0, seeds_right=r) for w, r in ((0, 0.5), (0.1, 0.9), (0.2, 0.9), (1, 0.9))
    ]

    assert _chosen(rows) == 0.2
