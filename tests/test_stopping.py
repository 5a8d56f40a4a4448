"""Searches that end early: when they do, what they leave behind, and what is said of it."""

from __future__ import annotations

import warnings
from threading import Event

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import textclust as tc
from tests.strategies import random_documents
from textclust.errors import InputError
from textclust.methods import METHODS
from textclust.stopping import (
    Stopped,
    due,
    half_of_the_time,
    is_searching,
    searching,
    stopped_on,
    while_allowed,
)

AT_ONCE = 1e-9  # seconds
X = random_documents(90, 150)
Y = np.where(np.arange(90) < 30, np.arange(90) % 3, -1)
LINKS = tc.Constraints([(0, 1), (2, 3), (4, 5), (10, 11)], [(0, 2), (1, 4), (10, 20)])
WORDS = [f"w{i}" for i in range(150)]
OLD = tc.Background(random_documents(60, 150, seed=1), ["a", "b", "c"] * 20, WORDS)


class After:
    """Asks to stop once it has been looked at so many times."""

    def __init__(self, looks):
        self.looks = looks

    def is_set(self):
        self.looks -= 1
        return self.looks < 0


# The module


def test_nothing_is_due_without_a_limit():
    assert not is_searching()
    assert not due()
    with searching() as search:
        assert is_searching()
        assert not due()
        assert list(while_allowed(range(3))) == [0, 1, 2]
    assert search.stopped is None


def test_time_that_is_up_is_due_and_remembered():
    with searching(AT_ONCE) as search:
        assert search.stopped is None  # nobody has asked
        assert due()
    assert search.stopped.reason == "time"
    assert search.stopped.limit == AT_ONCE


def test_a_search_can_be_asked_to_stop():
    asked = Event()
    with stopped_on(asked), searching(1000.0) as search:
        assert not due()
        asked.set()
        assert due()
    assert search.stopped.reason == "interrupted"


def test_an_interruption_says_more_than_time_that_is_up():
    asked = Event()
    with stopped_on(asked), searching(AT_ONCE) as search:
        assert due()
        asked.set()
        assert due()
    assert search.stopped.reason == "interrupted"


@pytest.mark.parametrize(
    ("outer", "inner"), [(AT_ONCE, 1000.0), (1000.0, AT_ONCE), (AT_ONCE, None)]
)
def test_the_tighter_of_two_limits_holds(outer, inner):
    with searching(outer) as whole, searching(inner) as part:
        assert part is whole
        assert due()


def test_a_limit_ends_with_its_search():
    with searching(1000.0):
        with searching(AT_ONCE):
            assert due()
        assert not due()
    assert not due()


def test_half_of_no_limit_is_none_and_half_of_some_time_is_less():
    with half_of_the_time():
        assert not due()
    with searching(AT_ONCE), half_of_the_time():
        assert due()
    with searching(1000.0), half_of_the_time():
        assert not due()


@pytest.mark.parametrize("looks", range(6))
def test_the_first_item_comes_in_any_case_and_no_item_is_made_in_vain(looks):
    made = []

    def items():
        for number in range(4):
            made.append(number)
            yield number

    with stopped_on(After(looks)), searching():
        found = list(while_allowed(items()))
    assert found == made == list(range(min(4, 1 + looks)))


def test_a_search_that_came_to_its_last_item_was_not_stopped():
    with searching(AT_ONCE) as search:
        assert list(while_allowed([1])) == [1]
    assert search.stopped is None


# What it leaves behind


def solvers():
    """Every method that can stop, with all that it takes, and how it is fitted."""
    plain = {"X": X}
    linked, seeded = {"X": X, "constraints": LINKS}, {"X": X, "y": Y}
    background = {"X": X, "background": OLD, "feature_names": WORDS}
    examples = {"X": X, "examples": [range(8), range(20, 28)]}
    return [
        (tc.KMeans(3), plain),
        (tc.SphericalKMeans(3), plain),
        (tc.SphericalKMeans(3, min_size=20), plain),
        (tc.KMeans(3, distortion="kl"), plain),
        (tc.KMeans(3, refine=False, init="k-means++"), plain),
        (tc.SeededKMeans(3), seeded),
        (tc.ConstrainedKMeans(3), seeded),
        (tc.GuidedClustering(3), seeded),
        (tc.GuidedClustering(3), linked),
        (tc.GuidedClustering(3), {**linked, "y": Y}),
        (tc.GuidedClustering(3), background),
        (tc.PCKMeans(3), linked),
        (tc.HMRFKMeans(3), linked),
        (tc.HMRFKMeans(3, robust=True), linked),
        (tc.HMRFKMeans(3, use_constraints="init"), linked),
        (tc.HMRFKMeans(3, learn=True, metric="local"), linked),
        (tc.COPKMeans(3), linked),
        (tc.ConsensusClustering(3), linked),
        (tc.MPCKMeans(3), linked),
        (tc.MKMeans(3), linked),
        (tc.SSKernelKMeans(3), linked),
        (tc.SSKernelKMeans(3, kernel="neighbours"), linked),
        (tc.AdaptiveSSKernelKMeans(3), linked),
        (tc.VonMisesFisherMixture(3), seeded),
        (tc.HMRFEM(3), linked),
        (tc.OverlappingKMeans(3), linked),
        (tc.SemiHard(4), background),
        (tc.SemiHard(3, labeller="naive-bayes"), background),
        (tc.SemiFuzzy(3), background),
        (tc.CLUE(), examples),
        (tc.CLUEDO(), examples),
    ]


