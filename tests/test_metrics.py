"""The measures of agreement: worked examples, slow references, promises."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, log

import numpy as np
import pytest
import sklearn.metrics.cluster
from hypothesis import given, settings
from hypothesis import strategies as st

from textclust import metrics
from textclust.errors import InputError

Measure = Callable[..., float]

SYMMETRIC = [
    metrics.adjusted_rand_index,
    metrics.complemented_entropy,
    metrics.error_rate,
    metrics.nmi,
    metrics.pairwise_f1,
    metrics.rand_index,
]
WITH_TRUTH = [
    *SYMMETRIC,
    metrics.pairwise_precision,
    metrics.pairwise_recall,
    metrics.weighted_rand_index,
]
every_measure = pytest.mark.parametrize("measure", WITH_TRUTH, ids=lambda f: f.__name__)
symmetric_measure = pytest.mark.parametrize("measure", SYMMETRIC, ids=lambda f: f.__name__)
# The first call of error_rate imports scipy, which takes longer than a deadline allows.
quick = settings(deadline=None, max_examples=40)

label_pairs = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=14
).map(lambda rows: tuple(map(list, zip(*rows, strict=True))))


def labels_of(clusters: Sequence[str]) -> list[int]:
    """['ab', 'c'] -> the cluster numbers of a, b, c, in alphabetical order."""
    number = {document: i for i, cluster in enumerate(clusters) for document in cluster}
    return [number[document] for document in sorted(number)]


# --- The worked examples of Hu et al. 2013, section 3.2

SHIFTED_TRUTH = labels_of(["ja", "bc", "de", "fg", "hi"])
SHIFTED_PREDICTED = labels_of(["ab", "cd", "ef", "gh", "ij"])


def growing(m: int) -> tuple[list[str], list[int]]:
    """T = {a}, {b}, {c}, {d, e, f, ...} and P = {a, b, c}, {d, e, f, ...}: last of size m."""
    return ["a", "b", "c"] + ["d"] * m, [0, 0, 0] + [1] * m


def test_rand_index_of_the_paper_flatters_a_bad_clustering() -> None:
    expected = 35 / 45

    assert expected == metrics.rand_index(SHIFTED_TRUTH, SHIFTED_PREDICTED)


def test_weighted_rand_index_of_the_paper() -> None:
    expected = 0.4375  # 1/2 * 0/5 + 1/2 * 35/40

    assert expected == metrics.weighted_rand_index(SHIFTED_TRUTH, SHIFTED_PREDICTED)


def test_nmi_of_the_paper_by_hand() -> None:
    # P follows from T, so I(P; T) = H(P) = log 2; H(T) = 3/6 log 6 + 1/2 log 2.
    h_predicted, h_truth = log(2), log(6) / 2 + log(2) / 2
    expected = 2 * h_predicted / (h_predicted + h_truth)

    assert metrics.nmi(*growing(3)) == pytest.approx(expected)


@pytest.mark.parametrize("m", [1, 3, 30, 3000])
def test_complemented_entropy_ignores_the_size_of_a_cluster(m: int) -> None:
    # k = 2, l = 4. Ht = log 3 + 0 of at most 2 log 4; Hp = 0.
    expected = 1 - log(3) / (2 * log(4)) / 2

    assert expected == pytest.approx(0.80188, abs=5e-6)
    assert metrics.complemented_entropy(*growing(m)) == pytest.approx(expected)


def test_nmi_rises_where_the_last_cluster_grows() -> None:
    scores = [metrics.nmi(*growing(m)) for m in (3, 30, 3000)]

    assert scores == sorted(scores)
    assert scores[-1] - scores[0] > 0.05


# --- Other cases worked by hand

# Classes of 4 and 2, clusters {a, a, a}, {a, b, b}; 15 pairs: together 3 + 1 = 4,
# mixed (a with b in the second cluster) 2, split (the fourth a) 3, apart 6.
TRUTH, PREDICTED = list("aaaabb"), [0, 0, 0, 1, 1, 1]


def test_pairwise_measures_by_hand() -> None:
    assert metrics.pairwise_precision(TRUTH, PREDICTED) == 4 / 6
    assert metrics.pairwise_recall(TRUTH, PREDICTED) == 4 / 7
    assert metrics.pairwise_f1(TRUTH, PREDICTED) == 8 / 13
    assert metrics.rand_index(TRUTH, PREDICTED) == 10 / 15
    assert metrics.weighted_rand_index(TRUTH, PREDICTED) == pytest.approx((4 / 7 + 6 / 8) / 2)


def test_adjusted_rand_index_by_hand() -> None:
    # 7 pairs together in truth, 6 in predicted: 7 * 6 / 15 = 2.8 expected in both, 4 found.
    expected = (4 - 2.8) / ((7 + 6) / 2 - 2.8)

    assert metrics.adjusted_rand_index(TRUTH, PREDICTED) == pytest.approx(expected)


def test_error_rate_by_hand() -> None:
    assert metrics.error_rate(TRUTH, PREDICTED) == 1 / 6


def test_error_rate_needs_the_best_matching_not_the_greedy_one() -> None:
    # Counts [[5, 4], [4, 0]]: greedy takes 5 + 0, the best matching 4 + 4.
    truth = ["a"] * 9 + ["b"] * 4
    predicted = [0] * 5 + [1] * 4 + [0] * 4

    assert metrics.error_rate(truth, predicted) == 5 / 13


def test_error_rate_counts_surplus_clusters_as_wrong() -> None:
    assert metrics.error_rate(list("aaaa"), [0, 0, 0, 1]) == 1 / 4
    assert metrics.error_rate(list("aabb"), [0, 0, 1, 2]) == 1 / 4
    assert metrics.error_rate(range(10), [0] * 10) == 9 / 10


def test_complemented_entropy_by_hand() -> None:
    # Cluster 0 is pure, cluster 1 is 1:2; class a is 3:1, class b is whole; k = l = 2.
    ht = -(log(1 / 3) / 3 + log(2 / 3) * 2 / 3)
    hp = -(log(3 / 4) * 3 / 4 + log(1 / 4) / 4)
    expected = 1 - (ht + hp) / (2 * log(2)) / 2

    assert metrics.complemented_entropy(TRUTH, PREDICTED) == pytest.approx(expected)


def test_complemented_entropy_is_zero_where_clusters_say_nothing_of_classes() -> None:
    truth, predicted = zip(*[(t, p) for t in range(3) for p in range(3)], strict=True)

    assert metrics.complemented_entropy(truth, predicted) == pytest.approx(0, abs=1e-12)
    assert metrics.complemented_entropy(truth, predicted) >= 0


def test_complemented_entropy_of_a_single_cluster_or_class() -> None:
    # One cluster: Hp is 0 of 0 and drops out; Ht = log 2 of log 2.
    assert metrics.complemented_entropy(list("aabb"), [0, 0, 0, 0]) == 0.5
    assert metrics.complemented_entropy(list("aaaa"), [0, 0, 1, 1]) == 0.5
    assert metrics.complemented_entropy(list("aaaa"), [0, 0, 0, 0]) == 1


def test_pairwise_measures_without_pairs_count_as_fulfilled() -> None:
    singletons, together = [0, 1, 2], [0, 0, 0]

    assert metrics.pairwise_precision(together, singletons) == 1
    assert metrics.pairwise_recall(together, singletons) == 0
    assert metrics.pairwise_f1(together, singletons) == 0
    assert metrics.pairwise_precision(singletons, together) == 0
    assert metrics.pairwise_recall(singletons, together) == 1
    assert metrics.pairwise_f1(singletons, singletons) == 1


def test_weighted_rand_index_without_pairs_of_one_kind() -> None:
    # No pair is together in truth: that half is 1. Of three pairs, two are parted.
    assert metrics.weighted_rand_index([0, 1, 2], [0, 0, 1]) == pytest.approx((1 + 2 / 3) / 2)
    # No pair is apart in truth: one of three is joined, the other half is 1.
    assert metrics.weighted_rand_index([0, 0, 0], [0, 0, 1]) == pytest.approx((1 / 3 + 1) / 2)


# --- CORI


def test_cori_is_half_at_both_ends_of_a_dendrogram() -> None:
    examples = [[0, 1, 2], [5, 6]]

    assert metrics.cori(range(9), examples) == 0.5
    assert metrics.cori([0] * 9, examples) == 0.5


def test_cori_is_one_where_every_example_is_a_cluster() -> None:
    assert metrics.cori([7, 7, 7, 1, 2, 3, 3, 1, 1], [[0, 1, 2], [6, 5]]) == 1


def test_cori_by_hand() -> None:
    # Example {0, 1, 2} of 5 rows: 3 must-links, one kept; 3 * 2 cannot-links, 2-3 broken.
    assert metrics.cori(list("xxyyz"), [[0, 1, 2]]) == pytest.approx((1 / 3 + 5 / 6) / 2)


def test_cori_counts_a_pair_between_two_examples_once() -> None:
    # Must-links 0-1 (kept), 2-3 (broken). Cannot-links: 4 between, 4 * 1 to row 4; 0-2 and
    # 1-2 are broken.
    assert metrics.cori(list("xxxyz"), [[0, 1], [2, 3]]) == pytest.approx((1 / 2 + 6 / 8) / 2)


def test_cori_without_links_of_one_kind() -> None:
    assert metrics.cori([0, 1, 1], [[0]]) == 1  # no must-link
    assert metrics.cori([0, 0, 1], [[2], []]) == 1
    assert metrics.cori([0, 0, 1], [[0, 1, 2]]) == pytest.approx((1 / 3 + 1) / 2)  # no cannot-link
    assert metrics.cori([0, 0, 1], []) == 1  # neither


def test_cori_takes_arrays_sets_and_repeated_rows() -> None:
    expected = metrics.cori(list("xxyyz"), [[0, 1, 2]])

    assert expected == metrics.cori(np.array(list("xxyyz")), [np.array([2, 0, 1], np.int32)])
    assert expected == metrics.cori(list("xxyyz"), ({0, 1, 2},))
    assert expected == metrics.cori(list("xxyyz"), [[0, 1, 2, 2, 0]])
    assert expected == metrics.cori(list("xxyyz"), iter([iter([0, 1, 2])]))


# --- Slow references, pair by pair


class SlowPairs:
    def __init__(self, truth: Sequence[int], predicted: Sequence[int]) -> None:
        kinds = Counter(
            (truth[i] == truth[j], predicted[i] == predicted[j])
            for i, j in combinations(range(len(truth)), 2)
        )
        self.together, self.apart = kinds[True, True], kinds[False, False]
        self.mixed, self.split = kinds[False, True], kinds[True, False]


def share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(1)


def slow_rand_index(truth: list[int], predicted: list[int]) -> Fraction:
    pairs = SlowPairs(truth, predicted)
    return share(pairs.together + pairs.apart, comb(len(truth), 2))


def slow_adjusted_rand_index(truth: list[int], predicted: list[int]) -> Fraction:
    pairs = SlowPairs(truth, predicted)
    in_truth, in_predicted = pairs.together + pairs.split, pairs.together + pairs.mixed
    if pairs.mixed == pairs.split == 0:
        return Fraction(1)
    chance = Fraction(in_truth * in_predicted, comb(len(truth), 2))
    return (pairs.together - chance) / (Fraction(in_truth + in_predicted, 2) - chance)


def slow_weighted_rand_index(truth: list[int], predicted: list[int]) -> Fraction:
    pairs = SlowPairs(truth, predicted)
    joined = share(pairs.together, pairs.together + pairs.split)
    return (joined + share(pairs.apart, pairs.apart + pairs.mixed)) / 2


def slow_pairwise_precision(truth: list[int], predicted: list[int]) -> Fraction:
    pairs = SlowPairs(truth, predicted)
    return share(pairs.together, pairs.together + pairs.mixed)


def slow_pairwise_recall(truth: list[int], predicted: list[int]) -> Fraction:
    return slow_pairwise_precision(predicted, truth)


def slow_pairwise_f1(truth: list[int], predicted: list[int]) -> Fraction:
    precision = slow_pairwise_precision(truth, predicted)
    recall = slow_pairwise_recall(truth, predicted)
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def slow_error_rate(truth: list[int], predicted: list[int]) -> Fraction:
    size = max(len(set(truth)), len(set(predicted)))
    classes = [*set(truth), *[-1] * (size - len(set(truth)))]  # -1: none
    clusters = [*set(predicted), *[-1] * (size - len(set(predicted)))]
    table = Counter(zip(truth, predicted, strict=True))
    matchings = (zip(classes, order, strict=True) for order in permutations(clusters))
    return 1 - Fraction(max(sum(table[cell] for cell in m) for m in matchings), len(truth))


def entropy(labels: Sequence[object]) -> float:
    return -sum(c / len(labels) * log(c / len(labels)) for c in Counter(labels).values())


def slow_nmi(truth: list[int], predicted: list[int]) -> float:
    h_truth, h_predicted = entropy(truth), entropy(predicted)
    joint = entropy(list(zip(truth, predicted, strict=True)))
    if h_truth + h_predicted == 0:
        return 1.0
    return (h_truth + h_predicted - joint) / ((h_truth + h_predicted) / 2)


def slow_complemented_entropy(truth: list[int], predicted: list[int]) -> float:
    def term(inner: list[int], outer: list[int]) -> float:
        groups = [[a for a, b in zip(inner, outer, strict=True) if b == g] for g in set(outer)]
        highest = len(groups) * log(len(set(inner)))
        return sum(map(entropy, groups)) / highest if highest else 0.0

    return 1 - (term(truth, predicted) + term(predicted, truth)) / 2


def slow_cori(predicted: list[int], examples: list[list[int]]) -> Fraction:
    kept: dict[str, list[bool]] = {"must": [], "cannot": []}
    for i, j in combinations(range(len(predicted)), 2):
        if any(i in example and j in example for example in examples):
            kept["must"].append(predicted[i] == predicted[j])
        elif any(i in example or j in example for example in examples):
            kept["cannot"].append(predicted[i] != predicted[j])
    must, cannot = (share(sum(links), len(links)) for links in kept.values())
    return (must + cannot) / 2


@every_measure
@quick
@given(labels=label_pairs)
def test_agrees_with_the_slow_reference(
    measure: Measure, labels: tuple[list[int], list[int]]
) -> None:
    slow = globals()[f"slow_{measure.__name__}"]

    assert measure(*labels) == pytest.approx(float(slow(*labels)), abs=1e-12)


@pytest.mark.parametrize(
    ("measure", "peer"),
    [
        (metrics.nmi, "normalized_mutual_info_score"),
        (metrics.rand_index, "rand_score"),
        (metrics.adjusted_rand_index, "adjusted_rand_score"),
    ],
)
@quick
@given(labels=label_pairs)
def test_agrees_with_scikit_learn(
    measure: Measure, peer: str, labels: tuple[list[int], list[int]]
) -> None:
    expected = getattr(sklearn.metrics.cluster, peer)(*labels)

    assert measure(*labels) == pytest.approx(expected, abs=1e-12)


@quick
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 2)), min_size=1, max_size=14),
)
def test_cori_agrees_with_the_slow_reference(rows: list[tuple[int, int]]) -> None:
    predicted = [cluster for cluster, _ in rows]
    examples = [[i for i, (_, e) in enumerate(rows) if e == number] for number in range(3)]

    assert metrics.cori(predicted, examples) == pytest.approx(float(slow_cori(predicted, examples)))


@quick
@given(labels=label_pairs)
def test_cori_of_all_classes_as_examples_is_the_weighted_rand_index(
    labels: tuple[list[int], list[int]],
) -> None:
    truth, predicted = labels
    examples = [[i for i, t in enumerate(truth) if t == label] for label in set(truth)]

    assert metrics.cori(predicted, examples) == metrics.weighted_rand_index(truth, predicted)


@pytest.mark.parametrize(("k", "l"), [(3, 40), (40, 40), (60, 30), (150, 150)])
def test_error_rate_agrees_with_dense_assignment(k: int, l: int) -> None:  # noqa: E741
    from scipy.optimize import linear_sum_assignment

    rng = np.random.default_rng(k)
    truth, predicted = rng.integers(k, size=400), rng.integers(l, size=400)
    table = np.zeros((k, l), dtype=int)
    np.add.at(table, (truth, predicted), 1)
    expected = 1 - table[linear_sum_assignment(table, maximize=True)].sum() / 400

    assert metrics.error_rate(truth, predicted) == pytest.approx(expected)


# --- Promises


@symmetric_measure
@quick
@given(labels=label_pairs)
def test_is_symmetric(measure: Measure, labels: tuple[list[int], list[int]]) -> None:
    truth, predicted = labels

    assert measure(truth, predicted) == pytest.approx(measure(predicted, truth), abs=1e-12)


@quick
@given(labels=label_pairs)
def test_precision_is_recall_the_other_way_round(labels: tuple[list[int], list[int]]) -> None:
    truth, predicted = labels
    expected = metrics.pairwise_recall(predicted, truth)

    assert expected == metrics.pairwise_precision(truth, predicted)


@every_measure
@quick
@given(labels=label_pairs)
def test_names_of_labels_do_not_matter(
    measure: Measure, labels: tuple[list[int], list[int]]
) -> None:
    truth, predicted = labels
    expected = measure(truth, predicted)

    assert expected == measure([f"class {9 - t}" for t in truth], [(p, -p) for p in predicted])
    assert expected == measure(np.array(truth, np.int8), -np.array(predicted, float))


@every_measure
@quick
@given(labels=label_pairs, seed=st.randoms(use_true_random=False))
def test_order_of_documents_does_not_matter(
    measure: Measure, labels: tuple[list[int], list[int]], seed: object
) -> None:
    rows = list(zip(*labels, strict=True))
    seed.shuffle(rows)  # type: ignore[attr-defined]
    truth, predicted = zip(*rows, strict=True)

    assert measure(truth, predicted) == pytest.approx(measure(*labels), abs=1e-12)


@every_measure
@quick
@given(labels=label_pairs)
def test_perfect_is_one_and_error_zero(
    measure: Measure, labels: tuple[list[int], list[int]]
) -> None:
    truth = labels[0]
    expected = 0 if measure is metrics.error_rate else 1

    assert measure(truth, [f"<{t}>" for t in truth]) == pytest.approx(expected, abs=1e-12)


@every_measure
@quick
@given(labels=label_pairs)
def test_lies_between_zero_and_one(measure: Measure, labels: tuple[list[int], list[int]]) -> None:
    lowest = -1 if measure is metrics.adjusted_rand_index else 0
    score = measure(*labels)

    assert type(score) is float
    assert lowest <= score <= 1


@every_measure
def test_one_document_is_perfect(measure: Measure) -> None:
    assert measure(["a"], [3]) == (0 if measure is metrics.error_rate else 1)


@every_measure
def test_minus_one_is_a_label_like_any_other(measure: Measure) -> None:
    assert measure([-1, -1, 0, 1], [-1, 2, 2, 2]) == measure([8, 8, 0, 1], [7, 2, 2, 2])


def test_a_number_and_its_name_are_different_labels() -> None:
    assert metrics.rand_index([1, "1"], [0, 0]) == 0


def test_takes_iterators_and_leaves_inputs_alone() -> None:
    truth, predicted = np.array(TRUTH), list(PREDICTED)

    assert metrics.pairwise_f1(iter(TRUTH), (p for p in predicted)) == 8 / 13
    assert metrics.pairwise_f1(truth, predicted) == 8 / 13
    assert (truth.tolist(), predicted) == (TRUTH, PREDICTED)


# --- Size

N = 200_000


def big_labels() -> Iterator[object]:
    rng = np.random.default_rng(0)
    truth = rng.integers(20, size=N)
    yield pytest.param(truth, np.where(rng.random(N) < 0.3, 5, truth), id="twenty groups")
    yield pytest.param(truth, np.arange(N), id="singletons predicted")
    yield pytest.param(rng.permutation(N), np.arange(N), id="singletons in both")
    yield pytest.param(rng.integers(5000, size=N), rng.integers(5000, size=N), id="many groups")
    yield pytest.param(np.zeros(N, int), np.zeros(N, int), id="one group in both")


@every_measure
@pytest.mark.parametrize(("truth", "predicted"), list(big_labels()))
def test_large_collections_just_work(
    measure: Measure, truth: np.ndarray, predicted: np.ndarray
) -> None:
    assert -1e-3 <= measure(truth, predicted) <= 1


def test_large_counts_are_exact() -> None:
    # Two classes of n/2 in one cluster: pairs overflow 32 bits many times over.
    truth, predicted = np.arange(N) % 2, np.zeros(N, int)
    expected = 2 * comb(N // 2, 2) / comb(N, 2)

    assert expected == metrics.rand_index(truth, predicted)
    assert expected == metrics.pairwise_precision(truth, predicted)
    assert metrics.error_rate(truth, predicted) == 0.5
    assert metrics.adjusted_rand_index(truth, predicted) == 0


def test_cori_of_a_large_collection() -> None:
    predicted = np.arange(N) % 10
    half = np.arange(N // 2)
    # 10 clusters cross an example of n/2 rows evenly: n/20 of its rows in each.
    m, c = N // 20, N // 2
    expected = (10 * comb(m, 2) / comb(c, 2) + 1 - 10 * m * m / (c * c)) / 2

    assert metrics.cori(predicted, [half]) == pytest.approx(expected)
    assert metrics.cori(np.arange(N), [half]) == 0.5


# --- Errors and imports


@every_measure
@pytest.mark.parametrize(
    ("truth", "predicted", "message"),
    [
        ([0, 1, 1], [0, 1], r"truth has 3 labels, predicted has 2: .* same order"),
        (["a", None, "b"], [0, 1, 1], r"truth: the document at position 1 has no label \(None\)"),
        ([0, 1], [0.0, float("nan")], r"predicted: the document at position 1 .* \(nan\): leave"),
        (np.array(["2005", "NaT"], "M8[D]"), [0, 1], r"truth: .* position 1 has no label"),
        ([0, [1]], [0, 1], r"truth: the label at position 1 is a list: give one plain label"),
        ([], [], r"truth has no labels"),
        (None, [0], r"truth is a NoneType: give a list or 1-d array"),
        ("aab", [0, 0, 1], r"truth is a str: give a list"),
        ({0, 1}, [0, 1], r"truth is a set: give a list"),
        ([0, 1], {"a": 0, "b": 1}, r"predicted is a dict: give a list"),
        ([0, 1], np.eye(2), r"predicted is a ndarray of shape \(2, 2\): give a list or 1-d"),
        (np.array(3), [0], r"truth is a ndarray of shape \(\)"),
    ],
)
def test_unusable_labels_are_named(
    measure: Measure, truth: object, predicted: object, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        measure(truth, predicted)


def test_a_label_that_will_not_compare_is_missing() -> None:
    class Unknown:
        """Like pandas.NA."""

        def __ne__(self, other: object) -> bool:
            raise TypeError("boolean value of NA is ambiguous")

        __hash__ = object.__hash__

    with pytest.raises(InputError, match="position 1 has no label"):
        metrics.nmi(["a", Unknown()], [0, 1])


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ([[0, 1], [2, 1]], r"examples\[1\]: row 1 is already in examples\[0\]"),
        ([[0], [3]], r"examples\[1\]: there is no row 3: they run from 0 to 2"),
        ([[-1]], r"examples\[0\]: there is no row -1"),
        ([[0.0, 1.0]], r"examples\[0\]: 0\.0 is not a row number"),
        ([[True, False, True]], r"examples\[0\]: True is not a row number"),
        ([np.array([True, False])], r"examples\[0\]: True is not a row number"),
        ([[[0], [1, 2]]], r"examples\[0\]: \[0\] is not a row number"),
        ([0, 1], r"examples\[0\] is 0: give each example cluster as a list of row numbers"),
        (["ab"], r"examples\[0\] is 'ab': give each"),
        (None, r"examples is None: give a list of lists"),
    ],
)
def test_unusable_examples_are_named(examples: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        metrics.cori([0, 0, 1], examples)  # type: ignore[arg-type]


def test_cori_names_an_unusable_clustering() -> None:
    with pytest.raises(InputError, match="predicted: the document at position 0 has no label"):
        metrics.cori([None, 1], [[0]])


def test_all_is_sorted_and_complete() -> None:
    assert metrics.__all__ == sorted(metrics.__all__)
    of_distances = {
        "inter_intra_ratio",
        "overfitting_ratio",
        "weighted_category_utility",
        "within_between_ratio",
    }
    of_labels = {"cori", *(measure.__name__ for measure in WITH_TRUTH)}
    of_people = {"cohen_kappa", "cohen_kappa_error"}  # see test_kappa.py
    assert set(metrics.__all__) == of_labels | of_distances | of_people


def test_import_is_light() -> None:
    code = (
        "import sys, textclust.metrics; "
        "print([m for m in ('sklearn', 'scipy', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
