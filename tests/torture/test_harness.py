"""The harness itself: every try can be made again, and no way to fail goes unnoticed."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from tests.torture import campaign, failures, slices
from tests.torture.__main__ import seconds_of
from tests.torture.mutants import MUTANTS
from tests.torture.mutation import mutated_file
from tests.torture.samples import files
from tests.torture.trials import Torture, every
from tests.torture.worker import Order

# A worker whose tests are these.
BAD = """
import os, signal, time
from tests.torture import trials, worker

trials.FILES = ()

@trials.torture("raises at 2", quick=5)
def raises(trial):
    data = trial.given("input", lambda rng: bytes([trial.number, rng.randrange(256)]))
    assert data[0] != 2, "it is two"

@trials.torture("dies at 1", quick=5)
def dies(trial):
    if trial.number == 1:
        os.kill(os.getpid(), signal.SIGSEGV)

@trials.torture("hangs", quick=5)
def hangs(trial):
    time.sleep(600)

@trials.torture("eats", quick=5, memory=4 << 30)
def eats(trial):
    bytearray(8 << 30)

@trials.torture("leaves", quick=5)
def leaves(trial):
    os._exit(3)

worker.main()
"""


@pytest.fixture
def bad(monkeypatch, tmp_path):
    """Let workers have tests that fail; a test by its name, and the order to make three tries."""
    real = subprocess.Popen

    def started(command, **options):
        return real([sys.executable, "-c", BAD, *command[3:]], **options)

    monkeypatch.setattr(slices.subprocess, "Popen", started)

    def named(name, seconds=60.0):
        test = Torture(name, lambda trial: None, 5, 1.0, seconds, 0)
        return test, Order(name, 7, 0, 60.0, 3, str(tmp_path / "inputs"))

    return named


def test_what_a_try_raises_is_kept_with_its_input_and_repeated_with_it(bad, tmp_path, monkeypatch):
    done = slices.one_worker(*bad("raises at 2"))
    assert (done.tries, done.failure.number) == (3, 2)
    assert "AssertionError: it is two" in done.failure.how
    kept = failures.keep(done.failure, tmp_path / "inputs", tmp_path / "out")
    first = (kept.parent / "inputs" / "input").read_bytes()
    monkeypatch.setattr(failures, "every", lambda: {"raises at 2": bad("raises at 2")[0]})
    again = failures.again(kept)
    assert again.failure.how == done.failure.how
    assert (kept.parent / "inputs" / "input").read_bytes() == first
    (kept.parent / "inputs" / "input").write_bytes(b"\0\0")
    assert failures.again(kept.parent).failure is None  # it is the input that is tried again


@pytest.mark.parametrize(
    ("name", "number", "how"),
    [
        ("dies at 1", 1, "SIGSEGV"),
        ("hangs", 0, "no end after 0.5 seconds"),
        ("eats", 0, "MemoryError"),
        ("leaves", 0, "exit code 3"),
    ],
)
def test_the_end_of_the_process_is_the_failure_of_the_try(bad, name, number, how):
    done = slices.one_worker(*bad(name, seconds=0.5 if name == "hangs" else 60.0))
    assert (done.failure.number, done.tries) == (number, number + 1)
    assert how in done.failure.how


def test_the_tries_go_on_after_a_failure_and_in_the_next_run(bad, tmp_path, capsys):
    test, _ = bad("dies at 1")
    first = campaign.Campaign(tmp_path / "out", 7, afresh=False)
    first.run([test], 4.0, 1)
    tally = first.tallies["dies at 1"]
    assert tally.failures == 1
    assert tally.tries > 2
    assert "dies at 1" in first.table()
    assert len(first.failed) == 1
    later = campaign.Campaign(tmp_path / "out", 7, afresh=False)
    later.run([test], 1.0, 1)
    assert later.tallies["dies at 1"].tries > tally.tries
    assert later.tallies["dies at 1"].failures == 1  # not tried again
    assert campaign.Campaign(tmp_path / "out", 8, afresh=False).tallies == {}
    assert campaign.Campaign(tmp_path / "out", 7, afresh=True).tallies == {}
    assert capsys.readouterr().err.count("failed: ") == 1


def test_a_quick_run_makes_its_tries_and_says_what_it_had_no_time_for(bad, tmp_path):
    test, _ = bad("dies at 1")
    whole = campaign.Campaign(tmp_path / "out", 7, afresh=True)
    assert whole.quick([test], 120.0, 1) == []
    tally = whole.tallies["dies at 1"]
    assert (tally.tries, tally.failures) == (5, 1)  # the others are made after the failure
    late = campaign.Campaign(tmp_path / "late", 7, afresh=True)
    assert late.quick([test], 0.0, 1) == ["dies at 1: 0 of 5 tries"]


def test_a_seed_gives_the_same_inputs_and_another_one_others():
    for family in files().values():
        for name, data in family.items():
            made = [mutated_file(Random(f"{seed} {name}"), name, data) for seed in (0, 0, 1, 2)]
            assert made[0] == made[1], name
            assert len({*made[1:], data}) > 2, name


def test_every_mutant_is_looked_for_by_a_test_that_is_there():
    assert {mutant.test for mutant in MUTANTS.values()} <= set(every())
    assert len(MUTANTS) >= 6


def test_a_mutant_fails_where_the_library_does_not(tmp_path):
    order = Order("hostile text: tables", 0, 0, 0.0, 1, str(tmp_path / "inputs"))
    test = every()[order.test]
    assert slices.one_worker(test, order).failure is None
    found = slices.one_worker(test, replace(order, mutant="formulas")).failure
    assert found is not None
    assert "AssertionError" in json.dumps(found.how)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("60m", 3600), ("1.5h", 5400)]
)
def test_times_are_written_as_one_says_them(text, seconds):
    assert seconds_of(text) == seconds


def test_what_is_no_time_is_refused():
    with pytest.raises(argparse.ArgumentTypeError, match="write it like 90s, 60m or 2h"):
        seconds_of("soon")
