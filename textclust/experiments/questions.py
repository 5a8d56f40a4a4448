"""What well-chosen questions bring, beside random ones (Basu 2005, 5.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from textclust import metrics
from textclust.active.explore_consolidate import ExploreConsolidate
from textclust.estimators.constrained import HMRFKMeans
from textclust.estimators.guided import GuidedClustering
from textclust.experiments.asking import answers_about, links_from
from textclust.experiments.collections import NEWS
from textclust.experiments.datasets import dataset
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import halves
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.parameters import Settings
from textclust.supervision.constraints import Constraints

__all__ = ["EVERY_VARIANT", "EXPERIMENTS", "VARIANTS"]

COLLECTIONS = (*(f"3-news-{family}-100" for family in NEWS), "classic3-subset")
BUDGETS = (10, 20, 50, 100, 200)
MANY_CLASSES = ("20-newsgroups-100",)
MORE = (50, 100, 200, 500, 1000)
LARGER = ("3-news-related-1000", "3-news-similar-1000")
SOME = (50, 100, 200)


@dataclass(frozen=True)
class Variant:
    """How questions are chosen, None for at random, and how the answers are clustered with."""

    asking: Settings | None
    model: Settings = field(default_factory=dict)
    wrong: float = 0.0  # the share of answers that are turned round
    damped: bool = True  # term frequencies
    classes: bool = False  # of random documents are given instead, one for each question
    guided: bool = False  # GuidedClustering instead of HMRFKMeans


_THESIS_ASKING = {"as_published": True}
_THESIS_MODEL: Settings = {"as_published": True, "weight": 0.001}
_SETS: Settings = {"set_size": 8}
VARIANTS = {
    "thesis": Variant(_THESIS_ASKING, _THESIS_MODEL, damped=False),
    "thesis, random pairs": Variant(None, _THESIS_MODEL, damped=False),
    "default": Variant({}),
    "default, random pairs": Variant(None),
    "default, 10% wrong": Variant({}, wrong=0.1),
    "checked, 10% wrong": Variant({"checks": 0.2}, wrong=0.1),
    "default, classes": Variant(None, classes=True),
    "guided": Variant({}, guided=True),
    "guided, random pairs": Variant(None, guided=True),
    "guided, 10% wrong": Variant({}, wrong=0.1, guided=True),
    "guided, classes": Variant(None, classes=True, guided=True),
}
SETS_AND_ERRORS = {  # for the small collections
    "guided, sets": Variant(_SETS, guided=True),
    **{
        f"guided{of_sets}, {wrong:.0%} wrong{rate}": Variant(
            {**asking, **knowing}, wrong=wrong, guided=True
        )
        for of_sets, asking in (("", {}), (", sets", _SETS))
        for wrong in (0.1, 0.2)
        for rate, knowing in (
            ("", {}),
            (", rate known", {"error_rate": wrong}),
            (", rate estimated", {"error_rate": "estimate"}),
        )
    },
}
EVERY_VARIANT = {**VARIANTS, **SETS_AND_ERRORS}


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI on the half that is never asked about, for each number of questions."""
    variant = EVERY_VARIANT[case["variant"]]
    X, truth = dataset(case["collection"], damped=variant.damped)
    budgets = _budgets(case["collection"])
    k = len(set(truth.tolist()))
    method = GuidedClustering if variant.guided else HMRFKMeans
    for train, test in halves(len(truth), np.random.default_rng(run)):
        known = _known(X, truth, train, variant, budgets, run)
        for budget, constraints in zip(budgets, known, strict=True):
            model = method(k, random_state=run, **variant.model).fit(X, constraints=constraints)
            yield {"questions": budget, "NMI": metrics.nmi(truth[test], model.labels_[test])}


def _budgets(collection: str) -> tuple[int, ...]:
    if collection in MANY_CLASSES:
        return MORE
    return SOME if collection in LARGER else BUDGETS


def _known(
    X: Matrix, truth: Array, train: Labels, variant: Variant, budgets: tuple[int, ...], state: int
) -> Iterator[Constraints]:
    """What is known of one half after each number of questions."""
    if variant.classes:
        yield from _classes(truth, train, budgets, state)
        return
    most, asking, k = budgets[-1], None, None
    if variant.asking is not None:
        k = len(set(truth.tolist()))
        asking = ExploreConsolidate(k, most, random_state=state, **variant.asking)
    answers = answers_about(X[train], truth[train], asking, most, state, variant.wrong)
    for budget in budgets:
        yield links_from(answers[:budget], train, k, asking)


def _classes(
    truth: Array, train: Labels, budgets: tuple[int, ...], state: int
) -> Iterator[Constraints]:
    """What the classes of as many random documents of that half say."""
    rows = np.random.default_rng(state).permutation(train)
    _, classes = np.unique(truth, return_inverse=True)
    for budget in budgets:
        labels = np.full(len(truth), -1)
        labels[rows[:budget]] = classes[rows[:budget]]
        yield Constraints.from_labels(labels)


EXPERIMENTS = (
    Experiment(
        name="questions",
        title="NMI on the half that is never asked about, by the number of questions",
        source="Basu 2005, section 5.5",
        unit=unit,
        cases=(
            *grid(collection=COLLECTIONS, variant=EVERY_VARIANT),
            *grid(collection=(*MANY_CLASSES, *LARGER), variant=VARIANTS, runs=[10]),
        ),
        runs=20,
        axes=("collection", "variant", "questions"),
        x="questions",
        lines="variant",
        baseline="thesis, random pairs",
        notes=(
            "thesis: Explore and Consolidate in the full space, weight 0.001, entailed links, "
            "start 4.4.3, one run; plain term frequencies",
            "default: ExploreConsolidate and HMRFKMeans as they come; damped term frequencies",
            "checked: the same with checks=0.2; guided: with GuidedClustering as it comes, the "
            "default of `textclust cluster`",
            "classes: those of as many random documents are given instead, which is more than as "
            "many answers could tell",
            "sets: of eight documents, one of them there before; rate known: error_rate is the "
            'share of wrong answers, rate estimated: it is "estimate"',
        ),
    ),
)
