"""The embedded sample keeps its shape, and corpora are found by name."""

from __future__ import annotations

import email
import email.utils
import itertools
from collections import Counter
from datetime import timedelta

import pytest

import textclust as tc
from textclust.errors import InputError


@pytest.fixture(scope="module")
def posts(sample):
    return {
        path: email.message_from_bytes(path.read_bytes()) for path in sorted(sample.glob("*/*"))
    }


def test_three_groups_of_at_least_forty_posts(sample):
    sizes = [len(list(group.iterdir())) for group in sample.iterdir()]
    assert len(sizes) == 3
    assert min(sizes) >= 40


def test_posts_have_the_headers_of_usenet(posts):
    for path, post in posts.items():
        for header in ("From", "Subject", "Date", "Message-ID", "Newsgroups"):
            assert post[header], (path, header)
        assert path.parent.name in post["Newsgroups"].split(",")
        date = email.utils.parsedate_to_datetime(post["Date"])
        assert post["Date"].startswith(date.strftime("%a")), path
        assert 40 <= len(post.get_payload().split()) <= 250, path


def test_message_ids_are_unique_and_dates_span_a_year(posts):
    assert max(Counter(post["Message-ID"] for post in posts.values()).values()) == 1
    dates = sorted(email.utils.parsedate_to_datetime(post["Date"]) for post in posts.values())
    assert dates[-1] - dates[0] > timedelta(days=300)
    assert len({date.month for date in dates}) == 12


def test_there_are_quotes_signatures_and_cross_posts(posts):
    bodies = [post.get_payload() for post in posts.values()]
    assert sum("\n> " in body for body in bodies) > len(bodies) / 4
    assert sum("\n-- \n" in body for body in bodies) > len(bodies) / 4
    assert sum("," in post["Newsgroups"] for post in posts.values()) >= 6


def test_no_sentence_was_written_twice(posts):
    seen = {}
    for path, post in posts.items():
        body = post.get_payload().split("\n-- \n")[0]
        own = " ".join(line for line in body.split("\n") if not line.startswith((">", "|", ":")))
        for sentence in {s.strip().lower() for s in own.replace("?", ".").split(".")}:
            if len(sentence.split()) > 7:
                assert sentence not in seen, (path, seen[sentence], sentence)
                seen[sentence] = path


def test_the_registry_tells_the_truth_about_the_sample():
    corpus = tc.corpora.REGISTRY["newsgroups"]
    documents = tc.read_documents(tc.corpora.path("newsgroups"))
    assert len(documents) == corpus.documents
    assert len(set(documents.labels)) == corpus.classes
    assert all(documents.dates)


def test_the_group_never_reaches_the_text():
    documents = tc.read_documents(tc.corpora.path("newsgroups"))
    groups = set(documents.labels)
    for text, group in itertools.product(documents.texts, groups):
        assert f"Newsgroups: {group}" not in text


def test_an_unknown_corpus_is_named_with_the_known_ones():
    with pytest.raises(InputError, match="newsgroups, 20newsgroups, classic4"):
        tc.corpora.path("nonsense")


def test_a_corpus_that_is_not_here_comes_with_the_way_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("TEXTCLUST_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(InputError, match="textclust corpora fetch 20newsgroups"):
        tc.corpora.path("20newsgroups")
    with pytest.raises(InputError, match=r"put classic4\.tar\.gz into"):
        tc.corpora.path("classic4")
