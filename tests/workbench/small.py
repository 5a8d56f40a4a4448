"""Small states and collections for the tests of the workbench."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import textclust as tc
from textclust.text.documents import Documents
from textclust.workbench.actions import parse
from textclust.workbench.collection import Collection
from textclust.workbench.editing import edited
from textclust.workbench.state import Cluster, State

NAMES = "abcdefghij"  # ids of the documents of a state that was made by hand
ROWS = {name: row for row, name in enumerate(NAMES)}


def sample_documents(sample: Path, per_group: int) -> Documents:
    """The first posts of each group of the sample."""
    every = tc.read_documents(sample)
    groups = [name.partition("/")[0] for name in every.ids]
    chosen = [row for row, group in enumerate(groups) if groups[:row].count(group) < per_group]
    return every.select(chosen)


def made(
    labels: Sequence[int],
    unsupervised: Sequence[int] | None = None,
    clusters: Sequence[Cluster] | None = None,
    **given: Any,
) -> State:
    """A state by hand: the clusters are those of the labels unless they are given."""
    found = np.array(labels)
    numbers = sorted({*labels, *(unsupervised or ())} - {0})
    every = tuple(clusters or map(Cluster, numbers))
    state = State(
        clusters=every,
        unsupervised=np.array(labels if unsupervised is None else unsupervised),
        parts=np.array(labels if unsupervised is None else unsupervised),
        labels=found,
        held=np.zeros_like(found),
        next_number=max(cluster.number for cluster in every) + 1,
    )
    if "held" in given:
        given["held"] = np.array(given["held"])
    return replace(state, **given)


def after(state: State, *actions: Mapping[str, object]) -> State:
    """The state after some actions, which leave each state before them as it was."""
    for line in actions:
        before = plain(state)
        following = edited(state, parse(line, ROWS))
        assert plain(state) == before
        state = following
    return state


def do(action: str, /, **fields: object) -> dict[str, object]:
    """A line of the journal; documents may be letters: do("move", documents="ab", cluster=1)."""
    lists = {"documents", "strangers", "without"}
    return {
        "action": action,
        **{key: list(value) if key in lists else value for key, value in fields.items()},  # type: ignore[call-overload]
    }


def plain(state: State) -> dict[str, object]:
    """All that a state says, to be compared; the last fit is left out."""
    return {
        "clusters": state.clusters,
        "labels": state.labels.tolist(),
        "unsupervised": state.unsupervised.tolist(),
        "held": state.held.tolist(),
        "seeds": dict(state.seeds),
        "links": [(link.left, link.right, link.kind, link.weight) for link in state.links],
        "events": state.events,
        "passed": state.passed,
        "old_classes": dict(state.old_classes),
        "random_state": state.random_state,
        "next_number": state.next_number,
        "pending": state.pending,
    }


def said(collection: Collection, state: State, *actions: Mapping[str, object]) -> State:
    """The state after some actions on the documents of a collection."""
    for line in actions:
        state = edited(state, parse(line, collection.rows))
    return state


def ids(collection: Collection, *rows: int) -> list[str]:
    """The ids of some rows."""
    return [collection.documents.ids[row] for row in rows]


def link(collection: Collection, left: int, right: int, kind: str) -> dict[str, object]:
    """The action that links two rows."""
    one, other = ids(collection, left, right)
    return do("link", left=one, right=other, kind=kind)
