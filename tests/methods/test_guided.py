"""GuidedClustering: what it promises of seeds, links and a background, and at its edges."""

from __future__ import annotations

import itertools
from unittest.mock import patch

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import textclust as tc
from tests import checks
from tests.strategies import constraint_sets, counts, random_documents
from textclust.errors import InputError
from textclust.geometry.with_label_model import WithLabelModel
from textclust.methods.guided import GuidedClusteringSolver
from textclust.supervision.given import Supervision

RNG = np.random.default_rng
FEW = pytest.mark.filterwarnings("ignore:.*distinct clusters found")


def topics(n=90, k=3, d=150, rate=1.0, seed=1):
    """Counts of documents in k classes, each with terms of its own, and the classes."""
    rng = RNG(seed)
    truth = np.arange(n) % k
    rates = rng.random((k, d)) ** 6
    return sp.csr_array(rng.poisson(rates[truth] * rate).astype(float)), truth


def seeds_of(truth, per_class, seed=0):
    """The class of so many documents of each, -1 elsewhere."""
    y = np.full(len(truth), -1)
    for label in np.unique(truth):
        rows = RNG(seed).choice(np.flatnonzero(truth == label), per_class, replace=False)
        y[rows] = label
    return y


def fitted(X, y=None, k=3, **given):
    names = ("constraints", "background", "feature_names", "sample_weight")
    to_fit = {name: given.pop(name) for name in names if name in given}
    return tc.GuidedClustering(k, random_state=0, **given).fit(X, y, **to_fit)


def right(model, truth, y):
    """The share of documents that are no seeds and in the cluster of their class."""
    return (model.labels_ == truth)[y < 0].mean()


def falls(model):
    pairs = itertools.pairwise([*model.objective_history_, model.objective_])
    return all(later <= earlier + 1e-9 * (1 + abs(earlier)) for earlier, later in pairs)


@pytest.fixture(scope="module")
def easy():
    """Documents, classes and five seeds of each."""
    X, truth = topics()
    return X, truth, seeds_of(truth, 5)


@pytest.fixture(scope="module")
def model(easy):
    X, _, y = easy
    return fitted(X, y)


# Seeds


def test_plain_classes_are_found_and_their_clusters_have_their_numbers(easy, model):
    _, truth, y = easy
    assert right(model, truth, y) > 0.95
    assert model.classes_ == [0, 1, 2]
    assert isinstance(model.fitted_distortion_, WithLabelModel)
    assert 0.0 <= model.accuracy_ <= 1.0
    assert all(weight >= 0 for weight in model.model_weights_.values())


@FEW
@settings(max_examples=15)
@given(table=counts(), k=st.integers(1, 4), seed=st.integers(0, 99))
def test_whatever_is_given_seeds_are_in_their_class_and_the_energy_never_rises(table, k, seed):
    n = len(table)
    k = min(k, n)
    y = RNG(seed).integers(-1, k, n)
    model = fitted(sp.csr_array(table), y, k, n_init=1)
    np.testing.assert_array_equal(model.labels_[y >= 0], y[y >= 0])
    assert falls(model)
    assert np.isfinite(model.objective_)
    assert np.isfinite(model.cluster_centers_).all()


@FEW
@settings(max_examples=10)
@given(table=counts(min_rows=8), constraints=constraint_sets(), seed=st.integers(0, 99))
def test_the_same_with_links(table, constraints, seed):
    y = RNG(seed).integers(-1, 3, len(table))
    model = fitted(table, y, n_init=1, constraints=constraints)
    np.testing.assert_array_equal(model.labels_[y >= 0], y[y >= 0])
    assert falls(model)
    assert len(model.link_prices_) == len(constraints)
    broken = constraints.violated(model.labels_) & (model.link_prices_ > 0)
    assert len(model.violations_) == broken.sum()


def test_the_energy_is_that_of_the_definition(easy, model):
    X, _, _ = easy
    distortion = model.fitted_distortion_
    rows = distortion.prepare(X).toarray()
    scores = rows @ distortion.coefficients.T + distortion.intercepts
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    each = 1 - rows @ model.cluster_centers_.T - distortion.tau * logs
    energy = each[np.arange(len(rows)), model.labels_].sum()
    assert model.objective_ == pytest.approx(energy)


