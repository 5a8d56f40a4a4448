"""The named figures and tables: all there, and a quick run of each kind on real points."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from tests.experiments.toy import toy
from textclust.experiments import experiment, experiments
from textclust.experiments.datasets import dataset
from textclust.experiments.halves import fold_of_run
from textclust.experiments.page import page, write
from textclust.experiments.runner import finished, perform

ROOT = Path(__file__).resolve().parents[2]
NAMES = [
    *(f"basu2005-fig-3.{number}" for number in range(3, 14)),
    *(f"basu2005-fig-4.{number}" for number in range(4, 14)),
    *(f"basu2005-fig-5.{number}" for number in range(3, 21)),
    *(f"basu2003-fig-{number}" for number in range(2, 6)),
    *(f"gao2005-fig-{number}" for number in range(1, 4)),
    *(f"gao2005-table-{number}" for number in (2, 3)),
]
QUICK = {  # on tables of numbers, one case each
    "basu2005-fig-3.9": {"method": "Constrained-KMeans"},
    "basu2005-fig-4.4": {"variant": "thesis, I-C"},
    "basu2005-fig-4.13": {"collection": "iris"},
    "basu2005-fig-5.15": {"variant": "active"},
    "basu2003-fig-2": {"method": "MPC"},
    "gao2005-table-2": {"data": "waveform21"},
    "gao2005-fig-1": {"labelled": 0.2},
    "gao2005-fig-2": {"shared": 0.6},
    "gao2005-fig-3": {"added": 0.4},
}
UNBOUNDED = ("objective", "seconds", "time / ICM")


@pytest.fixture
def here(data, monkeypatch):
    """The real data is where the experiments look."""
    monkeypatch.setenv("TEXTCLUST_DATA", str(data))


def test_every_figure_has_its_name_and_says_what_the_paper_says():
    assert set(NAMES) <= set(experiments())
    for name in NAMES:
        assert experiment(name).says, name
        assert re.search(r"(figure|table) [\d.]+$", experiment(name).source), name


def test_figures_come_in_the_order_of_their_numbers():
    listed = [name for name in experiments() if name in NAMES]
    assert listed.index("basu2005-fig-4.4") < listed.index("basu2005-fig-4.13")
    assert listed.index("basu2005-fig-4.13") < listed.index("basu2005-fig-5.3")


@pytest.mark.parametrize("name", QUICK)
def test_a_quick_run_measures_what_the_figure_shows(name, here):
    each = experiment(name)
    chosen = [c for c in each.cases if all(c[key] == v for key, v in QUICK[name].items())]
    rows = [{**chosen[0], **row} for row in each.unit(chosen[0], 0)]
    assert rows
    for row in rows:
        assert set(each.axes) <= set(row)
        for measure in each.measures:
            assert math.isfinite(row[measure])
            assert measure in UNBOUNDED or 0 <= row[measure] <= 1


def test_the_same_case_and_run_give_the_same_rows(here):
    each = experiment("basu2005-fig-5.15")
    for case in each.cases[:2]:
        assert list(each.unit(case, 3)) == list(each.unit(case, 3))


def test_times_are_measured_beside_those_of_icm_in_the_same_run(here, monkeypatch):
    monkeypatch.setattr("textclust.experiments.inference.COUNTS", (50,))
    each = experiment("basu2005-fig-4.13")
    rows = list(each.unit(each.cases[0], 0))
    assert [row["variant"] for row in rows] == 2 * ["thesis, icm", "thesis, bp", "thesis, lp"]
    for icm, *others in (rows[:3], rows[3:]):
        assert icm["time / ICM"] == 1
        for row in others:
            assert row["time / ICM"] == pytest.approx(row["seconds"] / icm["seconds"])
            assert row["seconds"] > 0
    assert "time / ICM" in each.shown


def test_ten_runs_are_ten_folds_of_one_split():
    asked = [fold_of_run(57, run)[1] for run in range(10)]
    assert sorted(np.concatenate(asked).tolist()) == list(range(57))
    for run in range(10):
        training, test = fold_of_run(57, run)
        assert not set(training) & set(test)
    assert set(fold_of_run(57, 10)[1]) != set(asked[0])


@pytest.mark.parametrize(
    ("name", "rows", "classes"),
    [
        ("iris", 150, 3),
        ("digits-389", 316, 3),  # 317 and 227 in the thesis
        ("letters-ijl", 226, 3),
        ("classic3-subset", 400, 3),
        ("yahoo-news", 2340, 20),
    ],
)
def test_data_sets_are_as_large_as_the_papers_say(name, rows, classes, here):
    X, truth = dataset(name)
    assert X.shape[0] == len(truth) == rows
    assert len(np.unique(truth)) == classes
    if name == "yahoo-news":
        assert X.multiply(X).sum(axis=1).max() == pytest.approx(1)


def test_the_page_shows_what_is_finished_and_says_what_is_not(tmp_path, monkeypatch):
    done = toy(name="toy2005-fig-1", differs="We agree.")
    not_done = toy(name="toy2005-fig-2", says="It rises.")
    every = {each.name: each for each in (done, not_done)}
    monkeypatch.setattr("textclust.experiments.page.experiments", lambda: every)
    perform(done, runs=2, out=tmp_path)
    text = page(tmp_path, tmp_path / "pictures")
    assert "| good | 0.555 | 0.655 |" in text
    assert "| good, the paper |  | 0.75 |" in text
    assert "Means of 4 samples" in text
    assert "Ours: We agree." in text
    assert "`textclust reproduce toy2005-fig-2` runs it" in text
    assert (tmp_path / "pictures" / "toy2005-fig-1.png").is_file()
    assert "![NMI by the number of links](results/toy2005-fig-1.png)" in text


def test_the_page_keeps_what_is_not_run_again(tmp_path, monkeypatch):
    """Its text and its picture; what is run again is new, and what is nowhere says so."""
    first, second, third = (toy(name=f"toy2005-fig-{number}") for number in (1, 2, 3))
    other = toy(name="toy2006-fig-1")
    every = {each.name: each for each in (first, second, third, other)}
    monkeypatch.setattr("textclust.experiments.page.experiments", lambda: every)
    place, pictures = tmp_path / "results.md", tmp_path / "results"
    for each in (first, second, other):
        perform(each, runs=2, out=tmp_path / "old")
    write(tmp_path / "old", place)
    before = place.read_text(encoding="utf-8")
    assert before.count("Means of 4 samples") == 3
    drawn = {name: (pictures / f"{name}.png").stat().st_mtime_ns for name in list(every)[:2]}

    perform(second, runs=3, out=tmp_path / "new")
    write(tmp_path / "new", place)
    after = place.read_text(encoding="utf-8")
    old, new = _sections_of(before), _sections_of(after)
    assert list(new) == list(old) == list(every)
    assert new["toy2005-fig-1"] == old["toy2005-fig-1"]
    assert new["toy2006-fig-1"] == old["toy2006-fig-1"]
    assert "Means of 6 samples" in new["toy2005-fig-2"]
    assert "`textclust reproduce toy2005-fig-3` runs it" in new["toy2005-fig-3"]
    assert (pictures / "toy2005-fig-1.png").stat().st_mtime_ns == drawn["toy2005-fig-1"]
    assert (pictures / "toy2005-fig-2.png").stat().st_mtime_ns > drawn["toy2005-fig-2"]
    write(tmp_path / "nothing", place)
    assert place.read_text(encoding="utf-8") == after


def _sections_of(text):
    parts = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: part for part in parts}


def test_the_page_that_is_there_keeps_its_sections_where_nothing_is_run(tmp_path):
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    kept = _sections_of(page(tmp_path, None, text))
    for name, section in _sections_of(text).items():
        assert kept[name].splitlines()[:10] == section.splitlines()[:10]


def test_what_is_half_run_is_not_finished(tmp_path):
    whole = toy()
    perform(toy(cases=whole.cases[:1]), runs=1, out=tmp_path)
    assert finished(whole, tmp_path) is None
    perform(whole, runs=1, out=tmp_path)
    assert finished(whole, tmp_path).rows() == perform(whole, runs=1).rows()
