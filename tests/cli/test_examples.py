"""textclust cluster --examples: two folders are sorted, the rest follows."""

from __future__ import annotations

import json
import shutil

import pytest

import textclust as tc
from tests.cli.running import read_rows, write_files
from textclust import corpora

MINE = "rec.photo", "sci.astro"


@pytest.fixture(scope="module")
def sorted_sample(tmp_path_factory):
    """The sample sorted like two of its folders, and what was left behind."""
    out = tmp_path_factory.mktemp("sorted") / "out"
    from textclust.cli.main import run

    sample = str(corpora.path("newsgroups"))
    assert run(["cluster", sample, "--examples", *MINE, "--out", str(out)]) == 0
    return out


def test_the_rest_is_sorted_and_folders_keep_their_names(sorted_sample):
    content = json.loads((sorted_sample / "clusters.json").read_text())
    assert content["k"] == 3
    assert content["settings"]["method"] == "cluedo"
    names = [cluster["name"] for cluster in content["clusters"]]
    assert names[:2] == list(MINE)
    assert "bike" in names[2]
    assert content["seeds"] == {
        "given": 150,
        "kept": 150,
        "overruled": [],
        "clusters": {MINE[0]: 0, MINE[1]: 1},
    }
    assert content["agreement"] is None  # what is left is of one class
    rows = read_rows(sorted_sample / "labels.csv")
    assert all(row["name"] == "rec.photo" for row in rows if row["id"].startswith("rec.photo/"))
    assert "CLUEDO" in (sorted_sample / "report.html").read_text()


def test_a_saved_model_knows_the_folders(sorted_sample, textclust, tmp_path):
    post = write_files(tmp_path / "new", {"1": "A lens and a film for my old camera.\n"})
    answer = textclust("predict", sorted_sample, post)
    assert answer.code == 0, answer.err
    assert answer.rows[0]["name"] == "rec.photo"
    answer = textclust("explain", sorted_sample, "sci.astro/30268")
    assert "sci.astro" in answer.out


def test_folders_elsewhere_are_added(textclust, tmp_path):
    sample, heap, mine = corpora.path("newsgroups"), tmp_path / "heap", tmp_path / "mine"
    heap.mkdir()
    for group in sorted(sample.iterdir()):
        posts = sorted(group.iterdir())
        if group.name == "rec.photo":
            shutil.copytree(group, mine / "photos")
            posts = []
        for post in posts:
            shutil.copy(post, heap)
    answer = textclust("cluster", heap, "--examples", mine / "photos", "--json")
    assert answer.code == 0, answer.err
    assert answer.json["documents"] == 225
    assert answer.json["clusters"][0]["name"] == "photos"
    assert sum(row["id"].startswith("photos/") for row in answer.json["labels"]) == 75
    assert answer.json["settings"]["collection"]["documents"] == 225


def test_folders_can_be_named_by_path_once_each_or_before_other_options(textclust, corpus):
    """Below PATH as the shell completes them, repeated, and with a number."""
    once = textclust("cluster", corpus, "--examples", corpus / "bread", "--json", "--k", 3)
    again = textclust(
        "cluster", "--k", 3, "--examples", "bread", "--json", "--method", "cluedo", corpus
    )
    assert once.code == again.code == 0, once.err + again.err
    assert once.json["clusters"][0]["name"] == "bread"
    assert once.json["labels"] == again.json["labels"]
    both = textclust("cluster", corpus, "--examples", "bread", "--examples", "moon", "--json")
    assert [c["name"] for c in both.json["clusters"]][:2] == ["bread", "moon"]


