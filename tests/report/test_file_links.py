"""Links to source files: relative to the page, only where a file is, and to nothing that runs."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest

import textclust as tc
from tests.report.pages import dressed, made, page_of
from textclust.result.clustering import Card

WORDS = ["wheel", "saddle", "pump", "spoke", "chain", "gear", "brake", "lens", "film", "comet"]


@pytest.fixture
def folder(tmp_path):
    """Some files, two of them with names that an address has to escape."""
    names = [*(f"a/{i}.txt" for i in range(6)), *(f"b/{i}" for i in range(4))]
    place = tmp_path / "the files"
    for i, name in enumerate([*names, "c#1/50 %?.txt", "page.html", "drawing.SVG"]):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(f"About {i}\n" + " ".join(WORDS[i % 5 : i % 5 + 6]) * 3)
    return place


def clustered(source):
    return tc.cluster(source, 2, vectorizer=tc.TextVectorizer(min_df=1))


def linked(page):
    """The ids that are linked."""
    without = page.data["files"]["without"]
    return [name for place, name in enumerate(page.data["ids"]) if place not in without]


def test_every_file_is_linked_but_those_that_a_browser_would_run(folder, tmp_path):
    page = page_of(clustered(folder), tmp_path / "out" / "deep")
    assert len(linked(page)) == 11
    assert "c#1/50 %?.txt" in linked(page)
    assert not {"page.html", "drawing.SVG"} & set(linked(page))
    assert page.data["files"]["folder"] == "./../../the%20files/"
    place = tmp_path / "out" / "deep" / unquote(page.data["files"]["folder"])
    assert all((place / name).is_file() for name in linked(page))


def test_a_file_that_is_gone_or_was_added_later_is_not_linked(folder, tmp_path):
    found = clustered(folder)
    (folder / "a/1.txt").unlink()
    more = tmp_path / "more"
    (more / "a").mkdir(parents=True)
    (more / "a/9.txt").write_text("wheel saddle pump spoke")
    (folder / "a/9.txt").write_text("another file of that name")
    page = page_of(found.extended(more), tmp_path)
    assert "a/9.txt" in page.data["ids"]
    assert not {"a/1.txt", "a/9.txt"} & set(linked(page))
    assert "a/2.txt" in linked(page)


def test_nothing_is_linked_where_there_is_no_folder(folder, tmp_path, sample):
    found = clustered(folder)
    assert "files" not in page_of(found, tmp_path, texts=False).data
    os.rename(folder, tmp_path / "elsewhere")
    assert "files" not in page_of(found, tmp_path).data
    table = tmp_path / "t.csv"
    table.write_text("id,text\n" + "".join(f"a/{i}.txt,{w} {w}s\n" for i, w in enumerate(WORDS)))
    assert "files" not in page_of(clustered(table), tmp_path).data


def test_no_id_leads_out_of_the_folder(folder, tmp_path):
    (tmp_path / "secret.txt").write_text("a secret")
    names = ["../secret.txt", "a/../../secret.txt", str(tmp_path / "secret.txt"), "..\\secret.txt"]
    names += ["javascript:alert(1)", "//evil.example/x", "a", "", ".", "..", "a/", "b//0", "b/0\0"]
    found = dressed(made(30, 2), [Card(name, "t", "", None) for name in [*names, "b/0"]])
    settings = {**found.settings, "collection": {"source": str(folder)}}
    page = page_of(replace(found, settings=settings), tmp_path)
    assert set(linked(page)) <= {"b/0", "b//0"}
    assert "b/0" in linked(page)


def test_a_page_in_a_stage_has_the_links_of_its_last_place(folder, tmp_path):
    from textclust.writing import staged_folder

    found, out = clustered(folder), tmp_path / "out"
    with staged_folder(out, ["report.html"]) as stage:
        page = page_of(found, Path(stage))
    assert page.data["files"]["folder"] == "./../the%20files/"
    assert (out / "report.html").is_file()
