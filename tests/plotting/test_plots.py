"""Pictures are drawn on the axes given or on new ones; their letters can be read."""

from __future__ import annotations

import datetime as dt
import sys
from dataclasses import replace
from itertools import combinations

import matplotlib
import numpy as np
import pytest

import textclust as tc
from tests.report.pages import made, small
from tests.result.test_over_time import dated
from textclust.errors import InputError
from textclust.plotting.map import plot_map
from textclust.report.palette import LIGHT

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

PICTURES = ("plot", "plot_sizes", "plot_terms", "plot_over_time")


@pytest.fixture(scope="module")
def clustering(sample):
    return tc.cluster(sample, 3)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("name", PICTURES)
def test_axes_are_returned_new_or_given(clustering, name):
    draw = getattr(clustering, name)
    assert draw() is plt.gca()
    _, (left, right) = plt.subplots(1, 2)
    assert draw(ax=right) is right
    assert not left.has_data()


@pytest.mark.parametrize("name", PICTURES)
def test_letters_are_on_the_picture_and_not_over_one_another(clustering, name):
    ax = getattr(clustering, name)()
    figure = ax.figure
    figure.canvas.draw()
    texts = [
        text
        for each in (ax, *ax.child_axes)
        for text in [*each.texts, *each.get_xticklabels(), *each.get_yticklabels()]
        if text.get_text() and (each.axison or text in each.texts)
    ]
    assert len(texts) >= 3
    boxes = [text.get_window_extent() for text in texts]
    whole = figure.bbox.padded(1)
    assert all(whole.containsx(box.x0) and whole.containsx(box.x1) for box in boxes)
    assert all(whole.containsy(box.y0) and whole.containsy(box.y1) for box in boxes)
    shrunk = [box.padded(-1) for box in boxes]
    assert not [
        (texts[i].get_text(), texts[j].get_text())
        for i, j in combinations(range(len(boxes)), 2)
        if shrunk[i].overlaps(shrunk[j])
    ]


def test_the_map_has_every_document_with_terms_in_the_colours_of_the_report():
    clustering = made(50, 4, empty=3)
    dots = plot_map(clustering).collections
    assert sum(len(each.get_offsets()) for each in dots) == 47
    assert [to_hex(each.get_facecolor()[0]) for each in dots] == list(LIGHT[:4])


def test_what_fits_nowhere_is_on_no_picture():
    found = small(6, n=120)
    apart = replace(found, outliers=np.arange(120) == 4)
    assert sum(len(dots.get_offsets()) for dots in plot_map(apart).collections) == 119
    for name in ("plot_sizes", "plot_terms"):
        getattr(apart, name)()


def test_bars_are_the_sizes(clustering):
    ax = clustering.plot_sizes()
    assert [bar.get_width() for bar in ax.patches] == clustering.sizes
    assert [text.get_text() for text in ax.texts] == [str(size) for size in clustering.sizes]


def test_bars_over_time_are_those_of_the_frame(clustering):
    panels = clustering.plot_over_time("month").child_axes
    sizes = clustering.over_time("month").pivot(index="cluster", columns="period", values="size")
    for panel, expected in zip(panels, sizes.to_numpy(), strict=True):
        assert [bar.get_height() for bar in panel.patches] == expected.tolist()
        assert panel.get_ylim() == panels[0].get_ylim()
    shares = clustering.plot_over_time("month", share=True).child_axes
    assert sum(panel.patches[3].get_height() for panel in shares) == pytest.approx(1.0)


def test_a_document_far_from_all_others_is_left_out_over_time():
    dates = [dt.datetime(2024, 1 + i % 3, 1, tzinfo=dt.UTC) for i in range(200)]
    late = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    ax = dated(made(201, 2), [*dates, late]).plot_over_time("month")
    assert [len(panel.patches) for panel in ax.child_axes] == [3, 3]
    assert ax.get_title() == "1 document of other dates left out"


def test_many_clusters_are_not_all_drawn():
    ax = made(200, 20).plot_terms()
    assert len(ax.child_axes) == 12
    assert ax.get_title() == "The 12 largest of 20 clusters"
    assert len(made(200, 20).plot_sizes().patches) == 20


@pytest.mark.parametrize("k", [1, 2, 7])
def test_any_number_of_clusters(k):
    clustering = small(k)
    for name in ("plot", "plot_sizes", "plot_terms"):
        getattr(clustering, name)().figure.canvas.draw()


def test_names_are_letters_and_not_formulas(clustering):
    seeds = {clustering.ids[0]: r"$\frac{$ _x", clustering.ids[200]: "$2^{"}
    hostile = tc.cluster(tc.corpora.path("newsgroups"), 3, seeds=seeds)
    assert any("$" in name for name in hostile.names)
    for name in PICTURES:
        getattr(hostile, name)().figure.canvas.draw()


def test_what_is_missing_is_said(clustering, monkeypatch):
    undated = replace(clustering, cards=[card._replace(date=None) for card in clustering.cards])
    with pytest.raises(InputError, match="no document has a date"):
        undated.plot_over_time()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(InputError, match=r"a picture needs matplotlib; .*textclust\[plot\]"):
        clustering.plot()