def test_predict_says_the_label_of_every_document_that_is_no_seed(easy, model):
    X, _, y = easy
    np.testing.assert_array_equal(model.predict(X)[y < 0], model.labels_[y < 0])


def test_probabilities_sum_to_one_and_are_highest_where_predict_says(easy, model):
    X, _, _ = easy
    p = model.predict_proba(X)
    assert p.shape == (90, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(p.argmax(axis=1), model.predict(X))


def test_the_same_seed_gives_the_same_result_whatever_the_threads(easy):
    X, _, y = easy
    with (
        patch("textclust.geometry.native_rows._WORTH_SHARING", 0.0),
        patch("textclust.geometry.products._FEW", 0),
    ):
        alone, together = fitted(X, y, n_jobs=1), fitted(X, y, n_jobs=2)
    assert alone.labels_.tobytes() == together.labels_.tobytes()
    assert alone.cluster_centers_.tobytes() == together.cluster_centers_.tobytes()
    assert alone.predict_proba(X).tobytes() == together.predict_proba(X).tobytes()
    assert alone.model_weights_ == together.model_weights_


def test_nothing_that_is_given_is_changed(easy):
    X, _, y = easy
    links = tc.Constraints([(0, 3)], [(0, 1)])
    before = X.copy(), y.copy(), links
    fitted(X, y, constraints=links).predict(X)
    assert (before[0] != X).nnz == 0
    np.testing.assert_array_equal(before[1], y)
    assert links == tc.Constraints([(0, 3)], [(0, 1)])


def test_containers_dense_rows_and_single_precision_agree(easy, model):
    X, _, y = easy
    forms = [sp.csr_matrix, sp.csc_array, lambda X: X.toarray(), lambda X: X.astype(np.float32)]
    for form in forms:
        assert (fitted(form(X), y).labels_ == model.labels_).mean() > 0.97


def test_classes_may_be_strings_in_any_container(easy, model):
    X, _, y = easy
    named = np.array(["art", "law", "zoo", None], dtype=object)[y]
    for classes in (named, named.tolist()):
        found = fitted(X, classes)
        assert found.classes_ == ["art", "law", "zoo"]
        np.testing.assert_array_equal(found.labels_, model.labels_)


def test_one_seed_of_each_class_is_enough_where_classes_are_plain(easy):
    X, truth, _ = easy
    y = seeds_of(truth, 1)
    found = fitted(X, y)
    assert right(found, truth, y) > 0.95
    assert found.accuracy_ is None  # none could be held out


def test_clusters_beyond_the_classes_are_new():
    X, truth = topics(120, 4)
    y = np.where(truth < 2, seeds_of(truth, 5), -1)
    found = fitted(X, y, 4)
    assert found.classes_ == [0, 1, None, None]
    assert tc.metrics.nmi(truth[y < 0], found.labels_[y < 0]) > 0.9
    assert (found.labels_ == truth)[truth < 2].mean() > 0.9


def test_seeds_of_one_class_leave_the_others_to_be_found(easy):
    X, truth, y = easy
    found = fitted(X, np.where(y == 1, "law", None))
    assert found.classes_ == ["law", None, None]
    assert (found.labels_[truth == 1] == 0).mean() > 0.9
    assert tc.metrics.nmi(truth, found.labels_) > 0.9


def test_a_fifth_of_wrong_seeds_stay_where_they_were_put_and_mislead_no_other():
    X, truth = topics(150, rate=1.5)
    y = seeds_of(truth, 10)
    wrong = RNG(0).choice(np.flatnonzero(y >= 0), 6, replace=False)
    y[wrong] = (y[wrong] + 1) % 3
    found = fitted(X, y)
    np.testing.assert_array_equal(found.labels_[wrong], y[wrong])
    assert right(found, truth, y) > 0.97


def test_when_every_document_is_a_seed_there_is_nothing_to_find(easy):
    X, truth, _ = easy
    np.testing.assert_array_equal(fitted(X, truth).labels_, truth)


def test_dense_rows_may_have_negative_values():
    rng, truth = RNG(0), np.arange(80) % 2
    X = rng.normal(0, 0.5, (80, 6)) + np.where(truth[:, None] == 0, 1.0, -1.0)
    y = seeds_of(truth, 3)
    found = fitted(X, y, 2)
    assert right(found, truth, y) > 0.95
    assert "words" not in found.model_weights_


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_one_column_is_enough_to_be_clustered(container):
    X = container(np.array([[1.0], [2.0], [3.0], [-1.0], [-2.0], [-3.0]]))
    assert fitted(X, [0, -1, -1, 1, -1, -1], 2).labels_.tolist() == [0, 0, 0, 1, 1, 1]


def test_rows_of_zeros_survive_and_may_be_seeds():
    X, truth = topics(30, d=60)
    X = sp.vstack([X, sp.csr_array((4, 60))], format="csr")
    y = np.concatenate([seeds_of(truth, 3), [2, -1, -1, -1]])
    found = fitted(X, y)
    assert np.isfinite(found.cluster_centers_).all()
    assert found.labels_[30] == 2
    assert len(set(found.labels_[31:].tolist())) == 1
    np.testing.assert_array_equal(found.labels_[y < 0], found.predict(X)[y < 0])


def test_duplicates_share_a_label_and_stay_with_their_seed():
    X, truth = topics(60)
    y = np.concatenate([seeds_of(truth, 3), np.full(60, -1)])
    found = fitted(sp.vstack([X, X], format="csr"), y)
    first, second = found.labels_[:60], found.labels_[60:]
    np.testing.assert_array_equal(first[y[:60] < 0], second[y[:60] < 0])
    assert (first == second).mean() > 0.95


def test_clusters_that_suffice_are_left_as_they_are():
    X, truth = topics(300, rate=0.25)
    y = seeds_of(truth, 8)
    free = tc.SphericalKMeans(3, random_state=0).fit(X)
    found = fitted(X, y)
    assert found.model_weights_["clusters"] == 1.0
    assert sum(found.model_weights_.values()) == 1.0
    assert (free.labels_ != truth).any(), "they are to be right but for a few"
    others = y < 0
    moved = tc.metrics.error_rate(free.labels_[others], found.labels_[others])
    assert moved <= 0.01, "seeds that are held elsewhere may take a document with them"
    assert right(found, truth, y) > 0.9


def test_one_cluster_and_a_cluster_each():
    X = random_documents(12, 20, density=0.5)
    some = np.where(np.arange(12) < 3, np.arange(12), -1)
    assert set(fitted(X, np.minimum(some, 0), 1).labels_.tolist()) == {0}
    assert len(set(fitted(X, some, 12).labels_.tolist())) == 12
    np.testing.assert_array_equal(fitted(X, np.arange(12), 12).labels_, np.arange(12))


@FEW
def test_documents_that_are_all_the_same_are_parted_by_seeds_alone():
    found = fitted(np.ones((6, 4)), [0, 1, -1, -1, -1, -1], 2)
    assert found.labels_[:2].tolist() == [0, 1]
    assert len(set(found.labels_[2:].tolist())) == 1


def test_documents_of_no_weight_are_labelled_and_seeds_of_none_keep_their_class(easy):
    X, truth, y = easy
    found = fitted(X, y, sample_weight=np.where(np.arange(90) % 9 == 0, 0.0, 1.0))
    assert right(found, truth, y) > 0.95
    np.testing.assert_array_equal(found.labels_[y >= 0], y[y >= 0])


@pytest.mark.filterwarnings("error")
def test_seeds_that_count_for_nothing_leave_the_clusters_to_be_found(easy):
    X, truth, y = easy
    weightless = fitted(X, y, sample_weight=np.where(y >= 0, 0.0, 1.0))
    empty = fitted(sp.csr_array(X.multiply((y < 0)[:, None])), y)
    for found in (weightless, empty):
        assert np.isfinite(found.objective_)
        np.testing.assert_array_equal(found.labels_[y >= 0], y[y >= 0])
        assert tc.metrics.nmi(truth[y < 0], found.labels_[y < 0]) > 0.9


def test_what_is_learned_from_a_part_holds_for_all(easy):
    X, truth, y = easy
    with (
        patch("textclust.methods.label_models.learning._LEARNED_FROM", 60),
        patch("textclust.methods.label_models.evidence._BESIDE", 20),
    ):
        found = fitted(X, y)
    np.testing.assert_array_equal(found.labels_[y >= 0], y[y >= 0])
    assert right(found, truth, y) > 0.9


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"distortion": "euclidean"}, "distortion must be"),
        ({"weight": -1.0}, "weight must be"),
        ({"inference": "guess"}, "inference must be"),
        ({"as_published": True}, "as_published"),
    ],
)
def test_a_bad_parameter_is_named(easy, parameters, message):
    X, _, y = easy
    with pytest.raises(InputError, match=message):
        fitted(X, y, **parameters)


