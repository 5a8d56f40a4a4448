"""Numbers of any size and matrices of any make: a result in finite numbers, or an InputError."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import textclust as tc

N, D = 24, 9
SCALES = (5e-324, 1e-308, 1e-160, 1e-80, 1e-38, 1e-20, 1e15, 1e20, 1e38, 1e80, 1e160, 1e308)
LABELS = np.array([0, 1, 2] * 2 + [-1] * (N - 6))
LINKS = {"constraints": tc.Constraints([(0, 3), (1, 4)], [(0, 1), (2, 5)])}
ESTIMATORS = [
    *((tc.KMeans, {"distortion": name}, {}) for name in ("euclidean", "cosine", "kl")),
    *((tc.KMeans, {"distortion": name}, {}) for name in ("i-divergence", "itakura-saito")),
    *((tc.KMeans, {"init": name}, {}) for name in ("lsa", "perturbed", "farthest", "k-means++")),
    (tc.SphericalKMeans, {}, {}),
    (tc.SeededKMeans, {}, {"y": LABELS}),
    (tc.ConstrainedKMeans, {}, {"y": LABELS}),
    (tc.COPKMeans, {}, LINKS),
    (tc.PCKMeans, {}, LINKS),
    (tc.HMRFKMeans, {}, LINKS),
    (tc.HMRFKMeans, {"learn": True}, LINKS),
    (tc.HMRFEM, {}, LINKS),
    (tc.MKMeans, {}, {}),
    (tc.MPCKMeans, {}, LINKS),
    (tc.GuidedClustering, {}, {"y": LABELS}),
    (tc.GuidedClustering, {}, LINKS),
    (tc.SSKernelKMeans, {}, LINKS),
    (tc.AdaptiveSSKernelKMeans, {}, LINKS),
    (tc.OverlappingKMeans, {}, {}),
    (tc.VonMisesFisherMixture, {}, {}),
    (tc.HAC, {}, {}),
]
EACH = pytest.mark.parametrize(
    ("kind", "parameters", "known"),
    ESTIMATORS,
    ids=[f"{kind.__name__}-{'-'.join(map(str, given.values()))}" for kind, given, _ in ESTIMATORS],
)


def table(seed=0):
    return np.random.default_rng(seed).poisson(1.0, (N, D)) + 0.0


def is_sound(kind, parameters, known, X, **more):
    """Whether a fit ends in finite numbers; an InputError, which says why not, does as well."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an overflow on the way is no fault, what is left of it is
        try:
            found = kind(n_clusters=3, **parameters).fit(X, **known, **more)
        except tc.InputError:
            return True
    labels = np.asarray(found.labels_)
    finite = np.isfinite(getattr(found, "objective_", 0.0))
    return bool(labels.shape == (N,) and labels.min() >= -1 and labels.max() < 3 and finite)


@EACH
@pytest.mark.parametrize("scale", SCALES)
def test_features_of_any_size_give_a_result_or_an_input_error(kind, parameters, known, scale):
    with np.errstate(all="ignore"):
        whole, row, column = table() * scale, table(), table()
        row[3] *= scale
        column[:, 2] *= scale
    for X in (whole, row, column):
        if np.isfinite(X).all():
            assert is_sound(kind, parameters, known, X)
            assert is_sound(kind, parameters, known, sp.csr_array(X))


@EACH
@pytest.mark.parametrize("weight", [5e-324, 1e-308, 1e-200, 1e-30, 1e30, 1e200, 1e308])
def test_weights_of_any_size_give_a_result_or_an_input_error(kind, parameters, known, weight):
    if kind is tc.HAC:
        pytest.skip("HAC takes no weights")
    for weights in (np.full(N, weight), np.where(np.arange(N) % 3, 1.0, weight)):
        assert is_sound(kind, parameters, known, sp.csr_array(table()), sample_weight=weights)


@pytest.mark.parametrize("weight", [5e-324, 1e-308, 1e-30, 1e30, 1e200, 1e308])
@pytest.mark.parametrize("kind", [tc.PCKMeans, tc.HMRFKMeans, tc.MPCKMeans, tc.GuidedClustering])
def test_links_of_any_weight_give_a_result_or_an_input_error(kind, weight):
    try:
        links = tc.Constraints([(0, 3), (1, 4)], [(0, 1), (2, 5)], [weight, 1, weight, 1])
    except tc.InputError:
        return
    assert is_sound(kind, {}, {"constraints": links}, sp.csr_array(table()))


