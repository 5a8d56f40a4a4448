"""A state as it can be looked at, against a slow reference."""

from __future__ import annotations

from math import erf
from types import SimpleNamespace

import numpy as np
import pytest

from tests.workbench.small import do, ids, said
from textclust.supervision.links import Link
from textclust.workbench.content import state_content
from textclust.workbench.history import History
from textclust.workbench.opening import first_state, opening
from textclust.workbench.refitting import refit, refitted
from textclust.workbench.view import View


@pytest.fixture(scope="module")
def edited_state(collection, first):
    """Split, moved and discarded, without a refit since then."""
    return said(
        collection,
        first,
        do("split", cluster=1, documents=ids(collection, *first.members(1)[:6]), hold=False),
        do("move", documents=ids(collection, 0, 1), cluster=3),
        do("discard", documents=ids(collection, 5, 33)),
    )


@pytest.fixture(scope="module", params=["first", "edited", "refitted"])
def view(request, collection, first, edited_state):
    if request.param == "first":
        return View(collection, first)
    if request.param == "edited":
        return View(collection, edited_state)
    return View(collection, refitted(edited_state, refit(collection, edited_state)))


def test_labels_are_places_of_the_numbers(view):
    assert len(view.numbers) == len(view.names) == len(view.state.clusters)
    numbers = np.array(view.numbers)
    np.testing.assert_array_equal(numbers[view.labels], view.state.labels[view.rows])


def cosines(view):
    """Where every document would be among the centroids of the clusters."""
    X = np.asarray(view.X.todense())
    X = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-12)
    means = np.array([X[view.labels == place].sum(axis=0) for place in range(len(view.numbers))])
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
    return X @ means.T


def test_second_choices_and_scores_by_centroids(collection, edited_state):
    """Without a fit of these clusters they lie at their centroids."""
    view = View(collection, edited_state)
    near = cosines(view)
    for at, row in enumerate(view.rows.tolist()):
        own, others = near[at, view.labels[at]], near[at].copy()
        others[view.labels[at]] = -np.inf
        assert view.seconds[row] != edited_state.labels[row]
        second = view.numbers.index(int(view.seconds[row]))
        assert others[second] == pytest.approx(others.max(), abs=1e-12)
        expected = erf(max(own - others.max(), 0.0) / view.space.scale / 2**0.5)
        assert view.scores[row] == pytest.approx(expected, abs=1e-9)
        assert view.distances[row] == pytest.approx(1 - own, abs=1e-9)
        nearest = view.nearest(row, 9)
        assert sorted(nearest) == sorted(view.numbers)
        ranks = [near[at, view.numbers.index(number)] for number in nearest]
        assert (np.diff(ranks) <= 1e-12).all()


def test_what_there_is_for_every_row(view):
    n = len(view.collection)
    gone = view.state.labels == 0
    assert view.seconds.shape == view.scores.shape == view.distances.shape == (n,)
    assert view.points.shape == (n, 2)
    assert not view.seconds[gone].any()
    assert not view.scores[gone].any()
    assert set(view.seconds[~gone].tolist()) <= set(view.numbers)
    assert (view.seconds != view.state.labels)[~gone].all()
    assert ((view.scores >= 0) & (view.scores <= 1)).all()
    assert ((view.points >= 0) & (view.points <= 1)).all()
    assert ((view.layout.centres >= 0) & (view.layout.centres <= 1)).all()
    assert (view.layout.radii >= 0).all()


def test_one_cluster_has_no_second(collection, first):
    state = said(collection, first, do("merge", clusters=[1, 2, 3], into=2))
    view = View(collection, state)
    assert not view.seconds.any()
    assert view.nearest(0, 9) == [2]
    assert np.isfinite(view.points).all()
    after = View(collection, refitted(state, refit(collection, state)))
    assert set(after.state.labels.tolist()) == {2}
    assert not after.seconds.any()


# Names


