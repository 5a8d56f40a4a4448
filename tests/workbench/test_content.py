"""What the page gets, key by key as docs/workbench-api.md has it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.small import do, ids, link, said
from textclust.errors import InputError
from textclust.pipeline import default_vectorizer
from textclust.text.documents import Documents
from textclust.workbench import content
from textclust.workbench.collection import Collection
from textclust.workbench.history import History
from textclust.workbench.opening import first_state, opening
from textclust.workbench.project import Project
from textclust.workbench.refitting import refit, refitted
from textclust.workbench.view import View
from textclust.workbench.workbench import Workbench

PAGE = Path(__file__).resolve().parents[2] / "docs" / "workbench-api.md"


def documented():
    """The keys of every example of the page, by its heading."""
    parts = re.split(r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    found = {}
    for part in parts:
        heading, _, text = part.partition("\n")
        blocks = re.findall(r"```(?:json|text)\n(\{.*?)```", text, flags=re.DOTALL)
        if blocks:
            found[heading.split("`")[1].split("?")[0].removeprefix("GET ")] = json.loads(blocks[0])
    return found


EXAMPLES = documented()


@pytest.fixture(scope="module")
def state(collection, first):
    """With links that contradict each other, seeds, a refit and something said since then."""
    rows = first.members(1)[:3].tolist()
    state = said(
        collection,
        first,
        do("seed", documents=ids(collection, rows[0])),
        link(collection, rows[0], rows[1], "must-link"),
        link(collection, rows[1], rows[2], "must-link"),
        link(collection, rows[0], rows[2], "cannot-link"),
        do("discard", documents=ids(collection, 59)),
    )
    state = refitted(state, refit(collection, state))
    return said(collection, state, do("move", documents=ids(collection, 30), cluster=2))


@pytest.fixture(scope="module")
def view(collection, state):
    return View(collection, state)


def listed(view, cluster=None, order="collection", search=None, regex=False, rows=None, **part):
    offset, limit = part.get("offset", 0), part.get("limit", 1000)
    return content.documents_content(view, cluster, order, search, regex, rows, offset, limit)


def rows_of(answer):
    return [line["row"] for line in answer["rows"]]


# Keys


def test_a_state_is_as_documented(view, state):
    example = EXAMPLES["/api/state"]
    found = content.state_content(view, History(state), 7)
    assert found.keys() | {"busy", "warning"} == example.keys()
    for name in ("clusters", "links", "conflicts"):
        assert found[name][0].keys() == example[name][0].keys()
    assert found["groups"] == []  # of three clusters
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["version"] == 7
    for name in ("labels", "seconds", "scores", "x", "y"):
        assert len(found[name]) == 60
        assert {type(value) for value in found[name]} <= {int, float}
    assert found["discarded"] == [59]
    assert found["labels"][59] == found["seconds"][59] == 0
    assert found["pending"] == 1
    assert (found["undo"], found["redo"], found["history"]) == (None, None, ["open"])
    sizes = {cluster["number"]: cluster["size"] for cluster in found["clusters"]}
    assert sizes == {n: found["labels"].count(n) for n in (1, 2, 3)}
    assert [cluster["colour"] for cluster in found["clusters"]] == [0, 1, 2]
    assert sum(cluster["seeds"] for cluster in found["clusters"]) == len(found["seeds"]) == 2


def test_a_list_and_a_document_are_as_documented(view):
    answer = listed(view, search="the")
    example = EXAMPLES["/api/documents"]
    assert answer.keys() == example.keys()
    assert all(line.keys() == example["rows"][0].keys() for line in answer["rows"])
    assert json.loads(json.dumps(answer)) == answer
    single = EXAMPLES["/api/documents/3"]
    for row in (0, 30, 59):
        found = content.document_content(view, row)
        assert found.keys() == single.keys()
        assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_the_rest_is_as_documented(collection, first, tmp_path):
    with Project.open(tmp_path / "x.textclust") as project:
        bench = Workbench(collection, project, 3)
        assert bench.collection().keys() == EXAMPLES["/api/collection"].keys()
        assert len(bench.collection()["light"]) == len(bench.collection()["dark"]) == 40
        assert bench.collection()["background"] is None
        assert bench.state().keys() == EXAMPLES["/api/state"].keys()
        bench.act(do("move", documents=ids(collection, 0, 1, 2, 3, 4), cluster=3))
        bench.act(link(collection, 0, 5, "cannot-link"))
        seen, example = bench.preview(), EXAMPLES["/api/preview"]
        assert seen.keys() == example.keys()
        if seen["flows"]:
            assert seen["flows"][0].keys() == example["flows"][0].keys()
        proposals = {each["kind"]: each for each in bench.wizard(50)["proposals"]}
        for each in EXAMPLES["/api/wizard"]["proposals"]:
            if each["kind"] in proposals:
                assert proposals[each["kind"]].keys() == each.keys()
        for each in EXAMPLES["/api/questions"]["questions"]:
            answer = bench.questions(each["kind"], 2)
            assert answer.keys() == {"questions", "reason"}
            assert answer["questions"][0].keys() == each.keys()
        assert bench.split(1).keys() == {"rows", "terms", "sizes"}
        json.dumps(bench.collection(), allow_nan=False)
        for answer in (seen, bench.wizard(50), bench.split(1)):
            assert json.loads(json.dumps(answer, allow_nan=False)) == answer


# Lists


def test_orders(view, collection):
    alive = list(range(59))
    assert rows_of(listed(view)) == list(range(60))
    typical = rows_of(listed(view, order="typical"))
    assert sorted(typical) == alive
    assert (np.diff(view.distances[typical]) >= 0).all()
    assert (np.diff(view.distances[rows_of(listed(view, order="novel"))]) <= 0).all()
    assert (np.diff(view.scores[rows_of(listed(view, order="borderline"))]) >= 0).all()
    assert rows_of(listed(view, order="duplicates")) == collection.with_twins
    with pytest.raises(InputError, match="no order 'best'"):
        listed(view, order="best")


def test_parts_clusters_and_rows(view, state):
    members = state.members(2).tolist()
    answer = listed(view, cluster=2)
    assert rows_of(answer) == members
    assert answer["total"] == len(members)
    assert answer["matches"] is None
    part = listed(view, cluster=2, offset=3, limit=4)
    assert rows_of(part) == members[3:7]
    assert part["total"] == len(members)
    assert rows_of(listed(view, cluster=0)) == [59]
    assert rows_of(listed(view, rows=[8, 3, 99])) == [3, 8]
    assert rows_of(listed(view, rows=[])) == []
    with pytest.raises(InputError, match="no cluster 9"):
        listed(view, cluster=9)


def test_searching(view, collection):
    texts = collection.documents.texts
    for what in ("Bike", "THE", "a.c", "(", "zzz-nowhere"):
        expected = [row for row, text in enumerate(texts) if what.lower() in text.lower()]
        assert listed(view, search=what)["matches"] == expected
    pattern = r"\bbik(e|es)\b"
    expected = [row for row, text in enumerate(texts) if re.search(pattern, text, re.IGNORECASE)]
    answer = listed(view, search=pattern, regex=True, limit=2)
    assert answer["matches"] == expected
    assert len(answer["rows"]) == 2
    assert listed(view, search=pattern)["matches"] == []
    within = listed(view, cluster=1, search="the")
    assert set(rows_of(within)) == set(within["matches"]) & set(view.state.members(1).tolist())
    for wrong in ("(", "[", "*"):
        with pytest.raises(InputError, match="no regular expression") as caught:
            listed(view, search=wrong, regex=True)
        assert "\n" not in str(caught.value)


# One document


def test_pieces_make_up_the_text_and_pull_where_the_terms_do(view, collection):
    for row in range(0, 60, 7):
        found = content.document_content(view, row)
        assert "".join(text for text, _ in found["pieces"]) == collection.documents.texts[row]
        assert not found["cut"]
        pulls = {term["term"]: term["weight"] for term in (*found["here"], *found["there"])}
        assert any(weight for _, weight in found["pieces"]) == bool(pulls)
        assert all(weight["weight"] > 0 for weight in found["here"])
        assert all(weight["weight"] < 0 for weight in found["there"])
        assert found["neighbours"] == neighbours(collection, row)


def neighbours(collection, row):
    near = np.asarray((collection.X @ collection.X[[row]].T).todense()).ravel()
    near[row] = 0
    return [other for other in sorted(range(60), key=lambda o: (-near[o], o))[:5] if near[other]]


def test_a_discarded_document_is_shown_without_reasons(view, collection):
    found = content.document_content(view, 59)
    assert found["pieces"] == [[collection.documents.texts[59], 0.0]]
    assert (found["why"], found["here"], found["cluster"]) == ("discarded", [], 0)


def test_reasons(view):
    found = content.document_content(view, 3)
    margin = re.fullmatch(
        r"([\d.]+) (nearer to|further from) '.*' than (to|from) '.*'", found["why"]
    )
    assert margin
    assert found["moves"] is None or found["moves"].startswith(("It would move", "No few terms"))
    for row in (-1, 60):
        with pytest.raises(InputError, match="no document"):
            content.document_content(view, row)


def test_the_only_cluster(collection, first):
    state = said(collection, first, do("merge", clusters=[1, 2, 3], into=1))
    found = content.document_content(View(collection, state), 0)
    assert found["why"] == "the only cluster"
    assert found["second"] == 0
    assert found["moves"] is None


def test_links_of_a_document(view, state):
    row = state.links[0].left
    found = content.document_content(view, row)["links"]
    assert len(found) == sum(row in (e.left, e.right) for e in state.links)


WORDS = st.sampled_from(["orbit", "Bike", "the", "wheel's", "naïve", "x" * 50, "日本", "1993"])
TEXTS = st.lists(WORDS | st.text(max_size=5), max_size=30).map(" ".join) | st.text(max_size=80)


@given(TEXTS)
def test_pieces_of_any_text(view, text):
    pulls = dict.fromkeys(view.collection.corpus.vectorizer.readable_terms(), 0.5)
    pieces = content._pieces(text, pulls, view.clustering)
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)
    assert all(weight in (0.0, 0.5) for _, weight in pieces)


def test_long_texts_are_cut_and_dates_are_days():
    texts = ["red apple tree " * 20_000, "red apple", "blue sky moon", "sky moon blue star"]
    dates = [datetime(1993, 4, 20, 23, 59, tzinfo=UTC), None, None, None]
    documents = Documents([*"abcd"], texts, dates=dates)
    small = Collection.read(documents, default_vectorizer(frozenset()))
    view = View(small, first_state(small, opening(small, 2, 0)))
    found = content.document_content(view, 0)
    assert found["cut"]
    assert "".join(text for text, _ in found["pieces"]) == texts[0][:200_000]
    assert found["date"] == "1993-04-20"
    assert len(found["excerpt"]) == 400
    assert content.document_content(view, 1)["date"] is None


# Twins


def test_near_duplicates_by_a_slow_reference(documents):
    texts = list(documents.texts)
    texts[10] = texts[3]  # the same
    texts[50] = texts[3] + " one more word"
    texts[41] = texts[40]
    changed = Documents(documents.ids, texts)
    small = Collection.read(changed, default_vectorizer(frozenset()))
    X = np.asarray(small.X.todense())
    lengths = np.linalg.norm(X, axis=1)
    cosines = X @ X.T / np.maximum(np.outer(lengths, lengths), 1e-12)
    for row in range(60):
        expected = [o for o in range(60) if o != row and cosines[row, o] >= 0.9]
        assert small.twins(row) == expected
    assert set(small.with_twins) >= {3, 10, 50, 40, 41}
    at = small.with_twins.index(3)
    assert small.with_twins[at : at + 3] == [3, 10, 50]
    assert len(set(small.with_twins)) == len(small.with_twins)


# Conflicts, outcome, when to stop


def test_a_repair_mends_all_conflicts(collection, view, state):
    found = content.state_content(view, History(state), 1)["conflicts"]
    assert len(found) == 1
    for row in state.links[0].left, state.links[1].right:
        assert collection.documents.ids[row] in found[0]["chain"]
    assert found[0]["repair"].startswith("drop the link of ")
    mended = View(collection, said(collection, state, *found[0]["actions"]))
    assert content.state_content(mended, History(mended.state), 1)["conflicts"] == []


def test_what_became_of_what_was_said(collection, first, view):
    assert content.outcome_sentences(View(collection, first)) == []
    sentences = content.outcome_sentences(view)
    assert sentences[0] == "2 of 2 seeds in their cluster"
    assert sentences[1] == "2 of 3 links kept"
    assert re.fullmatch(r"\d+ of 59 documents elsewhere than without them", sentences[2])


def test_when_to_stop(collection, first):
    def stopping(state):
        return content.state_content(View(collection, state), History(state), 1)["stopping"]

    def answers(count, answer):
        return [
            do(
                "answer",
                question="pair",
                left=ids(collection, row)[0],
                right=ids(collection, 0)[0],
                answer=answer,
            )
            for row in range(1, count + 1)
        ]

    assert stopping(first) is None
    assert stopping(said(collection, first, *answers(2, "unknown"))) is None
    surprised = stopping(said(collection, first, *answers(2, "different")))
    assert surprised == "2 of the last 2 answers were a surprise: further answers are worth it"
    settled = stopping(said(collection, first, *answers(12, "same")))
    assert settled == "0 of the last 10 answers were a surprise: further answers bring little"
