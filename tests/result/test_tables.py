"""A clustering of a DataFrame: it answers by the index, and as DataFrames that join."""

from __future__ import annotations

import datetime as dt
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import textclust as tc
from textclust.errors import InputError


@pytest.fixture(scope="module")
def frame(sample):
    """The sample with numbers from 1,000 that are in no order."""
    found = tc.read_documents(sample).to_frame()
    order = np.random.default_rng(0).permutation(len(found))
    return found.reset_index(names="path").set_index(1000 + order)


@pytest.fixture(scope="module")
def clustering(frame):
    return tc.cluster(frame, 3, text="text", label="label", date="date")


def test_ids_are_the_index(frame, clustering):
    assert clustering.ids == frame.index.tolist()
    typical = clustering.representatives(0, 4)
    assert frame.loc[typical, "text"].tolist() == [
        frame["text"].iloc[row] for row in clustering.nearest_rows(0, 4)
    ]
    assert set(clustering.borderline(1)) <= set(frame.index)


def test_ids_and_row_numbers_are_told_apart(frame, clustering):
    key = clustering.ids[17]
    why = clustering.explain(key)
    assert why == clustering.explain(str(key)) == clustering.explain(row=17)
    assert (why.document, why.row) == (str(key), 17)
    assert f"{key} (row 17) is in" in str(why)
    with pytest.raises(InputError, match="no document 17 in this clustering; row= takes row"):
        clustering.explain(17)
    with pytest.raises(InputError, match="rows are 0 to 224"):
        clustering.explain(row=225)
    for wrong in ({}, {"document": key, "row": 17}):
        with pytest.raises(InputError, match="give the id of a document, or its row number"):
            clustering.explain(**wrong)


def test_a_number_is_a_row_where_ids_are_texts(frame):
    found = tc.cluster(frame.set_index("path")["text"], 3)
    assert found.explain(17).document == found.ids[17]
    assert found.explain(17) == found.explain(found.ids[17])
    with pytest.raises(InputError, match="rows are 0 to 224"):
        found.explain(1000)
    numbered = tc.cluster(list(frame["text"]), 3)
    assert str(numbered.explain(0)).startswith("1 (row 0) is in")


def test_documents_join_back(frame, clustering):
    found = clustering.to_frame()
    assert list(found.columns) == ["cluster", "name", "score", "label", "date", "title"]
    assert found.index.equals(frame.index)
    joined = frame.drop(columns=["label", "date"]).join(found)
    assert (joined["label"] == frame["label"]).all()
    assert joined["cluster"].tolist() == clustering.labels.tolist()
    assert (found["date"] == frame["date"]).all()


def test_an_index_of_levels_and_a_column_of_ids(frame):
    levels = pd.MultiIndex.from_arrays([frame["label"], range(len(frame))], names=["group", "n"])
    found = tc.cluster(frame.set_axis(levels), 3, text="text")
    assert found.to_frame().index.equals(levels)
    assert found.explain(("sci.astro", 200)).row == 200
    assert found.explain("sci.astro/200").row == 200
    named = tc.cluster(frame, 3, text="text", id="path").to_frame()
    assert named.index.equals(frame.index)
    assert named["id"].tolist() == frame["path"].tolist()


def test_clusters_have_a_row_each(frame, clustering):
    found = clustering.info(terms=2)
    assert found["cluster"].tolist() == [0, 1, 2]
    assert found["name"].tolist() == clustering.names
    assert found["size"].tolist() == clustering.sizes
    assert found["share"].sum() == pytest.approx(1.0)
    assert found["terms"][0] == ", ".join(clustering.terms(0, 2))
    assert found["score"][1] == pytest.approx(clustering.scores[clustering.labels == 1].mean())
    assert found["typical"].tolist() == [clustering.representatives(h, 1)[0] for h in range(3)]


def test_terms_have_a_row_each(clustering):
    found = clustering.terms_frame(4)
    assert len(found) == 3 * 2 * 4
    first = found[(found["cluster"] == 1) & (found["kind"] == "discriminating")]
    assert first["term"].tolist() == clustering.terms(1, 4, "discriminating")


def test_a_model_keeps_numbers_and_dates(clustering, tmp_path):
    again = tc.load(clustering.save(tmp_path / "model"))
    assert again.ids == clustering.ids
    assert again.dates == clustering.dates
    assert again.explain(clustering.ids[3]).row == 3
    assert again.to_frame().index.tolist() == clustering.ids
    without = replace(clustering, cards=[card._replace(date=None) for card in clustering.cards])
    older = tc.load(replace(without, keys=None).save(tmp_path / "older"))
    assert older.dates is None
    assert older.ids == list(map(str, clustering.ids))
    assert "date" not in older.to_frame()


def test_some_dates_may_be_missing(frame, tmp_path):
    dates = frame["date"].where(frame.index % 2 == 0)
    found = tc.cluster(frame.assign(date=dates), 3, text="text", date="date")
    again = tc.load(found.save(tmp_path / "model"))
    for each in (found, again):
        assert (each.dates[0] is None) == pd.isna(dates.iloc[0])
        assert each.to_frame()["date"].isna().tolist() == dates.isna().tolist()
    sent = dt.datetime(9999, 12, 31, 23, 59, tzinfo=dt.timezone(dt.timedelta(hours=-9)))
    last = replace(found, cards=[card._replace(date=sent) for card in found.cards])
    assert tc.load(last.save(tmp_path / "last")).dates[0].year == 9999


def test_a_series_of_labels_and_a_frame_of_pairs_go_by_the_index(frame):
    known = frame["label"].where(frame.index % 20 == 0)
    found = tc.cluster(frame["text"], 3, seeds=known)
    assert found.names == ["rec.bicycles", "rec.photo", "sci.astro"]
    assert found.outcome.seeds == known.notna().sum()
    ends = frame.index[[3, 200]]
    pairs = pd.DataFrame({"left": ends[:1], "right": ends[1:], "kind": ["cannot-link"]})
    found = tc.cluster(frame["text"], 3, constraints=pairs)
    assert [(link.left, link.right) for link in found.outcome.given_links] == [(3, 200)]
    with pytest.raises(InputError, match="row 0 of the DataFrame: no document has the id '5'"):
        tc.cluster(frame["text"], 3, constraints=pairs.assign(left=5))


def test_without_pandas_one_line_says_what_to_install(clustering, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match=r"a DataFrame needs pandas; .*textclust\[pandas\]"):
        clustering.info()


def test_groups_are_a_column(frame):
    groups = pd.Series(np.arange(len(frame)) // 3, index=frame.index).astype(float)
    groups.iloc[:30] = np.nan
    found = tc.cluster(frame.assign(who=groups), 3, text="text", group="who")
    given = found.to_frame()["group"]
    assert given.isna().tolist() == groups.isna().tolist()
    assert given.iloc[-1] == str(224 // 3)
    assert found.to_frame().groupby("group")["cluster"].nunique().max() == 1