def test_names_by_terms_by_a_person_and_by_a_class(collection, first):
    plain = View(collection, first).names
    assert all(name.count(", ") == 2 for name in plain)
    state = said(
        collection,
        first,
        do("rename", cluster=1, name="mine"),
        do("accept", cluster=3, name="a class"),
    )
    view = View(collection, state)
    assert view.names == ["mine", plain[1], "a class"]
    assert [view.name(number) for number in (1, 2, 3)] == view.names
    assert view.clustering.names == view.names


# Links


def test_links_are_judged_where_their_documents_are_now(collection, first):
    one, two = first.members(1)[:2].tolist(), first.members(2)[:2].tolist()
    pairs = [
        (one[0], one[1], "must-link", False),
        (one[0], two[0], "must-link", True),
        (one[1], two[1], "cannot-link", False),
        (two[0], two[1], "cannot-link", True),
    ]
    lines = [
        do("link", left=ids(collection, a)[0], right=ids(collection, b)[0], kind=kind)
        for a, b, kind, _ in pairs
    ]
    state = said(collection, first, *lines)
    view = View(collection, state)
    assert [(e.left, e.right, e.kind, e.violated) for e in view.links] == pairs
    assert [link.price for link in view.links] == [None] * 4
    after = View(collection, refitted(state, refit(collection, state)))
    assert all(isinstance(link, Link) and link.price > 0 for link in after.links)
    for link in after.links:
        together = after.state.labels[link.left] == after.state.labels[link.right]
        assert link.violated == (together != (link.kind == "must-link"))
    assert after.clustering.outcome.links == 4


# The map


def spread(layout):
    return np.linalg.norm(layout.centres - layout.centres.mean(axis=0), axis=1).mean()


def test_the_map_is_turned_so_that_clusters_are_near_where_they_were(collection, first):
    before = View(collection, first)
    state = said(collection, first, do("move", documents=ids(collection, 0, 1, 2), cluster=3))
    state = refitted(state, refit(collection, state))
    alone = View(collection, state)
    for turn in ([[0.0, -1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, -1.0]]):
        old = before.layout
        turned = type(old)(
            (old.centres - 0.5) @ np.array(turn) + 0.5,
            old.radii,
            (old.points - 0.5) @ np.array(turn) + 0.5,
        )
        view = View(collection, state, SimpleNamespace(layout=turned, numbers=before.numbers))
        moved = np.linalg.norm(view.layout.centres - turned.centres, axis=1).max()
        assert moved < 0.35 * spread(turned)
        now = np.linalg.norm(view.layout.points[:, None] - view.layout.points, axis=2)
        then = np.linalg.norm(alone.layout.points[:, None] - alone.layout.points, axis=2)
        # Turned and mirrored, and then made to fit: all distances by one factor.
        factor = now.max() / then.max()
        np.testing.assert_allclose(now, factor * then, atol=1e-9)


def test_a_map_of_other_clusters_is_no_model(collection, first):
    layout = View(collection, first).layout
    other = View(collection, first, SimpleNamespace(layout=layout, numbers=(7, 8, 9)))
    np.testing.assert_array_equal(other.points, View(collection, first).points)


def test_clusters_that_belong_together(collection):
    """From six clusters on they are in groups, which stay as they are until the next refit."""
    state = first_state(collection, opening(collection, 7, 0))
    view = View(collection, state)
    inside = [number for _, numbers in view.groups for number in numbers]
    assert len(set(inside)) == len(inside) > 1
    assert set(inside) <= set(view.numbers)
    assert all(name and len(numbers) > 1 for name, numbers in view.groups)
    moved = said(collection, state, do("move", documents=ids(collection, 0), cluster=2))
    after = View.after(collection, moved, last=view)
    assert after.groups == view.groups
    shown = state_content(view, History(state), 1)["groups"]
    assert shown == [{"name": name, "clusters": numbers} for name, numbers in view.groups]


def test_few_clusters_are_in_no_groups(collection, first):
    assert View(collection, first).groups == []
