"""Stopped midway, a pipe that closes, a disk that fills up: nothing is left half-written."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from textclust.cli.main import run

from tests.cli.conftest import TEXTS
from tests.cli.running import RUN, finish, read_rows, snapshot, start, write_files
from tests.writing.steps import in_another_process, kill

ROOT = Path(__file__).resolve().parents[2]
INTERRUPTED = "textclust: interrupted; nothing was written\n"
# The command, which says on standard error when it comes to a function, and waits there; for good,
# or until the search is asked to stop.
WAITING = """
import sys, time
from importlib import import_module
from textclust.stopping import due

def waiting(*arguments, **options):
    print("here", file=sys.stderr, flush=True)
    while not (until_asked and due()):
        time.sleep(0.02)
    return real(*arguments, **options)

room, name = sys.argv.pop(1).split(":")
home = import_module(room)
*owners, last = name.split(".")
for owner in owners:
    home = getattr(home, owner)
real = getattr(home, last)
setattr(home, last, waiting)
from textclust.cli.main import main
main()
"""
FOR_GOOD, UNTIL_ASKED = f"until_asked = False{WAITING}", f"until_asked = True{WAITING}"
STOPPING = b"stopping with the best clusters so far; Ctrl-C again leaves at once\n"
# The command, whose terminal is closed as it begins to cluster.
HANGING_UP = """
from textclust import pipeline

def cluster(*arguments, real=pipeline.cluster, **options):
    signal.raise_signal(signal.SIGHUP)
    return real(*arguments, **options)

