"""A person who does anything at all: random actions, most of which can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from textclust.workbench.actions import ACTIONS
from textclust.workbench.state import State

WRONG = (
    {"action": "nothing"},
    {"action": "move", "documents": ["no such document"], "cluster": 1},
    {"action": "lock", "cluster": 10**9},
    {"action": "rename", "cluster": 1, "name": "a\nb"},
)


def shown(state: State) -> dict[str, Any]:
    """What a page knows of a state, as far as `random_line` needs it."""
    return {
        "clusters": [{"number": cluster.number} for cluster in state.clusters],
        "labels": state.labels.tolist(),
        "seeds": list(state.seeds),
        "discarded": np.flatnonzero(state.labels == 0).tolist(),
        "links": [{"left": link.left, "right": link.right} for link in state.links],
    }


def random_line(rng: Random, state: Mapping[str, Any], ids: list[str]) -> dict[str, object]:
    """An action by what a page shows; one in twenty or so cannot be."""
    numbers = [cluster["number"] for cluster in state["clusters"]]
    number = rng.choice(numbers)
    members = [row for row, label in enumerate(state["labels"]) if label == number] or [0]
    some = rng.sample(range(len(ids)), rng.randint(1, 3))
    few = [ids[row] for row in some]
    kind = rng.choice([*ACTIONS, "refit", "undo", "move", "answer", "wrong"])
    line: dict[str, object] = {"action": kind}
    match kind:
        case "wrong":
            return dict(rng.choice(WRONG))
        case "move":
            line |= {"documents": few, "cluster": number}
        case "merge":
            both = rng.sample(numbers, min(2, len(numbers)))
            line |= {"clusters": both, "into": both[0]}
            if rng.random() < 0.3:
                inside = [row for row, label in enumerate(state["labels"]) if label == both[-1]]
                line["without"] = [ids[row] for row in inside[:1]]
        case "split":
            part = members[: max(1, len(members) // 2)]
            line |= {
                "cluster": number,
                "documents": [ids[row] for row in part],
                "hold": rng.random() < 0.5,
            }
        case "new":
            line |= {"documents": few, "name": rng.choice(["", "new, one", 'a "b" c'])}
        case "rename" | "accept":
            line |= {"cluster": number, "name": rng.choice(["x", "y, z", "ä"])}
        case "lock" | "unlock":
            line["cluster"] = number
        case "seed" | "discard":
            line["documents"] = few
        case "unseed":
            line["documents"] = [ids[row] for row in state["seeds"][:2]] or few
        case "restore":
            line["documents"] = [ids[row] for row in state["discarded"][:2]] or few
        case "link":
            left, right = rng.sample(ids, 2)
            line |= {"left": left, "right": right, "kind": rng.choice(["must-link", "cannot-link"])}
        case "unlink":
            links = state["links"] or [{"left": 0, "right": 1}]
            chosen = rng.choice(links)
            line |= {"left": ids[chosen["left"]], "right": ids[chosen["right"]]}
        case "answer":
            line |= _answer(rng, number, ids)
    return line


def _answer(rng: Random, number: int, ids: list[str]) -> dict[str, object]:
    some = rng.sample(ids, 4)
    return rng.choice(
        [
            {
                "question": "pair",
                "left": some[0],
                "right": some[1],
                "answer": rng.choice(["same", "different", "unknown", "skip"]),
            },
            {
                "question": "set",
                "documents": some,
                "strangers": some[: rng.randint(0, 4)],
                "answer": rng.choice(["settled", "unknown", "skip"]),
            },
            {
                "question": "cluster",
                "document": some[0],
                "cluster": rng.choice([number, None]),
            },
        ]
    )


def cheap_refit(state: State) -> State:
    """A refit that costs nothing: some documents go elsewhere, by what was said alone."""
    labels, numbers = state.unsupervised.copy(), list(state.place)
    labels[::4] = [numbers[(row + len(state.links)) % len(numbers)] for row in range(len(labels))][
        ::4
    ]
    labels = np.where(np.isin(state.held, numbers), state.held, labels)
    for row, number in state.seeds.items():
        labels[row] = number
    return replace(state, labels=np.where(state.labels == 0, 0, labels), pending=0)
