"""textclust cluster --background: newer documents in the classes of older ones."""

from __future__ import annotations

import csv
import json
import shutil

import pytest

import textclust as tc
from textclust import corpora


@pytest.fixture(scope="module")
def shelves(tmp_path_factory):
    """The sample in two parts: the first posts of each group in folders, the rest in a heap."""
    place = tmp_path_factory.mktemp("shelves")
    (place / "new").mkdir()
    for group in sorted(corpora.path("newsgroups").iterdir()):
        posts = sorted(group.iterdir())
        (place / "old" / group.name).mkdir(parents=True)
        for post in posts[:20]:
            shutil.copy(post, place / "old" / group.name)
        for post in posts[20:]:
            shutil.copy(post, place / "new" / f"{post.name}.{group.name}")
    return place


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def right(labels):
    """How many are in the cluster with the name of their group."""
    return sum(row["id"].partition(".")[2] == row["name"] for row in labels) / len(labels)


def test_the_heap_comes_out_in_the_folders_of_the_background(textclust, shelves, tmp_path):
    out = tmp_path / "out"
    answer = textclust(
        "cluster", shelves / "new", "--k", 3, "--background", shelves / "old", "--out", out
    )
    assert answer.code == 0, answer.err
    assert "rec.photo" in answer.out
    assert "fit no class of the background" in answer.out
    labels = rows(out / "labels.csv")
    assert list(labels[0]) == ["id", "cluster", "name", "score", "novelty"]
    assert right(labels) > 0.85
    content = json.loads((out / "clusters.json").read_text())
    clusters = content["background"]["clusters"]
    assert [row["class"] for row in clusters] == ["rec.bicycles", "rec.photo", "sci.astro"]
    assert [row["old"] for row in clusters] == [20, 20, 20]
    page = (out / "report.html").read_text()
    assert "Old and new" in page
    assert "Terms that rise" in page


def test_a_table_and_an_earlier_run_are_backgrounds_too(textclust, shelves, tmp_path):
    docs = tc.read_documents(shelves / "old")
    table = tmp_path / "old.jsonl"
    lines = zip(docs.ids, docs.labels, docs.texts, strict=True)
    table.write_text(
        "".join(json.dumps({"id": i, "label": c, "text": t}) + "\n" for i, c, t in lines)
    )
    first = tmp_path / "first"
    command = ("cluster", shelves / "new", "--k", 3)
    assert textclust(*command, "--background", table, "--out", first).code == 0
    for past in (first, first / "model"):
        answer = textclust(*command, "--background", past, "--json").json
        assert [row["class"] for row in answer["background"]["clusters"]] == [
            "rec.bicycles",
            "rec.photo",
            "sci.astro",
        ]
        assert right(answer["labels"]) > 0.85


def test_auto_finds_the_group_that_the_background_never_saw(textclust, shelves, tmp_path):
    old = shutil.copytree(shelves / "old", tmp_path / "old")
    command = ("cluster", shelves / "new", "--k", "auto", "--background", old, "--json")
    assert textclust(*command).json["k"] == 3
    shutil.rmtree(old / "rec.bicycles")
    answer = textclust(*command).json
    assert [row["class"] for row in answer["background"]["clusters"]] == [
        "rec.photo",
        "sci.astro",
        None,
    ]
    name = answer["clusters"][2]["name"]
    assert name.endswith(" (new)")
    bikes = [row for row in answer["labels"] if row["id"].endswith("bicycles")]
    assert sum(row["name"] == name for row in bikes) > 0.9 * len(bikes)
    assert sum(row["novelty"] for row in bikes) / len(bikes) > 0.8


def test_a_date_splits_one_collection(textclust, sample):
    answer = textclust("cluster", sample, "--k", 3, "--background-before", "1995-04-01", "--json")
    assert answer.code == 0, answer.err
    clusters = answer.json["background"]["clusters"]
    assert sum(row["old"] for row in clusters) + len(answer.json["labels"]) == 225
    assert answer.json["agreement"]["nmi"] > 0.5


def test_memberships_are_written_on_request(textclust, shelves, tmp_path):
    out = tmp_path / "out"
    command = ("cluster", shelves / "new", "--k", 3, "--background", shelves / "old")
    fuzzy = ("--method", "semifuzzy", "--memberships", "--out", out)
    assert textclust(*command, *fuzzy).code == 0
    shares = rows(out / "memberships.csv")
    assert list(shares[0]) == ["id", "0", "1", "2"]
    for row in shares:
        assert sum(float(row[h]) for h in "012") == pytest.approx(1.0, abs=1e-5)
    assert right(rows(out / "labels.csv")) > 0.8
    loaded = tc.load(out)
    assert loaded.memberships.shape == (len(shares), 3)
    assert loaded.outcome.background.classes == ("rec.bicycles", "rec.photo", "sci.astro")


