"""Series, DataFrames and lists become documents; what they were called is kept."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from textclust.errors import InputError
from textclust.text.frames import id_of, is_missing

FRAME = pd.DataFrame(
    {
        "body": ["red lens", "dark star", "long ride"],
        "key": ["a", "b", "c"],
        "group": [1, np.nan, 2],
        "sent": ["2024-05-31", None, "2024-06-02T10:00:00+02:00"],
    },
    index=[7, 3, 9],
)


def test_the_index_names_the_documents_and_is_kept():
    found = tc.Documents.from_texts(FRAME["body"])
    assert found.ids == ["7", "3", "9"]
    assert found.keys.ids == [7, 3, 9]
    assert found.keys.index.equals(FRAME.index)


def test_columns_are_named():
    found = tc.Documents.from_frame(FRAME, "body", id="key", label="group", date="sent")
    assert found.ids == ["a", "b", "c"]
    assert found.labels == ["1", None, "2"]
    assert found.dates[0] == dt.datetime(2024, 5, 31, tzinfo=dt.UTC)
    assert found.dates[1] is None
    assert found.dates[2].hour == 10


def test_a_frame_of_documents_is_what_it_was_made_of():
    made = tc.Documents.from_frame(FRAME, "body", label="group", date="sent").to_frame()
    assert made.index.equals(FRAME.index)
    assert made["text"].tolist() == FRAME["body"].tolist()
    again = tc.Documents.from_frame(made, label="label", date="date")
    assert again == tc.Documents.from_frame(FRAME, "body", label="group", date="sent")
    assert tc.Documents.from_texts(["x"], ids=["a"]).to_frame().index.tolist() == ["a"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (dt.datetime(2024, 5, 31, 1), dt.datetime(2024, 5, 31, 1, tzinfo=dt.UTC)),
        (dt.date(2024, 5, 31), dt.datetime(2024, 5, 31, tzinfo=dt.UTC)),
        (pd.Timestamp("2024-05-31 00:00:00.000000007"), dt.datetime(2024, 5, 31, tzinfo=dt.UTC)),
        (np.datetime64("2024-05-31"), dt.datetime(2024, 5, 31, tzinfo=dt.UTC)),
        ("2024-05", dt.datetime(2024, 5, 1, tzinfo=dt.UTC)),
        (2024, dt.datetime(2024, 1, 1, tzinfo=dt.UTC)),
        (pd.NaT, None),
        (pd.NA, None),
        (float("nan"), None),
        ("", None),
    ],
)
def test_dates_of_every_kind(value, expected):
    found = tc.Documents.from_texts(["x", "y"], dates=[value, "2000"])
    assert found.dates[0] == expected
    assert type(found.dates[0]) in (dt.datetime, type(None))


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT])
def test_a_missing_text_is_an_empty_document_and_said(missing):
    with pytest.warns(UserWarning, match=r"1 of 2 texts are missing .* the first is that of '2'"):
        found = tc.Documents.from_texts(["x", missing])
    assert found.texts == ["x", ""]
    assert found.provenance == {"missing_texts": 1}


def test_other_libraries_need_no_index():
    class Column:
        def __init__(self, values):
            self.values = values

        def to_list(self):
            return self.values

    class Frame:
        columns = ("text", "when")

        def __getitem__(self, name):
            return Column({"text": ["a", "b"], "when": [dt.date(2024, 1, 1), None]}[name])

    found = tc.Documents.from_frame(Frame(), date="when")
    assert (found.ids, found.texts, found.keys) == (["1", "2"], ["a", "b"], None)
    table = pa.table({"text": ["a", "b"], "n": [4, 5]})
    assert tc.Documents.from_frame(table, id="n").keys.ids == [4, 5]


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: tc.Documents.from_frame(FRAME), "no column 'text'; text= names one of: body, key"),
        (lambda: tc.Documents.from_frame(FRAME, "body", date="day"), "'day'; date= names one of"),
        (
            lambda: tc.Documents.from_texts(FRAME["body"].rename({3: 7})),
            "'7' is twice in",
        ),
        (lambda: tc.Documents.from_texts(["x", "y"], ids=[1, 1.0]), "id '1' is given twice"),
        (lambda: tc.Documents.from_texts(["x"], ids=[None]), "an id .* is missing"),
        (lambda: tc.Documents.from_texts(["x", 5]), "the text of '2' is not text but int"),
        (lambda: tc.Documents.from_texts({"a": "x"}), "texts is a dict; give its values"),
        (lambda: tc.Documents.from_texts(["x"], dates=["soon"]), "date of '1' is 'soon'; write"),
        (lambda: tc.Documents.from_texts(["x"], labels=["a", "b"]), "2 labels but 1 texts"),
        (lambda: tc.cluster(FRAME, 2), "say with text= which column .*: body, key, group, sent"),
        (lambda: tc.cluster(["x", "y"], 2, text="body"), "text= names a column"),
    ],
)
def test_what_cannot_be_documents_is_named(act, message):
    with pytest.raises(InputError, match=message):
        act()


def test_two_columns_of_one_name():
    twice = pd.DataFrame([["a", "b"]], columns=["text", "text"])
    with pytest.raises(InputError, match="two columns 'text'"):
        tc.Documents.from_frame(twice)


def test_ids_as_text():
    assert [id_of(value) for value in (3, 3.0, 3.5, "3", True)] == ["3", "3", "3.5", "3", "true"]
    assert id_of(2**60 + 1) == str(2**60 + 1)
    assert id_of(("a", 2)) == "a/2"
    assert not is_missing(np.zeros(2))


@given(st.lists(st.integers(), unique=True, min_size=1))
def test_a_selection_keeps_what_they_were_called(numbers):
    texts = pd.Series(["x"] * len(numbers), index=pd.Index(numbers, dtype=object))
    found = tc.Documents.from_texts(texts).select(range(len(numbers) - 1, -1, -1))
    assert found.keys.ids == numbers[::-1]
    assert found.keys.index.tolist() == numbers[::-1]
    assert found.ids == list(map(str, numbers[::-1]))


def test_columns_of_a_table_are_named_as_those_of_a_frame(tmp_path):
    texts = ["red lens", "dark star"] * 4
    pd.DataFrame({"body": texts, "n": range(8)}).to_csv(tmp_path / "t.csv", index=False)
    vectorizer = tc.TextVectorizer(min_df=1)
    found = tc.cluster(tmp_path / "t.csv", 2, text="body", id="n", vectorizer=vectorizer)
    assert found.ids == [str(i) for i in range(8)]


def test_a_whole_frame_is_no_texts():
    vectorizer = tc.TextVectorizer(min_df=1).fit(FRAME["body"])
    for act in (vectorizer.transform, vectorizer.fit, vectorizer.fit_transform):
        with pytest.raises(InputError, match="not a DataFrame; give the column that has them"):
            act(FRAME)


def test_a_prediction_keeps_the_index_of_its_series(sample):
    r = tc.cluster(sample, 3)
    texts = pd.Series(["a bicycle wheel with spokes", "stars in a telescope"], index=["p", "q"])
    found = r.predict(texts)
    assert list(found.index) == ["p", "q"]
    assert [line.split()[0] for line in repr(found).splitlines()[2:]] == ["p", "q"]
    assert '<td style="text-align: left">q</td>' in found._repr_html_()
    assert r.predict(list(texts)).index is None


def test_what_is_of_the_vectorizer_is_pointed_to(sample):
    with pytest.raises(InputError, match=r"vectorizer=tc\.TextVectorizer\(stop_words=\.\.\.\)"):
        tc.cluster(sample, 3, stop_words="english")