def test_more_classes_than_clusters_are_reported(easy):
    X, _, y = easy
    with pytest.raises(InputError, match="3 classes among the seeds, but n_clusters=2"):
        fitted(X, y, 2)


# Links


def test_must_links_pass_the_class_of_a_seed_on(easy):
    X, truth, _ = easy
    other = np.flatnonzero(truth == 1)[:4]
    y = seeds_of(truth, 2)
    y[other] = -1
    seed = int(np.flatnonzero(y == 0)[0])
    links = tc.Constraints([(seed, int(row)) for row in other])
    found = fitted(X, y, constraints=links)
    assert set(found.labels_[other].tolist()) == {0}
    assert found.violations_ == ()


def test_links_between_documents_without_seeds_are_priced_and_kept_or_broken(easy):
    X, truth, y = easy
    free = np.flatnonzero(y < 0)
    one, other = (int(free[truth[free] == label][0]) for label in (0, 1))
    links = tc.Constraints([(one, other)])
    kept = fitted(X, y, constraints=links, weight=100.0)
    assert kept.labels_[one] == kept.labels_[other]
    assert kept.link_prices_.tolist() == [100.0]
    broken = fitted(X, y, constraints=links, weight=1e-6)
    assert broken.labels_[one] != broken.labels_[other]
    (link,) = broken.violations_
    assert (link.left, link.right, link.price) == (one, other, 1e-6)


