"""What the wizard of the workbench brings to a person who knows the classes, beside questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from textclust import metrics
from textclust.active.explore_consolidate import ExploreConsolidate
from textclust.estimators.guided import GuidedClustering
from textclust.experiments.asking import answers_about, links_from
from textclust.experiments.collections import classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.geometry.affine import Labels
from textclust.pipeline import default_vectorizer
from textclust.workbench.actions import parse
from textclust.workbench.collection import Collection
from textclust.workbench.editing import edited
from textclust.workbench.opening import first_state, opening
from textclust.workbench.refitting import refit, refitted
from textclust.workbench.state import State
from textclust.workbench.view import View
from textclust.workbench.wizard import Wizard

__all__ = ["EXPERIMENTS", "Person"]

ACTIONS = (0, 5, 10, 20, 30, 40, 50)
_LISTED = 20  # proposals that are looked at for one that was not passed over


class Person:
    """Somebody who knows the class of every document, and says what follows from it alone."""

    def __init__(self, truth: Labels) -> None:
        self.truth = truth
        self._passed: set[tuple[object, ...]] = set()

    def action(self, view: View) -> dict[str, object] | None:
        """What to do about the first proposal that was not passed over, or None to pass it over."""
        for proposal in Wizard(view).proposals(_LISTED):
            key = proposal["kind"], *map(str, _about(proposal))
            if key not in self._passed:
                action = self._reaction(view, proposal)
                if action is None:
                    self._passed.add(key)
                return action
        return None

    def _reaction(self, view: View, proposal: Mapping[str, Any]) -> dict[str, object] | None:
        if proposal["kind"] == "document":
            return self._place(view, proposal["row"])
        action: dict[str, object] = proposal["actions"][0]["action"]
        if proposal["kind"] == "merge":
            right = len({self._class_of(view.state.members(n)) for n in proposal["clusters"]}) == 1
        elif proposal["kind"] == "split":
            second = np.array(proposal["rows"])
            first = np.setdiff1d(view.state.members(proposal["cluster"]), second)
            right = self._class_of(first) != self._class_of(second)
        else:
            right = False  # links and seeds of somebody who knows are right
        return action if right else None

    def _place(self, view: View, row: int) -> dict[str, object]:
        """The largest cluster of the document's class, or a new one."""
        name = view.collection.documents.ids[row]
        sizes = {
            n: len(members)
            for n in view.numbers
            if len(members := view.state.members(n)) and self._class_of(members) == self.truth[row]
        }
        if not sizes:
            return {"action": "new", "documents": [name]}
        best = max(sizes, key=lambda n: sizes[n])
        return {"action": "answer", "question": "cluster", "document": name, "cluster": best}

    def _class_of(self, rows: Labels) -> int:
        """The class of most of these documents."""
        return int(np.bincount(self.truth[rows]).argmax())


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI on the documents that nothing was said of, by the number of actions."""
    documents = collection(case["collection"])
    _, truth = np.unique(classes(documents), return_inverse=True)
    opened = Collection.read(documents, default_vectorizer(frozenset()))
    k = int(truth.max()) + 1
    curve = _wizard if case["by"] == "wizard" else _questions
    for actions, labels, untouched in curve(opened, truth, k, run):
        yield {"actions": actions, "NMI": metrics.nmi(truth[untouched], labels[untouched])}


def _wizard(
    opened: Collection, truth: Labels, k: int, run: int
) -> Iterator[tuple[int, Labels, Labels]]:
    """A person does what the wizard proposes, and refits after every action."""
    state, person = first_state(opened, opening(opened, k, run)), Person(truth)
    for done in range(ACTIONS[-1] + 1):
        if done in ACTIONS:
            yield done, state.labels, _untouched(state)
        action = person.action(View.after(opened, state))
        if action is not None:
            state = edited(state, parse(action, opened.rows))
            state = refitted(state, refit(opened, state))


def _questions(
    opened: Collection, truth: Labels, k: int, run: int
) -> Iterator[tuple[int, Labels, Labels]]:
    """As many questions about pairs, as `ask` has them."""
    asking = ExploreConsolidate(k, ACTIONS[-1], random_state=run)
    answers = answers_about(opened.X, truth, asking, ACTIONS[-1], run)
    every = np.arange(len(truth))
    for count in ACTIONS:
        links = links_from(answers[:count], every, k, asking)
        labels = GuidedClustering(k, random_state=run).fit(opened.X, constraints=links).labels_
        asked = [answer.pair for event in answers[:count] for answer in event]
        mentioned = sorted(frozenset().union(*asked))
        yield count, labels.astype(np.intp), np.setdiff1d(every, mentioned)


def _untouched(state: State) -> Labels:
    return np.setdiff1d(np.arange(len(state.labels)), [*state.seeds, *state.passed])


def _about(proposal: Mapping[str, Any]) -> list[object]:
    """What a proposal is about."""
    names = ("clusters", "cluster", "row", "left", "right")
    wanted = names[1:] if proposal["kind"] in ("document", "seed") else names
    return [proposal[name] for name in wanted if name in proposal]


EXPERIMENTS = (
    Experiment(
        name="workbench",
        title="NMI on untouched documents, by the number of actions in the workbench",
        source="",
        unit=unit,
        cases=(
            *grid(collection=["3-news-related-1000"], by=["wizard", "ask"]),
            *grid(collection=["3-news-similar-1000", "20-newsgroups-100"], by=["wizard", "ask"]),
        ),
        runs=5,
        axes=("collection", "by", "actions"),
        x="actions",
        lines="by",
        notes=(
            "wizard: a person who knows the classes does what the first proposal asks for, or "
            "passes it over, which counts as an action too, and refits after each",
            "ask: as many questions about pairs, answered by the classes",
            "untouched: documents that no action or question was about",
        ),
    ),
)
