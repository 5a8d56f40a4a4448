"""Stability: what the figure is, what it is made from, and that every method has it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, cohen_kappa_score

import textclust as tc
from tests.result import damage
from tests.result.test_outliers import strangers, texts
from tests.test_stopping import AT_ONCE, After
from textclust.engine.problem import Solution
from textclust.errors import InputError, ModelError
from textclust.methods import METHODS
from textclust.methods.choice import Run
from textclust.model_selection.stability import RUNS, agreement_of_documents, stability
from textclust.result.stability import Stability
from textclust.stopping import stopped_on
from textclust.supervision.given import NOTHING, Supervision

TEXTS = texts(60)
CLASSES = [f"class {i % 3}" for i in range(60)]
SEEDS = {str(i + 1): CLASSES[i] for i in range(6)}
GIVEN = {
    "seeds": SEEDS,
    "constraints": tc.Constraints([(0, 3), (1, 4)], [(0, 1), (1, 2)]),
    "seed_words": {"bread": ["flour", "yeast"], "sky": ["orbit"], "ball": ["goal"]},
    "background": tc.Documents.from_texts(texts(60, seed=3), labels=CLASSES),
    "examples": {name: [str(i + 1) for i in range(t, 18, 3)] for t, name in enumerate("abc")},
}


def labellings():
    pairs = st.tuples(st.integers(0, 3), st.integers(0, 3))
    return st.lists(pairs, min_size=2, max_size=25).map(lambda rows: np.array(rows).T)


# What the figure is


def test_of_a_case_solved_by_hand():
    labels, again = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 1])
    # Of the first, 2 of 4 others are in its cluster, 1 is again, both times the same one: of
    # 2 x 1 / 4 by chance and (2 + 1) / 2 at most. The third keeps none of 2 and finds 2 others.
    found = agreement_of_documents(labels, again)
    assert found.tolist() == pytest.approx([0.5, 0.5, -1.0, 0.5, 0.5])


@given(labellings())
def test_it_is_the_kappa_of_who_is_together_with_a_document(both):
    labels, again = both
    for i, found in enumerate(agreement_of_documents(labels, again)):
        one, two = (np.delete(each == each[i], i) for each in (labels, again))
        expected = 1.0 if len({*one, *two}) == 1 else cohen_kappa_score(one, two, labels=[0, 1])
        assert found == pytest.approx(expected)


@given(st.permutations([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]))
def test_of_clusters_of_one_size_the_mean_is_the_adjusted_rand_index(again):
    labels = np.repeat([0, 1, 2], 4)
    found = agreement_of_documents(labels, np.array(again))
    assert found.mean() == pytest.approx(adjusted_rand_score(labels, again))


@pytest.mark.parametrize("sizes", [(500, 500), (900, 100), (400, 300, 200, 80, 20)])
def test_by_chance_it_is_0_whatever_the_sizes(sizes):
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    runs = [agreement_of_documents(labels, rng.permutation(labels)) for _ in range(40)]
    for h in range(len(sizes)):
        assert abs(np.mean(runs, axis=0)[labels == h].mean()) < 0.02


def test_a_cluster_has_the_mean_of_its_documents():
    figures = np.array([1.0, 0.5, np.nan, 0.2, 0.8])
    found = Stability.of(figures, np.array([0, 0, 0, 1, -1]), 3, 20, 20)
    assert found.clusters.tolist() == pytest.approx([0.75, 0.2, np.nan], nan_ok=True)
    assert np.isnan(found.documents[[2, 4]]).all()
    assert found.mean == pytest.approx(1.7 / 3)


# The runs


class Recording:
    """A view that notes the rows of each run, and finds the clusters that it is told of."""

    def __init__(self, n, find, supervision=NOTHING):
        self.X, self.supervision, self.groups = np.ones((n, 2)), supervision, None
        self.find, self.rows, self.states = find, [], []

    def subset(self, rows):
        self.rows.append(rows)
        return self

    def solve(self, run):
        self.states.append(run.solver.random_state)
        return solution(self.find(self.rows[-1]))


def solution(labels):
    return Solution(labels, np.zeros((2, 2)), None, 0.0, converged=True, n_iter=1)


def recorded(n, find, supervision=NOTHING, state=0):
    run = Run.of(frozenset(), 2, random_state=state)
    view = Recording(n, find, supervision)
    return view, stability(view, run, solution(np.arange(n) % 2))


def test_each_two_runs_split_the_documents_in_halves():
    view, found = recorded(31, lambda rows: rows % 2)
    assert found.runs == found.asked == RUNS == len(view.rows)
    for one, two in list(pairwise(view.rows))[::2]:
        assert sorted([*one, *two]) == list(range(31))
        assert abs(len(one) - len(two)) <= 1
    assert len({tuple(rows) for rows in view.rows}) == RUNS
    assert len(set(view.states)) == RUNS  # each searches by itself
    assert found.documents.tolist() == [1.0] * 31


def test_what_is_known_is_in_every_run():
    seeds = np.full(30, -1)
    seeds[[4, 9]] = 0, 1
    links = tc.Constraints([(20, 21)], [(3, 9)])
    view, _ = recorded(30, lambda rows: rows % 2, Supervision(seeds=seeds, constraints=links))
    known = {3, 4, 9, 20, 21}
    assert all(known <= set(rows.tolist()) for rows in view.rows)
    for one, two in list(pairwise(view.rows))[::2]:
        assert set(one) & set(two) == known


def test_documents_that_go_elsewhere_are_less_stable_and_chance_is_no_stability():
    def astray(rows):  # document 0 is with one cluster or with the other
        labels = rows % 2
        labels[rows == 0] = rows[1] % 2
        return labels

    _, found = recorded(40, astray)
    assert found.documents[0] == found.documents.min() < 0.8
    assert found.documents[1:].min() > 0.85
    rng = np.random.default_rng(0)
    _, found = recorded(400, lambda rows: rng.integers(0, 2, len(rows)))
    assert found.mean < 0.1


def test_the_same_seed_gives_the_same_figures_on_any_number_of_threads():
    one, two = (tc.cluster(TEXTS, 7, stability=True, n_jobs=jobs) for jobs in (1, 2))
    assert one.stability.documents.tobytes() == two.stability.documents.tobytes()
    other = tc.cluster(TEXTS, 7, stability=True, random_state=1)
    assert one.stability.documents.tobytes() != other.stability.documents.tobytes()


def test_clusters_are_the_same_with_and_without():
    assert (
        tc.cluster(TEXTS, 3).labels.tolist() == tc.cluster(TEXTS, 3, stability=True).labels.tolist()
    )


# With every method, and with what else there is


def supervised():
    for name, method in METHODS.items():
        for kind in sorted(method.supervision) or ["nothing"]:
            yield pytest.param(name, kind, id=f"{name}-{kind}")


@pytest.mark.parametrize(("name", "kind"), list(supervised()))
def test_every_method_has_it_with_all_that_it_takes(name, kind, monkeypatch):
    monkeypatch.setattr("textclust.model_selection.stability.RUNS", 4)
    given = {kind: GIVEN[kind]} if kind in GIVEN else {}
    r = tc.cluster(TEXTS, 3, method=name, stability=True, **given)
    found = r.stability
    assert found.runs == 4
    assert ((found.documents >= 0) & (found.documents <= 1)).all()
    assert len(found.clusters) == r.k
    assert found.mean > 0.1  # 0 is as by chance


def test_groups_that_stay_together_are_drawn_together():
    documents = tc.Documents.from_texts(TEXTS)
    documents = tc.Documents(
        documents.ids, documents.texts, groups=[f"g{i // 6 * 3 + i % 3}" for i in range(60)]
    )
    r = tc.cluster(documents, 3, groups="together", stability=True)
    for group in range(10):
        rows = [i for i in range(60) if documents.groups[i] == f"g{group}"]
        assert len(set(r.stability.documents[rows])) <= 1
    assert not np.isnan(tc.cluster(documents, 3, groups="weigh", stability=True).stability.mean)


def test_what_fits_nowhere_has_no_figure():
    r = tc.cluster(texts(150) + strangers(8), 3, outliers=True, stability=True)
    assert np.array_equal(np.isnan(r.stability.documents), r.labels == -1)
    assert (r.labels == -1).any()
    for h in range(3):
        own = r.stability.documents[r.labels == h]
        assert r.stability.clusters[h] == pytest.approx(own.mean())


def test_of_vectors_beside_terms_and_alone():
    rng = np.random.default_rng(0)
    vectors = np.eye(3)[np.arange(60) % 3] + 0.1 * rng.normal(size=(60, 3))
    assert tc.cluster(TEXTS, 3, vectors=vectors, stability=True).stability.mean > 0.9
    both = tc.cluster(TEXTS, 3, vectors=vectors, embed="auto", stability=True)
    assert both.stability.mean > 0.9


def test_a_run_that_goes_on_has_it():
    r = tc.cluster(texts(60, seed=5), 3, previous=tc.cluster(TEXTS, 3), stability=True)
    assert r.stability.mean > 0.5


def test_a_bound_on_sizes_is_that_of_halves():
    assert tc.cluster(TEXTS, 3, min_size=16, stability=True).stability.runs == RUNS


def test_labels_to_start_from_are_those_of_the_half():
    r = tc.cluster(TEXTS, 3, init=np.arange(60) % 3, stability=True)
    assert r.stability.mean == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("k", "settings", "said"),
    [
        (40, {}, "stability: half of the documents cannot be clustered so"),
        (3, {"stability": 2}, "stability must be True or False"),
    ],
)
def test_what_cannot_be_is_one_line(k, settings, said):
    with pytest.raises(InputError, match=said) as error:
        tc.cluster(TEXTS, k, **{"stability": True, **settings})
    assert "\n" not in str(error.value)


# An early end, and what is kept


def test_without_time_there_is_no_figure_and_it_says_so():
    r = tc.cluster(TEXTS, 3, stability=True, max_seconds=AT_ONCE)
    assert r.stability.runs == 0
    assert np.isnan(r.stability.documents).all()
    assert "Stability unknown" in str(r.stability)


@pytest.mark.parametrize("method", ["kmeans", "hac"])
def test_the_runs_up_to_an_interruption_count(method):
    counts = []
    for looks in (3, 60, 400):
        with stopped_on(After(looks)):
            counts.append(tc.cluster(TEXTS, 3, method=method, stability=True).stability)
    assert counts[0].runs <= counts[1].runs <= counts[2].runs
    assert any(0 < found.runs < RUNS for found in counts)
    some = next(found for found in counts if 0 < found.runs < RUNS)
    assert f"from {some.runs} of {RUNS} resampled runs" in str(some)


def test_a_model_keeps_it(tmp_path):
    r = tc.cluster(texts(150) + strangers(8), 3, outliers=True, stability=True)
    again = tc.load(r.save(tmp_path / "model"))
    assert again.stability.documents.tobytes() == r.stability.documents.tobytes()
    assert again.stability.clusters.tobytes() == r.stability.clusters.tobytes()
    assert str(again.stability) == str(r.stability)
    assert tc.load(tc.cluster(TEXTS, 3).save(tmp_path / "plain")).stability is None


def test_documents_that_are_added_have_no_figure_and_clusters_keep_theirs(tmp_path):
    r = tc.cluster(TEXTS, 3, stability=True)
    more = tc.Documents.from_texts(texts(9, seed=8), ids=[f"new {i}" for i in range(9)])
    grown = r.extended(more)
    for found in (grown, tc.load(grown.save(tmp_path / "model"))):
        assert found.stability.documents[:60].tolist() == r.stability.documents.tolist()
        assert np.isnan(found.stability.documents[60:]).all()
        assert found.stability.clusters.tolist() == r.stability.clusters.tolist()
    page = grown.report(tmp_path / "report.html").read_text()
    assert "null" in page[page.index('"stability":') :]


@pytest.mark.parametrize(
    "forged",
    [{"runs": 21, "asked": 20}, {"runs": "20", "asked": 20}, {"runs": -1, "asked": 20}, {}],
)
def test_a_forged_number_of_runs_is_refused(forged, tmp_path):
    folder = tc.cluster(TEXTS, 3, stability=True).save(tmp_path / "model")
    model = damage.Model.read(folder)
    changed = model.with_content({**model.content, "stability": {"stability": 0.5, **forged}})
    with pytest.raises(tc.ModelError, match="stability"):
        tc.load(changed.write(tmp_path / "forged"))


def test_a_forged_figure_is_refused(tmp_path):
    folder = tc.cluster(TEXTS, 3, stability=True).save(tmp_path / "model")
    model = damage.Model.read(folder)
    figures = {**model.arrays, "stability": np.full(len(TEXTS), 2.0)}
    with pytest.raises(tc.ModelError, match="stability has a value above 1"):
        tc.load(model.with_arrays(figures).write(tmp_path / "forged"))


def test_a_model_without_the_figures_it_speaks_of_is_refused(tmp_path, monkeypatch):
    r = tc.cluster(TEXTS, 3, stability=True)
    from textclust.result import model

    real = model.write_arrays
    monkeypatch.setattr(
        model,
        "write_arrays",
        lambda file, arrays: real(file, {n: v for n, v in arrays.items() if n != "stability"}),
    )
    r.save(tmp_path / "model")
    with pytest.raises(ModelError, match="inconsistent"):
        tc.load(tmp_path / "model")


def test_frames_and_plain_data_have_it():
    r = tc.cluster(TEXTS, 3, stability=True)
    assert r.to_frame()["stability"].tolist() == r.stability.documents.tolist()
    assert r.info()["stability"].tolist() == r.stability.clusters.tolist()
    content = r.to_dict()
    assert content["stability"] == {
        "stability": round(r.stability.mean, 4),
        "runs": RUNS,
        "asked": RUNS,
    }
    assert [c["stability"] for c in content["clusters"]] == r.stability.clusters.round(4).tolist()
    assert str(r.stability) in repr(r)
    plain = tc.cluster(TEXTS, 3)
    assert "stability" not in plain.to_frame()
    assert "stability" not in plain.info()
    assert "stability" not in plain.to_dict()
