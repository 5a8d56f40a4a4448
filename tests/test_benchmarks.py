"""The benchmarks measure what they say; no seconds are asserted."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import textclust as tc
from benchmarks import busy, default_links, links, peers
from benchmarks.__main__ import ALONE, IN_BRIEF, PARTS, USUAL
from benchmarks.abstracts import Abstracts
from benchmarks.cold import ColdProcess
from benchmarks.internet import MEASURED, Collection, Machines, forecast, sizes
from benchmarks.measuring import ENOUGH, PATIENCE, NoResultError, Result, Run, power, race
from benchmarks.page import markdown, page
from benchmarks.problems import Problem
from benchmarks.sections import Headline, Section, comparison, headline
from benchmarks.sizes import race_between
from benchmarks.synthetic import Embedded, Planted
from benchmarks.workers import Contest, Contestant
from textclust.experiments.table import Table

PLAN = Planted(n=300, d=400, k=4, terms=20)


def tiny() -> Problem:
    """A planted problem without the cache."""
    (block,) = PLAN.blocks()
    indptr = np.arange(PLAN.n + 1) * PLAN.terms
    X = sp.csr_matrix((block.weights.ravel(), block.terms.ravel(), indptr), (PLAN.n, PLAN.d))
    centres = 0.9 * X[:4].toarray() + 0.1 * np.asarray(X.mean(axis=0))
    return Problem(X, block.clusters, PLAN.k, 5, centres)


def as_dense(problem: Problem) -> Problem:
    return Problem(
        problem.X.toarray(), problem.truth, problem.k, problem.iterations, problem.centres
    )


def hangs(problem):
    return partial(time.sleep, 60)


def breaks(problem):
    raise ValueError("not with this matrix\nand more")


def lacks(problem):
    import no_such_library  # noqa: F401


def dies(problem):
    import os

    return partial(os._exit, 3)


def counts(problem):
    return lambda: problem.X.nnz


def judge(problem, nnz):
    return {"nnz": nnz}


def test_planted_rows_are_distinct_terms_of_unit_length_and_the_same_every_time():
    (block,), (again,) = PLAN.blocks(), PLAN.blocks()
    assert block.terms.shape == (300, 20)
    assert (np.diff(block.terms, axis=1) > 0).all()
    np.testing.assert_allclose(np.linalg.norm(block.weights, axis=1), 1.0)
    np.testing.assert_array_equal(block.terms, again.terms)
    np.testing.assert_array_equal(block.weights, again.weights)


@pytest.mark.parametrize("contestant", peers.SAME_RUN, ids=lambda contestant: contestant.name)
@pytest.mark.parametrize("form", [lambda problem: problem, as_dense], ids=["sparse", "dense"])
def test_from_the_same_start_all_reach_the_same_objective(contestant, form):
    problem = form(tiny())
    ours = peers.judge(problem, peers.OURS[0].prepare(problem)())
    theirs = peers.judge(problem, contestant.prepare(problem)())
    assert theirs["objective"] == pytest.approx(ours["objective"], rel=1e-9)
    assert theirs["iterations"] == ours["iterations"]


def test_the_objective_is_the_one_the_estimator_reports():
    from textclust import KMeans

    problem = tiny()
    model = KMeans(problem.k, init=problem.centres, tol=0.0, refine=False).fit(problem.X)
    assert peers.objective(problem.X, model.labels_) == pytest.approx(model.objective_)


@pytest.mark.parametrize(
    ("prepare", "distribution", "reason"),
    [
        (hangs, "textclust", "did not finish in 3 s"),
        (breaks, "textclust", "fails: ValueError: not with this matrix"),
        (lacks, "textclust", "does not import: ModuleNotFoundError"),
        (dies, "textclust", "its process ended with code 3"),
        (counts, "no-such-peer", "is not installed"),
    ],
)
def test_a_contestant_that_cannot_is_reported_and_the_others_run(prepare, distribution, reason):
    contest = Contest(tiny, judge)
    able = Contestant("able", counts)
    unable = Contestant("unable", prepare, distribution=distribution)
    first, second = contest.among([able, unable], repeats=2, limit=3.0)
    assert len(first.runs) == 2
    assert not first.failure
    assert not second.runs
    assert second.failure.startswith(reason)
    table = comparison("Race", [first, second], {"nnz": lambda r: str(r.verdict["nnz"])})
    assert [row[-1] for row in table.rows] == ["6000", "–"]
    assert any(reason in note for note in table.notes)


def test_a_contestant_is_cut_off_at_its_own_limit():
    slow = Contestant("slow", hangs, limit=1.0)
    (result,) = Contest(tiny, judge).among([slow], repeats=2, limit=30.0)
    assert result.failure == "did not finish in 1 s"


def test_random_links_are_as_many_as_asked_and_as_the_classes_have_them():
    problem, again = tiny().linked(50), tiny().linked(50)
    must, cannot, truth = problem.must_link, problem.cannot_link, problem.truth
    assert len(must) + len(cannot) == 50
    assert len(must)
    assert len(cannot)
    assert (truth[must[:, 0]] == truth[must[:, 1]]).all()
    assert (truth[cannot[:, 0]] != truth[cannot[:, 1]]).all()
    assert (must[:, 0] != must[:, 1]).all()
    np.testing.assert_array_equal(must, again.must_link)


def test_broken_links_are_counted_as_constraints_count_them():
    problem, labels = tiny().linked(80), np.arange(PLAN.n) % PLAN.k
    known = tc.Constraints(problem.must_link, problem.cannot_link)
    assert peers.broken_links(problem, labels) == known.violated(labels).sum() > 0
    assert peers.broken_links(problem, problem.truth) == 0
    assert peers.broken_links(tiny(), labels) == 0


def test_without_links_both_sides_of_their_price_are_the_same_run():
    problem = tiny()
    plain, linked = (each.prepare(problem)() for each in (links.WITHOUT, links.WITH))
    np.testing.assert_array_equal(plain.labels, linked.labels)
    assert plain.iterations == linked.iterations > 1


@pytest.mark.parametrize(
    "contestant", [links.WITH, links.OURS, links.EUCLIDEAN], ids=lambda c: c.name
)
def test_links_are_heeded(contestant):
    problem = tiny().linked(200)
    plain, linked = (
        peers.judge(problem, each.prepare(problem)()) for each in (links.WITHOUT, contestant)
    )
    assert linked["broken"] < plain["broken"] / 3


def test_runs_are_divided_by_their_iterations():
    runs = [Run(6.0, 3.0, 0, {"iterations": 3}), Run(8.0, 2.0, 0, {"iterations": 2})]
    single = links.per_iteration(Result("ours", "", runs))
    assert [run.seconds for run in single.runs] == [2.0, 4.0]
    assert single.seconds == 3.0
    assert single.cpu == 1.0


class Clockwork:
    """A runner with seconds of its own making."""

    given = ""

    def __init__(self, name, seconds, log, essential=False):
        self.name, self.essential = name, essential
        self._seconds, self._log = iter(seconds), log

    def run(self, limit):
        self._log.append(self.name)
        return Run(next(self._seconds), 0.0, 0, {})


def test_runs_are_interleaved_and_compared_by_medians_and_rounds():
    log = []
    runners = [Clockwork("a", [1.0, 1.0, 2.0], log), Clockwork("b", [2.0, 3.0, 8.0], log)]
    ours, theirs = race(runners, 3)
    assert log == ["a", "b"] * 3
    assert theirs.ratio_to(ours) == (3.0, 2.0, 4.0)
    assert headline("race", [ours, theirs], "b").ratio == "3.00 (2.00 to 4.00)"


def test_only_the_essential_are_repeated_when_they_take_long():
    log = []
    runners = [Clockwork("a", [100.0] * 3, log, essential=True), Clockwork("b", [100.0] * 3, log)]
    assert [len(result.runs) for result in race(runners, 3)] == [3, 1]


def test_a_cold_process_is_measured_or_says_why_not():
    run = ColdProcess("works", [sys.executable, "-c", "sum(range(10**5))"], lambda: {"nmi": 1}).run(
        60
    )
    assert run.seconds > 0
    assert run.cpu > 0
    assert run.peak > 0
    assert run.verdict == {"nmi": 1}
    with pytest.raises(NoResultError, match="code 1: ZeroDivisionError"):
        ColdProcess("breaks", [sys.executable, "-c", "1 / 0"]).run(60)
    with pytest.raises(NoResultError, match="did not finish in 1 s"):
        ColdProcess("hangs", [sys.executable, "-c", "import time; time.sleep(60)"]).run(1)


def test_the_page_holds_what_was_kept(tmp_path):
    table = Table("N", ("", "seconds"), [("textclust", "1.0"), ("a|b", "2.0")], ("Same: yes.",))
    Section("kmeans", [Headline("N", "a|b", "2.00 (1.90 to 2.10)")], [table]).save(tmp_path)
    kept = Section.load(tmp_path, "kmeans")
    assert Section.load(tmp_path, "texts") is None
    text = page([kept], {"Python": "3.11", "faiss-cpu": "is not installed"}, "a machine")
    assert "| N | a\\|b | 2.00 (1.90 to 2.10) |  |" in text
    assert "| textclust | 1.0 |" in text
    assert "- Same: yes." in text
    assert "faiss-cpu is not installed" in text
    assert f"kmeans on {kept.measured}" in text
    assert f"more than {ENOUGH:.0f} seconds" in text
    assert f"{PATIENCE:.0f} seconds one of those" in text


def test_a_result_without_runs_has_a_row():
    table = comparison("Race", [Result("ours", ""), Result("theirs", "", failure="fails")], {})
    assert [row[0] for row in table.rows] == ["ours", "theirs"]


def test_random_cannot_links_are_distinct_and_between_two_classes():
    problem, again = tiny().apart(500), tiny().apart(500)
    pairs = problem.cannot_link
    assert len(pairs) == len(np.unique(np.sort(pairs, axis=1), axis=0)) == 500
    assert (problem.truth[pairs[:, 0]] != problem.truth[pairs[:, 1]]).all()
    assert len(problem.must_link) == 0
    np.testing.assert_array_equal(pairs, again.cannot_link)


def test_dense_rows_have_unit_length_and_are_the_same_every_time():
    plan = Embedded(n=200, d=16, k=3)
    (X, clusters), (again, _) = plan.rows(), plan.rows()
    assert X.dtype == np.float32
    assert set(clusters) == {0, 1, 2}
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0, rtol=1e-5)
    np.testing.assert_array_equal(X, again)


def test_refined_labels_agree_and_are_no_worse_than_those_of_the_peer():
    problem = tiny()
    found = [peers.judge(problem, each.prepare(problem)()) for each in peers.REFINED]
    theirs = peers.judge(problem, peers.LLOYD.prepare(problem)())
    assert len({verdict["digest"] for verdict in found}) == 1
    assert found[0]["objective"] <= theirs["objective"] * (1 + 1e-9)


def test_default_links_agree_with_and_without_threads_and_the_core():
    problem = tiny().linked(100)
    options = ({}, {"n_jobs": 1}, {"n_jobs": 1, "native": False})
    digests = [
        peers.judge(problem, default_links.hmrf(problem, **each)())["digest"] for each in options
    ]
    assert len(set(digests)) == 1


def few_links():
    return tiny().linked(20)


def keeps_to_the_classes(problem):
    return lambda: peers.Sorted(np.asarray(problem.truth), 1)


def lumps_together(problem):
    return lambda: peers.Sorted(np.zeros(len(problem.truth), dtype=int), 1)


def test_in_a_race_between_sizes_each_is_judged_by_its_own_problem():
    right, wrong = Contestant("right", keeps_to_the_classes), Contestant("wrong", lumps_together)
    first, second = race_between([(right, tiny), (wrong, few_links)], 1)
    assert first.verdict["broken"] == 0
    assert second.verdict["broken"] == len(few_links().cannot_link) > 0


def test_a_power_is_found_again_and_what_it_misses_is_said():
    exact = power([1, 2, 4], [3, 12, 48])
    assert exact.exponent == pytest.approx(2.0)
    assert exact.miss == pytest.approx(1.0)
    assert power([1, 2, 4, 8], [1, 1, 16, 16]).miss > 1.5


def test_the_patience_with_essential_contestants_ends():
    log = []
    runners = [Clockwork("a", [PATIENCE + 1] * 3, log, essential=True)]
    assert [len(result.runs) for result in race(runners, 3)] == [1]


def test_the_peak_of_a_cold_process_is_not_that_of_whoever_starts_it():
    held = np.ones(40_000_000)
    peak = ColdProcess("small", [sys.executable, "-c", "pass"]).run(60).peak
    assert 0 < peak < held.nbytes / 4


def test_a_busy_core_is_busy_for_as_long_as_the_block_lasts():
    with busy.busy_core() as process:
        time.sleep(0.5)
        used = Path(f"/proc/{process}/stat").read_text().split()
        assert int(used[13]) > 0
    assert not Path(f"/proc/{process}").exists()


def test_a_fresh_fit_gets_no_number_of_threads():
    given = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "2", "HOME": "/x"}
    assert busy.default_environment(given) == {"HOME": "/x"}


def test_abstracts_are_made_of_the_words_of_the_documents_the_same_every_time():
    documents, classes = ["red green, blue", "one two", "", "three four five"], list("aabb")
    made = Abstracts(size=20, topics=3)
    texts = list(made.texts(documents, classes))
    assert texts == list(made.texts(documents, classes))
    assert len(texts) == 20
    words = {word for text in texts for word in text.split()}
    assert words <= {"red", "green", "blue", "one", "two", "three", "four", "five"}
    assert 80 < np.mean([len(text.split()) for text in texts]) < 120


def test_every_part_has_a_name_of_its_own_and_the_long_ones_run_alone():
    assert set(ALONE) <= set(PARTS)
    assert set(USUAL) == set(PARTS) - set(ALONE)
    assert set(IN_BRIEF) <= set(USUAL)


def test_the_page_of_internet_scale_follows_from_its_constants():
    page = (Path(__file__).resolve().parents[1] / "docs" / "internet-scale.md").read_text(
        encoding="utf-8"
    )
    table = markdown(sizes(MEASURED)).partition("\n\n")[2]
    assert table in page
    for seconds, written in (
        (MEASURED.product, "0.19 ns"),
        (MEASURED.layout, "0.93 ns"),
        (MEASURED.question, "11 ms"),
        (MEASURED.task, "2 ms"),
        (MEASURED.byte, "1.3 ns"),
    ):
        number, unit = written.split()
        assert seconds / {"ns": 1e-9, "ms": 1e-3}[unit] == pytest.approx(float(number), rel=0.05)
        assert re.search(rf"{re.escape(number)}\s+{unit}", page)


def test_more_machines_compute_sooner_and_ask_longer():
    of, one = Collection("", 1e7, 1e5, 60, 100, 100), Machines(1, 4, 4)
    few, many = forecast(MEASURED, of, one), forecast(MEASURED, of, replace(one, workers=2))
    assert few.computing / 2 <= many.computing < few.computing
    assert many.asking > few.asking
    assert many.on_the_driver == few.on_the_driver
