"""Nothing that textclust did not write is written over: the input least of all."""

from __future__ import annotations

import json
import os
import shutil

import numpy as np
import pytest

import textclust as tc
from tests.cli.conftest import TEXTS
from tests.cli.running import read_rows, snapshot, write_files
from textclust.errors import OutputError

OVERLAPPING = ("--k", 2, "--method", "overlapping", "--memberships")
LABELS = "id,cluster,name,score\n"


def csv(rows):
    return "id,text\n" + "".join(f'{name},"{text.strip()}"\n' for name, text in rows.items())


@pytest.fixture
def place(tmp_path, corpus, results, monkeypatch):
    """A folder to work in: documents as a folder and as a table, and results of an earlier run."""
    shutil.copytree(corpus, tmp_path / "texts")
    shutil.copytree(results, tmp_path / "out")
    write_files(tmp_path, {"data.csv": csv(TEXTS), "mine.csv": "a,b\n1,2\n"})
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refused(textclust, place, monkeypatch):
    """Run a command that must refuse before any work, and change nothing."""

    def check(reason, *arguments):
        def work(*_, **__):
            pytest.fail("the refusal came too late")

        before = snapshot(place)
        with monkeypatch.context() as patch:
            patch.setattr("textclust.text.reading.open_documents", work)
            patch.setattr("textclust.result.model.load", work)
            answer = textclust(*arguments)
        assert (answer.code, answer.out) == (2, ""), answer.err
        assert len(answer.err.splitlines()) == 1
        assert reason in answer.err
        assert snapshot(place) == before

    return check


# The input


def other_names(place):
    (place / "soft.csv").symlink_to("data.csv")
    os.link(place / "data.csv", place / "hard.csv")  # so it looks where case is ignored, too
    (place / "here").symlink_to(place)
    return [
        "data.csv",
        "texts/../data.csv",
        place / "data.csv",
        "soft.csv",
        "hard.csv",
        "here/data.csv",
    ]


@pytest.mark.parametrize("n", range(6))
@pytest.mark.parametrize(
    "command", [("cluster", "--k", 3), ("predict", "out"), ("select-k", "--to", 3)]
)
def test_the_input_is_not_written_over_by_whatever_name(refused, place, command, n):
    out = other_names(place)[n]
    name, *more = command
    arguments = (name, *more, "data.csv") if name == "predict" else (name, "data.csv", *more)
    refused(f"{out}: is read by this run", *arguments, "--out", out)


@pytest.mark.parametrize("option", ["--seeds", "--constraints", "--vectors"])
def test_no_other_input_is_written_over(refused, place, option):
    np.save(place / "input.npy", np.eye(12))
    write_files(place, {"input.csv": LABELS + "a,0,b,0.5\n"})  # of our own making: still an input
    name = "input.npy" if option == "--vectors" else "input.csv"
    target = place / "link.csv"
    target.symlink_to(name)
    refused("is read by this run", "cluster", "texts", "--k", 3, option, name, "--out", target)


@pytest.mark.parametrize("name", ["labels.csv", "clusters.json", "report.html", "model/model.json"])
def test_an_input_among_the_results_of_an_earlier_run_is_not_replaced(refused, name):
    refused("is read by this run", "cluster", f"out/{name}", "--k", 3, "--out", "out")
    refused("is read by this run", "cluster", "texts", "--seeds", f"out/{name}", "--out", "out")


def test_a_background_is_not_replaced_by_what_it_explains(refused):
    for background in ("out", "out/model"):
        options = ("--background", background, "--out", "out")
        refused("is read by this run", "cluster", "texts", *options)


def test_results_do_not_go_to_a_folder_of_examples(refused, place):
    shutil.move(place / "texts" / "moon", place / "moon")
    refused("moon: is read by this run", "cluster", "texts", "--examples", "moon", "--out", "moon")


def test_results_can_have_the_name_of_a_class(textclust, place):
    command = ("cluster", "texts", "--examples", "moon", "--out", "moon")
    for _ in range(2):  # there is no such folder, then one with results
        answer = textclust(*command)
        assert answer.code == 0, answer.err
    assert len(read_rows(place / "moon" / "labels.csv")) == 12


def test_answers_are_not_written_to_the_documents_nor_replaced_by_results(refused, place):
    refused("data.csv: is read by this run", "ask", "data.csv", "--answers", "data.csv")
    write_files(place, {"out/labels.csv": "left,right,kind\n"})
    more = ("--oracle", "folders", "--answers", "out/labels.csv", "--out", "out")
    refused("out/labels.csv: is read by this run", "ask", "texts", *more)
    more = ("--oracle", "folders", "--answers", "new.csv", "--out", "new.csv")
    refused("new.csv: is read by this run", "ask", "texts", *more)