def test_clue_alone_is_saved_and_predicts_too(textclust, corpus, tmp_path):
    out = tmp_path / "out"
    answer = textclust(
        "cluster", corpus, "--examples", "bread", "--method", "clue", "--k", 3, "--out", out
    )
    assert answer.code == 0, answer.err
    model = tc.load(out)
    again = model.predict([model.cards[row].excerpt for row in range(12)])
    assert again.labels[4] == model.labels[4] == 0
    assert textclust("explain", out, "bread/1").code == 0


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (("--metric", "xing-diagonal"), {"metric": "xing-diagonal"}),
        (("--metric", "rca", "--linkage", "average"), {"metric": "rca", "linkage": "average"}),
        (("--metric", "none", "--method", "clue"), {"metric": None}),
    ],
)
def test_metric_and_linkage_can_be_chosen(textclust, corpus, options, settings):
    answer = textclust("cluster", corpus, "--examples", "bread", "--k", 3, *options, "--json")
    assert answer.code == 0, answer.err
    same = tc.cluster(corpus, 3, examples=["bread"], random_state=0, **_of(options), **settings)
    assert [row["cluster"] for row in answer.json["labels"]] == same.labels.tolist()
    parameters = answer.json["settings"]["parameters"]
    assert {name: parameters[name] for name in settings} == settings


def _of(options):
    return {"method": "clue"} if "clue" in options else {}


def test_a_table_has_classes_for_folders(textclust, tmp_path, corpus):
    lines = [
        {
            "id": f"{path.parent.name}-{path.name}",
            "text": path.read_text(),
            "label": path.parent.name,
        }
        for path in sorted(corpus.rglob("*/*"))
    ]
    table = write_files(
        tmp_path, {"texts.jsonl": "".join(json.dumps(line) + "\n" for line in lines)}
    )
    answer = textclust("cluster", table / "texts.jsonl", "--examples", "moon", "--json", "--k", 3)
    assert answer.json["clusters"][0]["name"] == "moon"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--examples",), "name at least one folder"),
        (("--examples", "--json"), "name at least one folder"),
        (("--examples", "cheese"), "no document belongs to the example 'cheese'"),
        (("--examples", "bread", "bread"), "two examples are called 'bread'"),
        (("--examples", "bread", "moon", "bicycles"), "no document is left to cluster"),
        (("--examples", "bread", "--method", "hmrf"), "takes no examples; use cluedo"),
        (("--examples", "bread", "--distortion", "kl"), "leave the distortion out"),
        (("--examples", "bread", "--init", "lsa"), "no option --init"),
        (
            ("--examples", "bread", "--metric", "local"),
            "metric must be one of 'none', 'clue', 'rca'",
        ),
        (("--k", "2", "--metric", "rca"), "method 'kmeans' has no option --metric"),
        (("--k", "2", "--linkage", "ward"), "method 'kmeans' has no option --linkage"),
        (("--examples", "bread", "moon", "--k", "1"), "--k 1 is fewer than the 2 example clusters"),
        (("--method", "cluedo"), "method 'cluedo' needs examples"),
        (("--examples", "bread", "--k", "2", "--background", "."), "neither seed words, seeds"),
    ],
)
def test_what_cannot_be_followed_is_reported(textclust, corpus, arguments, message):
    answer = textclust("cluster", corpus, *arguments)
    assert answer.code == 2
    assert message in answer.err


def test_the_same_from_python(sample):
    named = tc.cluster(sample, examples=["rec.photo", "sci.astro"])
    ids = {name: [own for own in named.ids if own.startswith(f"{name}/")] for name in MINE}
    listed = tc.cluster(sample, examples=ids)
    assert named.labels.tolist() == listed.labels.tolist()
    assert listed.names[:2] == list(MINE)
    assert named.known_names == [*MINE, None]
    added = tc.cluster(
        tc.read_documents(sample).select(range(75)),
        examples={"photos": sample / "rec.photo"},
        rounds=2,
    )
    assert added.names[0] == "photos"
    assert len(added.ids) == 150


def test_examples_that_make_no_sense_are_reported(corpus):
    with pytest.raises(tc.InputError, match="no examples are given"):
        tc.cluster(corpus, examples=[])
    with pytest.raises(tc.InputError, match="names of folders, or a dict"):
        tc.cluster(corpus, examples=3)
    with pytest.raises(tc.InputError, match="name of a folder or a list of ids; got 3"):
        tc.cluster(corpus, examples=[3])
    with pytest.raises(tc.InputError, match="in two examples, 'a' and 'b'"):
        tc.cluster(corpus, examples={"a": ["bread/1"], "b": ["bread/1", "bread/2"]})
    documents = tc.read_documents(corpus)
    with pytest.raises(tc.InputError, match="in the collection already; rename the folder bread"):
        tc.cluster(documents, examples={"bread": corpus / "bread"})