@pytest.mark.parametrize("inference", ["icm", "bp", "lp"])
def test_links_that_make_groups_are_classes_without_a_name(easy, inference):
    X, truth, _ = easy
    rows = [np.flatnonzero(truth == label)[:4].tolist() for label in range(3)]
    must = [pair for group in rows for pair in itertools.pairwise(group)]
    cannot = [(one[0], other[0]) for one, other in itertools.combinations(rows, 2)]
    found = fitted(X, constraints=tc.Constraints(must, cannot), inference=inference)
    assert found.classes_ == [None] * 3
    assert found.model_weights_
    assert found.violations_ == ()
    for number, group in enumerate(rows):
        assert set(found.labels_[group].tolist()) == {number}
    assert tc.metrics.nmi(truth, found.labels_) > 0.9


def test_links_that_make_no_groups_give_what_hmrf_kmeans_gives(easy):
    X, truth, _ = easy
    rng = RNG(3)
    pairs = [tuple(map(int, rng.choice(90, 2, replace=False))) for _ in range(20)]
    links = tc.Constraints(
        [(i, j) for i, j in pairs if truth[i] == truth[j]],
        [(i, j) for i, j in pairs if truth[i] != truth[j]],
    )
    found = fitted(X, constraints=links)
    expected = tc.HMRFKMeans(3, random_state=0).fit(X, constraints=links)
    assert found.model_weights_ == {}
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    np.testing.assert_array_equal(found.link_prices_, expected.link_prices_)
    assert found.objective_ == expected.objective_