@pytest.mark.parametrize(("labeller", "least"), [("naive-bayes", 0.85), ("nearest", 0.8)])
def test_a_labeller_can_be_named(textclust, shelves, labeller, least):
    command = ("cluster", shelves / "new", "--k", 3, "--background", shelves / "old", "--json")
    assert right(textclust(*command, "--labeller", labeller).json["labels"]) > least


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--k", "many"], "--k must be a whole number or auto; got many"),
        (["--k", "3", "--background", "nowhere"], "nowhere: no such file or folder"),
        (["--k", "3", "--background-before", "spring"], "'spring' is no date"),
        (["--k", "3", "--background-before", "1990-01-01"], "the dates are 1995-01"),
        (["--k", "3", "--labeller", "nearest"], "method 'kmeans' has no option --labeller"),
        (
            ["--k", "3", "--memberships"],
            "--memberships needs --method vmf or hmrf-em or overlapping or semifuzzy",
        ),
    ],
)
def test_what_cannot_be_is_reported(textclust, sample, options, message):
    answer = textclust("cluster", sample, *options)
    assert answer.code == 2
    assert message in answer.err


def test_a_background_without_labels_and_a_method_without_use_for_it_are_refused(
    textclust, shelves
):
    heap = shelves / "new"
    answer = textclust("cluster", heap, "--k", 3, "--background", heap)
    assert answer.code == 2
    assert "the background has no labels" in answer.err
    answer = textclust(
        "cluster", heap, "--k", 3, "--background", shelves / "old", "--method", "kmeans"
    )
    assert answer.code == 2
    assert "method 'kmeans' takes no background" in answer.err


def test_what_was_new_is_known_next_time_and_keeps_its_place(textclust, shelves, tmp_path):
    old = shutil.copytree(shelves / "old", tmp_path / "old")
    shutil.rmtree(old / "rec.bicycles")
    out = tmp_path / "first"
    command = ("cluster", shelves / "new", "--k", 3, "--background")
    assert textclust(*command, old, "--out", out).code == 0
    classes = [
        row["class"] for row in textclust(*command, out, "--json").json["background"]["clusters"]
    ]
    assert classes[:2] == ["rec.photo", "sci.astro"]
    assert classes[2] == tc.load(out).names[2].removesuffix(" (new)")


def test_the_background_is_read_as_the_documents_are(textclust, shelves, tmp_path):
    docs = tc.read_documents(shelves / "old")
    lines = zip(docs.labels, docs.texts, strict=True)
    table = tmp_path / "old.jsonl"
    table.write_text("".join(json.dumps({"group": c, "body": t}) + "\n" for c, t in lines))
    new = tmp_path / "new.jsonl"
    new.write_text("".join(json.dumps({"body": t}) + "\n" for t in docs.texts))
    options = ("--label-column", "group", "--text-column", "body")
    answer = textclust("cluster", new, "--k", 3, "--background", table, *options)
    assert answer.code == 2  # the new table has no such column
    assert "group" in answer.err
    new.write_text("".join(json.dumps({"body": t, "group": None}) + "\n" for t in docs.texts))
    assert textclust("cluster", new, "--k", 3, "--background", table, *options).code == 0


def test_seeds_go_with_a_background_and_share_its_classes(textclust, shelves, tmp_path):
    new = sorted(path.name for path in (shelves / "new").iterdir())
    strange = [name for name in new if name.endswith("bicycles")][:6]
    seeds = tmp_path / "seeds.csv"
    rows = [f"{name},wheels" for name in strange] + [f"{new[-1]},{new[-1].split('.', 1)[1]}"]
    seeds.write_text("id,label\n" + "\n".join(rows) + "\n")
    old = shutil.copytree(shelves / "old", tmp_path / "old")
    shutil.rmtree(old / "rec.bicycles")
    options = ("--k", 3, "--background", old, "--seeds", seeds, "--json")
    answer = textclust("cluster", shelves / "new", *options).json
    assert [row["name"] for row in answer["clusters"]] == ["rec.photo", "sci.astro", "wheels"]
    bikes = [row for row in answer["labels"] if row["id"].endswith("bicycles")]
    assert sum(row["name"] == "wheels" for row in bikes) > 0.9 * len(bikes)
    assert answer["seeds"]["kept"] == 7
    few = ("--k", 2, "--background", old, "--seeds", seeds)
    refused = textclust("cluster", shelves / "new", *few)
    assert refused.code == 2
    assert "3 classes among the seeds and the background" in refused.err
