"""What well-chosen questions bring, beside random ones (Basu 2005, 5.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from textclust import metrics
from textclust.estimators.constrained import HMRFKMeans
from textclust.experiments.asking import answers_about, links_from
from textclust.experiments.collections import NEWS
from textclust.experiments.datasets import dataset
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import halves
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.questions.explore_consolidate import ExploreConsolidate

__all__ = ["EXPERIMENTS", "VARIANTS"]

COLLECTIONS = (*(f"3-news-{family}-100" for family in NEWS), "classic3-subset")
BUDGETS = (10, 20, 50, 100, 200)
MANY_CLASSES = ("20-newsgroups-100",)
MORE = (50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Variant:
    """How questions are chosen, None for at random, and how the answers are clustered with."""

    asking: dict[str, Any] | None
    model: dict[str, Any] = field(default_factory=dict)
    wrong: float = 0.0  # the share of answers that are turned round
    damped: bool = True  # term frequencies


_THESIS_ASKING = {"space": "full", "exploring": "farthest", "consolidating": "random"}
_THESIS_MODEL: dict[str, Any] = {
    "weight": 0.001,
    "init": "neighbourhoods",
    "n_init": 1,
    "entailed": True,
    "refine": False,
}
VARIANTS = {
    "thesis": Variant(_THESIS_ASKING, _THESIS_MODEL, damped=False),
    "thesis, random pairs": Variant(None, _THESIS_MODEL, damped=False),
    "default": Variant({}),
    "default, random pairs": Variant(None),
    "default, 10% wrong": Variant({}, wrong=0.1),
    "checked, 10% wrong": Variant({"checks": 0.2}, wrong=0.1),
}


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI on the half that is never asked about, for each number of questions."""
    variant = VARIANTS[case["variant"]]
    X, truth = dataset(case["collection"], damped=variant.damped)
    budgets = MORE if case["collection"] in MANY_CLASSES else BUDGETS
    for told, asked in halves(len(truth), np.random.default_rng(run)):
        scores = _scores(X, truth, told, asked, variant, budgets, run)
        for budget, score in zip(budgets, scores, strict=True):
            yield {"questions": budget, "NMI": score}


def _scores(
    X: Matrix,
    truth: Array,
    told: Labels,
    asked: Labels,
    variant: Variant,
    budgets: tuple[int, ...],
    state: int,
) -> Iterator[float]:
    """The score on one half after each number of questions about the other."""
    k, most = len(set(truth.tolist())), budgets[-1]
    chosen = variant.asking is not None
    asking = ExploreConsolidate(k, most, random_state=state, **(variant.asking or {}))
    answers = answers_about(
        X[told], truth[told], asking if chosen else None, most, state, variant.wrong
    )
    for budget in budgets:
        constraints = links_from(answers[:budget], told, k if chosen else None)
        model = HMRFKMeans(k, random_state=state, **variant.model).fit(X, constraints=constraints)
        yield metrics.nmi(truth[asked], model.labels_[asked])


EXPERIMENTS = (
    Experiment(
        name="questions",
        title="NMI on the half that is never asked about, by the number of questions",
        source="Basu 2005, section 5.5",
        unit=unit,
        cases=(
            *grid(collection=COLLECTIONS, variant=VARIANTS),
            *grid(collection=MANY_CLASSES, variant=VARIANTS, runs=[10]),
        ),
        runs=20,
        axes=("collection", "variant", "questions"),
        x="questions",
        lines="variant",
        notes=(
            "thesis: Explore and Consolidate in the full space, weight 0.001, entailed links, "
            "start 4.4.3, one run; plain term frequencies",
            "default: ExploreConsolidate and HMRFKMeans as they come; damped term frequencies",
            "checked: the same with checks=0.2",
        ),
    ),
)
