"""What each action makes of the state; a refit is not among them (see `refitting`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from textclust.active.dialogue import Answer
from textclust.active.set_questions import nobody_knows, settled_pairs
from textclust.errors import InputError
from textclust.geometry.affine import Labels
from textclust.supervision.links import CANNOT_LINK, MUST_LINK, QUESTION, Link, Origin
from textclust.workbench.actions import Action
from textclust.workbench.state import DISCARDED, Cluster, State

__all__ = ["EDITS", "edited"]

_PERSON = Origin("workbench")


def edited(state: State, action: Action) -> State:
    """The state after an action; an InputError where it cannot be."""
    return EDITS[action.kind](state, action)


def _move(state: State, action: Action) -> State:
    state.cluster(action["cluster"])
    return _said(_placed(state, action["documents"], action["cluster"]))


def _merge(state: State, action: Action) -> State:
    into, others = action["into"], [n for n in action["clusters"] if n != action["into"]]
    if into not in action["clusters"] or not others:
        raise InputError("merge two clusters or more, into one of them")
    for number in (into, *others):
        state.cluster(number)
    left_out = np.array(action.get("without", ()), dtype=np.intp)
    if not np.isin(state.labels[left_out], action["clusters"]).all():
        raise InputError("only documents of the clusters that are merged can be left out")
    own = state.labels[left_out] == into
    if own.any():
        state = _as_cluster(state, left_out[own], None, hold=True)
        left_out = left_out[~own]
    stays = np.zeros(len(state.labels), dtype=bool)
    stays[left_out] = True

    def joined(numbers: Labels) -> Labels:
        return np.where(np.isin(numbers, others) & ~stays, into, numbers)

    seeds = {
        row: into if number in others and not stays[row] else number
        for row, number in state.seeds.items()
    }
    seeds.update((int(row), int(state.labels[row])) for row in left_out)
    merged = [state.cluster(number) for number in (into, *others)]
    name = next((cluster.name for cluster in merged if cluster.name is not None), None)
    is_class = any(cluster.is_class for cluster in merged)
    gone = [number for number in others if not np.isin(state.labels[left_out], number).any()]
    state = replace(
        state.with_cluster(replace(merged[0], name=name, is_class=is_class)),
        labels=joined(state.labels),
        unsupervised=joined(state.unsupervised),
        held=joined(state.held),
        seeds=seeds,
        edited=state.edited | {into},
        old_classes={
            name: into if number in others else number for name, number in state.old_classes.items()
        },
    )
    return _said(_without(state, gone))


def _split(state: State, action: Action) -> State:
    number, rows = action["cluster"], np.array(action["documents"], dtype=np.intp)
    if (state.labels[rows] != number).any():
        raise InputError(f"only documents of cluster {number} can be split from it")
    if len(rows) == len(state.members(number)):
        raise InputError("all documents of the cluster are chosen; leave one at least")
    state = replace(state, edited=state.edited | {number})
    return _said(_as_cluster(state, rows, action.get("name"), action["hold"]))


def _new(state: State, action: Action) -> State:
    rows = np.array(action["documents"], dtype=np.intp)
    return _said(_without_empty(_as_cluster(state, rows, action.get("name"), hold=True)))


def _rename(state: State, action: Action) -> State:
    return state.with_cluster(
        replace(state.cluster(action["cluster"]), name=action["name"] or None)
    )


def _lock(state: State, action: Action) -> State:
    number = action["cluster"]
    state = state.with_cluster(replace(state.cluster(number), locked=True))
    return replace(state, held=np.where(state.labels == number, number, state.held))


def _unlock(state: State, action: Action) -> State:
    number = action["cluster"]
    state = state.with_cluster(replace(state.cluster(number), locked=False))
    return _said(replace(state, held=np.where(state.held == number, 0, state.held)))


def _seed(state: State, action: Action) -> State:
    rows = action["documents"]
    _require_alive(state, rows)
    seeds = {**state.seeds, **{row: int(state.labels[row]) for row in rows}}
    return _said(replace(state, seeds=seeds))


def _unseed(state: State, action: Action) -> State:
    gone = set(action["documents"])
    if gone.isdisjoint(state.seeds):
        raise InputError("none of these documents is a seed")
    return _said(replace(state, seeds=_others(state.seeds, gone)))


def _link(state: State, action: Action) -> State:
    _require_alive(state, (action["left"], action["right"]))
    return _said(_linked(state, [(action["left"], action["right"], action["kind"])], _PERSON))


def _unlink(state: State, action: Action) -> State:
    pair = {action["left"], action["right"]}
    kept = tuple(link for link in state.links if {link.left, link.right} != pair)
    if len(kept) == len(state.links):
        raise InputError("there is no link between these documents")
    return _said(replace(state, links=kept))


def _discard(state: State, action: Action) -> State:
    rows = list(action["documents"])
    labels, held = state.labels.copy(), state.held.copy()
    labels[rows], held[rows] = DISCARDED, 0
    if not (labels != DISCARDED).any():
        raise InputError("no document would be left; keep some")
    seeds = _others(state.seeds, set(rows))
    return _said(_without_empty(replace(state, labels=labels, held=held, seeds=seeds)))


def _restore(state: State, action: Action) -> State:
    rows = np.array(action["documents"], dtype=np.intp)
    if (state.labels[rows] != DISCARDED).any():
        raise InputError("only discarded documents can be restored")
    labels = state.labels.copy()
    labels[rows] = state.unsupervised[rows]
    return _said(replace(state, labels=labels))


def _accept(state: State, action: Action) -> State:
    if not action["name"]:
        raise InputError("a class needs a name; give one")
    cluster = state.cluster(action["cluster"])
    taken = {c.name for c in state.clusters if c.is_class and c.number != cluster.number}
    if action["name"] in taken:
        raise InputError(f"there is a class {action['name']!r} already; merge the two instead")
    return state.with_cluster(replace(cluster, name=action["name"], is_class=True))


def _answer(state: State, action: Action) -> State:
    return _ANSWERED[action["question"]](state, action)


def _pair(state: State, action: Action) -> State:
    left, right, answer = action["left"], action["right"], action["answer"]
    _require_two(left, right)
    if answer == "skip":
        return replace(state, passed=state.passed | {left})
    same = {"same": True, "different": False}.get(answer)
    return _settled(state, [Answer(left, right, same)])


def _set(state: State, action: Action) -> State:
    documents, strangers = action["documents"], set(action["strangers"])
    if len(documents) < 2 or not strangers <= set(documents):
        raise InputError(
            "a set needs two documents or more, and its strangers have to be among them"
        )
    if action["answer"] == "skip":
        return replace(state, passed=state.passed | set(documents[1:]))
    if action["answer"] == "unknown":
        return _settled(state, nobody_knows(documents))
    return _settled(state, settled_pairs(documents, strangers))


def _which(state: State, action: Action) -> State:
    row, number = action["document"], action["cluster"]
    _require_alive(state, (row,))
    state = replace(state, passed=state.passed | {row})
    if number is None:
        return state
    state.cluster(number)
    return _said(_placed(state, (row,), number))


_ANSWERED: Mapping[str, Callable[[State, Action], State]] = {
    "pair": _pair,
    "set": _set,
    "cluster": _which,
}
EDITS: Mapping[str, Callable[[State, Action], State]] = {
    "move": _move,
    "merge": _merge,
    "split": _split,
    "new": _new,
    "rename": _rename,
    "lock": _lock,
    "unlock": _unlock,
    "seed": _seed,
    "unseed": _unseed,
    "link": _link,
    "unlink": _unlink,
    "discard": _discard,
    "restore": _restore,
    "accept": _accept,
    "answer": _answer,
}


def _said(state: State) -> State:
    return replace(state, pending=state.pending + 1)


def _placed(state: State, rows: Iterable[int], number: int) -> State:
    """Documents in a cluster, as seeds of it; discarded ones are restored."""
    chosen = list(rows)
    labels, held = state.labels.copy(), state.held.copy()
    labels[chosen], held[chosen] = number, 0
    seeds = {**state.seeds, **dict.fromkeys(chosen, number)}
    return _without_empty(replace(state, labels=labels, held=held, seeds=seeds))


def _as_cluster(state: State, rows: Labels, name: str | None, hold: bool) -> State:
    """Documents as a cluster of their own; without `hold` those that were seeds stay seeds."""
    _require_alive(state, rows.tolist())
    number = state.next_number
    labels, unsupervised = state.labels.copy(), state.unsupervised.copy()
    parts, held = state.parts.copy(), state.held.copy()
    labels[rows] = unsupervised[rows] = parts[rows] = number
    held[rows] = 0
    bound = rows.tolist() if hold else [row for row in rows.tolist() if row in state.seeds]
    return replace(
        state,
        clusters=(*state.clusters, Cluster(number, name or None)),
        labels=labels,
        unsupervised=unsupervised,
        parts=parts,
        held=held,
        seeds={**state.seeds, **dict.fromkeys(bound, number)},
        edited=state.edited | {number},
        next_number=number + 1,
    )


def _without_empty(state: State) -> State:
    """The same without clusters that have no document left, but for classes."""
    sizes = np.bincount(state.labels, minlength=state.next_number)
    return _without(
        state, [c.number for c in state.clusters if not sizes[c.number] and not c.is_class]
    )


def _without(state: State, gone: list[int]) -> State:
    """The same without these clusters, which are empty.

    Documents that were found in such a cluster count as found where they are now.
    """
    if not gone:
        return state
    kept = tuple(c for c in state.clusters if c.number not in gone)
    now = np.where(state.labels == DISCARDED, kept[0].number, state.labels)
    unsupervised = np.where(np.isin(state.unsupervised, gone), now, state.unsupervised)
    seeds = {row: number for row, number in state.seeds.items() if number not in gone}
    return replace(state, clusters=kept, unsupervised=unsupervised, seeds=seeds)


def _settled(state: State, answers: list[Answer]) -> State:
    """What a question has settled: links, and that these pairs were asked about."""
    known = [answer for answer in answers if answer.same is not None]
    links = [(a.left, a.right, MUST_LINK if a.same else CANNOT_LINK) for a in known]
    state = replace(state, events=(*state.events, tuple(answers)))
    return _said(_linked(state, links, QUESTION)) if links else state


def _linked(state: State, links: list[tuple[int, int, str]], origin: Origin) -> State:
    """The same with further links; the latest word on a pair counts."""
    for left, right, _ in links:
        _require_two(left, right)
    latest = {frozenset((left, right)) for left, right, _ in links}
    kept = [link for link in state.links if frozenset((link.left, link.right)) not in latest]
    added = [Link(left, right, kind, origin=origin) for left, right, kind in links]
    return replace(state, links=(*kept, *added))


def _require_two(left: int, right: int) -> None:
    if left == right:
        raise InputError("a link needs two different documents")


def _require_alive(state: State, rows: Iterable[int]) -> None:
    if any(state.labels[row] == DISCARDED for row in rows):
        raise InputError("a discarded document is among them; restore it first")


def _others(seeds: Mapping[int, int], gone: set[int]) -> dict[int, int]:
    return {row: number for row, number in seeds.items() if row not in gone}
