"""--embed on the command line: vectors beside the terms."""

from __future__ import annotations

import numpy as np
import pytest

from tests.embedding.small import write_topics


@pytest.fixture
def model(place):
    return write_topics(place / "topics")


def test_cluster_predict_and_explain(textclust, place, model):
    found = textclust(
        "cluster", "texts", "--k", 3, "--embed", "topics", "--embed-weight", 0.4, "--out", "out"
    )
    assert found.code == 0, found.err
    assert "topics beside the terms, at weight 0.4: as asked for" in found.err

    placed = textclust("predict", "out", "texts")
    labels = [line.split(",")[1] for line in (place / "out/labels.csv").read_text().splitlines()]
    assert [line.split(",")[1] for line in placed.out.splitlines()] == labels

    why = textclust("explain", "out", "moon/1")
    assert "the vector beside its terms gives" in why.out
    text = place / "new.txt"
    text.write_text("A low moon in a clear night sky")
    assert "moon" in textclust("explain", "out", text).out


def test_the_weight_is_chosen_and_said(textclust, place, model):
    found = textclust("cluster", "texts", "--k", 3, "--embed", "topics", "--json")

    assert found.code == 0, found.err
    said = found.json["settings"]["embedding"]
    assert said["table"]
    assert said["reason"] in found.err


def test_vectors_given_beside_the_terms(textclust, place):
    np.save(place / "vectors.npy", np.random.default_rng(0).random((12, 3)))
    beside = ("--vectors", "vectors.npy", "--embed", "auto", "--embed-weight", 0.2)
    found = textclust("cluster", "texts", "--k", 3, *beside, "--out", "out")
    assert found.code == 0, found.err
    assert "the vectors given beside the terms" in found.err

    placed = textclust("predict", "out", "texts", "--vectors", "vectors.npy")
    assert placed.code == 0, placed.err
    assert len(placed.out.splitlines()) == 13
    alone = textclust("predict", "out", "texts")
    assert alone.code == 2
    assert "give vectors of the texts too" in alone.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--embed", "nothing"), "no embedding model 'nothing'"),
        (("--embed", "topics", "--embed-weight", "2"), "--embed-weight must be auto, or from 0"),
        (("--embed", "topics", "--embed-weight", "x"), "--embed-weight must be auto or a number"),
        (("--embed", "topics", "--distortion", "kl"), "an embedding goes with distortion"),
        (("--embed", "topics", "--scheduler", "local"), "--embed"),
        (("--embed", "st:nothing"), "st:nothing"),
    ],
)
def test_what_cannot_be_is_one_line(textclust, place, model, options, message):
    found = textclust("cluster", "texts", "--k", 3, *options)

    assert found.code == 2
    assert message in found.err
    assert len(found.err.strip().splitlines()) == 1
    assert "Traceback" not in found.err
