"""Learning batch by batch."""

from __future__ import annotations

import numpy as np
import pytest

import textclust as tc
from tests.strategies import CONTAINERS, DISTORTIONS, random_documents


def blobs(n=240, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    table = rng.poisson(0.2, (n, 30)).astype(float)
    for h in range(3):
        table[truth == h, 10 * h : 10 * h + 10] += rng.poisson(2.0, ((truth == h).sum(), 10))
    return table + 0.01, truth


@pytest.mark.parametrize("name", DISTORTIONS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_batches_find_the_clusters_of_the_whole(name, container):
    table, truth = blobs()
    model = tc.KMeans(3, distortion=name, random_state=0)
    for part in np.array_split(table, 4):
        model.partial_fit(container(part))
    assert tc.metrics.nmi(truth, model.predict(container(table))) > 0.95
    assert model.labels_.shape == (60,)


def test_one_batch_is_a_fit():
    X = random_documents(80, 30)
    whole = tc.SphericalKMeans(4, random_state=0).fit(X)
    batch = tc.SphericalKMeans(4, random_state=0).partial_fit(X)
    np.testing.assert_array_equal(batch.labels_, whole.labels_)
    np.testing.assert_array_equal(batch.cluster_centers_, whole.cluster_centers_)


def test_the_centre_is_the_mean_of_all_that_was_ever_given():
    """One cluster, two batches: (0 + 2 + 4 + 6) / 4 = 3, and a weight of 5 at 11 makes 7.44."""
    model = tc.KMeans(1, random_state=0)
    model.partial_fit(np.array([[0.0], [2.0]])).partial_fit(np.array([[4.0], [6.0]]))
    assert model.cluster_centers_.tolist() == [[3.0]]
    model.partial_fit(np.array([[11.0]]), sample_weight=[5.0])
    assert model.cluster_centers_[0, 0] == pytest.approx((12 + 55) / 9)
    assert model.objective_ == pytest.approx(5 * (11 - 3) ** 2)


def test_a_fit_forgets_the_batches_before_it():
    X = random_documents(60, 20)
    model = tc.KMeans(3, random_state=0).partial_fit(random_documents(40, 20, seed=3))
    model.fit(X)
    np.testing.assert_array_equal(
        model.cluster_centers_, tc.KMeans(3, random_state=0).fit(X).cluster_centers_
    )
    model.partial_fit(X)
    np.testing.assert_array_equal(model.labels_, tc.KMeans(3, random_state=0).fit(X).labels_)


def test_batches_of_another_width_are_refused():
    model = tc.KMeans(2).partial_fit(random_documents(20, 10))
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(random_documents(20, 11))