@pytest.mark.parametrize("y", [None, np.full(90, -1), [None] * 90])
def test_with_nothing_given_it_is_spherical_kmeans(easy, y):
    X, _, _ = easy
    found, expected = fitted(X, y), tc.SphericalKMeans(3, random_state=0).fit(X)
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    np.testing.assert_array_equal(found.cluster_centers_, expected.cluster_centers_)
    assert found.objective_ == expected.objective_
    assert (found.classes_, found.accuracy_, found.model_weights_) == ([None] * 3, None, {})


def test_links_of_no_weight_change_nothing_and_cost_nothing(easy):
    X, _, _ = easy
    found = fitted(X, constraints=tc.Constraints([(0, 1)], [(0, 3)], [0.0, 0.0]))
    expected = tc.SphericalKMeans(3, random_state=0).fit(X)
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    assert found.link_prices_.tolist() == [0.0, 0.0]
    assert found.violations_ == ()


# A background


@pytest.fixture(scope="module")
def years():
    """New documents, their classes, and older ones of the same classes, by name."""
    X, truth = topics(180)
    names = np.array(["art", "law", "zoo"])
    old = tc.Background(X[:60], names[truth[:60]], [f"t{i}" for i in range(150)])
    return X[60:], truth[60:], old, old.features


def test_older_documents_name_the_clusters(years):
    X, truth, old, terms = years
    found = fitted(X, background=old, feature_names=terms)
    assert found.classes_ == ["art", "law", "zoo"]
    assert (found.labels_ == truth).mean() > 0.95
    assert len(found.labels_) == 120
    np.testing.assert_array_equal(found.labels_, found.predict(X))
    assert falls(found)


def test_older_documents_may_have_another_vocabulary(years):
    X, truth, old, _ = years
    part = tc.Background(old.X[:, 20:], old.y, [f"t{i}" for i in range(20, 150)])
    renamed = [f"t{i}" if i < 130 else f"new{i}" for i in range(150)]
    found = fitted(X, background=part, feature_names=renamed)
    assert found.classes_ == [0, 1, 2]
    assert (found.labels_ == truth).mean() > 0.9


def test_of_more_classes_than_clusters_those_are_taken_that_documents_are_near(years):
    X, truth, old, terms = years
    here = truth != 1
    found = fitted(X[here], k=2, background=old, feature_names=terms)
    assert found.classes_ == ["art", "zoo"]
    assert (2 * found.labels_ == truth[here]).mean() > 0.95


@FEW
def test_a_class_that_is_gone_has_few_documents_or_none(years):
    X, truth, old, terms = years
    here = truth != 1
    found = fitted(X[here], background=old, feature_names=terms)
    assert found.classes_ == ["art", "law", "zoo"]
    assert (found.labels_ == truth[here]).mean() > 0.9


def test_a_class_that_is_new_has_a_cluster_without_a_name(years):
    X, truth, old, terms = years
    known = np.flatnonzero(old.y != 2)
    less = tc.Background(old.X[known], np.array(["art", "law"])[old.y[known]], terms)
    found = fitted(X, background=less, feature_names=terms)
    assert found.classes_ == ["art", "law", None]
    assert (found.labels_ == truth).mean() > 0.9


@pytest.mark.parametrize("gone", [(), ("zoo",)])
def test_left_to_itself_it_finds_as_many_clusters_as_there_are_classes_old_and_new(years, gone):
    X, truth, old, terms = years
    names = np.array(old.classes)[old.y]
    known = ~np.isin(names, gone)
    less = Supervision(background=tc.Background(old.X[known], names[known], terms), features=terms)
    found = GuidedClusteringSolver(1, random_state=0).grow(X, less)
    assert found.background.classes == ("art", "law", None if gone else "zoo")
    assert (found.labels == truth).mean() > 0.9


