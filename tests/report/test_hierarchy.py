"""The outline of groups of clusters, and what fits nowhere, on the page."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.report.pages import made, page_of, small
from textclust.result.clustering import Card

HOSTILE = '<script>alert(1)</script> & "quotes" \''


@pytest.fixture(scope="module")
def clustering():
    found = small(6, n=120)
    return replace(found, settings={**found.settings, "levels": 2})


def with_outliers(clustering, rows):
    mask = np.zeros(len(clustering.cards), dtype=bool)
    mask[rows] = True
    return replace(clustering, outliers=mask)


def test_every_cluster_is_in_the_outline_once(clustering, tmp_path):
    page = page_of(clustering, tmp_path)
    tree = page.source.partition('class="tree"')[2].partition("</section>")[0]
    for h in range(6):
        assert tree.count(f'href="#cluster-{h}"') == 1
    assert "What belongs together" in page.source
    groups = len(clustering.tree().levels[0])
    assert f"From the outside in: {groups}, then 6 groups" in page.source


def test_without_levels_there_is_no_outline(tmp_path):
    page = page_of(small(3), tmp_path)
    assert 'id="hierarchy"' not in page.source
    assert 'href="#hierarchy"' not in page.source
    assert 'id="nowhere"' not in page.source


def test_many_groups_are_closed_at_first(tmp_path):
    many = made(400, 80)
    page = page_of(replace(many, settings={**many.settings, "levels": 2}), tmp_path)
    tree = page.source.partition('class="tree"')[2].partition("</section>")[0]
    assert "<details>" in tree
    assert "<details open" not in tree


def test_hostile_names_are_letters(tmp_path):
    found = made(60, 6)
    words = {f"term{i}": f"{HOSTILE}{i}" for i in range(400)}
    found.vectorizer.restore(
        {
            "terms": list(words.values()),
            "surface_forms": {},
            "min_df": 1,
            "n_pruned": {},
        },
        np.ones(400),
    )
    found = replace(found, settings={**found.settings, "levels": 2})
    page = page_of(with_outliers(found, [3]), tmp_path)
    assert "<script>alert" not in page.source


def test_what_fits_nowhere_is_listed_and_not_drawn(clustering, tmp_path):
    apart = with_outliers(clustering, [4, 50])
    page = page_of(apart, tmp_path)
    section = page.source.partition('id="nowhere"')[2].partition("</section>")[0]
    assert "2 documents: too far from every cluster" in section
    assert clustering.ids[4] in section
    assert len(page.all("circle")) == 118
    assert "2 documents that fit nowhere are not on it." in page.source
    assert page.data["clusters"][4] == -1
    assert len(page.data["names"]) == 6
    rows = page.source.partition('id="rows"')[2].partition("</tbody>")[0]
    assert rows.count('href="#nowhere"') == 2


def test_none_is_said_to_be_none(clustering, tmp_path):
    page = page_of(with_outliers(clustering, []), tmp_path)
    assert "No document: each is near enough" in page.source
    legend = page.source.partition('class="legend"')[2].partition("</ul>")[0]
    assert "#cluster-5" in legend
    assert "#nowhere" not in legend


def test_one_is_spoken_of_as_one(clustering, tmp_path):
    page = page_of(with_outliers(clustering, [4]), tmp_path)
    assert "1 document that fits nowhere is not on it." in page.source
    assert "It takes no part in names" in page.source


def test_without_texts_outliers_have_no_words(tmp_path):
    cards = [Card(f"id{i}", "a secret title", "a secret text", "class") for i in range(40)]
    found = with_outliers(made(40, 4, cards=cards), [0, 1])
    page = page_of(found, tmp_path, texts=False)
    assert "secret" not in page.source
    assert "id0" in page.source


def test_classes_are_crossed_with_clusters_alone(tmp_path):
    cards = [Card(f"id{i}", f"t{i}", "", "odd" if i < 3 else "usual") for i in range(40)]
    found = with_outliers(made(40, 4, cards=cards), [0, 1, 2])
    page = page_of(found, tmp_path)
    crossing = page.source.partition('id="classes"')[2].partition("</section>")[0]
    assert ">usual<" in crossing
    assert ">odd<" not in crossing
    assert json.dumps(-1) in json.dumps(page.data["clusters"][:3])
