"""VonMisesFisherMixture and HMRFEM against their formulas."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import vonmises_fisher

import textclust as tc
from tests.methods import slow_mixtures as slow
from tests.strategies import constraint_sets, counts, random_documents
from textclust.errors import InputError

RNG = np.random.default_rng
HARD = pytest.mark.filterwarnings("ignore:.*distinct clusters found")


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def falls(model):
    pairs = itertools.pairwise(model.objective_history_)
    return all(later <= earlier + 1e-9 * (1 + abs(earlier)) for earlier, later in pairs)


def labelled(model, X):
    """Labels to start from, three in turn."""
    return model.set_params(init=np.arange(X.shape[0]) % 3, refine=False)


@pytest.mark.parametrize("concentration", ["own", "shared"])
@pytest.mark.parametrize("seed", range(3))
def test_steps_are_those_of_the_paper(seed, concentration):
    X = unit(RNG(seed).normal(0.3, 1.0, (25, 5)))
    hard = labelled(tc.SphericalKMeans(3, max_iter=1), X).fit(X).labels_
    model = tc.VonMisesFisherMixture(
        3, concentration=concentration, estimate="approximate", init=hard, refine=False,
        temperature=1.0, tol=0.0, max_iter=8,
    )  # fmt: skip
    initial = model.fit(sp.csr_array(X))
    r = np.eye(3)[
        tc.SphericalKMeans(3, init=hard, refine=False, max_iter=8, tol=0.0).fit(X).labels_
    ]
    history = []
    for _ in range(initial.n_iter_):
        r, mu, kappa, pi, objective = slow.vmf_step(X, r, concentration == "shared")
        history.append(objective)
    order = [int((mu @ centre).argmax()) for centre in initial.cluster_centers_]
    np.testing.assert_allclose(initial.objective_history_, history, rtol=1e-9)
    np.testing.assert_allclose(initial.cluster_centers_, mu[order], atol=1e-9)
    np.testing.assert_allclose(initial.concentrations_, kappa[order], rtol=1e-8)
    np.testing.assert_allclose(initial.weights_, pi[order], rtol=1e-8)
    np.testing.assert_allclose(initial.responsibilities_, r[:, order], atol=1e-8)
    np.testing.assert_allclose(initial.memberships_, initial.responsibilities_)


def test_one_step_by_hand():
    """Two documents on each axis of the plane, three to one; mu on the diagonal between."""
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [-1.0, 0.0]])
    model = tc.VonMisesFisherMixture(
        2, concentration="own", estimate="approximate", max_concentration=2.0, temperature=1.0,
        init=np.array([0, 0, 1, 1]), refine=False, max_iter=1,
    ).fit(X)  # fmt: skip
    # r = |(1, 1)| / 2 = 0.7071: kappa = (2 r - r^3) / (1 - r^2) = 2.1213, capped at 2
    np.testing.assert_allclose(model.concentrations_, [2.0, 2.0])
    np.testing.assert_allclose(model.weights_, [0.5, 0.5])
    np.testing.assert_allclose(model.cluster_centers_, [[0.5**0.5, 0.5**0.5], [-1.0, 0.0]])
    # c and pi are equal, so the odds are exp(2 <mu_0 - mu_1, x>)
    odds = np.exp(2 * np.array([0.5**0.5 + 1, 0.5**0.5, -(0.5**0.5) - 1, -(0.5**0.5) - 1]))
    np.testing.assert_allclose(model.responsibilities_[:, 0], odds / (1 + odds))


@pytest.mark.parametrize(
    ("d", "kappas"), [(3, (10.0, 60.0)), (10, (20.0, 50.0)), (60, (90.0, 60.0))]
)
def test_the_distributions_that_points_were_drawn_from_are_found(d, kappas):
    mu = unit(np.array([np.eye(d)[0] + 0.3 * np.eye(d)[1], np.eye(d)[1]]))
    parts = [
        vonmises_fisher(mu[h], kappas[h]).rvs(size, random_state=h)
        for h, size in enumerate((3000, 1000))
    ]
    model = tc.VonMisesFisherMixture(2, concentration="own", random_state=0, tol=1e-10)
    model.fit(np.concatenate(parts))
    np.testing.assert_allclose(model.concentrations_, kappas, rtol=0.08)
    np.testing.assert_allclose(model.weights_, [0.75, 0.25], atol=0.02)
    assert ((model.cluster_centers_ * mu).sum(axis=1) > 0.995).all()


def test_where_the_model_holds_its_probabilities_are_right_as_often_as_they_say():
    d, kappa = 4, 6.0
    mu = np.eye(d)[:2]
    parts = [vonmises_fisher(m, kappa).rvs(4000, random_state=h) for h, m in enumerate(mu)]
    model = tc.VonMisesFisherMixture(2, random_state=0).fit(np.concatenate(parts))
    truth = np.repeat([0, 1], 4000)
    if (model.labels_ == truth).mean() < 0.5:
        truth = 1 - truth
    assert model.temperature_ == 1.0
    sure, right = model.memberships_.max(axis=1), model.labels_ == truth
    for low, high in itertools.pairwise([0.5, 0.7, 0.9, 0.99]):
        there = (sure >= low) & (sure < high)
        assert right[there].mean() == pytest.approx(sure[there].mean(), abs=0.04)


@HARD
@given(table=counts(min_rows=3), k=st.integers(1, 3), own=st.booleans(), seed=st.integers(0, 99))
def test_the_likelihood_never_falls(table, k, own, seed):
    model = tc.VonMisesFisherMixture(
        k, concentration="own" if own else "shared", n_init=1, random_state=seed, tol=0.0
    ).fit(sp.csr_array(table))
    assert falls(model)
    assert np.isfinite(model.responsibilities_).all()
    np.testing.assert_allclose(model.responsibilities_.sum(axis=1), 1.0)
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.labels_, model.responsibilities_.argmax(axis=1))
    np.testing.assert_array_equal(model.predict(table), model.labels_)
    np.testing.assert_allclose(model.predict_proba(table), model.memberships_, atol=1e-9)


def test_seeds_are_certain_and_draw_others():
    X = unit(np.abs(RNG(0).normal(0.3, 1.0, (40, 6))))
    y = np.full(40, -1)
    y[:6] = [2, 2, 1, 1, 0, 0]
    model = tc.VonMisesFisherMixture(3, random_state=0).fit(X, y)
    for found in (model.responsibilities_, model.memberships_):
        np.testing.assert_array_equal(found[:6], np.eye(3)[y[:6]])
    assert model.labels_[:6].tolist() == y[:6].tolist()
    assert falls(model)


def test_seeds_name_the_components():
    X = np.array([[1.0, 0.1], [1.0, 0.0], [0.0, 1.0], [0.1, 1.0]])
    model = tc.VonMisesFisherMixture(2, random_state=0).fit(X, ["sky", None, "bread", None])
    assert model.classes_ == ["bread", "sky"]
    assert model.labels_.tolist() == [1, 1, 0, 0]


def test_text_of_many_terms_has_hard_responsibilities_and_softer_memberships():
    X = random_documents(200, 20_000, density=0.002)
    model = tc.VonMisesFisherMixture(4, random_state=0).fit(X)
    assert np.isfinite(model.objective_)
    assert (model.concentrations_ > 1000).all()
    assert model.responsibilities_.max(axis=1).mean() > 0.999
    assert model.temperature_ > 10
    assert model.memberships_.max(axis=1).mean() < 0.999
    np.testing.assert_array_equal(model.memberships_.argmax(axis=1), model.labels_)
    np.testing.assert_allclose(model.predict_proba(X), model.memberships_)


def test_a_temperature_is_a_power_of_the_probabilities():
    X = unit(RNG(1).normal(0.2, 1.0, (30, 4)))
    one, three = (
        tc.VonMisesFisherMixture(3, temperature=t, random_state=0).fit(X) for t in (1.0, 3.0)
    )
    np.testing.assert_allclose(one.memberships_, one.responsibilities_)
    powers = one.responsibilities_ ** (1 / 3)
    np.testing.assert_allclose(three.memberships_, powers / powers.sum(axis=1, keepdims=True))
    assert one.objective_ == three.objective_
    np.testing.assert_array_equal(one.labels_, three.labels_)


def test_it_goes_on_while_an_iteration_brings_something():
    """The likelihood of 20,000 terms is so large that a share of it would end EM at once."""
    X = random_documents(120, 20_000, density=0.001)
    model = tc.VonMisesFisherMixture(3, max_concentration=12.0, max_iter=500, random_state=0)
    falls = -np.diff(model.fit(X).objective_history_)
    assert (falls[:-1] > 1e-6 * 120).all()
    assert falls[-1] <= 1e-6 * 120


def test_weights_are_repetitions():
    X = random_documents(20, 12, 0.5)
    times = RNG(0).integers(1, 4, 20)
    start = X[:3].toarray() + 0.01
    for model in (
        tc.VonMisesFisherMixture(3, init=start, refine=False),
        tc.HMRFEM(3, beta=8.0, init=start, refine=False),
    ):
        weighted = model.fit(X, sample_weight=times)
        found, weights = weighted.objective_, weighted.weights_
        repeated = model.fit(X[np.repeat(np.arange(20), times)])
        assert found == pytest.approx(repeated.objective_)
        np.testing.assert_allclose(weights, repeated.weights_)


# HMRF-EM


def fitted(X, links, **parameters):
    usual = {"beta": 6.0, "weight": 0.4, "random_state": 0, "tol": 1e-12, "n_init": 1}
    return tc.HMRFEM(3, **{**usual, **parameters}).fit(X, constraints=links)


def given_links(links, weight):
    found = links.links
    rows = zip(found.pairs(), found.together.tolist(), found.weights.tolist(), strict=True)
    return [(i, j, together, weight * own) for (i, j), together, own in rows]


def dense_costs(X, model, distortion):
    if distortion == "euclidean":
        return ((X[:, None, :] - model.cluster_centers_) ** 2).sum(axis=2)
    return 1.0 - unit(X) @ model.cluster_centers_.T


@HARD
@pytest.mark.parametrize("distortion", ["cosine", "euclidean"])
@given(links=constraint_sets(rows=8), seed=st.integers(0, 99))
def test_the_objective_is_the_free_energy_and_never_rises(distortion, links, seed):
    X = RNG(seed).gamma(1.0, 1.0, (8, 4))
    weights = RNG(seed).integers(1, 4, 8).astype(float)
    model = tc.HMRFEM(
        3, distortion=distortion, beta=6.0, weight=0.4, n_init=1, random_state=seed, tol=1e-10
    ).fit(X, constraints=links, sample_weight=weights)
    assert falls(model)
    costs, priced = dense_costs(X, model, distortion), given_links(links, 0.4)
    q, pi = model.responsibilities_, np.maximum(model.weights_, 1e-300)
    expected = slow.free_energy(costs, q, pi, 6.0, weights, priced)
    assert model.objective_ == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert slow.field_residual(costs, q, pi, 6.0, weights, priced) < 1e-5
    np.testing.assert_array_equal(model.labels_, q.argmax(axis=1))


@pytest.mark.parametrize("distortion", ["kl", "i-divergence"])
def test_divergences_descend_too(distortion):
    X = random_documents(40, 12, 0.4)
    links = tc.Constraints([(0, 1), (1, 2), (5, 9)], [(0, 5), (3, 4), (7, 8)])
    model = fitted(X, links, distortion=distortion)
    assert falls(model)
    np.testing.assert_allclose(model.responsibilities_.sum(axis=1), 1.0)
    np.testing.assert_allclose(model.cluster_centers_.sum(axis=1) > 0, True)


def test_a_pair_by_hand():
    """Two documents between two fixed clusters: the mean field is where both sides agree."""
    from textclust.supervision.inference.mean_field import MeanField

    costs = np.array([[0.0, 1.0], [0.0, 0.0]])
    links = tc.Constraints(must_link=[(0, 1)]).links.times(2.0)
    field = MeanField(links, np.ones(2))
    q = field.shares(costs, np.full((2, 2), 0.5))
    # log odds a = 1 + 2 tanh(b / 2) and b = 2 tanh(a / 2), as q_0 - q_1 = tanh(odds / 2)
    a = b = 0.0
    for _ in range(200):
        a = 1 + 2 * np.tanh(b / 2)
        b = 2 * np.tanh(a / 2)
    np.testing.assert_allclose(q[:, 0], [1 / (1 + np.exp(-a)), 1 / (1 + np.exp(-b))], atol=1e-8)
    same = (q[0] * q[1]).sum()
    assert field.energy(q) == pytest.approx(2.0 * (1.0 - same))


@pytest.mark.parametrize("distortion", ["cosine", "euclidean", "kl"])
def test_sharp_and_without_links_it_is_k_means(distortion):
    X = random_documents(80, 30)
    hard = tc.KMeans(4, distortion=distortion, random_state=0).fit(X)
    soft = tc.HMRFEM(4, distortion=distortion, beta=1e6, random_state=0).fit(X)
    np.testing.assert_array_equal(soft.labels_, hard.labels_)
    assert soft.objective_ == pytest.approx(hard.objective_, rel=1e-4)
    np.testing.assert_allclose(soft.cluster_centers_, hard.cluster_centers_, atol=1e-6)


def test_sharp_and_with_links_it_is_hmrf_kmeans():
    X = random_documents(60, 30)
    rows = RNG(3).permutation(60).reshape(-1, 2)
    links = tc.Constraints(rows[:8], rows[8:20])
    settings = {"weight": 0.2, "init": X[:4].toarray() + 0.01, "random_state": 0}
    hard = tc.HMRFKMeans(4, **settings).fit(X, constraints=links)
    soft = tc.HMRFEM(4, beta=1e5, prior="uniform", **settings).fit(X, constraints=links)
    np.testing.assert_array_equal(soft.labels_, hard.labels_)
    assert soft.objective_ == pytest.approx(hard.objective_, rel=1e-3)
    assert {(v.left, v.right) for v in soft.violations_} == {
        (v.left, v.right) for v in hard.violations_
    }


def test_unreliable_links_count_for_as_little_as_in_hmrf_kmeans():
    X, truth = np.repeat(np.eye(4) + 0.1, 10, axis=0), np.repeat(np.arange(4), 10)
    X = X + 0.1 * RNG(0).random(X.shape)
    pairs = np.sort(RNG(1).permutation(40).reshape(-1, 2), axis=1)
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    same[:2] = ~same[:2]  # two wrong answers
    links = tc.Constraints(pairs[same], pairs[~same])
    settings = {"robust": True, "random_state": 0}
    hard = tc.HMRFKMeans(4, **settings).fit(X, constraints=links)
    soft = tc.HMRFEM(4, **settings).fit(X, constraints=links)
    assert (hard.link_prices_ == 0).any()
    np.testing.assert_allclose(soft.link_prices_, hard.link_prices_)
    np.testing.assert_array_equal(soft.labels_, hard.labels_)


def test_no_links_are_no_links():
    X = random_documents(30, 10)
    one, other = (
        tc.HMRFEM(3, random_state=0).fit(X, constraints=c) for c in (None, tc.Constraints())
    )
    assert one.objective_ == other.objective_
    np.testing.assert_array_equal(one.memberships_, other.memberships_)


def test_equally_sharp_mixtures_agree():
    X = random_documents(60, 20)
    start = X[:3].toarray() + 0.01
    field = tc.HMRFEM(3, beta=9.0, init=start, tol=1e-12).fit(X)
    vmf = tc.VonMisesFisherMixture(3, init=start, max_concentration=9.0, tol=1e-14).fit(X)
    np.testing.assert_allclose(vmf.concentrations_, 9.0)
    np.testing.assert_allclose(field.responsibilities_, vmf.responsibilities_, atol=1e-4)


def test_a_link_moves_the_probability_of_a_document_in_between():
    X = np.array([[1.0, 0.0], [1.0, 0.05], [0.0, 1.0], [0.05, 1.0], [1.0, 1.02]])
    alone = tc.HMRFEM(2, beta=10.0, random_state=0).fit(X)
    side = int(alone.labels_[0])
    links = tc.Constraints(must_link=[(0, 4)])
    linked = tc.HMRFEM(2, beta=10.0, random_state=0).fit(X, constraints=links)
    assert linked.memberships_[4, linked.labels_[0]] > alone.memberships_[4, side] + 0.1
    assert linked.labels_[4] == linked.labels_[0]
    # a new row knows no links
    assert linked.predict_proba(X)[4].max() < linked.memberships_[4].max()


def test_rows_of_zeros_have_the_shares_of_the_clusters_unless_a_link_says_more():
    X = np.vstack([random_documents(20, 10, 0.5).toarray(), np.zeros((2, 10))])
    links = tc.Constraints(must_link=[(0, 20)])
    for model in (
        tc.VonMisesFisherMixture(2, temperature=1.0, random_state=0).fit(X),
        tc.HMRFEM(2, temperature=1.0, weight=0.5, random_state=0).fit(X, constraints=links),
    ):
        np.testing.assert_allclose(model.memberships_[21], model.weights_)
        assert np.isfinite(model.objective_)
    assert model.labels_[20] == model.labels_[0]
    assert falls(model)


def test_a_document_without_weight_counts_for_nothing_nor_do_its_links():
    X = random_documents(20, 10, 0.5)
    weights = np.ones(20)
    weights[19] = 0
    links = tc.Constraints(must_link=[(0, 19), (1, 2)])
    rest = tc.Constraints(must_link=[(1, 2)])
    start = X[:3].toarray() + 0.01
    whole = fitted(X[:19], rest, init=start)
    zero = tc.HMRFEM(3, beta=6.0, weight=0.4, init=start, tol=1e-12, random_state=0)
    zero.fit(X, constraints=links, sample_weight=weights)
    assert zero.objective_ == pytest.approx(whole.objective_)


def test_new_probabilities_are_those_of_the_formula():
    X = random_documents(50, 15, 0.5).toarray()
    model = tc.HMRFEM(3, distortion="euclidean", temperature=2.0, random_state=0).fit(X)
    new = random_documents(5, 15, 0.5, seed=9).toarray()
    logits = np.log(model.weights_) - model.beta_ * dense_costs(new, model, "euclidean")
    expected = np.exp((logits - logits.max(axis=1, keepdims=True)) / 2.0)
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(new), expected, atol=1e-9)
    np.testing.assert_array_equal(model.predict(new), expected.argmax(axis=1))


@pytest.mark.parametrize("scale", [1e-4, 1e4])
def test_the_usual_sharpness_knows_no_scale(scale):
    X = random_documents(60, 20).toarray()
    one = tc.HMRFEM(3, distortion="euclidean", random_state=0).fit(X)
    other = tc.HMRFEM(3, distortion="euclidean", random_state=0).fit(scale * X)
    np.testing.assert_allclose(one.memberships_, other.memberships_, atol=1e-6)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (tc.VonMisesFisherMixture(2, distortion="kl"), "distortion must be one of 'cosine'"),
        (tc.VonMisesFisherMixture(2, concentration="free"), "concentration must be one of"),
        (tc.VonMisesFisherMixture(2, temperature=0.0), "temperature must be a number"),
        (tc.HMRFEM(2, beta=-1.0), "beta must be a number"),
        (tc.HMRFEM(2, prior="flat"), "prior must be one of 'auto', 'learned', 'uniform'"),
    ],
)
def test_a_bad_parameter_is_named_with_its_rule(model, message):
    with pytest.raises(InputError, match=message):
        model.fit(random_documents(20, 5))