def test_a_table_and_a_picture_need_two_places(refused):
    refused("k.png cannot be both", "select-k", "texts", "--plot", "k.png", "--out", "k.png")


# Files of the user's


FOREIGN = {
    "a table": "a,b\n1,2\n",
    "nothing": "",
    "a header alone": LABELS,
    "another column": "id,cluster,name,score,remark\na,0,b,0.5,mine\n",
    "names of their own": LABELS + "a,0,b,0.5\nc,0,d,0.5\n",
    "clusters in letters": LABELS + "a,first,b,0.5\n",
    "other digits": LABELS + "a,0,b,0.50\n",
    "a longer row": LABELS + "a,0,b,0.5,\n",
    "another line": LABELS + "a,0,b,0.5\n# mine\n",
    "saved by a spreadsheet": (LABELS + "a,0,b,0.5\n").replace("\n", "\r\n"),
    "bytes": b"\xff\xfe\x00",
    "a page": '<!DOCTYPE html>\n<title>x</title><meta name="generator" content="textclust">',
    "a picture": b"\x89PNG\r\n\x1a\n mine",
    "json": '{"k": 3}',
    "vectors": "id,0,1\na,0.25,0.75\n",  # like memberships
    "settings of their own": '{"textclust": {"k": 5, "note": "my settings"}}',
}


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize(
    "command",
    [("cluster", "texts", "--k", 3), ("predict", "out", "texts"), ("select-k", "texts")],
    ids=lambda command: command[0],
)
def test_a_file_of_the_users_is_not_replaced(refused, place, command, kind):
    write_files(place, {"own.csv": FOREIGN[kind]})
    reason = "own.csv: there already, and not recognised as written by textclust; move it away or"
    refused(reason, *command, "--out", "own.csv")


def test_a_picture_of_the_users_is_not_replaced(refused, place):
    pytest.importorskip("matplotlib")
    write_files(place, {"own.png": FOREIGN["a picture"], "own.svg": "<?xml version='1.0'?><svg/>"})
    for name in ("own.png", "own.svg"):
        refused(f"{name}: there already", "select-k", "texts", "--plot", name)


@pytest.mark.parametrize("name", ["labels.csv", "clusters.json", "report.html", "model/mine.txt"])
def test_entries_of_the_users_in_a_folder_are_not_replaced(refused, place, name):
    write_files(place, {f"theirs/{name}": "mine", f"out/{name}": "mine"})
    entry = name.partition("/")[0]
    for out in ("theirs", "out"):
        for command in (("cluster", "texts", "--k", 3), ("ask", "texts", "--oracle", "folders")):
            refused(f"{out}/{entry}: there already, and ", *command, "--out", out)


def test_a_link_in_a_folder_is_the_users(refused, place):
    (place / "theirs").mkdir()
    (place / "theirs" / "labels.csv").symlink_to(place / "out" / "labels.csv")
    refused("theirs/labels.csv: there already", "cluster", "texts", "--k", 3, "--out", "theirs")


@pytest.mark.parametrize("name", ["runs.csv", "summary.csv", "plot.png"])
def test_entries_of_the_users_are_not_replaced_by_a_curve(refused, place, name):
    write_files(place, {f"theirs/{name}": "mine"})
    refused(f"theirs/{name}: there already", "curve", "texts", "--out", "theirs")


OURS = f'{{"textclust": "{tc.__version__}"}}\n'


@pytest.mark.parametrize("content", ["mine", "[]", "{", "a,b\n1,2\n"])
@pytest.mark.parametrize("settings", [OURS, None], ids=["ours", "none"])
@pytest.mark.parametrize("name", ["settings.json", "runs.csv", "summary.csv", "plot.png"])
def test_entries_of_the_users_are_not_replaced_by_an_experiment(
    refused, place, name, settings, content
):
    if settings is not None:
        write_files(place, {"theirs/defaults/settings.json": settings})
    write_files(place, {f"theirs/defaults/{name}": content})
    refused(f"defaults/{name}: there already", "reproduce", "defaults", "--out", "theirs")


@pytest.mark.parametrize("name", ["runs.csv", "summary.csv", "plot.png"])
def test_links_of_the_users_are_not_followed_by_an_experiment(refused, place, name):
    write_files(place, {"theirs/defaults/settings.json": OURS})
    (place / "theirs" / "defaults" / name).symlink_to(place / "mine.csv")
    refused(f"defaults/{name}: there already", "reproduce", "defaults", "--out", "theirs")


def test_a_device_is_not_replaced(refused):
    refused("/dev/null: there already", "predict", "out", "texts", "--out", "/dev/null")


MEMBERS = "id,0,1\na,0.25,0.75\n"


