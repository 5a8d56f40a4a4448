"""What well-chosen questions bring, beside random ones (Basu 2005, 5.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from textclust import metrics
from textclust.estimators.constrained import HMRFKMeans
from textclust.experiments.collections import NEWS
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.halves import halves, terms_and_classes
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.questions.dialogue import Answer, Dialogue
from textclust.questions.explore_consolidate import ExploreConsolidate
from textclust.supervision.constraints import Constraints

__all__ = ["EXPERIMENTS", "VARIANTS"]

COLLECTIONS = tuple(f"3-news-{family}-100" for family in NEWS)
BUDGETS = (10, 20, 50, 100, 200)


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
    "checked, 10% wrong": Variant({"checks": 0.3}, {"robust": True}, wrong=0.1),
}


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI on the half that is never asked about, for each number of questions."""
    variant = VARIANTS[case["variant"]]
    X, truth = terms_and_classes(case["collection"], sublinear_tf=variant.damped)
    for told, asked in halves(len(truth), np.random.default_rng(run)):
        scores = _scores(X, truth, told, asked, variant, run)
        for budget, score in zip(BUDGETS, scores, strict=True):
            yield {"questions": budget, "NMI": score}


def _scores(
    X: Matrix, truth: Array, told: Labels, asked: Labels, variant: Variant, state: int
) -> Iterator[float]:
    """The score on one half after each number of questions about the other."""
    k = len(set(truth.tolist()))
    answers = _answers(X[told], truth[told], k, variant, state)
    for budget in BUDGETS:
        known = Dialogue(k if variant.asking is not None else None, answers[:budget]).constraints()
        links = known.links
        pairs = np.stack([told[links.left], told[links.right]], axis=1)
        constraints = Constraints(pairs[links.together], pairs[~links.together], known.weights)
        model = HMRFKMeans(k, random_state=state, **variant.model).fit(X, constraints=constraints)
        yield metrics.nmi(truth[asked], model.labels_[asked])


def _answers(X: Matrix, truth: Array, k: int, variant: Variant, state: int) -> list[Answer]:
    """The answers to as many questions as the longest dialogue has, in order."""
    rng = np.random.default_rng(state)
    answers: list[Answer] = []

    def oracle(i: int, j: int) -> bool:
        same = bool(truth[i] == truth[j]) ^ bool(rng.random() < variant.wrong)
        answers.append(Answer(i, j, same))
        return same

    if variant.asking is None:
        for _ in range(BUDGETS[-1]):
            oracle(*map(int, rng.choice(len(truth), 2, replace=False)))
    else:
        ExploreConsolidate(k, BUDGETS[-1], random_state=state, **variant.asking).query(X, oracle)
    return answers


EXPERIMENTS = (
    Experiment(
        name="questions",
        title="NMI on the half that is never asked about, by the number of questions",
        source="Basu 2005, section 5.5",
        unit=unit,
        cases=grid(collection=COLLECTIONS, variant=VARIANTS),
        runs=20,
        axes=("collection", "variant", "questions"),
        x="questions",
        lines="variant",
        notes=(
            "thesis: Explore and Consolidate in the full space, weight 0.001, entailed links, "
            "start 4.4.3, one run; plain term frequencies",
            "default: ExploreConsolidate and HMRFKMeans as they come; damped term frequencies",
            "checked: the same with checks=0.3 and robust=True",
        ),
    ),
)
