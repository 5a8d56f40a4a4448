"""textclust select-k, and cluster without a number."""

from __future__ import annotations

import pytest

import textclust as tc
from tests.cli.running import read_rows


def test_the_table_and_a_recommendation_are_shown(textclust, sample):
    answer = textclust("select-k", sample, "--from", 2, "--to", 4)
    assert answer.code == 0
    assert "225 documents, the evidence for each number of clusters" in answer.out
    assert "Recommended: 3 clusters: stability 0.6" in answer.out
    assert "only 2 to 4 looked at, the default is 2 to 20." in answer.out
    assert "stability" in answer.out
    assert "links kept" not in answer.out


def test_a_few_documents_are_not_asked_for_more_clusters_than_they_are(textclust, tmp_path):
    for number, text in enumerate(["red lens", "red film", "dark star", "dark sky", "blue sky"]):
        (tmp_path / f"{number}.txt").write_text(text)
    answer = textclust("select-k", tmp_path, "--json")
    assert answer.code == 0
    assert [row["k"] for row in answer.json["table"]] == [2]
    answer = textclust("select-k", tmp_path, "--to", 5, "--json")
    assert [row["k"] for row in answer.json["table"]] == [2, 3, 4, 5]


def test_everything_can_be_had_as_files_and_json(textclust, sample, tmp_path):
    pytest.importorskip("matplotlib")
    links = tmp_path / "links.csv"
    links.write_text(
        "left,right,kind\nrec.photo/20331,sci.astro/30133,cannot-link\n"
        "rec.bicycles/10204,rec.bicycles/10211,must-link\n"
    )
    table, plot = tmp_path / "k.csv", tmp_path / "k.svg"
    more = ("--constraints", links, "--out", table, "--plot", plot, "--json")
    answer = textclust("select-k", sample, "--from", 3, "--to", 4, *more)
    assert answer.code == 0
    assert answer.json["k"] == 3
    assert set(answer.json["picks"]) == {"bic", "mdl", "mml", "gap", "stability", "links"}
    assert [row["k"] for row in read_rows(table)] == ["3", "4"]
    assert read_rows(table)[0]["links_kept"] != ""
    assert plot.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--from", 5, "--to", 3), "--from 5 is more than --to 3; swap them"),
        (("--to", 1), "--to 1 is less than 2, where it starts by itself; give --from too"),
        (("--to", 400), "400 clusters cannot be made of 225 documents"),
        (("--plot", "k.txt"), "a picture is one of .png, .svg, .pdf"),
    ],
)
def test_a_bad_question_is_reported_in_one_line(textclust, sample, arguments, message):
    answer = textclust("select-k", sample, *arguments)
    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


SEEDS = "id,label\n" + "".join(
    f"{name},{name.split('/')[0]}\n"
    for name in ("rec.photo/20331", "sci.astro/30133", "rec.bicycles/10204")
)
LINKS = "left,right,kind\nrec.photo/20331,sci.astro/30133,cannot-link\n"


@pytest.mark.parametrize(
    ("given", "more"),
    [
        ({}, ()),
        ({"random_state": 3}, ("--random-state", 3)),
        ({"seeds": SEEDS}, ()),
        ({"constraints": LINKS}, ()),
        ({"distortion": "euclidean"}, ("--distortion", "euclidean")),
        ({"stop_words": None, "min_df": 4}, ("--language", "none", "--min-df", 4)),
    ],
    ids=["plain", "state", "seeds", "links", "euclidean", "words"],
)
def test_python_and_both_commands_give_one_answer(textclust, posts, tmp_path, given, more):
    """The whole selection, table and all, from four ways in."""
    options = list(more)
    python = dict(given)
    for name in ("seeds", "constraints"):
        if name in given:
            file = tmp_path / f"{name}.csv"
            file.write_text(given[name])
            python[name] = file
            options += [f"--{name}", file]
    words = {name: python.pop(name) for name in ("stop_words", "min_df") if name in python}
    vectorizer = tc.TextVectorizer(sublinear_tf=True, **words)
    clustering = tc.cluster(posts, vectorizer=vectorizer, **python)
    expected = clustering.settings["selection"]

    answer = textclust("select-k", posts, *options, "--json")
    assert answer.json == {"documents": 42, **expected}
    answer = textclust("cluster", posts, *options, "--json")
    assert answer.json["settings"]["selection"] == expected
    assert len(answer.json["clusters"]) == expected["k"] == clustering.k
    assert f"chosen: {expected['reason']}" in answer.err

    if not {"seeds", "constraints"} & python.keys():
        X = vectorizer.fit_transform(tc.read_documents(posts).texts)
        assert tc.select_k(X, **python).to_dict() == expected


def test_words_of_classes_count_as_seeds_do(textclust, sample, tmp_path):
    words = tmp_path / "words.csv"
    words.write_text("label,word\na,bike\nb,camera\nc,planet\nd,orbit\n")
    answer = textclust("select-k", sample, "--seed-words", words, "--to", 5, "--json")
    assert [row["k"] for row in answer.json["table"]] == [4, 5]
    (tmp_path / "bad.csv").write_text("label,word\na,zzzz\n")
    answer = textclust("select-k", sample, "--seed-words", tmp_path / "bad.csv")
    assert answer.code == 2
    assert "no word of 'a' is a term of the documents" in answer.err
    X = tc.TextVectorizer().fit_transform(tc.read_documents(sample).texts)
    found = tc.select_k(X, seed_words={name: ["x"] for name in "abcd"})
    assert found.default[0] == 4


def test_more_classes_than_clusters_are_refused(textclust, sample, tmp_path):
    (tmp_path / "seeds.csv").write_text(SEEDS)
    answer = textclust("select-k", sample, "--seeds", tmp_path / "seeds.csv", "--from", 2)
    assert answer.code == 2
    assert "2 clusters cannot hold the 3 classes of the labelled documents" in answer.err
