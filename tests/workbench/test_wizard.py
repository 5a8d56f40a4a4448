"""The wizard: the most likely mistakes first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.workbench.small import do, ids, said
from textclust.workbench.refitting import refit, refitted
from textclust.workbench.state import Cluster, State
from textclust.workbench.view import View
from textclust.workbench.wizard import Wizard


@pytest.fixture(scope="module")
def groups():
    """The group of each document: rows come in three times twenty."""
    return np.arange(60) // 20


def arranged(first: State, labels) -> State:
    """The collection in other clusters, from 1 on."""
    labels = np.asarray(labels)
    clusters = tuple(map(Cluster, range(1, labels.max() + 1)))
    return replace(
        first,
        clusters=clusters,
        labels=labels,
        unsupervised=labels,
        next_number=len(clusters) + 1,
    )


def proposed(collection, state, kind=None, count=50):
    found = Wizard(View(collection, state)).proposals(count)
    return [each for each in found if kind in (None, each["kind"])]


@pytest.mark.parametrize("group", [0, 1, 2])
def test_two_halves_of_one_group_are_proposed_for_merging_before_others(
    collection, first, groups, group
):
    labels = groups + 1
    labels[(groups == group) & (np.arange(60) % 2 == 0)] = 4
    merges = proposed(collection, arranged(first, labels), "merge")
    assert merges[0]["clusters"] == [group + 1, 4]
    action = {"action": "merge", "clusters": [group + 1, 4], "into": group + 1}
    assert merges[0]["actions"] == [{"label": "Merge", "action": action}]
    assert "look like one cluster" in merges[0]["reason"]
    after = said(collection, arranged(first, labels), action)
    assert set(after.labels.tolist()) == {1, 2, 3}


@pytest.mark.parametrize("together", [(0, 1), (0, 2), (1, 2)])
def test_a_cluster_of_two_groups_is_proposed_for_splitting(collection, first, groups, together):
    labels = np.where(np.isin(groups, together), 1, 2)
    state = arranged(first, labels)
    splits = proposed(collection, state, "split")
    assert splits[0]["cluster"] == 1
    second = np.isin(np.arange(60), splits[0]["rows"])
    inside = labels == 1
    right = max(np.mean(second[inside] == (groups == g)[inside]) for g in together)
    assert right > 0.8
    assert splits[0]["actions"][0]["action"]["documents"] == ids(collection, *splits[0]["rows"])
    after = said(collection, state, splits[0]["actions"][0]["action"])
    assert after.members(3).tolist() == splits[0]["rows"]
    locked = said(collection, state, do("lock", cluster=1))
    assert all(each["cluster"] != 1 for each in proposed(collection, locked, "split"))


def test_halves_have_terms_and_sizes(collection, first, groups):
    wizard = Wizard(View(collection, arranged(first, np.where(groups == 2, 2, 1))))
    halves = wizard.halves(1)
    assert sum(halves.sizes) == 40
    assert len(halves.rows) == halves.sizes[1] <= halves.sizes[0]
    assert 0 <= halves.apart <= 1
    assert not set(halves.terms[0]) & set(halves.terms[1])
    again = wizard.halves(1)
    np.testing.assert_array_equal(halves.rows, again.rows)


def test_what_cannot_fall_in_two(collection, first):
    labels = np.ones(60, dtype=int)
    labels[7] = 2
    assert Wizard(View(collection, arranged(first, labels))).halves(2) is None


def test_a_broken_link_and_a_seed_that_all_contradicts_appear(collection, first, groups):
    state = arranged(first, groups + 1)
    left, right = ids(collection, 0, 25)
    state = said(
        collection,
        state,
        do("link", left=left, right=right, kind="must-link"),
        do("move", documents=ids(collection, 45), cluster=1),
    )
    (link,) = proposed(collection, state, "link")
    assert (link["left"], link["right"]) == (0, 25)
    assert link["actions"][0]["action"] == do("unlink", left=left, right=right)
    seeds = proposed(collection, state, "seed")
    assert [seed["row"] for seed in seeds] == [45]
    assert seeds[0]["clusters"][0] == 3
    assert seeds[0]["actions"][0]["action"] == do("unseed", documents=ids(collection, 45))
    for each in (link, seeds[0]):
        said(collection, state, each["actions"][0]["action"])


def test_a_seed_at_home_and_a_link_that_is_kept_do_not(collection, first, groups):
    state = arranged(first, groups + 1)
    view = View(collection, state)
    home = next(row for row in range(20) if view.nearest(row, 1) == [1])
    left, right = ids(collection, 0, 1)
    state = said(
        collection,
        state,
        do("seed", documents=ids(collection, home)),
        do("link", left=left, right=right, kind="must-link"),
    )
    assert proposed(collection, state, "link") == proposed(collection, state, "seed") == []


def test_worth_descends_and_no_more_are_given_than_asked_for(collection, first):
    state = said(collection, first, do("seed", documents=ids(collection, 0, 25, 50)))
    state = refitted(state, refit(collection, state))
    found = proposed(collection, state)
    worth = [each["worth"] for each in found]
    assert worth == sorted(worth, reverse=True)
    assert proposed(collection, state, count=2) == found[:2]
    assert proposed(collection, state, count=0) == []
    for each in found:
        assert each["worth"] >= 0
        assert "\n" not in each["reason"]
        for offered in each["actions"]:
            said(collection, state, offered["action"])


def test_documents_are_asked_for_that_nobody_was_asked_about(collection, first):
    asked = proposed(collection, first, "document")
    assert len({each["row"] for each in asked}) == len(asked) == 3
    for each in asked:
        assert sorted(each["clusters"]) == [1, 2, 3]
        assert each["actions"] == []
    answers = [
        do("answer", question="cluster", document=ids(collection, each["row"])[0], cluster=number)
        for each, number in zip(asked, (None, 1, 2), strict=True)
    ]
    state = said(collection, first, *answers)
    later = proposed(collection, state, "document")
    assert not {each["row"] for each in later} & {each["row"] for each in asked}
    gone = said(collection, first, do("discard", documents=ids(collection, *range(3, 60))))
    assert {each["row"] for each in proposed(collection, gone, "document")} <= {0, 1, 2}


def test_one_cluster_asks_for_no_document_and_no_merge(collection, first):
    state = said(collection, first, do("merge", clusters=[1, 2, 3], into=1))
    kinds = {each["kind"] for each in proposed(collection, state)}
    assert kinds <= {"split"}
