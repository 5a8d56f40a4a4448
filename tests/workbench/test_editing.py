"""What each action makes of a state, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.workbench.small import after, do, made, plain
from textclust.active.dialogue import Answer
from textclust.errors import InputError
from textclust.supervision.links import Link
from textclust.workbench.state import Cluster, State

#          a  b  c  d  e  f
LABELS = [1, 1, 2, 2, 3, 0]
FOUND = [1, 2, 2, 2, 3, 1]
MUST, CANNOT = "must-link", "cannot-link"


def start(**given) -> State:
    return made(LABELS, FOUND, **given)


def numbers(state):
    return [cluster.number for cluster in state.clusters]


def links(state):
    return [(link.left, link.right, link.kind) for link in state.links]


def check(state, **expected):
    """Compare these fields, and nothing else may differ from what `plain` has by default."""
    found = plain(state)
    assert {name: found[name] for name in expected} == expected


# Move


def test_moved_documents_are_seeds_of_their_cluster():
    state = after(start(seeds={0: 1, 3: 2}), do("move", documents="ac", cluster=3))
    check(
        state,
        labels=[3, 1, 3, 2, 3, 0],
        unsupervised=FOUND,
        seeds={0: 3, 3: 2, 2: 3},
        held=[0] * 6,
        pending=1,
        next_number=4,
    )
    assert numbers(state) == [1, 2, 3]


def test_a_discarded_document_that_is_moved_is_restored():
    state = after(start(), do("move", documents="f", cluster=2))
    check(state, labels=[1, 1, 2, 2, 3, 2], seeds={5: 2})


def test_out_of_a_locked_cluster_and_into_one():
    before = after(start(), do("lock", cluster=2))
    check(before, held=[0, 0, 2, 2, 0, 0], pending=0)
    out = after(before, do("move", documents="c", cluster=1))
    check(out, labels=[1, 1, 1, 2, 3, 0], held=[0, 0, 0, 2, 0, 0], seeds={2: 1})
    into = after(before, do("move", documents="a", cluster=2))
    check(into, labels=[2, 1, 2, 2, 3, 0], held=[0, 0, 2, 2, 0, 0], seeds={0: 2})
    assert into.cluster(2).locked


def test_a_cluster_that_was_emptied_vanishes_and_what_was_found_in_it_is_found_where_it_is():
    state = after(start(), do("move", documents="cd", cluster=1))
    assert numbers(state) == [1, 3]
    check(state, labels=[1, 1, 1, 1, 3, 0], unsupervised=[1, 1, 1, 1, 3, 1], next_number=4)
    state = after(state, do("move", documents="abcd", cluster=3))
    assert numbers(state) == [3]
    check(state, labels=[3] * 5 + [0], unsupervised=[3] * 6)


def test_an_emptied_class_stays():
    state = made(LABELS, FOUND, [Cluster(1), Cluster(2, "news", is_class=True), Cluster(3)])
    state = after(state, do("move", documents="cd", cluster=1))
    assert numbers(state) == [1, 2, 3]
    check(state, unsupervised=FOUND)


def test_a_locked_cluster_that_was_emptied_vanishes():
    state = after(start(), do("lock", cluster=3), do("move", documents="e", cluster=1))
    assert numbers(state) == [1, 2]
    check(state, held=[0] * 6)


# Merge


def test_merged_clusters_are_one_in_all_that_is_known():
    before = start(seeds={2: 2, 4: 3}, held=[0, 0, 2, 0, 0, 0])
    state = after(before, do("merge", clusters=[2, 1], into=1))
    assert numbers(state) == [1, 3]
    check(
        state,
        labels=[1, 1, 1, 1, 3, 0],
        unsupervised=[1, 1, 1, 1, 3, 1],
        seeds={2: 1, 4: 3},
        held=[0, 0, 1, 0, 0, 0],
        pending=1,
        next_number=4,
    )


def test_what_was_found_of_discarded_documents_is_merged_too():
    state = after(start(), do("merge", clusters=[1, 2, 3], into=3))
    assert numbers(state) == [3]
    check(state, labels=[3, 3, 3, 3, 3, 0], unsupervised=[3] * 6)


def test_documents_that_are_left_out_stay_as_seeds():
    state = after(start(seeds={3: 2}), do("merge", clusters=[1, 2], into=1, without="c"))
    assert numbers(state) == [1, 2, 3]
    check(
        state,
        labels=[1, 1, 2, 1, 3, 0],
        unsupervised=[1, 1, 2, 1, 3, 1],
        seeds={3: 1, 2: 2},
    )


def test_what_is_left_out_keeps_its_cluster_alone():
    before = made([1, 2, 2, 3, 3], [1, 3, 2, 3, 3])
    state = after(before, do("merge", clusters=[1, 2, 3], into=1, without="b"))
    assert numbers(state) == [1, 2]
    check(state, labels=[1, 2, 1, 1, 1], unsupervised=[1, 2, 1, 1, 1], seeds={1: 2})


def test_what_is_left_out_of_the_cluster_that_all_become_has_one_of_its_own():
    state = after(start(), do("merge", clusters=[1, 2], into=1, without="ac"))
    assert numbers(state) == [1, 2, 3, 4]
    check(state, labels=[4, 1, 2, 1, 3, 0], unsupervised=[4, 1, 2, 1, 3, 1], seeds={0: 4, 2: 2})


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((None, None), None),
        (("one", None), "one"),
        ((None, "two"), "two"),
        (("one", "two"), "one"),
    ],
)
def test_the_name_of_merged_clusters(names, expected):
    clusters = [Cluster(1, names[0]), Cluster(2, names[1]), Cluster(3)]
    state = after(made(LABELS, FOUND, clusters), do("merge", clusters=[1, 2], into=1))
    assert state.cluster(1).name == expected


def test_old_classes_follow_and_a_merged_cluster_is_a_class_if_one_was():
    clusters = [Cluster(1), Cluster(2, "news", is_class=True), Cluster(3, "sport", is_class=True)]
    before = made(LABELS, FOUND, clusters, old_classes={"news": 2, "sport": 3})
    state = after(before, do("merge", clusters=[1, 2], into=1))
    assert state.clusters == (Cluster(1, "news", True), Cluster(3, "sport", True))
    assert state.old_classes == {"news": 1, "sport": 3}
    state = after(before, do("merge", clusters=[2, 3], into=3))
    assert state.clusters == (Cluster(1), Cluster(3, "sport", True))
    assert state.old_classes == {"news": 3, "sport": 3}


@pytest.mark.parametrize(
    "fields",
    [
        {"clusters": [1, 2], "into": 3},
        {"clusters": [1, 1], "into": 1},
        {"clusters": [1, 9], "into": 1},
        {"clusters": [1, 2], "into": 1, "without": "e"},  # in neither
        {"clusters": [1, 2], "into": 1, "without": "f"},  # nowhere
    ],
)
def test_what_cannot_be_merged(fields):
    with pytest.raises(InputError):
        after(start(), do("merge", **fields))


# Split and new


def test_a_split_without_holding_lets_a_refit_decide():
    before = start(seeds={2: 2}, held=[0, 0, 2, 2, 0, 0])
    state = after(before, do("split", cluster=2, documents="c", hold=False))
    assert numbers(state) == [1, 2, 3, 4]
    check(
        state,
        labels=[1, 1, 4, 2, 3, 0],
        unsupervised=[1, 2, 4, 2, 3, 1],
        seeds={2: 4},  # it was one
        held=[0, 0, 0, 2, 0, 0],
        next_number=5,
        pending=1,
    )
    state = after(start(), do("split", cluster=1, documents="b", hold=False, name=" x "))
    check(state, seeds={}, clusters=(Cluster(1), Cluster(2), Cluster(3), Cluster(4, "x")))


def test_a_split_that_holds_makes_seeds():
    state = after(start(), do("split", cluster=1, documents="a", hold=True))
    check(state, labels=[4, 1, 2, 2, 3, 0], unsupervised=[4, 2, 2, 2, 3, 1], seeds={0: 4})


@pytest.mark.parametrize(("number", "rows"), [(1, "ab"), (1, "ac"), (1, "f"), (9, "a"), (3, "e")])
def test_what_cannot_be_split(number, rows):
    with pytest.raises(InputError):
        after(start(), do("split", cluster=number, documents=rows, hold=True))


def test_a_new_cluster_takes_documents_from_wherever_they_are():
    state = after(start(held=[1, 1, 0, 0, 0, 0]), do("new", documents="aec", name="new one"))
    assert state.clusters == (Cluster(1), Cluster(2), Cluster(4, "new one"))  # 3 was emptied
    check(
        state,
        labels=[4, 1, 4, 2, 4, 0],
        unsupervised=[4, 2, 4, 2, 4, 1],
        seeds={0: 4, 4: 4, 2: 4},
        held=[0, 1, 0, 0, 0, 0],
        next_number=5,
    )


def test_a_number_is_never_given_again():
    state = after(start(), do("new", documents="e"), do("merge", clusters=[1, 4], into=1))
    state = after(state, do("new", documents="a"))
    assert numbers(state) == [1, 2, 5]


def test_an_emptied_class_stays_beside_a_new_cluster():
    state = made([1, 2], clusters=[Cluster(1, "news", is_class=True), Cluster(2)])
    state = after(state, do("new", documents="ab"))
    assert numbers(state) == [1, 3]


def test_a_new_cluster_of_a_discarded_document_is_refused():
    with pytest.raises(InputError, match="restore it first"):
        after(start(), do("new", documents="af"))


# Names, locks, seeds


def test_a_name_is_given_and_taken_back():
    state = after(start(), do("rename", cluster=2, name="x"))
    check(state, clusters=(Cluster(1), Cluster(2, "x"), Cluster(3)), pending=0)
    assert plain(after(state, do("rename", cluster=2, name=" "))) == plain(start())
    with pytest.raises(InputError, match="no cluster 9"):
        after(state, do("rename", cluster=9, name="x"))


def test_a_lock_holds_those_that_are_there_now():
    state = after(start(), do("lock", cluster=1))
    check(state, held=[1, 1, 0, 0, 0, 0], pending=0)
    assert state.cluster(1).locked
    state = after(state, do("lock", cluster=2), do("unlock", cluster=1))
    check(state, held=[0, 0, 2, 2, 0, 0], pending=1)
    assert not state.cluster(1).locked
    for name in ("lock", "unlock"):
        with pytest.raises(InputError, match="no cluster 9"):
            after(state, do(name, cluster=9))


def test_seeds_are_where_their_documents_are():
    state = after(start(seeds={0: 1}), do("seed", documents="be"))
    check(state, seeds={0: 1, 1: 1, 4: 3}, pending=1, labels=LABELS)
    state = after(state, do("unseed", documents="ac"))
    check(state, seeds={1: 1, 4: 3}, pending=2)
    with pytest.raises(InputError, match="none of these documents is a seed"):
        after(state, do("unseed", documents="ac"))
    with pytest.raises(InputError, match="restore it first"):
        after(state, do("seed", documents="af"))


# Links


def test_the_latest_word_on_a_pair_counts():
    state = after(start(), do("link", left="a", right="b", kind=MUST))
    state = after(state, do("link", left="c", right="d", kind=MUST))
    assert links(state) == [(0, 1, MUST), (2, 3, MUST)]
    state = after(state, do("link", left="b", right="a", kind=CANNOT))
    assert links(state) == [(2, 3, MUST), (1, 0, CANNOT)]
    state = after(state, do("unlink", left="d", right="c"))
    assert links(state) == [(1, 0, CANNOT)]
    check(state, pending=4)
    with pytest.raises(InputError, match="no link between"):
        after(state, do("unlink", left="d", right="c"))


@pytest.mark.parametrize(("left", "right"), [("a", "a"), ("a", "f"), ("f", "a")])
def test_what_cannot_be_linked(left, right):
    with pytest.raises(InputError):
        after(start(), do("link", left=left, right=right, kind=MUST))


# Discard and restore


def test_discarded_documents_are_nowhere_until_they_are_restored():
    before = start(seeds={2: 2, 0: 1}, held=[0, 0, 2, 2, 0, 0], links=(Link(2, 3, MUST),))
    state = after(before, do("discard", documents="c"))
    check(state, labels=[1, 1, 0, 2, 3, 0], held=[0, 0, 0, 2, 0, 0], seeds={0: 1}, pending=1)
    assert links(state) == [(2, 3, MUST)]
    assert state.alive.tolist() == [0, 1, 3, 4]
    state = after(state, do("restore", documents="fc"))
    check(state, labels=[1, 1, 2, 2, 3, 1], seeds={0: 1}, unsupervised=FOUND)


def test_a_cluster_without_documents_is_gone_for_those_that_come_back():
    state = after(start(), do("discard", documents="e"))
    assert numbers(state) == [1, 2]
    check(state, unsupervised=[1, 2, 2, 2, 1, 1])
    check(after(state, do("restore", documents="e")), labels=[1, 1, 2, 2, 1, 0])


def test_some_document_must_be_left():
    with pytest.raises(InputError, match="no document would be left"):
        after(start(), do("discard", documents="abcde"))
    with pytest.raises(InputError, match="only discarded documents"):
        after(start(), do("restore", documents="af"))


# Accept


def test_a_cluster_becomes_a_class():
    clusters = [Cluster(1, "news", is_class=True), Cluster(2, "x"), Cluster(3)]
    state = after(made(LABELS, FOUND, clusters), do("accept", cluster=3, name="sport"))
    assert state.clusters == (clusters[0], clusters[1], Cluster(3, "sport", True))
    check(state, pending=0)
    again = after(state, do("accept", cluster=3, name="sport"))
    assert again.clusters == state.clusters
    for name in ("", "  ", "news"):
        with pytest.raises(InputError):
            after(state, do("accept", cluster=3, name=name))
    with pytest.raises(InputError, match="no cluster 9"):
        after(state, do("accept", cluster=9, name="x"))


# Answers


def pair(left, right, answer):
    return do("answer", question="pair", left=left, right=right, answer=answer)


def test_answers_about_pairs_are_links():
    state = after(start(), pair("a", "b", "same"), pair("c", "a", "different"))
    assert links(state) == [(0, 1, MUST), (2, 0, CANNOT)]
    check(state, pending=2, events=((Answer(0, 1, True),), (Answer(2, 0, False),)))
    state = after(state, pair("b", "a", "different"))
    assert links(state) == [(2, 0, CANNOT), (1, 0, CANNOT)]


def test_nobody_knows_and_skipping_say_nothing_of_a_pair():
    state = after(start(), pair("a", "b", "unknown"))
    check(state, pending=0, links=[], events=((Answer(0, 1, None),),), passed=frozenset())
    state = after(start(), pair("a", "b", "skip"))
    check(state, pending=0, links=[], events=(), passed=frozenset({0}))
    with pytest.raises(InputError, match="two different documents"):
        after(start(), pair("a", "a", "skip"))


def of_set(documents, strangers, answer="settled"):
    return do("answer", question="set", documents=documents, strangers=strangers, answer=answer)


def test_answers_about_sets():
    state = after(start(), of_set("abcd", "d"))
    assert links(state) == [(1, 0, MUST), (2, 0, MUST), (3, 0, CANNOT)]
    check(state, pending=1)
    assert len(state.events) == 1
    state = after(start(), of_set("abcd", "", "unknown"))
    assert links(state) == []
    assert [answer.same for answer in state.events[0]] == [None] * 3
    check(after(start(), of_set("abcd", "", "skip")), passed=frozenset({1, 2, 3}), events=())


@pytest.mark.parametrize(("documents", "strangers"), [("a", ""), ("ab", "c")])
def test_sets_that_cannot_be(documents, strangers):
    with pytest.raises(InputError, match="its strangers have to be among them"):
        after(start(), of_set(documents, strangers))


def which(document, number):
    return do("answer", question="cluster", document=document, cluster=number)


def test_answers_about_the_cluster_of_a_document():
    state = after(start(), which("b", 3))
    check(state, labels=[1, 3, 2, 2, 3, 0], seeds={1: 3}, passed=frozenset({1}), pending=1)
    state = after(start(), which("b", None))
    check(state, labels=LABELS, seeds={}, passed=frozenset({1}), pending=0)
    for document, number in (("f", 1), ("f", None), ("a", 9)):
        with pytest.raises(InputError):
            after(start(), which(document, number))


def test_unknown_clusters_are_refused_everywhere():
    for action in (
        do("move", documents="a", cluster=0),
        do("move", documents="a", cluster=-1),
        do("move", documents="a", cluster=10**30),
        do("split", cluster=0, documents="f", hold=False),
        do("lock", cluster=0),
    ):
        with pytest.raises(InputError):
            after(start(), action)


def test_arrays_are_not_shared_with_what_was_given():
    before = start()
    state = after(before, do("move", documents="a", cluster=2))
    assert not np.shares_memory(before.labels, state.labels)
    assert before.labels.tolist() == LABELS
