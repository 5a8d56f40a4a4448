"""textclust cluster --seed-words: a table of words in, clusters of their names out."""

from __future__ import annotations

import csv
import json

import pytest

import textclust as tc

ROWS = [
    *("bikes,bike", "bikes,Ride", "bikes,wheel"),
    *("photos,camera", "photos,lens", "stars,planet", "stars,orbit"),
]
WORDS = {"bikes": ["bike", "Ride"], "photos": ["camera", "lens"], "stars": ["planet", "orbit"]}


@pytest.fixture
def words(tmp_path):
    def write(*rows, header="label,word"):
        path = tmp_path / "words.csv"
        path.write_text("".join(f"{row}\n" for row in (header, *rows)), encoding="utf-8")
        return str(path)

    return write


def test_words_name_clusters_everywhere(textclust, sample, words, tmp_path):
    out = tmp_path / "out"
    done = textclust("cluster", sample, "--k", 3, "--seed-words", words(*ROWS), "--out", out)
    assert done.code == 0, done.err
    assert "Seed words named " in done.out
    assert "(0 is bikes: " in done.out
    assert "(225 documents)" in done.out  # all of them are scored: no one has looked at any
    with open(out / "labels.csv", newline="", encoding="utf-8") as file:
        assert {row["name"] for row in csv.DictReader(file)} == set(WORDS)
    content = json.loads((out / "clusters.json").read_text("utf-8"))
    assert content["settings"]["method"] == "guided"
    assert content["settings"]["seed_words"]["bikes"] == ["bike", "Ride", "wheel"]
    found = content["seed_words"]
    assert found["clusters"] == {"bikes": 0, "photos": 1, "stars": 2}
    assert all(0 < found["kept"][name] <= found["named"][name] for name in WORDS)
    assert content["moved"] is not None
    page = (out / "report.html").read_text("utf-8")
    assert "What became of your supervision" in page
    assert "Seed words named " in page
    loaded, again = (
        tc.load(out),
        tc.cluster(sample, 3, seed_words=content["settings"]["seed_words"]),
    )
    assert loaded.outcome == again.outcome
    assert loaded.labels.tolist() == again.labels.tolist()


def test_a_word_that_no_document_has_is_noted(textclust, sample, words):
    done = textclust("cluster", sample, "-k", 3, "--seed-words", words(*ROWS, "photos,daguerreo"))
    assert done.code == 0, done.err
    assert "1 seed word is no term of the documents: 'daguerreo' (photos)" in done.err
    assert "daguerreo" not in done.out
    done = textclust("cluster", sample, "-k", 3, "--seed-words", words(*ROWS, "bikes,zz"), "--json")
    assert json.loads(done.out)["seed_words"]["unknown"] == ["zz"]


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        (["a,zz", "a,yy", "b,lens"], "label,word", "words.csv: no word of 'a' is a term of the"),
        (["a,lens", "b,lens"], "label,word", "the word 'lens' is under 'a' and under 'b'; leave"),
        (["a,lens", "b,LENS"], "label,word", "the word 'LENS' is under 'a' and under 'b'; leave"),
        ([], "label,word", "words.csv: no words in it"),
        ([], "", "words.csv: needs the columns label and word; it has none"),
        (["a,lens"], "label,term", "needs the columns label and word; it has label, term"),
        (["a,lens", "a"], "label,word", "words.csv: line 3 has too few fields"),
        (["a,"], "label,word", "words.csv: line 2 has no word; give both"),
        ([",lens"], "label,word", "words.csv: line 2 has no label; give both"),
        (["a,lens", "b,bike", "c,star", "d,orbit"], "label,word", "4 classes for 3 clusters; use"),
        (["a,zoom lens"], "label,word", "no word of 'a' is a term of the documents"),
    ],
)
def test_bad_words_are_one_line(textclust, sample, words, rows, header, message):
    done = textclust("cluster", sample, "--k", 3, "--seed-words", words(*rows, header=header))
    assert done.code == 2
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_a_missing_file_and_a_method_that_takes_no_words(textclust, sample, words, tmp_path):
    done = textclust("cluster", sample, "--k", 3, "--seed-words", tmp_path / "none.csv")
    assert (done.code, "none.csv: cannot be read" in done.err) == (2, True)
    given = ["--seed-words", words(*ROWS), "--method", "hmrf"]
    done = textclust("cluster", sample, "--k", 3, *given)
    assert done.code == 2
    assert "method 'hmrf' takes no seed words; use guided" in done.err


def test_phrases_and_stems_are_words_where_the_vocabulary_has_them(textclust, sample, words):
    given = words("photos,Shutter Speeds", "stars,bright stars", "bikes,rear wheels")
    done = textclust("cluster", sample, "-k", 3, "--seed-words", given, "--ngrams", 2, "--stem")
    assert done.code == 0, done.err
    assert "no term" not in done.err


def test_the_words_are_not_written_over(textclust, sample, words):
    given = words(*ROWS)
    done = textclust("cluster", sample, "--k", 3, "--seed-words", given, "--out", given)
    assert done.code == 2
    with open(given, encoding="utf-8") as file:
        assert file.readline() == "label,word\n"
