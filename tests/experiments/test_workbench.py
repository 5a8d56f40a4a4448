"""The person of the experiment with the workbench: always right, and counted."""

from __future__ import annotations

import numpy as np
import pytest

from tests.workbench.small import sample_documents
from textclust.experiments import workbench as module
from textclust.experiments.workbench import Person, unit
from textclust.pipeline import default_vectorizer
from textclust.workbench.actions import parse
from textclust.workbench.collection import Collection
from textclust.workbench.editing import edited
from textclust.workbench.opening import first_state, opening
from textclust.workbench.refitting import refit, refitted
from textclust.workbench.view import View


@pytest.fixture(scope="module")
def documents(sample):
    return sample_documents(sample, 20)


def majority(truth, rows):
    return int(np.bincount(truth[rows]).argmax())


def is_right(truth, state, action, rows):
    """Whether an action follows from the classes."""
    match action["action"]:
        case "merge":
            members = [state.members(number) for number in action["clusters"]]
            return len({majority(truth, part) for part in members}) == 1
        case "split":
            second = np.array([rows[name] for name in action["documents"]])
            first = np.setdiff1d(state.members(action["cluster"]), second)
            return majority(truth, first) != majority(truth, second)
        case "new":
            (row,) = (rows[name] for name in action["documents"])
            others = [majority(truth, state.members(number)) for number in state.place]
            return truth[row] not in others
        case "answer":
            row = rows[action["document"]]
            return majority(truth, state.members(action["cluster"])) == truth[row]
    return False


@pytest.mark.parametrize("k", [2, 5])
def test_a_person_who_knows_the_classes_says_nothing_wrong(documents, k):
    opened = Collection.read(documents, default_vectorizer(frozenset()))
    _, truth = np.unique(np.array(documents.labels), return_inverse=True)
    state, person, said = first_state(opened, opening(opened, k, 0)), Person(truth), []
    for _ in range(7):
        action = person.action(View(opened, state))
        if action is not None:
            assert is_right(truth, state, action, opened.rows), action
            said.append(action["action"])
            state = edited(state, parse(action, opened.rows))
            state = refitted(state, refit(opened, state))
    assert said


@pytest.mark.parametrize("by", ["wizard", "ask"])
def test_a_small_run(documents, monkeypatch, by):
    monkeypatch.setattr(module, "collection", lambda name: documents)
    monkeypatch.setattr(module, "ACTIONS", (0, 2))
    rows = list(unit({"collection": "any", "by": by}, 0))
    assert [row["actions"] for row in rows] == [0, 2]
    assert all(0 <= row["NMI"] <= 1 for row in rows)
