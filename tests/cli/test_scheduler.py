"""textclust cluster --scheduler: the files of one machine, written in parts by workers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import textclust as tc
from tests.cli.conftest import TEXTS
from tests.cli.running import snapshot, write_files

pytest.importorskip("distributed", reason="Dask is not here")

LINES = "".join(
    json.dumps({"id": name, "text": text.strip(), "label": name.partition("/")[0]}) + "\n"
    for name, text in TEXTS.items()
)
HALF = LINES.index('{"id": "bread/3"')
SEEDS = "id,label\nbicycles/1,two wheels\nmoon/2,the sky\n"
LINKS = "left,right,kind\nbread/1,bread/2,must-link\nbread/3,moon/4,cannot-link\n"
GIVEN = {
    "nothing": (),
    "seeds": ("--seeds", "seeds.csv"),
    "constraints": ("--constraints", "links.csv"),
    "both": ("--seeds", "seeds.csv", "--constraints", "links.csv"),
    "method": ("--method", "kmeans", "--distortion", "euclidean", "--min-size", 2, "--stem"),
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to run in: the texts in two files, in a folder, and what is known of some."""
    files = {"crawl/1.jsonl": LINES[:HALF], "crawl/2.jsonl": LINES[HALF:], "all.jsonl": LINES}
    write_files(tmp_path, {**files, "seeds.csv": SEEDS, "links.csv": LINKS})
    write_files(tmp_path / "texts", TEXTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def here(textclust):
    """Run `textclust cluster` on one machine, from one start unless it is to be refused."""

    def call(path, *arguments, k=3, start=("--n-init", 1)):
        return textclust("cluster", path, "--k", k, *start, *arguments)

    return call


@pytest.fixture
def far(here, client):
    """The same on the workers of this process."""

    def call(path, *arguments, **named):
        return here(path, "--scheduler", client.scheduler.address, *arguments, **named)

    return call


@pytest.fixture
def refused(place, client):
    """A run that must say in a line what is wrong, and change nothing."""

    def check(reason, call, *arguments, **named):
        before = snapshot(place)
        answer = call(*arguments, **named)
        assert (answer.code, answer.out) == (2, ""), answer.err
        assert len(answer.err.splitlines()) == 1, answer.err
        assert answer.err.startswith("textclust: ")
        assert reason in answer.err
        assert snapshot(place) == before

    return check


def labels_of(out):
    """The tables of labels, one after the other, under one header."""
    tables = [path.read_bytes() for path in sorted(Path(out, "labels").glob("*.csv"))]
    assert tables
    header = tables[0].partition(b"\n")[0] + b"\n"
    assert all(table.startswith(header) for table in tables)
    return header + b"".join(table.removeprefix(header) for table in tables)


def assert_same_results(out, alone):
    """Labels to the last byte; names, sizes and terms of the clusters; what the model says."""
    assert labels_of(out) == (alone / "labels.csv").read_bytes()
    ours, theirs = (json.loads((each / "clusters.json").read_bytes()) for each in (out, alone))
    for name in ("k", "documents", "objective"):
        assert ours[name] == theirs[name]
    for found, expected in zip(ours["clusters"], theirs["clusters"], strict=True):
        for name in ("cluster", "name", "size", "representatives", "borderline"):
            assert found[name] == expected[name]
        terms = [[each["term"] for each in some["terms"]] for some in (found, expected)]
        assert terms[0] == terms[1]
    texts = ["a chain and a wheel", "flour in the oven", "night"]
    placed = [tc.load(each).predict(texts) for each in (out, alone)]
    np.testing.assert_array_equal(placed[0].labels, placed[1].labels)
    np.testing.assert_array_equal(placed[0].scores, placed[1].scores)


@pytest.mark.parametrize("given", GIVEN)
def test_labels_are_those_of_one_machine_to_the_last_byte(here, far, place, given):
    alone = here("all.jsonl", *GIVEN[given], "--out", "alone")
    answer = far("crawl/*.jsonl", *GIVEN[given], "--out", "far")
    assert (alone.code, answer.code) == (0, 0), answer.err
    assert len(list((place / "far/labels").glob("*.csv"))) == 2
    assert_same_results(place / "far", place / "alone")
    names = {name for name, content in snapshot(place / "far").items() if content is not None}
    model = {f"model/{name}" for name in ("manifest.json", "model.json", "arrays.npz")}
    labels = {f"labels/{name}" for name in ("manifest.json", "00000.csv", "00001.csv")}
    assert names == {"clusters.json", *model, *labels}


def test_workers_that_are_made_for_the_run(here, place):
    """In processes of their own."""
    alone = here("all.jsonl", "--out", "alone")
    answer = here("crawl/*.jsonl", "--scheduler", "local", "--out", "far")
    assert (alone.code, answer.code) == (0, 0), answer.err
    assert_same_results(place / "far", place / "alone")


def test_a_folder_as_on_one_machine(here, far, place):
    write_files(place / "texts", {"bread/photo": b"\x00\x01" * 99, ".hidden": "x"})
    alone = here("texts", "--out", "alone")
    answer = far("texts", "--out", "far")
    assert_same_results(place / "far", place / "alone")
    assert answer.err.splitlines()[0] == alone.err.splitlines()[0]
    assert answer.err.splitlines()[1:] == ["written to far: labels/, clusters.json, model/"]


def test_results_below_the_documents_are_left_out_of_the_next_run(far, place):
    for _ in range(2):
        answer = far("texts", "--out", "texts/out", "--json")
        assert answer.code == 0, answer.err
        assert answer.json["documents"] == 12


def test_json_is_the_summary(far, place):
    answer = far("all.jsonl", "--out", "far", "--json")
    assert answer.json == json.loads((place / "far/clusters.json").read_bytes())
    assert answer.json["settings"]["collection"]["source"] == ["all.jsonl"]


def test_without_out_nothing_is_written(far, place):
    before = snapshot(place)
    answer = far("all.jsonl")
    assert answer.code == 0
    assert "bike" in answer.out
    assert snapshot(place) == before


def test_the_model_predicts_and_explains(textclust, far, place):
    far("crawl/*.jsonl", "--seeds", "seeds.csv", "--out", "far")
    predicted = textclust("predict", "far", "texts")
    assert predicted.code == 0, predicted.err
    assert len(predicted.rows) == 12
    assert textclust("explain", "far", "bicycles/1").code == 0


def test_results_of_an_earlier_run_are_replaced(here, far, place):
    far("crawl/*.jsonl", "--out", "out")
    again = far("all.jsonl", "--out", "out")
    assert again.code == 0, again.err
    assert again.err.splitlines()[-1] == "replaced the results of an earlier run in out"
    assert sorted(path.name for path in (place / "out/labels").iterdir()) == [
        "00000.csv",
        "manifest.json",
    ]
    alone = here("all.jsonl", "--out", "out")
    assert alone.code == 0, alone.err
    assert not (place / "out/labels").exists()
    assert "removed labels" in alone.err
    answer = far("all.jsonl", "--out", "out")
    assert answer.code == 0, answer.err
    assert not {"labels.csv", "report.html"} & {path.name for path in (place / "out").iterdir()}


@pytest.mark.parametrize("name", ["labels/00000.csv", "labels/mine.txt", "model/mine.txt"])
def test_what_the_user_changed_is_not_replaced(far, refused, place, name):
    far("all.jsonl", "--out", "out")
    write_files(place / "out", {name: "id,cluster,name,score\n"})
    entry = name.partition("/")[0]
    refused(f"out/{entry}: there already, and ", far, "all.jsonl", "--out", "out")


@pytest.mark.parametrize(
    "option",
    [
        ("--seed-words", "seeds.csv"),
        ("--background", "texts"),
        ("--background-before", "2020-01-01"),
        ("--examples", "bread"),
        ("--journal", "seeds.csv"),
        ("--vectors", "v.npy"),
        ("--no-text",),
    ],
)
def test_options_that_need_all_documents_here_are_refused(far, refused, option):
    k = "auto" if option[0] == "--journal" else 3
    refused(f"{option[0]} does not go with --scheduler", far, "texts", *option, k=k, start=())


def test_what_it_cannot_do_is_refused(far, refused, place):
    refused("--scheduler needs a number of clusters; give --k", far, "texts", k="auto")
    refused("a table for each part; name a folder", far, "texts", "--out", "labels.csv")
    hac = ("texts", "--method", "hac")
    refused("method 'hac' needs all documents on one machine", far, *hac, start=())
    refused("learn", far, "texts", "--method", "hmrf", "--learn", "--constraints", "links.csv")
    refused("results cannot lie among the documents", far, "texts", "--out", "texts")
    refused("49 clusters", far, "texts", k=49)
    for path in ("nowhere", "crawl/*.csv"):
        refused(f"{path}: no such file or folder", far, path, "--out", "out")


def test_nothing_is_left_behind_where_it_fails(far, refused, place):
    write_files(place, {"crawl/3.jsonl": LINES[:50] + "\n"})
    for out in ("out", "new/deep"):
        refused("crawl/3.jsonl: line 1: not valid JSON", far, "crawl/*.jsonl", "--out", out)
    far("all.jsonl", "--out", "out")
    refused("crawl/3.jsonl: line 1", far, "crawl/*.jsonl", "--out", "out")


def test_workers_that_cannot_write_are_an_error(far, place, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("textclust.distributed.placing.write_whole", full)
    before = snapshot(place)
    answer = far("crawl/*.jsonl", "--out", "out")
    assert answer.code != 0
    assert "No space left on device" in answer.err
    assert "Traceback" not in answer.err
    assert snapshot(place) == before


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:x", "nowhere"])
def test_a_wrong_address_is_said_quickly(here, refused, monkeypatch, address):
    monkeypatch.setattr("textclust.cli.scheduler._WAIT", 0.3)
    run = ("texts", "--scheduler", address, "--out", "out")
    refused(f"no Dask scheduler answers at {address} (", here, *run)


def test_without_dask_it_says_what_to_install(here, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    run = ("texts", "--scheduler", "local", "--out", "out")
    refused('--scheduler needs Dask; pip install "textclust[distributed]"', here, *run)
