"""Clusterings to report on, and a reader of the pages."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import numpy as np
import scipy.sparse as sp

import textclust as tc
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import Cosine
from textclust.report import write_report
from textclust.result.clustering import Card, Clustering
from textclust.result.placement import Placement, Space

VOID = {"br", "input", "meta"}
WORDS = ("wheel", "saddle", "pump", "lens", "film", "flash", "comet", "moon", "orbit")


@dataclass
class Element:
    name: str
    attributes: dict[str, str | None]
    inside: tuple[str, ...]
    text: str = ""


@dataclass
class Page(HTMLParser):
    """Every element with its text; fails on tags that do not match."""

    source: str
    elements: list[Element] = field(default_factory=list)

    def __post_init__(self):
        super().__init__(convert_charrefs=True)
        self.open: list[Element] = []
        self.feed(self.source)
        self.close()
        assert not self.open, f"never closed: {[element.name for element in self.open]}"

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), names
        element = Element(tag, dict(attributes), tuple(outer.name for outer in self.open))
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> without a beginning"
        assert self.open.pop().name == tag

    def handle_data(self, text):
        for element in self.open:
            element.text += text

    def all(self, name, /, **attributes):
        attributes = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
        return [
            element
            for element in self.elements
            if element.name == name and attributes.items() <= element.attributes.items()
        ]

    def one(self, name, /, **attributes):
        (found,) = self.all(name, **attributes)
        return found

    def of_class(self, name):
        return [e for e in self.elements if name in (e.attributes.get("class") or "").split()]

    @property
    def data(self):
        return json.loads(self.one("script", id="data").text)


def page_of(clustering, folder, **options):
    path = write_report(clustering, folder / "report.html", **options)
    return Page(path.read_bytes().decode("utf-8"))


def small(k, n=60, seed=0):
    """n short texts about k things."""
    rng = np.random.default_rng(seed)
    topics = [[f"topic{h}word{i}" for i in range(6)] for h in range(k)]
    said = [[*rng.choice(topics[i % k], 8), *rng.choice(WORDS, 2)] for i in range(n)]
    texts = [f"About number {i}\n{' '.join(words)}" for i, words in enumerate(said)]
    return tc.cluster(texts, k, vectorizer=tc.TextVectorizer(min_df=1))


def dressed(clustering, cards):
    """The same clustering with other cards for its first documents."""
    return replace(clustering, cards=[*cards, *clustering.cards[len(cards) :]])


def made(n, k, d=400, seed=0, empty=0, cards=None):
    """A clustering of n random rows, put together by hand; the first few rows are empty."""
    rng = np.random.default_rng(seed)
    labels = np.sort(rng.integers(k, size=n))
    columns = (labels[:, None] * (d // k) + rng.integers(d // k, size=(n, 6))) % d
    columns[:, :2] = rng.integers(d, size=(n, 2))
    X = sp.csr_array((np.ones(6 * n), columns.ravel(), np.arange(0, 6 * n + 1, 6)), shape=(n, d))
    X.sum_duplicates()
    keep = sp.diags_array((np.arange(n) >= empty).astype(float))
    X = Cosine().prepare(sp.csr_array(keep @ X))
    X.eliminate_zeros()
    prototypes = Cosine().prototypes(*moments(X, labels, np.ones(n), k))
    terms = [f"term{i}" for i in range(d)]
    state = {"terms": terms, "surface_forms": {}, "min_df": 1, "n_pruned": {}}
    return Clustering(
        cards=cards or [Card(f"id{i}", f"A title {i}", "", None) for i in range(n)],
        placement=Placement(labels, rng.random(n), rng.random(n)),
        space=Space(Cosine(), prototypes),
        vectorizer=tc.TextVectorizer().restore(state, np.ones(d)),
        texts=X,
        objective=1.0,
        settings={"method": "kmeans"},
    )
