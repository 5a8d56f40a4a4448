"""Whatever a prompt or a notebook shows is short, says what it is, and is harmless."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from textclust.display import Sheet
from textclust.result.clustering import Card

HOSTILE = "<script>alert('x')</script>\x1b[2J\u202e http://example.org/ & more\n" * 50


@pytest.fixture(scope="module")
def things(sample):
    documents = tc.read_documents(sample)
    seeds = dict(zip(documents.ids[::9], documents.labels[::9], strict=True))
    r = tc.cluster(documents, 3, seeds=seeds)
    selection = tc.select_k(r.texts, range(2, 4))
    some = documents.select(range(0, 225, 6))
    curve = tc.learning_curve(some, supervision="seeds", amounts=[0.2], methods=["seeded"], runs=1)
    model = tc.SphericalKMeans(3).fit(r.texts)
    return {
        "Clustering": r,
        "Documents": documents,
        "Constraints": tc.Constraints.from_labels([0, 0, 1] * 400),
        "Background": tc.Background(r.texts, documents.labels),
        "Explanation": r.explain(0),
        "Placement": r.placement,
        "SupervisionOutcome": r.outcome,
        "Space": r.space,
        "Catalogue": documents.reading().catalogue(),
        "Selection": selection,
        "LearningCurve": curve,
        "SphericalKMeans": model,
        "TextVectorizer": tc.TextVectorizer(),
        "Cleaning": tc.Cleaning(),
        "NaiveBayesLabeller": tc.NaiveBayesLabeller(),
        "ExploreConsolidate": tc.ExploreConsolidate(3, 10),
    }


@pytest.mark.parametrize(
    "name",
    [
        "Background",
        "Catalogue",
        "Cleaning",
        "Clustering",
        "Constraints",
        "Documents",
        "ExploreConsolidate",
        "Explanation",
        "LearningCurve",
        "NaiveBayesLabeller",
        "Placement",
        "Selection",
        "Space",
        "SphericalKMeans",
        "SupervisionOutcome",
        "TextVectorizer",
    ],
)
def test_a_few_lines(things, name):
    shown = repr(things[name])
    assert len(shown) < 2_000
    assert shown.count("\n") <= 15
    assert shown.startswith(name) or name == "Explanation"


def test_a_clustering_shows_its_clusters(things):
    r = things["Clustering"]
    title, head, *rows = repr(r).splitlines()
    assert title.startswith("Clustering: 225 documents in 3 clusters, by ")
    assert head.split() == ["cluster", "name", "size", "terms"]
    assert [row.split()[0] for row in rows] == ["0", "1", "2"]
    assert all(f" {size} " in row for size, row in zip(r.sizes, rows, strict=True))


class Tables(HTMLParser):
    def __init__(self, source):
        super().__init__()
        self.tags, self.cells = [], []
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert all(name == "style" for name, _ in attrs)

    def handle_data(self, data):
        self.cells.append(data)


def test_tables_for_notebooks(things):
    shown = [thing for thing in things.values() if hasattr(thing, "_repr_html_")]
    for thing in shown:
        if isinstance(thing, tc.SphericalKMeans | tc.TextVectorizer):
            continue  # scikit-learn's
        found = Tables(thing._repr_html_())
        assert set(found.tags) == {"p", "table", "thead", "tbody", "tr", "th", "td"}
    assert Tables(things["Clustering"]._repr_html_()).tags.count("tr") == 1 + 3


def test_documents_are_untrusted(things):
    hostile = [Card(HOSTILE, HOSTILE, HOSTILE, HOSTILE)] * 225
    documents = tc.Documents([HOSTILE], [HOSTILE], [HOSTILE])
    why = replace(things["Explanation"], document=HOSTILE, name=HOSTILE)
    r = replace(things["Clustering"], cards=hostile)
    for thing in (documents, why, r, tc.Background([[1.0]], [HOSTILE])):
        assert all(letter.isprintable() or letter == "\n" for letter in repr(thing))
        assert len(repr(thing)) < 2_000
        found = thing._repr_html_()
        assert "script" not in Tables(found).tags
        assert "://" not in found


@given(st.lists(st.tuples(st.text(), st.one_of(st.none(), st.integers(), st.floats()))))
def test_any_table(rows):
    sheet = Sheet("A title", ("text", "number"), rows, note="A note")
    assert len(sheet.text().splitlines()) <= 14
    assert set(Tables(sheet.html()).tags) <= {"p", "table", "thead", "tbody", "tr", "th", "td"}
    assert (f"... and {len(rows) - 10} more" in sheet.text().splitlines()) == (len(rows) > 10)


def test_numbers_stand_on_the_right():
    sheet = Sheet("T", ("name", "n"), [("a", 5), ("b", 1200)], total=7)
    assert sheet.text() == "T\nname      n\na         5\nb     1,200\n... and 5 more"