def out_of_range(X):
    X.indices[5] = 10**6


def negative(X):
    X.indices[5] = -7


def falling(X):
    X.indptr[3] = X.indptr[6] + 40


def short(X):
    X.indptr[-1] = len(X.data) + 10**6


def of_two_lengths(X):
    X.data = X.data[:-20]


def beyond_31_bits(X):
    X.indices = X.indices.astype(np.int64)
    X.indices[5] = 2**31 + 3


def said_to_be_canonical(X):
    out_of_range(X)
    X.has_sorted_indices = X.has_canonical_format = True


MALFORMED = (
    out_of_range,
    negative,
    falling,
    short,
    of_two_lengths,
    beyond_31_bits,
    said_to_be_canonical,
)
ENTRANCES = {
    "predict": lambda X: tc.KMeans(3, random_state=0).fit(table()).predict(X),
    "select_k": lambda X: tc.select_k(X, range(2, 4)),
    "queries": lambda X: tc.ExploreConsolidate(3, 5).query(X, lambda i, j: True),
    "background": lambda X: tc.Background(X, [0, 1] * (N // 2), list("abcdefghi")),
    "metrics": lambda X: tc.metrics.inter_intra_ratio(X, [0, 1] * (N // 2)),
    **{
        f"{kind.__name__} {number}": lambda X, kind=kind, given=given, known=known: kind(
            n_clusters=3, **given
        ).fit(X, **known)
        for number, (kind, given, known) in enumerate(ESTIMATORS)
    },
}


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize("damage", MALFORMED)
def test_a_malformed_matrix_is_an_input_error_wherever_rows_enter(entrance, damage):
    X = sp.csr_array(table())
    damage(X)
    with pytest.raises(tc.InputError, match="malformed sparse matrix"):
        ENTRANCES[entrance](X)


def blocks_out_of_range():
    X = sp.bsr_array(table(), blocksize=(1, 1))
    X.indices[5] = 10**8
    return X


def blocks_too_few():
    X = sp.bsr_array(table(), blocksize=(1, 1))
    X.indices = X.indices[:-1]
    return X


def lists_out_of_range():
    X = sp.lil_array(table())
    X.rows[2] = [10**8]
    X.data[2] = [1.0]
    return X


def lists_of_two_lengths():
    X = sp.lil_array(table())
    X.data[2] = [1.0] * 1000
    return X


def triples_of_two_lengths():
    X = sp.coo_array(table())
    X.row = X.row[:-1]
    return X


@pytest.mark.parametrize(
    "made",
    [
        blocks_out_of_range,
        blocks_too_few,
        lists_out_of_range,
        lists_of_two_lengths,
        triples_of_two_lengths,
    ],
)
def test_a_malformed_matrix_of_any_format_is_an_input_error(made):
    with pytest.raises(tc.InputError, match="malformed sparse matrix"):
        tc.KMeans(3, random_state=0).fit(made())


@pytest.mark.parametrize("form", ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"])
def test_a_matrix_of_any_format_gives_the_same_labels(form):
    labels = [
        tc.KMeans(3, random_state=0).fit(X).labels_
        for X in (table(), sp.csr_array(table()).asformat(form))
    ]
    np.testing.assert_array_equal(*labels)


def test_a_sparse_array_of_one_dimension_is_an_input_error():
    with pytest.raises(tc.InputError, match="1 dimension"):
        tc.KMeans(1).fit(sp.coo_array(np.ones(5)))


def test_columns_out_of_order_or_twice_are_put_right_whatever_the_matrix_says_of_itself():
    X = sp.csr_array(table())
    other = X.copy()
    for begin, end in zip(X.indptr[:-1], X.indptr[1:], strict=True):
        other.indices[begin:end] = X.indices[begin:end][::-1]
        other.data[begin:end] = X.data[begin:end][::-1]
    other.has_sorted_indices = other.has_canonical_format = True
    fits = [tc.KMeans(3, random_state=0).fit(rows).labels_ for rows in (X, other)]
    np.testing.assert_array_equal(*fits)


def test_a_number_of_processes_of_zero_is_an_input_error():
    with pytest.raises(tc.InputError, match="n_jobs"):
        tc.TextVectorizer(n_jobs=0).fit(["red lens", "dark moon"])


def test_terms_of_a_hundred_million_words_are_an_input_error():
    with pytest.raises(tc.InputError, match="ngram_range"):
        tc.TextVectorizer(ngram_range=(1, 10**8)).fit(["red lens", "dark moon"])
