"""Clustering anew: by all that was said, and by nothing else."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import textclust as tc
from tests.workbench.small import do, ids, link, plain, said
from textclust import threads
from textclust.errors import InputError
from textclust.pipeline import default_vectorizer
from textclust.sources import SupervisionSource
from textclust.supervision.links import Link
from textclust.workbench.collection import Collection
from textclust.workbench.opening import first_state, opening, require_same
from textclust.workbench.refitting import refit, refitted
from textclust.workbench.view import View

MUST, CANNOT = "must-link", "cannot-link"


def anew(collection, state, *actions):
    """The state after some actions and a refit."""
    return refitted(
        state := said(collection, state, *actions),
        refit(collection, state),
    )


def rows_in(state, number, count):
    return state.members(number)[:count].tolist()


def test_with_nothing_said_nothing_moves(collection, first):
    assert anew(collection, first).labels.tolist() == first.labels.tolist()


@pytest.mark.parametrize("k", [1, 6])
def test_nor_with_other_numbers_of_clusters(collection, k):
    state = first_state(collection, opening(collection, k, 0))
    again = anew(collection, state)
    assert (again.labels != state.labels).sum() <= 1
    assert plain(anew(collection, again)) == plain(again)


def test_seeds_held_documents_and_what_must_links_join_with_them_stay(collection, first):
    one, two = (rows_in(first, number, 6) for number in (1, 2))
    state = anew(
        collection,
        first,
        do("lock", cluster=3),
        do("move", documents=ids(collection, *one[:3]), cluster=2),
        link(collection, one[0], one[4], MUST),
        link(collection, one[4], two[5], MUST),
    )
    assert set(state.labels[one[:3]].tolist()) == {2}
    assert state.labels[one[4]] == state.labels[two[5]] == 2
    np.testing.assert_array_equal(state.labels[first.labels == 3], 3)
    assert state.pending == 0


def test_a_locked_document_stays_whatever_links_say(collection, first):
    locked, others = rows_in(first, 1, 1)[0], rows_in(first, 2, 3)
    links = [link(collection, locked, other, MUST) for other in others]
    state = anew(collection, first, do("lock", cluster=1), *links)
    assert state.labels[locked] == 1
    state = anew(collection, state, do("seed", documents=ids(collection, others[0])))
    assert state.labels[locked] == 1
    assert state.labels[others[0]] == 2


def test_merged_clusters_stay_merged_and_split_ones_apart(collection, first):
    state = anew(collection, first, do("merge", clusters=[1, 2], into=2))
    assert set(state.place) == {2, 3}
    np.testing.assert_array_equal(state.labels, np.where(first.labels == 3, 3, 2))
    part = ids(collection, *rows_in(first, 1, 8))
    state = anew(collection, first, do("split", cluster=1, documents=part, hold=True))
    np.testing.assert_array_equal(state.labels[rows_in(first, 1, 8)], 4)


def test_discarded_documents_take_no_part(collection, first):
    gone = [0, 7, 33]
    said_of_them = [link(collection, 0, 40, MUST), link(collection, 7, 8, CANNOT)]
    state = anew(collection, first, *said_of_them, do("discard", documents=ids(collection, *gone)))
    assert state.labels[gone].tolist() == [0, 0, 0]
    assert len(state.alive) == len(state.fit.solution.labels) == 57
    assert state.fit.supervision.constraints is None
    without = anew(collection, first, do("discard", documents=ids(collection, *gone)))
    np.testing.assert_array_equal(state.labels, without.labels)


def statements(collection, first):
    """Some of what can be said whatever the labels are at that moment."""
    names, (one, two, three) = collection.documents.ids, (rows_in(first, n, 9) for n in (1, 2, 3))
    pairs = st.tuples(st.sampled_from(one + two), st.sampled_from(three + two))
    return st.one_of(
        st.builds(
            lambda row, number: do("move", documents=[names[row]], cluster=number),
            st.sampled_from(one + two + three),
            st.sampled_from([1, 2]),
        ),
        pairs.filter(lambda pair: pair[0] != pair[1]).flatmap(
            lambda pair: st.sampled_from([link(collection, *pair, kind) for kind in (MUST, CANNOT)])
        ),
        st.just(do("merge", clusters=[2, 3], into=2)),
    )


@settings(max_examples=5)
@given(st.data())
def test_a_refit_depends_on_what_was_said_alone(collection, first, data):
    lines = data.draw(st.lists(statements(collection, first), min_size=1, max_size=5))
    merges = [line for line in lines if line["action"] == "merge"]
    lines = [line for line in lines if line not in merges[1:]]
    once = state = said(collection, first)
    refits = data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)))
    for line, now in zip(lines, refits, strict=True):
        try:
            once = said(collection, once, line)
        except InputError:  # the second merge, of what is gone
            continue
        state = anew(collection, state, line) if now else said(collection, state, line)
    once, state = anew(collection, once), anew(collection, state)
    assert plain(once) == plain(state)
    assert plain(anew(collection, state)) == plain(state)
    for row, number in state.seeds.items():
        assert state.labels[row] == number


def test_the_number_of_threads_does_not_matter(collection, first):
    moved = [do("move", documents=ids(collection, *rows_in(first, 1, 4)), cluster=2)]
    with patch("textclust.geometry.native_rows._WORTH_SHARING", 0.0):
        with threads.at_most(1):
            alone = anew(collection, first, *moved)
        with threads.at_most(2):
            together = anew(collection, first, *moved)
    assert plain(alone) == plain(together)
    np.testing.assert_array_equal(alone.fit.solution.prototypes, together.fit.solution.prototypes)


def test_nothing_of_a_state_or_a_collection_is_changed(collection, first):
    state = said(collection, first, do("lock", cluster=1), link(collection, 0, 30, MUST))
    before, X = plain(state), collection.X.copy()
    refit(collection, state)
    assert plain(state) == before
    assert (X != collection.X).nnz == 0


# With what was given on opening


def test_seeds_and_links_that_were_given_on_opening(collection, first):
    names = collection.documents.ids
    seeds = {names[0]: "bikes", names[1]: "bikes", names[45]: "sky"}
    given = [Link(names[2], names[3], MUST), Link(names[0], names[45], CANNOT)]
    line = opening(collection, 3, 0, seeds, given)
    state = first_state(collection, line)
    assert [cluster.name for cluster in state.clusters] == ["bikes", "sky", None]
    assert state.seeds == {0: 1, 1: 1, 45: 2}
    assert [(e.left, e.right, e.kind) for e in state.links] == [(2, 3, MUST), (0, 45, CANNOT)]
    again = anew(collection, state)
    assert (again.labels != state.labels).sum() <= 2
    assert [again.labels[row] for row in (0, 1, 45)] == [1, 1, 2]


def test_how_many_clusters_there_are_can_be_left_open(collection):
    state = first_state(collection, opening(collection, "auto", 0))
    assert 2 <= len(state.clusters) <= 20


def test_a_link_of_another_kind_in_the_first_line_is_refused(collection):
    line = {**opening(collection, 3, 0), "links": [[*ids(collection, 0, 1), "may-link"]]}
    with pytest.raises(InputError, match="unknown kind"):
        first_state(collection, line)


def test_another_collection_is_refused(collection, documents):
    line = opening(collection, 3, 0)
    require_same(collection, line, "here")
    others = Collection.read(documents.select(range(59)), default_vectorizer(frozenset()))
    with pytest.raises(InputError, match=r"^here: .*60 documents then, 59 now"):
        require_same(others, line, "here")
    with pytest.raises(InputError, match="a text or an id differs"):
        require_same(collection, {**line, "sha256": "0"}, "here")
    with pytest.raises(InputError, match="other terms of the same documents"):
        require_same(collection, {**line, "terms": "0"}, "here")
    with pytest.raises(InputError, match="other older documents"):
        require_same(collection, {**line, "background": 7}, "here")
    with pytest.raises(InputError, match="is it a journal"):
        require_same(collection, {**line, "action": "move"}, "here")


# Beside a background


@pytest.fixture(scope="module")
def aged(sample):
    """New documents of three groups beside older ones of two, and the first state."""
    every = tc.read_documents(sample)
    old = every.select([row for row in range(150) if row % 75 < 30])
    new = every.select([row for row in range(225) if 30 <= row % 75 < 50])
    vectorizer = default_vectorizer(frozenset())
    older = SupervisionSource.read(background=old, vectorizer=vectorizer).background
    opened = Collection.read(new, vectorizer, older)
    return opened, first_state(opened, opening(opened, 3, 0))


def test_old_classes_come_first_and_nothing_moves_at_first(aged):
    opened, state = aged
    assert [(c.name, c.is_class) for c in state.clusters] == [
        ("rec.bicycles", True),
        ("rec.photo", True),
        (None, False),
    ]
    assert state.old_classes == {"rec.bicycles": 1, "rec.photo": 2}
    assert (anew(opened, state).labels != state.labels).sum() <= 1


@pytest.mark.parametrize("names", [{1: ""}, {1: "x", 2: "x"}, {1: "rec.photo"}])
def test_the_names_of_old_classes_change_nothing_else(aged, names):
    opened, state = aged
    renamed = [do("rename", cluster=number, name=name) for number, name in names.items()]
    np.testing.assert_array_equal(anew(opened, state, *renamed).labels, anew(opened, state).labels)


def test_old_classes_that_a_person_merges_are_one(aged):
    opened, state = aged
    after = anew(opened, state, do("merge", clusters=[1, 2], into=2))
    assert after.old_classes == {"rec.bicycles": 2, "rec.photo": 2}
    assert after.fit.supervision.background.classes == ("rec.photo",)
    assert len(after.fit.supervision.background) == 60
    assert set(after.labels[:40].tolist()) == {2}
    shown = View(opened, after)
    assert shown.name(2) == "rec.photo"
    after = anew(opened, state, do("merge", clusters=[1, 3], into=3))
    assert set(after.place) == {2, 3}
    assert after.fit.numbers[after.fit.supervision.background.classes.index("rec.bicycles")] == 3
