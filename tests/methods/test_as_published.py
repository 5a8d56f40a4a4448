"""The switch: settings left open are those of the paper, settings that are given stay."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import textclust as tc
from tests.strategies import random_documents
from textclust.methods import METHODS
from textclust.methods.hmrf import HMRFKMeansSolver

LINKS = tc.Constraints([(0, 5), (5, 9), (1, 2)], [(0, 1), (9, 30)])
PUBLISHED = [
    (tc.KMeans, {"init": "perturbed", "n_init": 1, "refine": False}, {}),
    (tc.SphericalKMeans, {"init": "perturbed", "n_init": 1, "refine": False}, {}),
    (tc.SeededKMeans, {"init": "seeds", "n_init": 1, "refine": False}, {"y": True}),
    (tc.ConstrainedKMeans, {"init": "seeds", "n_init": 1, "refine": False}, {"y": True}),
    (
        tc.COPKMeans,
        {"init": "random", "n_init": 1, "refine": False, "local_search": False},
        {"constraints": LINKS},
    ),
    (
        tc.PCKMeans,
        {"init": "largest", "n_init": 1, "refine": False, "weight": 1.0, "entailed": True},
        {"constraints": LINKS},
    ),
    (
        tc.HMRFKMeans,
        {"init": "neighbourhoods", "n_init": 1, "refine": False, "weight": 1.0, "entailed": True},
        {"constraints": LINKS},
    ),
    (
        tc.SSKernelKMeans,
        {"init": "neighbourhoods", "n_init": 1, "refine": False, "weight": 1.0},
        {"constraints": LINKS},
    ),
    (
        tc.AdaptiveSSKernelKMeans,
        {
            "init": "neighbourhoods",
            "n_init": 1,
            "refine": False,
            "weight": 1.0,
            "reference": "random",
        },
        {"constraints": LINKS},
    ),
]


def fitted(estimator, X, known, **parameters):
    if known.get("y"):
        known = {"y": np.where(np.arange(X.shape[0]) % 5 == 0, np.arange(X.shape[0]) % 3, -1)}
    return estimator(3, random_state=0, **parameters).fit(X, **known)


@pytest.mark.parametrize(("estimator", "settings", "known"), PUBLISHED)
def test_the_switch_sets_what_the_paper_prints(estimator, settings, known):
    X = random_documents(60, 30)
    switched = fitted(estimator, X, known, as_published=True)
    spelt = fitted(estimator, X, known, **settings)
    assert switched.labels_.tolist() == spelt.labels_.tolist()
    assert switched.objective_ == spelt.objective_
    assert switched.get_params()["init"] == "auto"  # parameters stay untouched


def test_a_setting_that_is_given_stays():
    given = HMRFKMeansSolver(3, as_published=True, weight=0.5, refine=True).resolved()
    assert (given.weight, given.refine) == (0.5, True)
    assert (given.init, given.entailed) == ("neighbourhoods", True)


def test_without_the_switch_the_search_is_our_own():
    usual = HMRFKMeansSolver(3).resolved()
    assert (usual.init, usual.refine, usual.entailed, usual.weight) == ("auto", True, False, "auto")


def test_background_methods_ask_the_labeller_of_the_paper():
    assert tc.SemiHard(2, as_published=True).solver.resolved().labeller == "naive-bayes"
    assert tc.SemiHard(2, as_published=True).solver.resolved().init == "confident"
    points = tc.SemiFuzzy(2, distortion="euclidean", as_published=True).solver.resolved()
    assert points.labeller == "nearest"


def test_cluedo_ends_with_the_cut_of_its_tree():
    assert tc.CLUEDO(as_published=True).solver.resolved().finish == "cut"
    assert tc.CLUEDO(as_published=True).solver.resolved().n_clusters == "cori"
    assert tc.CLUEDO(n_clusters=4, as_published=True).solver.resolved().n_clusters == 4


def test_cop_as_published_satisfies_every_link_and_its_energy_falls():
    X = random_documents(60, 30)
    truth = np.arange(60) % 3
    rng = np.random.default_rng(0)
    pairs = rng.integers(60, size=(60, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    links = tc.Constraints(pairs[same], pairs[~same])
    model = tc.COPKMeans(3, as_published=True, random_state=0).fit(X, constraints=links)
    assert not links.violated(model.labels_).any()
    assert (np.diff(model.objective_history_) <= 1e-9).all()


def printed_settings():
    """The table of the documentation: for each estimator its settings, as text."""
    page = Path(__file__).parents[2] / "docs" / "as-published.md"
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for name in re.findall(r"`(\w+)`", cells[0]) if len(cells) == 3 else []:
            start = {"init": cells[1]} if cells[1] else {}
            settings = cells[2].split(", ") if cells[2] else []
            yield name, {**start, **dict(each.split("=") for each in settings)}


def made(name):
    if name == "ExploreConsolidate":
        return tc.ExploreConsolidate(2, 5)
    return getattr(tc, name)().solver


@pytest.mark.parametrize(("name", "settings"), list(printed_settings()))
def test_the_documentation_lists_what_the_switch_sets(name, settings):
    assert settings == {key: str(value) for key, value in made(name).published().items()}


def test_the_documentation_lists_every_method_of_a_paper():
    listed = {name for name, _ in printed_settings()}
    papers = (each for each in METHODS.values() if each.allows({"as_published": True}))
    methods = {method.estimator for method in papers}
    assert listed == methods | {"SphericalKMeans", "ExploreConsolidate"}