def forget_tables(folder):
    """Make the summary of a clustering one of an earlier version, which did not record tables."""
    file = folder / "clusters.json"
    content = json.loads(file.read_bytes())
    del content["tables"]
    file.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("content", "before"),
    [
        ("mine", "now"),
        (MEMBERS, "now"),
        ("mine", "earlier"),
        ("id,0,1\na,3,4\n", "earlier"),
        ("id,0,1\na,0.25,0.25\n", "earlier"),
        ("id,0,1\na,1.5,-0.5\n", "earlier"),
        ("id,0,1\na,0,0\n", "earlier"),
        (MEMBERS, "nothing"),
    ],
)
def test_memberships_of_the_users_stay_where_none_are_written(textclust, place, content, before):
    if before == "earlier":
        forget_tables(place / "out")
    out = "new" if before == "nothing" else "out"
    write_files(place, {f"{out}/memberships.csv": content})
    for k in (2, 3):
        answer = textclust("cluster", "texts", "--k", k, "--out", out)
        assert (answer.code, "removed" in answer.err) == (0, False)
        assert (place / out / "memberships.csv").read_text() == content


# Results that the user has worked on


@pytest.mark.parametrize("name", ["labels.csv", "memberships.csv"])
def test_a_table_that_was_edited_is_the_users(textclust, refused, place, name):
    command = ("cluster", "texts", *OVERLAPPING, "--out", "again")
    assert textclust(*command).code == 0
    table = place / "again" / name
    first, *rest = table.read_text().splitlines(keepends=True)
    table.write_text("".join([first, *reversed(rest)]))
    reason = f"again/{name}: there already, and changed since textclust wrote it; move it away or"
    refused(reason, *command)


def test_edited_memberships_stay_where_none_are_written(textclust, place):
    command = ("cluster", "texts", "--out", "again")
    assert textclust(*command, *OVERLAPPING).code == 0
    table = place / "again" / "memberships.csv"
    table.write_text(edited := table.read_text().replace("moon/1,", "sun/1,"))
    for _ in range(2):
        assert textclust(*command, "--k", 3).code == 0
        assert table.read_text() == edited


def test_a_foreign_file_in_a_model_is_named_and_files_of_the_system_do_not_count(
    textclust, refused, place
):
    command = ("cluster", "texts", "--k", 3, "--out", "out")
    for name in (".DS_Store", "Thumbs.db", "desktop.ini"):
        write_files(place, {f"out/model/{name}": "the system's"})
        assert textclust(*command).code == 0
    write_files(place, {"out/model/mine.txt": "mine", "out/model/.DS_Store": "the system's"})
    reason = "not recognised as written by textclust because of mine.txt in it; move it away"
    refused(f"out/model: there already, and {reason}", *command)


# What comes during the run


@pytest.mark.parametrize("name", ["labels.csv", "out/labels.csv", "out/model"])
def test_what_appears_during_the_run_is_not_replaced(textclust, place, name, monkeypatch):
    from textclust import pipeline

    real, before = pipeline.cluster, {}

    def slow(*arguments, **options):
        shutil.rmtree(place / "out" / "model")
        (place / "out" / "labels.csv").unlink()
        write_files(place, {name if "." in name else f"{name}/mine": "mine"})
        before.update(snapshot(place))
        return real(*arguments, **options)

    monkeypatch.setattr(pipeline, "cluster", slow)
    out = "labels.csv" if name == "labels.csv" else "out"
    answer = textclust("cluster", "texts", "--k", 3, "--out", out)
    assert (answer.code, answer.out) == (2, "")
    assert f"{name}: there already, and " in answer.err
    hidden = [each for each in before if ".textclust-new-" in each]
    assert snapshot(place) == {each: before[each] for each in before if each not in hidden}


# Results of an earlier run


@pytest.mark.parametrize("out", ["new", "new.csv"])
@pytest.mark.parametrize("json", [(), ("--json",)])
def test_results_of_an_earlier_run_are_replaced_and_that_is_said(textclust, place, out, json):
    said = f"replaced the results of an earlier run in {out}\n"
    command = ("cluster", "data.csv", "--out", out, *json)
    assert said not in textclust(*command, "--k", 2).err
    answer = textclust(*command, "--k", 3)
    assert answer.code == 0
    assert said in answer.err
    table = place / out / "labels.csv" if out == "new" else place / out
    assert {row["cluster"] for row in read_rows(table)} == {"0", "1", "2"}


