"""What an action may say: every field, and what is wrong with others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.errors import InputError
from textclust.workbench.actions import ACTIONS, parse

ROWS = {"a": 0, "b": 1, "c": 2}
SAID = {
    "move": {"documents": ["b", "a"], "cluster": 3},
    "merge": {"clusters": [1, 2], "into": 1},
    "split": {"cluster": 1, "documents": ["c"], "hold": True},
    "new": {"documents": ["c"]},
    "rename": {"cluster": 1, "name": "x"},
    "lock": {"cluster": 1},
    "unlock": {"cluster": 1},
    "seed": {"documents": ["a"]},
    "unseed": {"documents": ["a"]},
    "link": {"left": "a", "right": "b", "kind": "must-link"},
    "unlink": {"left": "a", "right": "b"},
    "discard": {"documents": ["a"]},
    "restore": {"documents": ["a"]},
    "answer": {"question": "pair", "left": "a", "right": "b", "answer": "same"},
    "accept": {"cluster": 1, "name": "x"},
    "refit": {},
    "undo": {},
    "redo": {},
}
ANSWERS = [
    SAID["answer"],
    {"question": "set", "documents": ["a", "b"], "strangers": [], "answer": "settled"},
    {"question": "cluster", "document": "a", "cluster": None},
    {"question": "cluster", "document": "a", "cluster": 2},
]
EVERY = [*SAID.items(), *(("answer", fields) for fields in ANSWERS[1:])]


def refused(line):
    with pytest.raises(InputError) as caught:
        parse(line, ROWS)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


def test_every_action_is_tried_here():
    assert SAID.keys() == ACTIONS.keys()


@pytest.mark.parametrize(("kind", "fields"), EVERY)
def test_an_action_has_its_fields_and_documents_are_rows(kind, fields):
    action = parse({"n": 4, "at": "2026-01-01T00:00:00+00:00", "action": kind, **fields}, ROWS)
    assert action.kind == kind
    assert action.fields.keys() == fields.keys()
    for name, value in fields.items():
        if name in ("documents", "strangers", "without"):
            assert action[name] == tuple(ROWS[each] for each in value)
        elif name in ("left", "right", "document"):
            assert action[name] == ROWS[value]
        else:
            assert action[name] == (tuple(value) if isinstance(value, list) else value)


@pytest.mark.parametrize(("kind", "fields"), EVERY)
def test_a_field_that_is_missing_or_too_much_is_refused(kind, fields):
    assert "'more'" in refused({"action": kind, **fields, "more": 1})
    for name in fields:
        rest = {key: value for key, value in fields.items() if key != name}
        assert f"{name!r} is missing" in refused({"action": kind, **rest})


@pytest.mark.parametrize(("kind", "fields"), EVERY)
@pytest.mark.parametrize("wrong", [None, True, 1.0, -0.5, {}, "zz", [], [None], [["a"]], [True, 2]])
def test_a_field_of_the_wrong_kind_is_refused(kind, fields, wrong):
    allowed = {
        ("strangers", "[]"),
        ("hold", "True"),
        ("name", "'zz'"),
        ("cluster", "None" if fields.get("question") == "cluster" else ""),
    }
    for name in fields:
        if (name, repr(wrong)) not in allowed:
            refused({"action": kind, **fields, name: wrong})


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        ("move", {"documents": ["a", "z"]}, "no document has the id 'z'"),
        ("move", {"documents": "ab"}, "documents are a list of ids"),
        ("move", {"documents": []}, "name one at least"),
        ("move", {"documents": [0]}, "named by its id"),
        ("move", {"documents": ["z" * 9999]}, "no document has the id 'zzz"),
        ("move", {"documents": ["a\nb"]}, r"no document has the id 'a\nb'"),
        ("move", {"cluster": True}, "named by its number; got True"),
        ("move", {"cluster": "1"}, "named by its number; got '1'"),
        ("merge", {"clusters": [1]}, "two numbers or more"),
        ("merge", {"clusters": [1, True]}, "named by its number"),
        ("merge", {"without": "a"}, "documents are a list of ids"),
        ("merge", {"without": ["z"]}, "no document has the id 'z'"),
        ("split", {"hold": 1}, "hold is true or false; got 1"),
        ("split", {"name": None}, "a name is one line"),
        ("new", {"name": 7}, "a name is one line"),
        ("rename", {"name": "x" * 201}, "at most 200 characters"),
        ("rename", {"name": "a\nb"}, "a name is one line"),
        ("rename", {"name": "a\x00b"}, "a name is one line"),
        ("rename", {"name": "\u2028"}, "a name is one line"),
        ("rename", {"name": "\ud800"}, "a name is one line"),
        ("rename", {"name": "\u202etxt"}, "a name is one line"),
        ("link", {"kind": "may-link"}, "'may-link' is not one of must-link or cannot-link"),
        ("link", {"kind": ["must-link"]}, "is not one of"),
        ("answer", {"question": "pairs"}, "'pairs' is not one of pair, set or cluster"),
        ("answer", {"question": {}}, "is not one of"),
        ("answer", {"answer": "yes"}, "is not one of same, different, unknown or skip"),
        ("answer", {"documents": ["a"]}, "answer has no field 'documents'"),
        ("refit", {"cluster": 1}, "refit has no field 'cluster'"),
    ],
)
def test_what_is_wrong_is_said(kind, fields, message):
    assert message in refused({"action": kind, **SAID[kind], **fields})


@pytest.mark.parametrize("kind", [None, 1, [], {}, "", "open", "Move", "x" * 9999])
def test_other_actions_are_refused(kind):
    assert "no action" in refused({"action": kind})
    assert "no action" in refused({})


def test_a_document_named_twice_counts_once_and_order_is_kept():
    fields = {"documents": ["c", "a", "c", "a"], "cluster": 1}
    assert parse({"action": "move", **fields}, ROWS)["documents"] == (2, 0)
    clusters = {"clusters": [2, 1, 2], "into": 1, "without": ["b", "b"]}
    action = parse({"action": "merge", **clusters}, ROWS)
    assert action["clusters"] == (2, 1)
    assert action["without"] == (1,)


def test_names_are_trimmed_and_may_be_empty():
    assert parse({"action": "rename", "cluster": 1, "name": "  a b "}, ROWS)["name"] == "a b"
    assert parse({"action": "rename", "cluster": 1, "name": ""}, ROWS)["name"] == ""
    assert parse({"action": "rename", "cluster": 1, "name": "x" * 200}, ROWS)["name"] == "x" * 200
    assert parse({"action": "new", "documents": ["a"]}, ROWS).get("name") is None


def test_a_value_that_is_nested_deeply_is_refused_in_one_line():
    deep: list[object] = []
    for _ in range(900):
        deep = [deep]
    for name in ("documents", "cluster"):
        refused({"action": "move", **SAID["move"], name: deep})


TEXT = st.text() | st.sampled_from(["a", "b", "must-link", "pair", "set", "cluster", "same"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
FIELDS = sorted({name for fields in (*SAID.values(), *ANSWERS) for name in fields} | {"without"})
LINES = st.builds(
    lambda kind, fields, known: {"action": kind, **(SAID.get(kind, {}) if known else {}), **fields},
    st.sampled_from([*ACTIONS]) | JSON.filter(lambda value: not isinstance(value, dict | list)),
    st.dictionaries(st.sampled_from(FIELDS) | TEXT, JSON, max_size=4),
    st.booleans(),
)


@given(st.dictionaries(TEXT, JSON, max_size=4) | LINES)
def test_anything_is_an_action_or_an_input_error_of_one_line(line):
    try:
        kind, message = parse(line, ROWS).kind, ""
    except InputError as error:
        kind, message = "move", str(error)
    assert kind in ACTIONS
    assert "\n" not in message
