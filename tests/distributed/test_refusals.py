"""What needs all rows on one machine is refused in one sentence."""

from __future__ import annotations

import numpy as np
import pytest

import textclust as tc
from tests.distributed.fake import FakeClient
from tests.distributed.parts import documents, in_parts
from textclust.errors import InputError
from textclust.methods import METHODS

ELSEWHERE = [name for name, method in METHODS.items() if not method.in_parts]


@pytest.fixture(scope="module")
def X():
    return in_parts(FakeClient(), documents(30, 12), (10,))


def assert_refused(what, fit, *given, **named):
    with pytest.raises(InputError) as refusal:
        fit(*given, **named)
    assert str(refusal.value) == (
        f"{what} needs all rows on one machine, and those of X lie in parts with workers; "
        "X[rows] brings some of them here"
    )


@pytest.mark.parametrize("method", ELSEWHERE)
def test_methods_that_need_all_rows_here(X, method):
    name = METHODS[method].estimator
    assert_refused(name, getattr(tc, name)(n_clusters=2).fit, X)


def test_metrics_backgrounds_and_seed_words(X):
    features = [f"term{column}" for column in range(12)]
    background = tc.Background(np.eye(12), ["a", "b"] * 6, features)
    guided = tc.GuidedClustering(2)
    words = {"seed_words": {"a": ["term1"], "b": ["term2"]}, "feature_names": features}
    assert_refused("learn=True", tc.HMRFKMeans(2, learn=True).fit, X)
    assert_refused("seed_words=", guided.fit, X, **words)
    assert_refused("a background", guided.fit, X, background=background, feature_names=features)


def test_what_predicts_needs_the_same_columns(X):
    model = tc.SphericalKMeans(2, n_init=1, random_state=0).fit(X)
    other = in_parts(FakeClient(), documents(30, 11))
    with pytest.raises(ValueError, match="X has 11 features, but SphericalKMeans is expecting 12"):
        model.predict(other)


def test_what_is_wrong_with_the_rows_is_said_as_on_one_machine():
    X = documents(20, 8)
    nothing, negative = X * 0.0, X * -1.0
    for wrong, model in (
        (X, tc.SphericalKMeans(21)),
        (nothing, tc.SphericalKMeans(2)),
        (negative, tc.KMeans(2, distortion="kl")),
        (X * 1e200, tc.KMeans(2)),
    ):
        said = []
        for rows in (wrong, in_parts(FakeClient(), wrong, (5, 5))):
            with pytest.raises(InputError) as refusal:
                model.fit(rows)
            said.append(str(refusal.value))
        assert said[0] == said[1]