@pytest.mark.parametrize(
    "command",
    [
        ("predict", "out", "texts", "--out", "again.csv"),
        ("predict", "out", "data.csv", "--out", "again.txt"),
        ("select-k", "texts", "--to", 2, "--out", "again.csv"),
        ("select-k", "texts", "--to", 2, "--plot", "again.png"),
        ("select-k", "texts", "--to", 2, "--plot", "again.svg"),
        ("select-k", "texts", "--to", 2, "--plot", "again.pdf"),
        ("curve", "texts", "--amounts", "0,6", "--runs", 1, "--out", "again"),
        ("ask", "texts", "--oracle", "folders", "--queries", 9, "--out", "again"),
        ("cluster", "texts", "--background", "out", "--out", "again"),
        ("cluster", "texts", "--background", "out", "--out", "again.csv"),
        ("cluster", "texts", *OVERLAPPING, "--out", "again"),
    ],
    ids=lambda command: f"{command[0]} {command[-1]}",
)
def test_every_command_replaces_what_it_wrote_itself(textclust, place, command):
    if "--plot" in command or "curve" in command:
        pytest.importorskip("matplotlib")
    first, second = textclust(*command), textclust(*command)
    assert (first.code, second.code) == (0, 0), second.err
    said = f"replaced the results of an earlier run in {command[-1]}\n"
    assert (said in first.err, said in second.err) == (False, True)
    assert not list(place.rglob(".textclust*"))


@pytest.mark.parametrize("method", ["overlapping", "vmf"])
@pytest.mark.parametrize("version", ["this", "earlier"])
def test_memberships_of_an_earlier_run_do_not_outlive_it(textclust, place, version, method):
    options = ("--k", 2, "--method", method, "--memberships", "--out", "again")
    assert textclust("cluster", "texts", *options).code == 0
    assert (place / "again" / "memberships.csv").is_file()
    if version == "earlier":
        forget_tables(place / "again")
    answer = textclust("cluster", "texts", "--k", 3, "--out", "again")
    said = "replaced the results of an earlier run in again; removed memberships.csv\n"
    assert (answer.code, said in answer.err) == (0, True)
    assert not (place / "again" / "memberships.csv").exists()


# Results beside the documents


@pytest.mark.parametrize(
    "command",
    [
        ("predict", "out", "texts", "--out", "texts/moon/new.csv"),
        ("predict", "out", "texts", "--out", "texts/new.txt"),
        ("curve", "texts", "--amounts", "6", "--runs", 1, "--out", "texts/new"),
    ],
)
def test_what_a_command_writes_is_no_document_of_its_next_run(
    textclust, place, command, monkeypatch
):
    from textclust.text.collector import Collector

    read, catalogue = [], Collector.catalogue

    def noted(collector):
        found = catalogue(collector)
        read.append(sorted(found.ids))
        return found

    monkeypatch.setattr(Collector, "catalogue", noted)
    for _ in range(2):
        assert textclust(*command).code == 0
    assert read == [sorted(TEXTS)] * 2


def test_a_document_whose_name_begins_like_the_results_is_read(textclust, place):
    write_files(place, {"texts/moon/new.csv.txt": "A telescope and the moon at night.\n"})
    for _ in range(2):
        assert textclust("cluster", "texts", "--k", 3, "--out", "texts/moon/new.csv").code == 0
        ids = [row["id"] for row in read_rows(place / "texts" / "moon" / "new.csv")]
        assert sorted(ids) == sorted([*TEXTS, "moon/new.csv.txt"])


# From Python


@pytest.fixture
def clustering(results):
    return tc.load(results)


def test_models_and_pages_replace_only_their_like(clustering, tmp_path):
    for _ in range(2):
        clustering.save(tmp_path / "model")
        clustering.report(tmp_path / "report.html")
    write_files(tmp_path, {"theirs/model.json": "{}", "page.html": "<!DOCTYPE html>\nmine"})
    before = snapshot(tmp_path)
    with pytest.raises(OutputError, match=r"model\.json: there already"):
        clustering.save(tmp_path / "theirs")
    with pytest.raises(OutputError, match=r"page\.html: there already"):
        clustering.report(tmp_path / "page.html")
    assert snapshot(tmp_path) == before


def test_a_model_is_saved_beside_other_files(clustering, tmp_path):
    write_files(tmp_path, {"notes.txt": "mine"})
    for _ in range(2):
        clustering.save(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert tc.load(tmp_path).k == 3


def test_pictures_replace_only_their_like(tmp_path):
    pytest.importorskip("matplotlib")
    X = np.random.default_rng(0).normal(size=(30, 2))
    selection = tc.select_k(X, [2])
    curve = tc.learning_curve(X, np.arange(30) % 2, amounts=(0,), methods=["kmeans"], runs=1)
    for drawn in (selection, curve):
        for kind in ("png", "svg", "pdf"):
            drawn.plot(tmp_path / f"a.{kind}")
            drawn.plot(tmp_path / f"a.{kind}")
            (tmp_path / f"mine.{kind}").write_bytes(b"mine")
            with pytest.raises(OutputError, match="there already"):
                drawn.plot(tmp_path / f"mine.{kind}")