pipeline.cluster = cluster
from textclust.cli.main import main
main()
"""


def come_to(function, *arguments, place, program=FOR_GOOD, stdin=b""):
    """The command, once it has come to a function."""
    process = start(function, *arguments, program=program, cwd=place)
    process.stdin.write(stdin)
    process.stdin.flush()
    wait_for(process, b"here\n")
    return process


def wait_for(process, line):
    """Wait until a process says something on standard error."""
    while (said := process.stderr.readline()) != line:
        assert said, finish(process)


def interrupted_at(function, *arguments, place, number=signal.SIGINT, stdin=b""):
    """The command, interrupted once it has come to a function."""
    process = come_to(function, *arguments, place=place, stdin=stdin)
    process.send_signal(number)
    return finish(process)


@pytest.fixture
def place(tmp_path, results):
    """A folder to run in, with the results of an earlier run in `out`."""
    shutil.copytree(results, tmp_path / "out")
    return tmp_path


# Ctrl-C


@pytest.mark.parametrize("out", ["out", "new/deep", "labels.csv"])
@pytest.mark.parametrize(
    "function",
    [
        "textclust.text.termspace:TermSpace.fit_transform",
        "textclust.report:gather",
    ],
)
def test_ctrl_c_leaves_no_trace(corpus, place, function, out):
    if (function, out) == ("textclust.report:gather", "labels.csv"):
        pytest.skip("no report is written")
    before = snapshot(place)
    options = ("--k", 3, "--out", out, "--init", "k-means++")
    answer = interrupted_at(function, "cluster", corpus, *options, place=place)
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


@pytest.mark.parametrize("out", ["out", "new/deep", "labels.csv"])
def test_a_second_ctrl_c_during_the_search_leaves_no_trace(corpus, place, out):
    before = snapshot(place)
    options = ("--k", 3, "--out", out, "--init", "k-means++")
    process = come_to("textclust.engine.loop:minimise", "cluster", corpus, *options, place=place)
    process.send_signal(signal.SIGINT)
    wait_for(process, STOPPING)
    process.send_signal(signal.SIGINT)
    answer = finish(process)
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


@pytest.mark.parametrize("out", ["out", "new/deep", "labels.csv"])
def test_the_first_ctrl_c_during_the_search_keeps_the_best_so_far(corpus, place, out):
    function, arguments = "textclust.engine.loop:Partition.begin", ("cluster", corpus, "--k", 3)
    asked = come_to(function, *arguments, "--out", out, place=place, program=UNTIL_ASKED)
    asked.send_signal(signal.SIGINT)
    answer = finish(asked)
    assert answer.code == 0, answer.err
    assert answer.err.startswith(STOPPING.decode())
    assert f"written to {out}" in answer.err
    said = re.search(r"Stopped after .* s \(interrupted\): 1 start tried, not refined", answer.out)
    assert said, answer.out
    labels = place / out if out.endswith(".csv") else place / out / "labels.csv"
    assert {row["cluster"] for row in read_rows(labels)} == {"0", "1", "2"}
    if labels != place / out:
        content = json.loads((place / out / "clusters.json").read_text())
        assert content["stopped"]["reason"] == "interrupted"
        assert "(interrupted): 1 start tried" in (place / out / "report.html").read_text()


def test_ctrl_c_keeps_the_numbers_of_clusters_looked_at(corpus, place):
    function = "textclust.model_selection.choice:View.labels"
    asked = come_to(function, "select-k", corpus, "--json", place=place, program=UNTIL_ASKED)
    asked.send_signal(signal.SIGINT)
    answer = finish(asked)
    assert answer.code == 0, answer.err
    assert answer.json["stopped"]["reason"] == "interrupted"
    assert [row["k"] for row in answer.json["table"]] == [2]


def test_ctrl_c_leaves_a_method_that_cannot_stop_at_once(corpus, place):
    before = snapshot(place)
    function, options = "textclust.methods.hac:spanning", ("--method", "hac", "--linkage", "single")
    answer = interrupted_at(
        function, "cluster", corpus, "--k", 3, "--out", "out", *options, place=place
    )
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_signals_to_end_leave_no_trace_either(corpus, place, number):
    before = snapshot(place)
    options = ("--k", 3, "--out", "out")
    function = "textclust.pipeline:cluster"
    answer = interrupted_at(function, "cluster", corpus, *options, place=place, number=number)
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


def test_a_run_under_nohup_outlives_its_terminal(corpus, place):
    arguments = ("cluster", corpus, "--k", 2, "--out", "out")
    ignoring = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN){HANGING_UP}"
    answer = finish(start(*arguments, program=ignoring, cwd=place))
    assert answer.code == 0, answer.err


def test_ctrl_c_while_standard_input_is_read_leaves_no_trace(place):
    before = snapshot(place)
    lines = b"".join(json.dumps({"text": text}).encode() + b"\n" for text in TEXTS.values())
    options = ("--k", 3, "--out", "out")
    function = "textclust.text.rows:_json_object"
    answer = interrupted_at(function, "cluster", "-", *options, place=place, stdin=lines)
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("out", ["out", "labels.csv", "fresh"])
def test_ctrl_c_at_any_move_leaves_all_old_or_all_new_and_says_which(
    textclust, corpus, tmp_path, after, out, monkeypatch
):
    """The run that was interrupted between a move and its note deleted what it had replaced."""
    states = {}
    for k in (3, 2):
        textclust("cluster", corpus, "--k", k, "--out", tmp_path / str(k) / out)
        states[k] = snapshot(tmp_path / str(k))
    if out == "fresh":
        states[3] = {}
    for n in count():
        folder = tmp_path / f"at-{n}"
        if out == "fresh":
            folder.mkdir()
        else:
            shutil.copytree(tmp_path / "3", folder)
        with monkeypatch.context() as patch:
            reached = interrupt_move(patch, n, after)
            answer = textclust("cluster", corpus, "--k", 2, "--out", folder / out)
        assert snapshot(folder) in states.values(), n
        if not reached:
            break
        written = f"textclust: interrupted; written before that: {folder / out}\n"
        assert (answer.code, answer.out) == (130, "")
        assert answer.err == (INTERRUPTED if snapshot(folder) == states[3] else written), n
    assert n >= (1 if out == "labels.csv" else 5)


def interrupt_move(patch, n, after):
    """Raise KeyboardInterrupt before or after the nth rename; a list that says whether it was."""
    numbers, reached = count(), []

    def stopped(real):
        def move(source, target):
            here = next(numbers) == n
            if here:
                reached.append(target)
            if here and not after:
                raise KeyboardInterrupt
            real(source, target)
            if here:
                raise KeyboardInterrupt

        return move

    for name in ("rename", "replace", "link"):
        patch.setattr(os, name, stopped(getattr(os, name)))
    return reached


def test_ctrl_c_after_the_results_are_written_says_where_they_are(
    textclust, corpus, place, monkeypatch
):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("textclust.cli.results.show", interrupted)
    answer = textclust("cluster", corpus, "--k", 2, "--out", place / "out")
    assert answer.code == 130
    assert answer.err == f"textclust: interrupted; written before that: {place / 'out'}\n"


def test_ctrl_c_while_clustering_says_where_the_answers_are(
    textclust, corpus, tmp_path, monkeypatch
):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("textclust.pipeline.cluster_corpus", interrupted)
    file = tmp_path / "answers.csv"
    answer = textclust("ask", corpus, "--k", 3, "--oracle", "folders", "--answers", file)
    assert answer.code == 130
    assert answer.err.endswith(f"textclust: interrupted; written before that: {file}\n")


@pytest.mark.parametrize("n", range(8))
def test_after_a_kill_amid_the_moves_models_and_labels_are_there_again(
    textclust, corpus, place, n, monkeypatch
):
    old, moved = snapshot(place), count()

    def killed(real):
        def move(source, target):
            real(source, target)
            if next(moved) == n:
                kill()

        return move

    with monkeypatch.context() as patch:
        for name in ("rename", "link"):
            patch.setattr(os, name, killed(getattr(os, name)))
        arguments = ["cluster", str(corpus), "--k", "2", "--out", str(place / "out")]
        assert os.WTERMSIG(in_another_process(partial(run, arguments))) == signal.SIGKILL
    assert snapshot(place) != old
    if n % 2:
        assert textclust("explain", place / "out", "moon/1").code == 0
    else:
        assert textclust("evaluate", place / "out", corpus).code == 0
    assert snapshot(place) == old


@pytest.mark.parametrize("step", ["report", "save"])
def test_ctrl_c_while_results_are_written_leaves_the_old_ones(
    textclust, corpus, place, step, monkeypatch
):
    from textclust import Clustering

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    before = snapshot(place)
    monkeypatch.setattr(Clustering, step, interrupted)
    answer = textclust("cluster", corpus, "--k", 2, "--out", place / "out")
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


def test_ctrl_c_while_predicting_leaves_no_trace(textclust, corpus, place, monkeypatch):
    from textclust import Clustering

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    before = snapshot(place)
    monkeypatch.setattr(Clustering, "predict", interrupted)
    answer = textclust("predict", place / "out", corpus, "--out", place / "new" / "labels.csv")
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(place) == before


# Pipes and streams


@pytest.mark.parametrize(
    "command",
    [
        ("cluster", "texts", "--k", "3", "--out", "found"),
        ("--help",),
    ],
    ids=lambda command: command[0],
)
def test_a_reader_that_closes_early_is_no_error(place, corpus, command):
    shutil.copytree(corpus, place / "texts")
    reader, writer = os.pipe()
    os.close(reader)
    process = start(*command, cwd=place, stdout=writer)
    os.close(writer)
    answer = finish(process)
    assert answer.code == 0
    noted = "written to found: labels.csv, clusters.json, model/, report.html, run.json\n"
    assert answer.err in ("", noted)
    if "--out" in command:
        assert (place / "found" / "labels.csv").is_file()


def test_the_first_line_can_be_taken_with_head(place, corpus):
    process = start("predict", place / "out", corpus)
    head = subprocess.Popen(["head", "-1"], stdin=process.stdout, stdout=subprocess.PIPE)
    process.stdout.close()
    first, _ = head.communicate(timeout=60)
    error = process.stderr.read()
    assert first == b"id,cluster,name,score\n"
    assert (process.wait(timeout=60), error) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", [("predict",), ("--help",)])
def test_a_standard_output_that_takes_nothing_is_reported(place, corpus, command):
    arguments = (*command, place / "out", corpus) if "predict" in command else command
    with open("/dev/full", "wb") as full:
        answer = finish(start(*arguments, stdout=full))
    assert answer.code == 2
    assert answer.err.startswith("textclust: standard output: No space left on device")
    assert len(answer.err.splitlines()) == 1


def test_closed_streams_are_no_error(place, corpus):
    command = 'exec "$0" -c "$1" predict "$2" "$3" --out "$4" <&- >&- 2>&-'
    program = "from textclust.cli.main import main; main()"
    target = place / "labels.csv"
    words = [sys.executable, program, place / "out", corpus, target]
    done = subprocess.run(["sh", "-c", command, *map(str, words)], check=False, timeout=120)
    assert done.returncode == 0
    assert target.read_bytes() == (place / "out" / "labels.csv").read_bytes()


# A full disk


def full(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


def only_the_nth(n, real):
    """A function that does what the real one does, but for the nth call, which finds no room."""
    calls = iter(range(1000))

    def call(*arguments, **options):
        return (full if next(calls) == n else real)(*arguments, **options)

    return call


FILES_OF_A_RUN = 6  # labels.csv, clusters.json, three of the model, report.html


@pytest.mark.parametrize("n", range(FILES_OF_A_RUN))
def test_a_full_disk_leaves_the_old_results(textclust, corpus, place, n, monkeypatch):
    before, fsync = snapshot(place), os.fsync
    for out in ("out", "new/deep"):
        monkeypatch.setattr(os, "fsync", only_the_nth(n, fsync))
        answer = textclust("cluster", corpus, "--k", 2, "--out", place / out)
        assert (answer.code, answer.out) == (2, "")
        assert "cannot be written (No space left on device)" in answer.err
        assert len(answer.err.splitlines()) == 1
        assert snapshot(place) == before


def test_a_full_disk_leaves_the_old_predictions(textclust, corpus, place, monkeypatch):
    shutil.copy(place / "out" / "labels.csv", place / "labels.csv")
    before = snapshot(place)
    monkeypatch.setattr(os, "fsync", full)
    answer = textclust("predict", place / "out", corpus, "--out", place / "labels.csv")
    assert (answer.code, answer.out) == (2, "")
    assert "No space left on device" in answer.err
    assert snapshot(place) == before


def moving(monkeypatch, refuse):
    """Let each move whose source and target `refuse` says fail."""

    def with_refusals(real):
        def move(source, target):
            refuse(Path(source), Path(target))
            return real(source, target)

        return move

    for name in ("rename", "replace", "link"):
        monkeypatch.setattr(os, name, with_refusals(getattr(os, name)))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_results_move_in_all_together_or_not_at_all(textclust, corpus, place, n, monkeypatch):
    before, moved = snapshot(place), iter(range(99))

    def refuse(source, target):
        if target.parent == place / "out" and source.parent.name[0] == "." and next(moved) == n:
            full()

    moving(monkeypatch, refuse)
    assert textclust("cluster", corpus, "--k", 2, "--out", place / "out").code == 2
    assert snapshot(place) == before


def test_results_can_be_written_to_a_mounted_folder(textclust, corpus, place, monkeypatch):
    def refuse(source, target):
        if (source.is_relative_to(place / "out")) != (target.is_relative_to(place / "out")):
            raise OSError(errno.EXDEV, "Invalid cross-device link")

    moving(monkeypatch, refuse)
    assert textclust("cluster", corpus, "--k", 2, "--out", place / "out").code == 0


@pytest.mark.parametrize("mine", ["labels.csv/mine", "report.html/mine", "model"])
def test_something_else_in_the_place_of_a_result_does_not_lead_to_half_of_them(
    textclust, corpus, tmp_path, mine
):
    write_files(tmp_path / "out", {"clusters.json": "old", mine: "mine"})
    before = snapshot(tmp_path)
    answer = textclust("cluster", corpus, "--k", 2, "--out", tmp_path / "out")
    assert answer.code == 2
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("command", ["cluster", "predict"])
def test_folders_made_on_the_way_are_taken_away_again(
    textclust, corpus, place, command, monkeypatch
):
    before = snapshot(place)
    if command == "cluster":
        arguments = ("cluster", corpus, "--k", 2, "--out", place / "new" / ("x" * 255))
    else:
        monkeypatch.setattr(os, "fsync", full)
        arguments = ("predict", place / "out", corpus, "--out", place / "new" / "labels.csv")
    assert textclust(*arguments).code == 0 or snapshot(place) == before


# Ctrl-C before there is anything to interrupt

# The program as it is installed, interrupted as it comes to import a module.
STARTING = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Interrupting(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == os.environ.get("INTERRUPTED"):
            del os.environ["INTERRUPTED"]
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000):
                pass

sys.meta_path.insert(0, Interrupting())
from textclust.cli.entry import main
main()
"""


