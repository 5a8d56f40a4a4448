"""Estimators find in parts what they find on one machine, to the last bit."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import textclust as tc
from tests.distributed.fake import FakeClient
from tests.distributed.parts import assert_same_run, cuts, documents, fitted, in_parts
from tests.strategies import DISTORTIONS, constraint_sets, random_documents
from textclust import native
from textclust.geometry.grid import exact_grid, row_sizes
from textclust.methods import METHODS

IN_PARTS = [name for name, method in METHODS.items() if method.in_parts]
ROWS, COLUMNS = 90, 40
CUT = (0, 20, 20, 61)  # the first part and the third are empty
SEEDS = np.full(ROWS, -1)
SEEDS[2:80:4] = np.arange(20) % 3
LINKS = tc.Constraints(
    [(3, 14), (14, 25), (36, 47), (5, 60), (8, 61)], [(3, 36), (47, 58), (5, 8), (61, 70)]
)
PLACED = tc.Constraints(  # three groups of documents that are all apart
    [(row, row + 3) for row in range(2, 41)], [(2, 3), (3, 4), (2, 4)]
)
CENTRES = random_documents(3, COLUMNS, 0.5, seed=9).toarray() + 0.1

OF_EVERY_METHOD = [
    {"n_init": 2},
    {"n_init": 1, "min_size": 20},
    {"as_published": True},
    {"init": CENTRES, "n_jobs": 2},
]
OF_SOME = {
    "kmeans": [
        {},
        {"init": "k-means++", "n_init": 2},
        {"init": "farthest", "n_init": 1, "max_iter": 3},
        {"init": "perturbed", "refine": False},
        {"tol": 0.01, "n_init": 1},
    ],
    "hmrf": [
        {"robust": True, "n_init": 1},
        {"use_constraints": "init", "n_init": 1},
        {"inference": "bp", "n_init": 1},
        {"inference": "lp", "n_init": 1},
        {"weight": 0.5, "entailed": True, "n_init": 1},
    ],
    "pckmeans": [{"init": "largest", "n_init": 1}],
    "cop": [{"init": "random", "n_init": 1}, {"local_search": True, "n_init": 1}],
}


@pytest.fixture(autouse=True)
def _few_rows_are_asked_about_too(monkeypatch):
    """As where there are many; this machine would have the answers sooner."""
    monkeypatch.setattr("textclust.distributed.backend._FEW", 0)


def estimator(method, n_clusters=3, **parameters):
    return getattr(tc, METHODS[method].estimator)(n_clusters, random_state=0, **parameters)


def supervision(method):
    """What a method takes, among the first rows."""
    takes, given = METHODS[method].supervision, {}
    if "seeds" in takes:
        given["y"] = SEEDS
    if "constraints" in takes:
        given["constraints"] = LINKS
    return given


def check(client, model, X, cut=CUT, **given):
    """Fit it both ways, and look where either puts the rows."""
    alone, parted = fitted(model, X, **given), fitted(model, in_parts(client, X, cut), **given)
    assert_same_run(parted, alone)
    again = in_parts(client, X, (7,))
    np.testing.assert_array_equal(parted.predict(again), alone.predict(X))
    return alone


def cases():
    for method in IN_PARTS:
        for parameters in (*OF_EVERY_METHOD, *OF_SOME.get(method, ())):
            if METHODS[method].allows(parameters):
                words = (f"{name}={_word(value)}" for name, value in parameters.items())
                yield pytest.param(method, parameters, id=f"{method}({' '.join(words)})")


def _word(value):
    return "array" if value is CENTRES else value


def test_all_methods_for_parts_are_known():
    assert set(OF_SOME) <= set(IN_PARTS)
    assert {method for method, _ in (case.values for case in cases())} == set(IN_PARTS)


@pytest.mark.parametrize(("method", "parameters"), list(cases()))
def test_every_method_finds_the_same(method, parameters):
    check(FakeClient(), estimator(method, **parameters), documents(), **supervision(method))


@pytest.mark.parametrize("method", ["kmeans", "guided", "hmrf"])
def test_so_it_does_with_workers_of_dask(client, method):
    model = estimator(method, n_init=1, init=CENTRES, max_iter=2)
    check(client, model, documents(), **supervision(method))


def test_few_rows_are_refined_here(monkeypatch):
    monkeypatch.undo()
    check(FakeClient(), estimator("kmeans", n_init=1), documents())


@pytest.mark.parametrize("method", [name for name in IN_PARTS if name != "constrained"])
def test_without_supervision_it_is_the_same(method):
    check(FakeClient(), estimator(method, n_init=1), documents())


@pytest.mark.parametrize("given", [{"y": SEEDS}, {"constraints": PLACED}], ids=["seeds", "groups"])
def test_guided_clustering_learns_the_same(given):
    X = documents()
    model = check(FakeClient(), estimator("guided", n_init=1), X, **given)
    parted = fitted(model, in_parts(FakeClient(), X, CUT), **given)
    assert parted.accuracy_ == model.accuracy_
    assert parted.model_weights_ == model.model_weights_ != {}
    proba = parted.predict_proba(in_parts(FakeClient(), X, (50,)))
    np.testing.assert_array_equal(proba, model.predict_proba(X))


def test_documents_that_links_place_are_emphasised_alike():
    X = documents()
    model = estimator("hmrf", emphasis=True, n_init=1, init="neighbourhoods")
    model = check(FakeClient(), model, X, constraints=PLACED)
    parted = fitted(model, in_parts(FakeClient(), X, CUT), constraints=PLACED)
    np.testing.assert_array_equal(parted.emphasis_, model.emphasis_)
    np.testing.assert_array_equal(parted.link_prices_, model.link_prices_)
    assert parted.violations_ == model.violations_


@pytest.mark.parametrize("distortion", DISTORTIONS)
@pytest.mark.parametrize("method", [name for name in IN_PARTS if name != "guided"])
def test_under_every_distortion(method, distortion):
    model = estimator(method, distortion=distortion, n_init=1, init=CENTRES)
    check(FakeClient(), model, documents(), **supervision(method))


@pytest.mark.parametrize("distortion", ["cosine", "euclidean", "kl"])
def test_weights_of_documents_count_alike(distortion):
    weights = np.random.default_rng(7).uniform(0.2, 3.0, ROWS)
    weights[[4, 50]] = 0.0
    model = estimator("kmeans", distortion=distortion, n_init=1, init="farthest")
    check(FakeClient(), model, documents(), sample_weight=weights)


@pytest.mark.parametrize("distortion", ["cosine", "euclidean"])
def test_in_single_precision(distortion):
    model = estimator("kmeans", distortion=distortion, n_init=2)
    alone = check(FakeClient(), model, documents(dtype=np.float32))
    assert alone.cluster_centers_.dtype == np.float64


@pytest.mark.parametrize("distortion", ["cosine", "euclidean"])
def test_many_clusters(distortion):
    """Enough for a rough start, and for postings of rare terms."""
    X = random_documents(700, 300, 0.02)
    model = estimator("kmeans", 210, distortion=distortion, n_init=1, max_iter=4)
    check(FakeClient(), model, X, (150, 150, 400))


@pytest.mark.parametrize("method", ["kmeans", "hmrf", "constrained"])
def test_without_the_native_core(method):
    with native.without():
        model = estimator(method, n_init=1)
        check(FakeClient(), model, documents(), **supervision(method))


@pytest.mark.parametrize(
    "core",
    [
        True,
        pytest.param(
            False, marks=pytest.mark.xfail(reason="the reference adds parts up by themselves")
        ),
    ],
)
def test_where_sums_depend_on_the_order_of_the_additions(core):
    """Values so far apart that there is no grid which all keep their digits on."""
    X = documents()
    X = sp.csr_array(X.multiply(10.0 ** np.linspace(-9, 9, ROWS)[:, None]))
    assert exact_grid(row_sizes(X, np.ones(ROWS))) == 0.0
    model = estimator("kmeans", distortion="euclidean", n_init=1)
    with nullcontext() if core else native.without():
        check(FakeClient(), model, X)


@settings(max_examples=12)
@given(
    data=st.data(),
    method=st.sampled_from(IN_PARTS),
    seed=st.integers(0, 99),
    k=st.integers(1, 5),
)
def test_wherever_the_rows_are_cut(data, method, seed, k):
    X, given = documents(40, 15, seed), {}
    if "seeds" in METHODS[method].supervision:
        given["y"] = np.where(np.arange(40) % 3, -1, np.arange(40) % k)
    if "constraints" in METHODS[method].supervision and method != "cop":
        given["constraints"] = data.draw(constraint_sets(rows=40))
    model = estimator(method, k, n_init=1)
    check(FakeClient(), model, X, data.draw(cuts(40)), **given)
