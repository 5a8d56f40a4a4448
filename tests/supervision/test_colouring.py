"""Whether k clusters suffice, which documents show it if not, and the message."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.supervision.graphs import (
    colourable,
    complete,
    edges_of,
    graphs,
    keeps_apart,
    odd_wheel,
    of_edges,
)
from textclust import Constraints
from textclust.errors import InputError
from textclust.supervision import colouring
from textclust.supervision.cannot_link_graph import MustLinkComponents
from textclust.supervision.cliques import clique
from textclust.supervision.colouring import colour, most_constrained_first, peel
from textclust.supervision.impossible import minimal_infeasible, require_possible
from textclust.supervision.tabu import repaired

RNG = np.random.default_rng


@given(graph=graphs(), k=st.integers(1, 4))
def test_labels_are_found_exactly_where_trying_everything_finds_some(graph, k):
    colouring = colour(graph, k)
    edges = edges_of(graph)
    possible = colourable(edges, range(graph.count), k)
    assert (colouring.labels is not None) == possible
    assert colouring.proved
    if possible:
        assert keeps_apart(edges, colouring.labels)
        assert set(colouring.labels.tolist()) <= set(range(k))


@given(graph=graphs(), k=st.integers(1, 4))
def test_the_search_alone_agrees_with_costs_and_without(graph, k):
    possible = colourable(edges_of(graph), range(graph.count), k)
    for costs in (None, RNG(0).random((graph.count, k))):
        for rng in (None, RNG(1)):
            colouring = most_constrained_first(graph, k, 10**6, costs, rng)
            assert (colouring.labels is not None) == possible
            assert not possible or keeps_apart(edges_of(graph), colouring.labels)


@given(graph=graphs(), k=st.integers(1, 3))
def test_the_blame_is_impossible_and_nothing_less_of_it_is(graph, k):
    edges = edges_of(graph)
    assume(not colourable(edges, range(graph.count), k))
    guilty, is_smallest = minimal_infeasible(graph, k)
    assert is_smallest
    assert not colourable(edges, guilty, k)
    for block in guilty:
        assert colourable(edges, guilty[guilty != block], k)
    cliques = (c for c in itertools.combinations(range(graph.count), k + 1))
    if any(set(itertools.combinations(c, 2)) <= set(edges) for c in cliques):
        assert len(guilty) == k + 1


@given(graph=graphs(), size=st.integers(1, 5))
def test_a_clique_is_found_exactly_where_there_is_one(graph, size):
    edges = set(edges_of(graph))
    groups = itertools.combinations(range(graph.count), size)
    exists = any(set(itertools.combinations(group, 2)) <= edges for group in groups)
    found = clique(graph, size)
    assert len(found) == (size if exists else 0)
    assert set(itertools.combinations(found.tolist(), 2)) <= edges


@given(graph=graphs(), k=st.integers(1, 4))
def test_what_is_peeled_has_few_neighbours_left_and_what_stays_has_many(graph, k):
    core, peeled = peel(graph, k)
    assert sorted([*core.tolist(), *peeled]) == list(range(graph.count))
    assert (graph.subset(core).degrees >= k).all()
    for place, block in enumerate(peeled):
        left = [*peeled[place + 1 :], *core.tolist()]
        assert np.isin(graph.of(block), left).sum() < k


@given(graph=graphs(), k=st.integers(1, 4))
def test_repaired_labels_keep_all_apart(graph, k):
    labels = repaired(graph, k, 500, RNG(0))
    possible = colourable(edges_of(graph), range(graph.count), k)
    assert (labels is not None) == possible
    assert not possible or keeps_apart(edges_of(graph), labels)


def blocks_of(graph, together=()):
    return MustLinkComponents.of(Constraints(list(together), edges_of(graph)).links)


def test_a_clique_of_four_does_not_fit_three_clusters():
    four = of_edges([(i + 2, j + 2) for i, j in edges_of(complete(4))] + [(0, 2), (0, 1)], 6)
    with pytest.raises(InputError) as error:
        require_possible(blocks_of(four), 3)
    assert str(error.value) == (
        "impossible with 3 clusters: these 4 documents have cannot-links between all of them: row "
        "2, row 3, row 4, row 5; use at least 4 clusters, or remove one of these cannot-links"
    )


@pytest.mark.parametrize("rim", [5, 7])
def test_an_odd_wheel_is_named_though_it_holds_no_clique_of_four(rim):
    wheel = odd_wheel(rim)
    with_spokes = of_edges([*edges_of(wheel), (0, rim + 1), (rim + 1, rim + 2)], rim + 3)
    assert minimal_infeasible(with_spokes, 3)[0].tolist() == list(range(rim + 1))
    message = rf"impossible with 3 clusters: no assignment .* these {rim + 1} documents \(without"
    with pytest.raises(InputError, match=message) as error:
        require_possible(blocks_of(with_spokes), 3)
    names = ", ".join(f"row {row}" for row in range(rim + 1))
    assert f"any one of them it is possible): {names}; use more clusters" in str(error.value)


def test_a_block_is_named_by_its_first_document_and_how_many_go_with_it():
    links = Constraints([(0, 3), (3, 4)], [(4, 1), (1, 2), (2, 0)]).links
    with pytest.raises(InputError, match=r"row 0 \(must-linked with 2 more\), row 1, row 2;"):
        require_possible(MustLinkComponents.of(links), 2)


def test_names_are_those_of_the_documents_where_they_are_given():
    with pytest.raises(
        InputError, match="cannot-links between all of them: a, b; use at least 2 clusters"
    ):
        require_possible(blocks_of(complete(2)), 1, ["a", "b"])


def test_a_search_that_looks_at_too_much_says_so(monkeypatch):
    gadget = _without_triangles(5)
    monkeypatch.setattr(colouring, "_MOVES", 5)
    assert colour(gadget, 4).proved  # given the time
    result = colour(gadget, 4, nodes=1, repairs=1)
    assert not result.proved
    assert result.labels is None
    assert result.tries == 3
    monkeypatch.setattr("textclust.supervision.impossible.colour", lambda *_: result)
    with pytest.raises(InputError, match="no assignment found after 3 searches"):
        require_possible(blocks_of(gadget), 4)


def _without_triangles(chromatic):
    """A graph that needs so many clusters though no three are all apart (Mycielski 1955)."""
    edges, count = [(0, 1)], 2
    for _ in range(chromatic - 2):
        shadows = [(i, j + count) for i, j in edges] + [(j, i + count) for i, j in edges]
        edges = [*edges, *shadows, *((i + count, 2 * count) for i in range(count))]
        count = 2 * count + 1
    return of_edges(edges, count)


def test_one_impossible_part_is_found_beside_one_that_is_too_hard():
    hard, count = edges_of(_without_triangles(5)), 23
    triangle_and_more = [(i + count, j + count) for i, j in edges_of(complete(5))]
    graph = of_edges([*hard, *triangle_and_more], count + 5)
    colouring = colour(graph, 4, nodes=1, repairs=0)
    assert colouring.proved
    assert colouring.labels is None


@pytest.mark.parametrize(("k", "degree"), [(3, 4.2), (3, 8.0), (5, 9.0), (8, 6.0)])
def test_links_from_true_classes_are_always_possible(k, degree):
    rng = RNG(k)
    truth = rng.integers(k, size=400)
    pairs = rng.integers(400, size=(int(200 * degree * k / (k - 1)), 2))
    pairs = pairs[truth[pairs[:, 0]] != truth[pairs[:, 1]]]
    graph = of_edges(pairs, 400)
    labels = colour(graph, k).labels
    assert keeps_apart(edges_of(graph), labels)