@pytest.mark.parametrize(
    "module",
    ["click", "textclust.cli.main", "textclust.cli.cluster", "textclust.errors", "numpy"],
)
def test_ctrl_c_amid_the_imports_is_one_line(corpus, tmp_path, module):
    arguments = ("cluster", corpus, "--k", 3, "--out", tmp_path / "out")
    answer = finish(start(*arguments, program=STARTING, env={"INTERRUPTED": module}))
    assert (answer.code, answer.out, answer.err) == (130, "", INTERRUPTED)
    assert snapshot(tmp_path) == {}


def test_a_program_that_ignores_ctrl_c_is_not_interrupted_as_it_starts(corpus):
    program = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{STARTING}"
    arguments = ("cluster", corpus, "--k", 3)
    answer = finish(start(*arguments, program=program, env={"INTERRUPTED": "click"}))
    assert answer.code == 0


def test_the_installed_program_begins_with_that_step():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["scripts"] == {"textclust": "textclust.cli.entry:main"}


# A working directory that is gone


@pytest.mark.parametrize(
    "arguments", [("ask", "{}", "--k", 3), ("cluster", "{}", "--k", 3, "--out", "out")]
)
def test_a_deleted_working_directory_is_called_what_it_is(corpus, tmp_path, arguments):
    here = tmp_path / "gone"
    here.mkdir()
    program = f"import os; os.rmdir({str(here)!r})\n{RUN}"
    given = [str(each).replace("{}", str(corpus)) for each in arguments]
    answer = finish(start(*given, program=program, cwd=here))
    assert (answer.code, answer.out) == (2, "")
    assert "standard output" not in answer.err
    assert len(answer.err.splitlines()) == 1
    if "ask" in arguments:
        gone = "the folder that this was started in is gone; change to another one"
        assert answer.err == f"textclust: {gone}\n"
