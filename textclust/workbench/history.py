"""What was done, and what was undone: a stack of states with the names of the actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from textclust.errors import InputError
from textclust.progress import track
from textclust.workbench.actions import Action, Rows, parse
from textclust.workbench.editing import edited
from textclust.workbench.state import State

__all__ = ["History", "Refit", "replayed"]

Refit = Callable[[State], State]


@dataclass(frozen=True, eq=False)
class Step:
    """An action's name, and the state after it."""

    name: str
    state: State


@dataclass(eq=False)
class History:
    """The states from the first to the current one, and those that can be redone."""

    first: State
    done: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The current state."""
        return self.done[-1].state if self.done else self.first

    def after(self, action: Action, refit: Refit) -> State:
        """The state that an action would lead to; an InputError where it cannot be."""
        if action.kind == "undo":
            if not self.done:
                raise InputError("there is nothing to undo")
            return self.done[-2].state if len(self.done) > 1 else self.first
        if action.kind == "redo":
            if not self.undone:
                raise InputError("there is nothing to redo")
            return self.undone[-1].state
        return refit(self.state) if action.kind == "refit" else edited(self.state, action)

    def take(self, action: Action, state: State) -> None:
        """Go to the state that an action leads to."""
        if action.kind == "undo":
            self.undone.append(self.done.pop())
        elif action.kind == "redo":
            self.done.append(self.undone.pop())
        else:
            self.done.append(Step(named(action, self.state), state))
            self.undone.clear()


def replayed(
    first: State, lines: Iterable[Mapping[str, object]], rows: Rows, refit: Callable[[int], Refit]
) -> History:
    """The history by the lines of a journal after its first; `refit(n)` refits for the n-th."""
    history, given = History(first), list(lines)
    for place, line in enumerate(track(given, "replaying the journal", len(given))):
        try:
            action = parse(line, rows)
            history.take(action, history.after(action, refit(place)))
        except InputError as error:
            raise InputError(f"line {place + 2} of the journal: {error}") from None
    return history


def named(action: Action, state: State) -> str:
    """What an action is called in a list of actions."""
    return _NAMES[action.kind](action, state)


def _cluster(state: State, number: int) -> str:
    name = state.cluster(number).name
    return f"cluster {number}" if name is None else f"cluster {number}, {name!r}"


def _counted(rows: Iterable[int]) -> str:
    count = len(list(rows))
    return f"{count:,} document{'' if count == 1 else 's'}"


def _of_answer(action: Action, state: State) -> str:
    if action["question"] == "cluster":
        number = action["cluster"]
        return "answer: none of these" if number is None else f"answer: {_cluster(state, number)}"
    return f"answer: {action['answer']}"


_NAMES: Mapping[str, Callable[[Action, State], str]] = {
    "move": lambda a, s: f"move {_counted(a['documents'])} to {_cluster(s, a['cluster'])}",
    "merge": lambda a, s: f"merge {len(a['clusters'])} clusters into {_cluster(s, a['into'])}",
    "split": lambda a, s: f"split {_counted(a['documents'])} from {_cluster(s, a['cluster'])}",
    "new": lambda a, s: f"new cluster of {_counted(a['documents'])}",
    "rename": lambda a, s: f"rename {_cluster(s, a['cluster'])} to {a['name']!r}",
    "lock": lambda a, s: f"lock {_cluster(s, a['cluster'])}",
    "unlock": lambda a, s: f"unlock {_cluster(s, a['cluster'])}",
    "seed": lambda a, s: f"make {_counted(a['documents'])} seeds",
    "unseed": lambda a, s: f"{_counted(a['documents'])} no longer seeds",
    "link": lambda a, s: a["kind"],
    "unlink": lambda a, s: "drop a link",
    "discard": lambda a, s: f"discard {_counted(a['documents'])}",
    "restore": lambda a, s: f"restore {_counted(a['documents'])}",
    "accept": lambda a, s: f"accept {_cluster(s, a['cluster'])} as class {a['name']!r}",
    "answer": _of_answer,
    "refit": lambda a, s: "refit",
}
