"""textclust replay: a run once more, and whether it comes out the same."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import snapshot, write_files
from textclust.methods import BACKGROUND, CONSTRAINTS, EXAMPLES, METHODS, SEED_WORDS, SEEDS
from textclust.threads import at_most

SEEDS_FILE = "id,label\nmoon/1,sky\nbread/1,food\n"
LINKS = "left,right,kind\nmoon/1,moon/2,must-link\nbread/1,moon/1,cannot-link\n"
GIVEN = {  # what each kind of supervision is given by
    "seeds": ["--seeds", "seeds.csv"],
    "constraints": ["--constraints", "links.csv"],
    "background": ["--background", "old"],
    "examples": ["--examples", "moon", "--examples", "bread"],
    "seed_words": ["--seed-words", "words.csv"],
}


@pytest.fixture
def home(place):
    """The texts, and a file for each kind of supervision beside them."""
    write_files(place / "old", {name.replace("/", "/old-"): text for name, text in TEXTS.items()})
    words = "label,word\nsky,moon\nfood,bread\n"
    return write_files(place, {"seeds.csv": SEEDS_FILE, "links.csv": LINKS, "words.csv": words})


def cases():
    """Every method alone, and with each kind of supervision that it takes."""
    for name, method in METHODS.items():
        kinds = (
            [EXAMPLES] if method.supervision >= EXAMPLES else [None, SEEDS, CONSTRAINTS, BACKGROUND]
        )
        for kind in [*kinds, SEED_WORDS]:
            if kind is None or kind <= method.supervision:
                label = "alone" if kind is None else next(iter(kind))
                yield pytest.param(name, None if kind is None else label, id=f"{name}-{label}")


@pytest.mark.parametrize(("method", "kind"), list(cases()))
def test_every_method_comes_out_the_same_whatever_the_threads(textclust, home, method, kind):
    given = [] if kind is None else GIVEN[kind]
    k = [] if kind == "examples" else ["-k", 3]
    with at_most(1):
        made = textclust("cluster", "texts", *k, "--method", method, *given, "--out", "out")
    assert made.code == 0, made.err
    with at_most(2):
        answer = textclust("replay", "out")
    assert (answer.code, answer.out, answer.err) == (
        0,
        "out: bit-identical (12 documents)\n",
        "",
    )


@pytest.fixture
def run(textclust, home):
    """A run with seeds, and a name that a person gave."""
    arguments = ["-k", 3, "--seeds", "seeds.csv", "--random-state", 4]
    assert textclust("cluster", "texts", *arguments, "--out=out").code == 0
    assert textclust("rename", "out", 2, "Wheels").code == 0
    return home


def test_from_any_folder_and_with_names_of_a_person(textclust, run, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    before = snapshot(run / "out")
    assert textclust("replay", run / "out").code == 0
    assert textclust("replay", run / "out", "--json").json == {
        "identical": True,
        "differences": [],
        "changed": [],
    }
    assert snapshot(run / "out") == before


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        ("texts/moon/1", b"Moon", "the documents have changed since the run; changed: moon/1\n"),
        ("seeds.csv", b"id,label\nmoon/1,Sky\nbread/1,food\n", "seeds.csv: changed since the run"),
        ("out/labels.csv", None, "labels.csv: changed since the run, by somebody else"),
        ("seeds.csv", b"id", "the command ends with an error now"),
    ],
)
def test_one_change_is_named(textclust, run, file, change, said):
    place = run / file
    place.write_bytes(place.read_bytes().replace(b"0", b"1", 1) if change is None else change)
    answer = textclust("replay", "out")
    assert answer.code == 1
    assert answer.out.startswith("out: not the same\n")
    assert said in answer.out
    assert textclust("replay", "out", "--json").json["identical"] is False


def test_another_document_is_counted(textclust, run):
    write_files(run / "texts", {"moon/9": "A moon more, and a crater."})
    said = "the documents have changed since the run (12 then, 13 now); new: moon/9\n"
    assert said in textclust("replay", "out").out
    shutil.rmtree(run / "texts" / "bicycles")
    said = "no longer there: bicycles/1, bicycles/2, bicycles/3 and 1 more; new: moon/9\n"
    assert said in textclust("replay", "out").out


def test_seeds_of_documents_that_are_gone_are_a_difference(textclust, run):
    (run / "texts" / "moon").rename(run / "texts" / "sun")
    answer = textclust("replay", "out")
    assert (answer.code, answer.err) == (1, "")
    assert answer.out.startswith("out: not the same\n  the command ends with an error now: seeds")


def test_a_comment_in_the_seeds_is_named_though_it_changes_nothing(textclust, run):
    with (run / "seeds.csv").open("a") as file:
        file.write("\n")
    answer = textclust("replay", "out")
    assert answer.code == 1
    assert answer.out == ("out: bit-identical (12 documents)\n  seeds.csv: changed since the run\n")


def forge(run, command):
    (run / "out" / "run.json").write_text(json.dumps({"textclust": "0.2", "run": command}))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (None, "no record of a command in run.json"),
        ({"arguments": ["corpora", "path", "x"]}, "its command is textclust corpora, and only"),
        ({"arguments": []}, "its record is damaged"),
        (
            {"arguments": ["cluster", "x", "--scheduler", "tcp://a:1"]},
            "on the workers of a cluster",
        ),
        ({"arguments": ["cluster", "-"], "folder": ".", "read": {}}, "standard input"),
        ({"arguments": ["cluster", "texts"], "folder": 3, "read": {}}, "its record is damaged"),
        ({"arguments": ["cluster", "t"], "folder": "/nowhere/x", "read": {}}, "/nowhere/x"),
    ],
)
def test_what_cannot_be_repeated_is_refused(textclust, run, command, said):
    forge(run, command)
    answer = textclust("replay", "out")
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_a_folder_without_a_run_is_refused(textclust, tmp_path):
    answer = textclust("replay", tmp_path)
    assert answer.code == 2
    assert "no clusters.json of ours" in answer.err


def test_other_versions_are_said_and_do_no_harm(textclust, run):
    place = run / "out" / "clusters.json"
    content = json.loads(place.read_bytes())
    content["settings"]["versions"]["numpy"] = "0.1"
    place.write_text(json.dumps(content))
    answer = textclust("replay", "out")
    assert answer.code == 0
    assert "numpy 0.1 then, " in answer.out


def test_stability_is_repeated_and_what_was_cut_short_is_said(textclust, home):
    assert textclust("cluster", "texts", "-k", 3, "--stability", "--out", "out").code == 0
    assert textclust("replay", "out").out == "out: bit-identical (12 documents)\n"
    place = home / "out" / "clusters.json"
    content = json.loads(place.read_bytes())
    content["stability"]["runs"] = 7
    place.write_text(json.dumps(content))
    answer = textclust("replay", "out")
    assert answer.code == 1
    assert "its resampled runs were stopped early" in answer.out


def test_stop_words_of_a_file_are_among_what_was_read(textclust, home):
    write_files(home, {"stop.txt": "the\nand\n"})
    arguments = ["-k", 3, "--stop-words", "stop.txt"]
    assert textclust("cluster", "texts", *arguments, "--out", "out").code == 0
    assert textclust("replay", "out").code == 0
    write_files(home, {"stop.txt": "the\nand\nmoon\n"})
    assert "  stop.txt: changed since the run\n" in textclust("replay", "out").out
    answer = textclust("cluster", "texts", *arguments, "--out", "stop.txt")
    assert answer.code == 2
    assert (home / "stop.txt").read_text() == "the\nand\nmoon\n"


def test_a_run_that_goes_on_is_repeated_from_the_one_before(textclust, run):
    assert textclust("cluster", "old", "--continue", "out", "--out", "next").code == 0
    assert textclust("replay", "next").code == 0
    shutil.rmtree(run / "out")
    answer = textclust("replay", "next")
    assert answer.code == 1
    assert "out: no longer there" in answer.out
