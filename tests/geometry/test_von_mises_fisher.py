"""The von Mises-Fisher distribution against scipy and against its own definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import gammaln, ive
from scipy.stats import vonmises_fisher

from textclust.geometry.bessel import log_bessel
from textclust.geometry.von_mises_fisher import (
    VonMisesFisher,
    approximate_concentration,
    concentration,
    log_normaliser,
)


@pytest.mark.parametrize("order", [-0.5, 0.0, 0.5, 3.0, 30.0, 99.5, 100.0, 137.5])
def test_the_logarithm_of_the_bessel_function_is_that_of_scipy(order):
    x = np.geomspace(1.0, 1e5, 60)
    scaled = ive(order, x)
    kept = scaled > 1e-300
    expected = np.log(scaled[kept]) + x[kept]
    np.testing.assert_allclose(log_bessel(order, x)[kept], expected, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("order", [99.5, 500.0, 9_999.0])
def test_where_scipy_underflows_it_is_the_power_series(order):
    x = np.array([0.01, 1.0, 20.0])
    m = np.arange(200.0)[:, None]
    logs = (2 * m + order) * np.log(x / 2) - gammaln(m + 1) - gammaln(m + order + 1)
    top = logs.max(axis=0)
    expected = top + np.log(np.exp(logs - top).sum(axis=0))
    np.testing.assert_allclose(log_bessel(order, x), expected, rtol=1e-12)
    assert ive(order, 1.0) == 0.0 or order < 100


@given(order=st.floats(0.5, 2e4), ratio=st.floats(1e-3, 1e3))
def test_neighbouring_orders_obey_the_recurrence(order, ratio):
    """I_{v-1} - I_{v+1} = (2 v / x) I_v (Abramowitz and Stegun 9.6.26)."""
    x = np.array([max(order, 1.0) * ratio])
    below, here, above = (log_bessel(order + step, x) for step in (-1.0, 0.0, 1.0))
    left = np.exp(below - here) - np.exp(above - here)
    np.testing.assert_allclose(left, 2 * order / x, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("d", [2, 3, 10, 50])
@pytest.mark.parametrize("kappa", [0.5, 10.0, 200.0])
def test_the_density_is_that_of_scipy(d, kappa):
    mu = np.eye(d)[0]
    x = vonmises_fisher(mu, kappa).rvs(5, random_state=0)
    expected = vonmises_fisher(mu, kappa).logpdf(x)
    found = log_normaliser(np.array([kappa]), d) + kappa * (x @ mu)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_in_twenty_thousand_dimensions_the_density_still_integrates_to_one():
    """Over the angle: the sphere of the other directions has the surface 2 pi^(m/2) / G(m/2)."""
    d, kappa = 20_000, 6_000.0
    m = d - 1
    constant = float(log_normaliser(np.array([kappa]), d)[0])
    surface = np.log(2) + m / 2 * np.log(np.pi) - gammaln(m / 2)

    def density(t):
        return np.exp(constant + surface + kappa * t + (m - 2) / 2 * np.log1p(-t * t))

    total, _ = quad(density, 0.1, 0.5, points=[0.25, 0.27, 0.28, 0.3], limit=500)
    assert total == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("d", [2, 3, 10, 300, 20_000])
def test_the_concentration_has_the_mean_that_was_seen(d):
    r = np.array([0.01, 0.2, 0.5, 0.9, 0.99])
    kappa = concentration(r, d)
    v = d / 2 - 1
    mean = np.exp(log_bessel(v + 1, kappa) - log_bessel(v, kappa))
    np.testing.assert_allclose(mean, r, rtol=1e-8)
    near = approximate_concentration(r, d)
    np.testing.assert_allclose(near, (r * d - r**3) / (1 - r**2))
    np.testing.assert_allclose(near, kappa, rtol=0.3 if d < 10 else 0.02)


@pytest.mark.parametrize("d", [1, 2, 50, 20_000])
@pytest.mark.parametrize("estimate", [concentration, approximate_concentration])
def test_no_direction_and_one_direction_alone_have_a_finite_concentration(d, estimate):
    kappa = estimate(np.array([0.0, 1.0]), d)
    np.testing.assert_allclose(kappa, [1e-6 * d, 1e6 * d])
    assert np.isfinite(log_normaliser(kappa, d)).all()


def test_as_a_distortion_it_is_the_negative_log_density_times_the_share():
    kappa, pi = np.array([5.0, 40.0]), np.array([0.3, 0.7])
    mu = np.array([[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]])
    kind = VonMisesFisher(kappa, -np.log(pi) - log_normaliser(kappa, 3))
    x = vonmises_fisher(mu[0], 2.0).rvs(4, random_state=1)
    form = kind.affine(mu)
    found = form.offsets - form.scales * (x @ form.slopes.T)
    for h in range(2):
        expected = -np.log(pi[h]) - vonmises_fisher(mu[h], kappa[h]).logpdf(x)
        np.testing.assert_allclose(found[:, h], expected)
    assert kind.mismatch(2, 3) is None
    assert kind.mismatch(3, 3) is not None