def test_seeds_beside_a_background_join_its_classes_or_name_new_ones(years):
    X, truth, old, terms = years
    known = np.flatnonzero(old.y != 2)
    less = tc.Background(old.X[known], np.array(["art", "law"])[old.y[known]], terms)
    y = np.full(len(truth), None)
    for label, name in ((0, "art"), (2, "zoo")):
        y[np.flatnonzero(truth == label)[:4]] = name
    y[np.flatnonzero(truth == 1)[0]] = "art"  # wrong, and held
    found = fitted(X, y, background=less, feature_names=terms)
    assert found.classes_ == ["art", "law", "zoo"]
    seeds = np.flatnonzero(y != None)  # noqa: E711
    assert [found.classes_[found.labels_[row]] for row in seeds] == y[seeds].tolist()
    assert (found.labels_ == truth).mean() > 0.9
    with pytest.raises(InputError, match="3 classes among the seeds and the background"):
        fitted(X, y, 2, background=less, feature_names=terms)


def test_links_count_beside_a_background(years):
    X, truth, old, terms = years
    one, other = int(np.flatnonzero(truth == 0)[0]), int(np.flatnonzero(truth == 1)[0])
    links = tc.Constraints([(one, other)])
    found = fitted(X, background=old, feature_names=terms, constraints=links, weight=100.0)
    assert found.labels_[one] == found.labels_[other]
    assert found.classes_ == ["art", "law", "zoo"]
    assert found.link_prices_.tolist() == [100.0]


def test_one_cluster_beside_a_background(years):
    X, _, old, terms = years
    found = fitted(X, k=1, background=old, feature_names=terms)
    assert set(found.labels_.tolist()) == {0}
    assert len(found.classes_) == 1


# What it is for


@pytest.mark.parametrize("draw", range(3))
def test_supervision_does_no_harm_on_the_sample(sample_matrix, draw):
    X, truth = sample_matrix
    free = tc.metrics.nmi(truth, tc.SphericalKMeans(3, random_state=0).fit(X).labels_)
    y = seeds_of(truth, 5, draw)
    assert tc.metrics.nmi(truth, fitted(X, y).labels_) >= free


@pytest.fixture(scope="module")
def sample_matrix(sample):
    """The sample as a matrix, and the number of each post's folder."""
    posts = tc.read_documents(sample)
    X = tc.TextVectorizer().fit_transform(posts.texts)
    return X, np.unique(posts.labels, return_inverse=True)[1]


def two_factors(seed, n=300, d=60):
    """Documents of two topics each, independent of one another; the classes are of the weaker."""
    rng = RNG(seed)
    strong, weak = rng.integers(2, size=n), rng.integers(2, size=n)
    rates = [2.0 * rng.random((2, d)) ** 4, 1.0 * rng.random((2, d)) ** 4]
    terms = np.hstack([rng.poisson(rates[0][strong]), rng.poisson(rates[1][weak])])
    return sp.csr_array(terms.astype(float)), weak


def test_seeds_decide_where_clusters_are_not_the_classes():
    """On average over draws: in some the weaker factor is the stronger, as its terms are drawn."""
    scores = {kind: [] for kind in (tc.GuidedClustering, tc.ConstrainedKMeans, tc.SeededKMeans)}
    for draw in range(5):
        X, truth = two_factors(draw)
        y = seeds_of(truth, 20, draw)
        for kind, found in scores.items():
            found.append(right(kind(2, random_state=0).fit(X, y), truth, y))
    guided, *others = scores.values()
    assert min(guided) > 0.95
    for other in others:
        assert np.mean(guided) > np.mean(other) + 0.1
        assert (np.array(guided) >= np.array(other) - 0.02).all()


class WithSeeds(tc.GuidedClustering):
    """The same, given the class of some documents by their place, for the shared checks."""

    def fit(self, X, y=None, **given):
        n, k = X.shape[0], self.n_clusters
        return super().fit(X, np.where(np.arange(n) < 2 * k, np.arange(n) % k, -1), **given)


@pytest.mark.parametrize(
    "check",
    [
        checks.check_pickling_keeps_predictions,
        checks.check_entries_stored_twice_are_added_up,
        checks.check_read_only_and_wide_index_arrays_are_taken,
        checks.check_same_labels_with_and_without_the_native_core,
        checks.check_the_objective_never_rises_and_ends_the_history,
    ],
)
def test_shared_checks_hold_with_seeds(check):
    check(WithSeeds(n_init=1))
