"""One runner: every run kept at once, none done twice, the same figures whatever the jobs."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import replace

import pytest

from tests.cli.running import read_rows, snapshot
from tests.experiments.toy import toy
from textclust.errors import InputError, OutputError
from textclust.experiments.declared import grid
from textclust.experiments.picture import picture
from textclust.experiments.runner import perform
from textclust.progress import reporting


@pytest.fixture
def diary(tmp_path):
    """A file in which every call of a unit leaves a line."""
    return tmp_path / "diary"


def written_in(diary):
    return diary.read_text(encoding="utf-8").splitlines() if diary.exists() else []


def noted(diary, **changes):
    return toy(cases=grid(variant=("good", "plain"), diary=[str(diary)]), **changes)


def test_mean_spread_gain_and_the_number_of_the_paper(tmp_path):
    result = perform(toy(), runs=2, out=tmp_path)
    good = next(row for row in result.rows() if (row["variant"], row["links"]) == ("good", 10))
    samples = [0.6, 0.7, 0.61, 0.71]
    mean = sum(samples) / 4
    sd = math.sqrt(sum((value - mean) ** 2 for value in samples) / 3)
    assert good["mean"] == pytest.approx(mean)
    assert good["sd"] == pytest.approx(sd)
    assert good["se"] == pytest.approx(sd / 2)
    assert (good["n"], good["paper"]) == (4, 0.75)
    assert good["gain"] == pytest.approx(0.1)
    assert good["gain_se"] == pytest.approx(0, abs=1e-12)
    table = result.table()
    assert table.header == ("variant", "0", "10")
    assert table.rows == [
        ("good", "0.555", "0.655"),
        ("good, gain", "+0.000 ± 0.000", "+0.100 ± 0.000"),
        ("good, the paper", "", "0.75"),
        ("plain", "0.555", "0.555"),
    ]
    assert float(read_rows(tmp_path / "toy-fig-1" / "summary.csv")[0]["mean"]) == pytest.approx(
        0.555
    )


def test_every_run_is_in_the_file(tmp_path):
    perform(toy(), runs=2, out=tmp_path)
    rows = read_rows(tmp_path / "toy-fig-1" / "runs.csv")
    assert len(rows) == 2 * 2 * 4
    assert rows[0] == {
        "case": "variant=good",
        "run": "0",
        "of": "4",
        "variant": "good",
        "links": "0",
        "NMI": "0.5",
    }


def test_without_a_folder_nothing_is_written_and_the_figures_are_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert perform(toy()).rows() == perform(toy(), out=tmp_path / "out").rows()
    assert set(snapshot(tmp_path)) == {"out"} | {
        f"out/toy-fig-1{rest}"
        for rest in ("", "/runs.csv", "/settings.json", "/summary.csv", "/plot.png")
    }


def test_the_number_of_processes_changes_nothing(tmp_path):
    perform(toy(), jobs=1, out=tmp_path / "one")
    perform(toy(), jobs=2, out=tmp_path / "two")
    one, two = (snapshot(tmp_path / name / "toy-fig-1") for name in ("one", "two"))
    assert one["runs.csv"] == two["runs.csv"]
    assert one["summary.csv"] == two["summary.csv"]


def test_what_is_done_is_not_done_again_and_more_runs_add_to_it(tmp_path, diary):
    perform(noted(diary), runs=1, out=tmp_path)
    perform(noted(diary), runs=3, out=tmp_path)
    assert sorted(written_in(diary)) == sorted(
        f"{v} {r}" for v in ("good", "plain") for r in range(3)
    )
    fewer = perform(noted(diary), runs=2, out=tmp_path)
    assert len(written_in(diary)) == 6
    assert fewer.rows() == perform(toy(), runs=2).rows()
    assert len(read_rows(tmp_path / "toy-fig-1" / "runs.csv")) == 24  # the third run is kept


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_keeps_what_is_finished(tmp_path, jobs, monkeypatch):
    kept = str(tmp_path / "toy-fig-1" / "runs.csv")
    cases = ({"variant": "good"}, {"variant": "plain", "stops_at": 1, "after": kept})
    if jobs == 1:  # the unit interrupts its own process
        monkeypatch.setattr("os.getppid", os.getpid)
    with pytest.raises(KeyboardInterrupt, match=r"[1-9] of 6 units are kept"):
        perform(toy(cases=cases), jobs=jobs, out=tmp_path)
    kept = read_rows(tmp_path / "toy-fig-1" / "runs.csv")
    assert {row["variant"] for row in kept} >= {"good"}
    assert not (tmp_path / "toy-fig-1" / "summary.csv").exists()


def test_only_what_an_earlier_run_wrote_is_replaced_and_that_is_reported(tmp_path):
    assert perform(toy(), runs=1, out=tmp_path).replaced == ()
    assert perform(toy(), runs=2, out=tmp_path).replaced == ("summary.csv", "plot.png")
    (tmp_path / "toy-fig-1" / "summary.csv").write_text("mine")
    with pytest.raises(OutputError, match=r"summary\.csv: there already"):
        perform(toy(), out=tmp_path)


def test_files_of_the_users_beside_an_experiment_are_not_taken_for_its_runs(tmp_path):
    (tmp_path / "toy-fig-2").mkdir()
    (tmp_path / "toy-fig-2" / "runs.csv").write_text("mine")
    perform(toy(), runs=1, out=tmp_path, others=(toy(name="toy-fig-2"),))
    assert (tmp_path / "toy-fig-2" / "runs.csv").read_text() == "mine"


def test_half_a_unit_left_by_a_crash_is_done_again(tmp_path):
    whole = perform(toy(), out=tmp_path).rows()
    file = tmp_path / "toy-fig-1" / "runs.csv"
    text = file.read_text(encoding="utf-8")
    for cut in (len(text) - 3, text.rstrip().rfind("\n") + 1):
        file.write_text(text[:cut], encoding="utf-8")
        assert perform(toy(), out=tmp_path).rows() == whole
        assert file.read_text(encoding="utf-8") == text


def test_runs_of_another_version_or_of_other_columns_are_refused(tmp_path):
    perform(toy(), out=tmp_path)
    with pytest.raises(InputError, match=r"other columns.*out="):
        perform(toy(measures=("error rate",)), out=tmp_path)
    (tmp_path / "toy-fig-1" / "settings.json").write_text('{"textclust": "0.0.1"}')
    with pytest.raises(InputError, match=r"made by textclust 0\.0\.1.*out="):
        perform(toy(), out=tmp_path)


def test_work_that_another_experiment_did_is_taken_over(tmp_path, diary):
    part = noted(diary, name="toy-fig-2")
    part = replace(part, cases=part.cases[:1])
    perform(part, out=tmp_path)
    perform(noted(diary), out=tmp_path, others=(part,))
    assert len(written_in(diary)) == 6
    perform(noted(diary, axes=("links", "variant")), out=tmp_path / "new", others=(part,))
    assert len(written_in(diary)) == 12


def test_a_case_can_have_fewer_runs():
    cases = ({"variant": "good", "runs": 1}, {"variant": "plain"})
    assert [cell.n for cell in perform(toy(cases=cases)).cells] == [2, 2, 6, 6]


def test_progress_counts_the_units_that_are_left(tmp_path):
    seen = []

    def follow(items, label, total):
        seen.append((label, total))
        yield from items

    perform(toy(), runs=1, out=tmp_path)
    with reporting(follow):
        perform(toy(), runs=3, out=tmp_path)
    assert seen == [("toy-fig-1", 4)]


def test_the_picture_is_a_picture_with_names_as_well_as_numbers_below_it():
    result = perform(toy(), runs=1)
    assert picture(toy(), result.cells).startswith(b"\x89PNG")
    names = toy(x="variant", lines="links")
    assert picture(names, result.cells, kind="svg").lstrip().startswith(b"<?xml")


def test_without_matplotlib_there_is_all_but_the_picture(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("textclust.experiments.picture.find_spec", lambda _: None)
    result = perform(toy(), runs=1, out=tmp_path)
    assert set(snapshot(result.folder)) == {"runs.csv", "settings.json", "summary.csv"}
    with pytest.raises(InputError, match=r"pip install 'textclust\[plot\]'"):
        picture(toy(), result.cells)
