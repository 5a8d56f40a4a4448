"""Cohen's kappa and its error: worked examples, scikit-learn, a slow reference, promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import assume, given
from hypothesis import strategies as st

from textclust import metrics
from textclust.errors import InputError

LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=60)


def of_table(table):
    """Two lists of labels that have this table."""
    pairs = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return tuple(zip(*pairs, strict=True))


def slow_error(table):
    """By the delta method, with the derivatives of kappa taken as differences."""
    table = np.array(table, dtype=float)
    n, p = table.sum(), table.ravel() / table.sum()

    def kappa(cells):
        shares = cells.reshape(table.shape) / cells.sum()
        chance = shares.sum(1) @ shares.sum(0)
        return (np.trace(shares) - chance) / (1 - chance)

    step = 1e-6
    slopes = np.array(
        [(kappa(p + step * e) - kappa(p - step * e)) / (2 * step) for e in np.eye(p.size)]
    )
    return math.sqrt(max(0.0, slopes @ (np.diag(p) - np.outer(p, p)) @ slopes) / n)


def test_by_hand():
    """po = 35/50 and pe = (25 x 30 + 25 x 20) / 50^2 = 1/2, so kappa = 0.4."""
    one, other = of_table([[20, 5], [10, 15]])
    assert metrics.cohen_kappa(one, other) == pytest.approx(0.4)


def test_the_error_by_hand():
    """Of 4, 1 in each cell: po = pe = 1/2, kappa 0.

    Each of the cells in the diagonal gives 1/4 (1/2 - 1/2)^2 = 0, each other 1/4 (1/2)^2 = 1/16,
    and (po pe - 2 pe + po)^2 = 1/16: (2/16 - 1/16) / (4 / 16) = 1/4.
    """
    one, other = of_table([[1, 1], [1, 1]])
    assert metrics.cohen_kappa(one, other) == 0
    assert metrics.cohen_kappa_error(one, other) == pytest.approx(math.sqrt(1 / 4))


def test_a_table_of_three_labels():
    """Fleiss, Levin and Paik 2003, table 18.1: kappa 0.68 with an error of 0.087."""
    one, other = of_table([[75, 1, 4], [5, 4, 1], [0, 0, 10]])
    assert metrics.cohen_kappa(one, other) == pytest.approx(0.676, abs=5e-4)
    assert metrics.cohen_kappa_error(one, other) == pytest.approx(0.087, abs=1e-3)


@given(LABELS)
def test_it_is_that_of_scikit_learn(pairs):
    one, other = zip(*pairs, strict=True)
    assume(len({*one, *other}) > 1)
    expected = sklearn.metrics.cohen_kappa_score(one, other)
    assert metrics.cohen_kappa(one, other) == pytest.approx(expected, abs=1e-12)


@given(LABELS)
def test_the_error_is_that_of_the_delta_method(pairs):
    one, other = zip(*pairs, strict=True)
    assume(len({*one, *other}) > 1)
    table = np.zeros((4, 4))
    np.add.at(table, (list(one), list(other)), 1)
    assume(table.sum(1) @ table.sum(0) < 0.95 * table.sum() ** 2)  # differences are too rough there
    # near 0 the difference of two equal numbers is left of it
    assert metrics.cohen_kappa_error(one, other) == pytest.approx(
        slow_error(table), rel=1e-4, abs=1e-6
    )


@given(LABELS)
def test_it_is_symmetric_and_knows_perfect_agreement(pairs):
    one, other = zip(*pairs, strict=True)
    found = metrics.cohen_kappa(one, other)
    assert found == pytest.approx(metrics.cohen_kappa(other, one), nan_ok=True)
    assert math.isnan(found) or found <= 1 + 1e-12
    if len(set(one)) > 1:
        assert metrics.cohen_kappa(one, one) == pytest.approx(1)
        assert metrics.cohen_kappa_error(one, one) == pytest.approx(0, abs=1e-6)


def test_chance_alone_is_about_nothing():
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 3, (2, 2_000))
    assert abs(metrics.cohen_kappa(one, other)) < 3 * metrics.cohen_kappa_error(one, other)


def test_one_label_for_all_says_nothing():
    assert math.isnan(metrics.cohen_kappa(["a", "a"], ["a", "a"]))
    assert math.isnan(metrics.cohen_kappa_error(["a", "a"], ["a", "a"]))
    assert metrics.cohen_kappa(["a", "a"], ["b", "b"]) == 0  # and names matter


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (["a"], ["a", "b"], "one has 1 labels, other has 2"),
        ([], [], "one has no labels"),
        (["a", None], ["a", "b"], "one: the document at position 1 has no label"),
        ("ab", ["a", "b"], "one is a str"),
    ],
)
def test_what_cannot_be_compared(one, other, said):
    with pytest.raises(InputError, match=said):
        metrics.cohen_kappa(one, other)
