"""Documents in groups: together as by the slow way, or counted as one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.strategies import DISTORTIONS, random_documents
from textclust import geometry
from textclust.errors import InputError
from textclust.geometry.affine import costs
from textclust.methods import METHODS
from textclust.methods.choice import Run
from textclust.methods.groups import Groups, View
from textclust.supervision.given import NOTHING, Supervision

NAMES = ["ann", "bob", "ann", None, "cy", "bob", "ann", None, "cy", "dot"]
COUNTS = np.array(
    [
        *([4, 0, 1], [3, 1, 0], [0, 4, 1], [1, 1, 3], [0, 1, 4]),
        *([4, 1, 0], [1, 4, 0], [0, 0, 2], [1, 0, 5], [0, 3, 1]),
    ],
    dtype=float,
)


def run_of(method="kmeans", k=2, **parameters):
    kinds = parameters.pop("kinds", frozenset())
    return Run.of(frozenset(kinds), k, method, parameters.pop("distortion", None), 0, parameters)


def solved(X, groups, run, supervision=NOTHING):
    return groups.seen(X, supervision, run).solve(run)


def energy(X, solution, weights):
    """The slow way: of each document and the prototype of its cluster."""
    found = solution.distortion
    rows, form = found.prepare(X), found.affine(solution.prototypes)
    table = found.own_costs(rows)[:, None] + costs(rows, form)
    return float(weights @ table[np.arange(len(rows)), solution.labels])


def test_groups_are_numbered_as_they_come_and_none_is_one_alone():
    groups = Groups.of(NAMES)
    assert groups.number.tolist() == [0, 1, 0, 2, 3, 1, 0, 4, 3, 5]
    assert groups.sizes.tolist() == [3, 2, 1, 2, 1, 1]
    assert groups.weights[:4].tolist() == [1 / 3, 1 / 2, 1 / 3, 1]
    assert groups.weights.sum() == pytest.approx(len(groups))


@pytest.mark.parametrize("distortion", ["cosine", "euclidean", "kl", "i-divergence"])
@pytest.mark.parametrize("mode", ["together", "weigh"])
def test_the_energy_is_that_of_the_documents(distortion, mode):
    groups, run = Groups.of(NAMES, mode), run_of(distortion=distortion)
    solution = solved(COUNTS, groups, run)
    weights = groups.weights if mode == "weigh" else np.ones(len(COUNTS))
    assert solution.energy == pytest.approx(energy(COUNTS, solution, weights))


@pytest.mark.parametrize("distortion", ["cosine", "euclidean"])
def test_together_is_the_best_of_all_ways_to_place_whole_groups(distortion):
    groups, run = Groups.of(NAMES), run_of(distortion=distortion, n_init=50)
    space = geometry.get(distortion)
    rows, lowest = space.prepare(COUNTS), np.inf
    for code in range(1, 2 ** len(groups) - 1):
        labels = (code >> np.arange(len(groups)) & 1)[groups.number]
        sums = np.array([rows[labels == h].sum(axis=0) for h in (0, 1)])
        masses = np.bincount(labels, minlength=2).astype(float)
        form = space.affine(space.prototypes(sums.copy(), masses))
        table = space.own_costs(rows)[:, None] + costs(rows, form)
        lowest = min(lowest, table[np.arange(len(rows)), labels].sum())
    assert solved(COUNTS, groups, run).energy == pytest.approx(lowest)


@given(st.lists(st.integers(0, 5), min_size=12, max_size=12), st.sampled_from(DISTORTIONS))
def test_no_group_is_ever_split(numbers, distortion):
    names = [f"g{number}" if number else None for number in numbers]
    groups = Groups.of(names)
    X = random_documents(12, 8, 0.5).toarray() + 0.01
    labels = solved(X, groups, run_of(distortion=distortion)).labels
    assert len(set(zip(groups.number.tolist(), labels.tolist(), strict=True))) == len(groups)


@pytest.mark.parametrize("mode", ["together", "weigh"])
def test_groups_of_one_change_nothing(mode):
    X, run = random_documents(), run_of(k=3, distortion="cosine")
    plain = run.solve(X, NOTHING)
    grouped = solved(X, Groups.of([None] * X.shape[0], mode), run)
    assert np.array_equal(plain.labels, grouped.labels)
    assert plain.energy == pytest.approx(grouped.energy)


def test_a_document_that_is_there_several_times_counts_once_when_weighed():
    X, run = random_documents().toarray(), run_of(k=3, distortion="cosine")
    times = np.arange(len(X)) % 3 + 1
    rows = np.repeat(np.arange(len(X)), times)
    first = np.unique(rows, return_index=True)[1]

    weighed = solved(X[rows], Groups.of(rows.astype(str), "weigh"), run)

    assert np.array_equal(weighed.labels, weighed.labels[first][rows])
    alone = replace(weighed, labels=weighed.labels[first])
    assert weighed.energy == pytest.approx(energy(X, alone, np.ones(len(X))))


def test_together_it_counts_as_often_as_it_is_there():
    X, run = random_documents(), run_of(k=3, distortion="cosine")
    times = np.arange(X.shape[0]) % 3 + 1
    rows = np.repeat(np.arange(X.shape[0]), times)
    together = solved(X[rows], Groups.of(rows.astype(str)), run)
    assert together.energy == pytest.approx(run.solve(X, NOTHING, times + 0.0).energy)


WEIGHTED = [name for name, method in METHODS.items() if method.weighted]


@pytest.mark.parametrize("name", [n for n in WEIGHTED if n not in ("semihard", "semifuzzy")])
def test_every_method_that_can_weigh_keeps_groups_together(name):
    X = random_documents(40, 20)
    groups = Groups.of([f"g{i // 3}" for i in range(40)])
    seeds = np.full(40, -1)
    seeds[[0, 9, 20]] = 0, 1, 0
    links = tc.Constraints([(0, 1), (1, 20)], [(0, 9), (9, 30)])
    takes = METHODS[name].supervision
    known = Supervision(
        seeds=seeds if "seeds" in takes else None,
        constraints=links if "constraints" in takes else None,
        classes=("a", "b"),
    )
    run = run_of(name, kinds=known.kinds)
    solution = solved(X, groups, run, known)
    assert len(set(zip(groups.number.tolist(), solution.labels.tolist(), strict=True))) == 14


def test_methods_that_cannot_weigh_are_refused():
    for name in ("hac", "clue", "cluedo"):
        assert not METHODS[name].weighted
    with pytest.raises(InputError, match="method 'hac' counts all documents alike"):
        Groups.of(NAMES).seen(COUNTS, NOTHING, run_of("hac"))


def view(known, names=NAMES):
    return Groups.of(names).seen(COUNTS, known, run_of()).supervision


def test_seeds_and_links_are_those_of_the_groups():
    seeds = np.full(10, -1)
    seeds[[2, 4]] = 1, 0
    links = tc.Constraints([(0, 2), (1, 8)], [(6, 9)], [1, 2, 3])
    found = view(Supervision(seeds=seeds, constraints=links, ids=list("abcdefghij")))
    assert np.asarray(found.seeds).tolist() == [1, -1, -1, 0, -1, -1]
    assert found.constraints == tc.Constraints([(1, 3)], [(0, 5)], [2, 3])
    assert found.ids == ["a", "b", "d", "e", "h", "j"]
    assert view(Supervision(constraints=tc.Constraints([(0, 2)]))).constraints is None


def test_what_contradicts_the_groups_is_refused():
    seeds = np.full(10, -1)
    seeds[[0, 6]] = 0, 1
    ids = list("abcdefghij")
    with pytest.raises(InputError, match=r"two classes to the group 'ann', .*: to 'a' and 'g'"):
        view(Supervision(seeds=seeds, ids=ids))
    with pytest.raises(InputError, match=r"cannot-link is between 'e' and 'i' of the group 'cy'"):
        view(Supervision(constraints=tc.Constraints([], [(4, 8)]), ids=ids))
    known = Supervision(seeds=seeds, constraints=tc.Constraints([], [(4, 8)]), ids=ids)
    assert Groups.of(NAMES, "weigh").seen(COUNTS, known, run_of()).supervision is known


def test_what_does_not_go_with_groups_is_said():
    with pytest.raises(InputError, match="7 clusters cannot be made of 6 groups"):
        Groups.of(NAMES).seen(COUNTS, NOTHING, run_of(k=7))
    with pytest.raises(InputError, match="min_size counts documents"):
        Groups.of(NAMES).seen(COUNTS, NOTHING, run_of(min_size=2))
    with pytest.raises(InputError, match="groups must be 'together' or 'weigh'; got 'apart'"):
        Groups.of(NAMES, "apart")


def test_without_groups_the_view_is_the_documents():
    run = run_of()
    assert np.array_equal(
        View(COUNTS, NOTHING).solve(run).labels, run.solve(COUNTS, NOTHING).labels
    )


# The whole way


@pytest.fixture(scope="module")
def tickets():
    """The sample, by people who wrote some documents each on one subject."""
    docs = tc.read_documents(tc.corpora.path("newsgroups"))
    rng = np.random.default_rng(0)
    names = [f"{label} {rng.integers(12)}" for label in docs.labels]
    names[7] = None
    return replace(docs, groups=names)


def split_groups(result):
    groups = {}
    for card, label in zip(result.cards, result.labels.tolist(), strict=True):
        groups.setdefault(card.group or card.id, set()).add(label)
    return sum(len(found) > 1 for found in groups.values())


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"seeds": {"sci.astro/53780": "space"}},
        {"seed_words": {"cycling": ["bike"], "photo": ["lens"]}},
        {"distortion": "kl"},
        {"k": "auto"},
    ],
    ids=str,
)
def test_groups_stay_together_whatever_is_known(tickets, given):
    given = {"k": 3, **given}
    if "seeds" in given:
        given["seeds"] = {tickets.ids[0]: "a", tickets.ids[-1]: "b"}
    result = tc.cluster(tickets, **given)
    assert split_groups(result) == 0
    assert result.settings["groups"] == {"mode": "together", "number": len(set(tickets.groups))}
    assert sum(result.group_sizes) == pytest.approx(len(set(tickets.groups)), abs=0.1)


@pytest.mark.parametrize("method", ["guided", "semihard", "semifuzzy"])
def test_a_background_and_groups(tickets, method):
    old = tickets.select(range(0, 225, 5))
    new = tickets.select([row for row in range(225) if row % 5])
    result = tc.cluster(new, 3, background=old, method=method)
    assert split_groups(result) == 0
    assert len(result.outcome.background.novelty) == len(new)
    with pytest.raises(InputError, match="groups beside a background need k"):
        tc.cluster(new, background=old, method=method)


def test_weighed_groups_may_be_split_and_add_up(tickets):
    result = tc.cluster(tickets, 3, groups="weigh")
    assert split_groups(result) > 0
    assert sum(result.group_sizes) == pytest.approx(len(set(tickets.groups)), abs=0.1)


def test_groups_are_asked_for_only_where_there_are_some(tickets):
    with pytest.raises(InputError, match=r"groups='weigh': the documents have no groups"):
        tc.cluster(replace(tickets, groups=None), 3, groups="weigh")
    assert tc.cluster(replace(tickets, groups=None), 3).group_sizes is None


def test_a_model_keeps_the_groups(tickets, tmp_path):
    result = tc.cluster(tickets, 3)
    result.save(tmp_path / "model")
    again = tc.load(tmp_path / "model")
    assert again.group_sizes == result.group_sizes
    assert [card.group for card in again.cards] == tickets.groups
    assert [each["groups"] for each in again.to_dict()["clusters"]] == result.group_sizes
    page = result.report(tmp_path / "page.html").read_text()
    assert f"{result.group_sizes[0]:g} groups" in page


def test_groups_may_be_numbers_with_gaps(tickets):
    names = {name: number for number, name in enumerate(sorted(set(filter(None, tickets.groups))))}
    given = [float("nan") if name is None else names[name] for name in tickets.groups]
    result = tc.cluster(replace(tickets, groups=given), 3)
    assert np.array_equal(result.labels, tc.cluster(tickets, 3).labels)
    assert [card.group is None for card in result.cards] == [g is None for g in tickets.groups]