@pytest.mark.parametrize("looks", [0, 1, 2, 5, 12, 30])
@pytest.mark.parametrize(("estimator", "given"), solvers(), ids=lambda each: repr(each)[:60])
def test_wherever_a_search_is_stopped_there_is_a_whole_answer(estimator, given, looks):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = clone(estimator).set_params(random_state=0)
        with stopped_on(After(looks)):
            model.fit(**given)
    n, k = X.shape[0], len(model.cluster_centers_)
    assert model.labels_.shape == (n,)
    assert model.labels_.min() >= 0
    assert model.labels_.max() < k
    assert np.isfinite(model.cluster_centers_).all()
    assert np.isfinite(model.objective_)
    energies = [*model.objective_history_, model.objective_]
    assert (np.diff(energies) <= 1e-9 * (1 + np.abs(energies[1:]))).all()
    if model.stopped_ is not None:
        assert model.stopped_.reason == "interrupted"
        assert model.stopped_.limit is None
    if isinstance(model, tc.COPKMeans):
        assert not LINKS.violated(model.labels_).any()
    if isinstance(model, tc.ConstrainedKMeans | tc.GuidedClustering) and "y" in given:
        assert (model.labels_[Y >= 0] == Y[Y >= 0]).all()


def test_every_method_but_the_hierarchy_can_be_stopped():
    without = {name for name, each in METHODS.items() if "max_seconds" not in each.parameters}
    assert without == {"hac"}


def test_a_search_that_is_never_stopped_is_the_same_as_without_a_limit():
    free = tc.HMRFKMeans(3, random_state=0).fit(X, constraints=LINKS)
    bounded = tc.HMRFKMeans(3, random_state=0, max_seconds=10_000).fit(X, constraints=LINKS)
    assert bounded.stopped_ is None
    np.testing.assert_array_equal(free.labels_, bounded.labels_)
    np.testing.assert_array_equal(free.cluster_centers_, bounded.cluster_centers_)
    assert free.objective_ == bounded.objective_


def test_the_first_start_is_tried_and_no_other():
    model = tc.SphericalKMeans(3, n_init=10, random_state=0, max_seconds=AT_ONCE).fit(X)
    assert (model.stopped_.starts, model.stopped_.refined) == (1, False)
    unrefined = tc.SphericalKMeans(3, random_state=0, max_seconds=AT_ONCE, refine=False).fit(X)
    assert unrefined.stopped_.refined is None


@pytest.mark.parametrize("seconds", [0, -1.0, "60s", float("nan"), float("inf"), True])
def test_a_limit_is_a_number_of_seconds_above_0(seconds):
    with pytest.raises(InputError, match="max_seconds must be a number of seconds above 0 or None"):
        tc.KMeans(2, max_seconds=seconds).fit(X)
    with pytest.raises(InputError, match="max_seconds must be a number of seconds above 0 or None"):
        tc.select_k(X, max_seconds=seconds)


def test_fewer_numbers_of_clusters_are_looked_at():
    chosen = tc.select_k(X, range(2, 8), max_seconds=AT_ONCE)
    assert [row.k for row in chosen.table] == [2]
    assert chosen.stopped.reason == "time"
    assert tc.select_k(X, range(2, 4)).stopped is None


def test_a_clustering_says_it_and_a_model_keeps_it(sample, tmp_path):
    r = tc.cluster(sample, max_seconds=AT_ONCE)
    assert r.k == 2  # the first that select_k looks at
    assert r.stopped.reason == "time"
    assert r.to_dict()["stopped"]["starts"] == 1
    assert tc.load(r.save(tmp_path / "model")).stopped == r.stopped
    page = r.report(tmp_path / "report.html").read_text()
    assert "(the time limit): 1 start tried, not refined; more time may lower" in page
    assert tc.cluster(sample, 3).stopped is None


@pytest.mark.parametrize(
    "forged",
    [
        {"reason": "boredom", "seconds": 1.0, "limit": None, "starts": 1, "refined": None},
        {"reason": "time", "seconds": "1", "limit": None, "starts": 1, "refined": None},
        {"reason": "time", "seconds": 1.0, "limit": "2", "starts": 1, "refined": None},
        {"reason": "time", "seconds": 1.0, "limit": None, "starts": 1.5, "refined": None},
        {"reason": "time", "seconds": 1.0, "limit": None, "starts": 1, "refined": "yes"},
        {"reason": "time"},
        "time",
    ],
)
def test_a_forged_end_of_the_search_is_refused(forged):
    with pytest.raises((ValueError, LookupError, TypeError)):
        Stopped.from_dict(forged)


@pytest.mark.parametrize(
    ("stopped", "expected"),
    [
        (
            Stopped("time", 60.2, 60.0, 2, False),
            "Stopped after 60 s (the time limit): 2 starts tried, not refined; "
            "more time may lower the objective (4,512.3)",
        ),
        (
            Stopped("interrupted", 0.123, None, 1, None),
            "Stopped after 0.12 s (interrupted): 1 start tried; "
            "more time may lower the objective (4,512.3)",
        ),
    ],
)
def test_a_sentence_says_why_when_and_what_was_done(stopped, expected):
    assert stopped.sentence(4512.34) == expected
