"""Actions in any order: what holds after each, undone and redone, and replayed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.play import cheap_refit, random_line, shown
from tests.workbench.small import NAMES, ROWS, do, made, plain
from textclust.errors import InputError
from textclust.workbench.actions import parse
from textclust.workbench.history import History, named, replayed
from textclust.workbench.state import Cluster

IDS = [f"d/{row}" for row in range(24)]
ROW_OF = {name: row for row, name in enumerate(IDS)}
SEQUENCES = st.tuples(st.randoms(use_true_random=False), st.integers(1, 25))


def begun():
    """Three clusters, the first a class."""
    clusters = [Cluster(1, "news", is_class=True), Cluster(2), Cluster(3)]
    return made([1 + row % 3 for row in range(24)], None, clusters, old_classes={"news": 1})


def take(history, line):
    """Whether an action could be done; nothing changes where it could not."""
    before = [plain(step.state) for step in (*history.done, *history.undone)], plain(history.state)
    try:
        action = parse(line, ROW_OF)
        state = history.after(action, cheap_refit)
    except InputError:
        now = [plain(step.state) for step in (*history.done, *history.undone)]
        assert (now, plain(history.state)) == before
        return False
    history.take(action, state)
    return True


def check(state):
    """What holds of every state."""
    live = set(state.place)
    assert set(state.labels.tolist()) <= live | {0}
    assert set(state.unsupervised.tolist()) <= live
    assert set(state.old_classes.values()) <= live
    assert len(live) == len(state.clusters)
    assert (state.labels != 0).any()
    assert state.next_number > max(live)
    for row, number in state.seeds.items():
        assert state.labels[row] == number
    held = state.held > 0
    np.testing.assert_array_equal(state.held[held], state.labels[held])
    pairs = [frozenset((link.left, link.right)) for link in state.links]
    assert len(set(pairs)) == len(pairs)


def check_numbers(states):
    """The number of a cluster that is gone is never given again."""
    gone = set()
    for earlier, later in itertools.pairwise([set(state.place) for state in states]):
        gone |= earlier - later
        assert not gone & later


@given(SEQUENCES)
def test_after_any_actions_a_state_is_sound_and_all_can_be_undone_redone_and_replayed(sequence):
    rng, length = sequence
    first = begun()
    beginning = plain(first)
    history, lines = History(first), []
    for _ in range(length):
        line = random_line(rng, shown(history.state), IDS)
        if take(history, line):
            lines.append(line)
        check(history.state)
    check_numbers([first, *(step.state for step in history.done)])

    again = replayed(begun(), lines, ROW_OF, lambda place: cheap_refit)
    assert plain(again.state) == plain(history.state)
    assert [step.name for step in again.done] == [step.name for step in history.done]

    now, count = plain(history.state), len(history.done)
    for _ in range(count):
        assert take(history, do("undo"))
    assert plain(history.state) == plain(first) == beginning
    assert not take(history, do("undo"))
    for _ in range(count):
        assert take(history, do("redo"))
    assert plain(history.state) == now


def test_a_new_action_ends_what_could_be_redone():
    history = History(begun())
    assert take(history, do("lock", cluster=1))
    assert take(history, do("undo"))
    assert take(history, do("lock", cluster=2))
    assert not take(history, do("redo"))
    assert [step.name for step in history.done] == ["lock cluster 2"]


def test_a_wrong_line_of_a_journal_is_named():
    lines = [do("lock", cluster=1), do("lock", cluster=9)]
    with pytest.raises(InputError, match=r"^line 3 of the journal: there is no cluster 9"):
        replayed(begun(), lines, ROW_OF, lambda place: cheap_refit)


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (do("move", documents="a", cluster=1), "move 1 document to cluster 1, 'news'"),
        (do("move", documents="ab", cluster=2), "move 2 documents to cluster 2"),
        (do("merge", clusters=[1, 2, 3], into=2), "merge 3 clusters into cluster 2"),
        (do("split", cluster=2, documents="b", hold=True), "split 1 document from cluster 2"),
        (do("new", documents="abc"), "new cluster of 3 documents"),
        (do("rename", cluster=2, name="x"), "rename cluster 2 to 'x'"),
        (do("lock", cluster=1), "lock cluster 1, 'news'"),
        (do("unlock", cluster=2), "unlock cluster 2"),
        (do("seed", documents="a"), "make 1 document seeds"),
        (do("unseed", documents="ab"), "2 documents no longer seeds"),
        (do("link", left="a", right="b", kind="must-link"), "must-link"),
        (do("unlink", left="a", right="b"), "drop a link"),
        (do("discard", documents="a"), "discard 1 document"),
        (do("restore", documents="a"), "restore 1 document"),
        (do("accept", cluster=2, name="x"), "accept cluster 2 as class 'x'"),
        (
            do("answer", question="pair", left="a", right="b", answer="same"),
            "answer: same",
        ),
        (do("answer", question="cluster", document="a", cluster=2), "answer: cluster 2"),
        (do("answer", question="cluster", document="a", cluster=None), "answer: none of these"),
        (do("refit"), "refit"),
    ],
)
def test_every_action_has_a_name(action, expected):
    assert len(NAMES) == len(ROWS)
    assert named(parse(action, ROWS), begun()) == expected
