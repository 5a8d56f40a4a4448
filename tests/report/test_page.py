"""The page: what is on it, that it is whole, and that it lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import pairwise

import pytest

import textclust as tc
from tests.report.pages import Page, made, page_of, small
from textclust.errors import OutputError
from textclust.methods import METHODS
from textclust.methods.choice import solver_of
from textclust.report import write_report
from textclust.result.clustering import Card


@pytest.fixture(scope="module")
def clustering(sample):
    return tc.cluster(sample, 3)


@pytest.fixture(scope="module")
def page(clustering, tmp_path_factory):
    return page_of(clustering, tmp_path_factory.mktemp("page"))


def test_the_page_says_what_was_found(clustering, page):
    assert page.one("h1").text == "225 documents in 3 clusters"
    assert page.one("title").text == "newsgroups: 225 documents in 3 clusters"
    lede = page.of_class("lede")[0].text
    agreement = clustering.agreement()
    assert (
        f"Found by k-means with cosine distortion, from {clustering.texts.shape[1]:,} terms."
        in lede
    )
    assert f"NMI {agreement['nmi']:.2f}" in lede
    assert f"pairwise F1 {agreement['pairwise_f1']:.2f}" in lede


def test_every_cluster_has_a_card_with_terms_and_documents(clustering, page):
    cards = page.of_class("card")
    assert len(cards) == 3
    for h, card in enumerate(cards):
        assert clustering.names[h] in card.text
        assert f"{clustering.sizes[h]} documents" in card.text
        for kind in ("descriptive", "discriminating"):
            assert all(term in card.text for term in clustering.terms(h, 10, kind))
        for row in clustering.nearest_rows(h) + clustering.borderline_rows(h):
            assert clustering.cards[row].id in card.text
            assert clustering.cards[row].title in card.text
            assert f"score {clustering.scores[row]:.3f}" in card.text


def test_borderline_documents_name_the_runner_up_and_the_pulls(clustering, page):
    for h, card in enumerate(page.of_class("card")):
        why = clustering.explain(clustering.borderline_rows(h)[0])
        assert why.runner_up_name in card.text
        for side, pulls in (("here", why.here), ("there", why.there)):
            words = ", ".join(pull.term for pull in pulls[:4])
            assert not pulls or f"Pulled {side} by {words}" in card.text


def test_the_cross_table_counts_every_document(clustering, page):
    cells = [
        int(element.text.replace(",", ""))
        for element in page.elements
        if element.name == "td" and "tbody" in element.inside and element.text.isdigit()
    ]
    assert sum(cells) == 225
    assert all(label in page.of_class("crossing")[0].text for label in ("rec.photo", "sci.astro"))


def test_the_cross_table_keeps_the_largest_classes(tmp_path):
    clustering = small(2)
    cards = [Card(str(i), "", "", None if i == 0 else f"class{i % 30:02}") for i in range(60)]
    page = page_of(replace(clustering, cards=cards), tmp_path)
    head = [e.text for e in page.all("th", scope="col") if e.attributes.get("class") == "class"]
    assert len(head) == 27  # 25 classes, the rest, and the head of the table of documents
    assert "6 smaller classes" in head
    assert page.of_class("lede")[0].text.count("NMI") == 0  # one document has no class


def test_the_table_holds_all_documents_for_the_search(clustering, page):
    data = page.data
    assert data["ids"] == clustering.ids
    assert data["clusters"] == clustering.labels.tolist()
    assert data["names"] == clustering.names
    assert data["scores"] == [round(score, 3) for score in clustering.scores.tolist()]
    assert len(data["titles"]) == len(data["excerpts"]) == len(data["classes"]) == 225
    body = [e for e in page.all("tr") if "tbody" in e.inside and e.inside[-2] == "table"]
    assert len(body) == 3 + 200


def test_dots_and_rows_point_at_the_same_documents(clustering, page):
    dots = page.all("circle")
    assert sorted(int(dot.attributes["data-d"]) for dot in dots) == list(range(225))
    groups = [e for e in page.elements if e.name == "g" and re.match(r"c\d", e.attributes["class"])]
    assert [group.attributes["class"] for group in groups] == ["c0", "c1", "c2"]


def test_settings_and_versions_are_there_but_closed(clustering, page):
    making = page.one("details", id="making")
    assert "open" not in making.attributes
    assert clustering.settings["collection"]["sha256"] in making.text
    assert clustering.settings["versions"]["numpy"] in making.text
    assert "Documents without terms" in making.text


def test_only_this_very_style_and_script_may_run(page):
    policy = page.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    style, (data, script) = page.one("style"), page.all("script")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.pop("default-src") == rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    for name, element in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert rules.pop(name) == f"'sha256-{digest}'"
    assert not rules
    assert data.attributes["type"] == "application/json"


def test_nothing_is_loaded_and_nothing_is_styled_inline(page):
    assert "http:/" not in page.source
    assert "https:/" not in page.source
    assert "url(" not in page.source
    assert "innerHTML" not in page.source
    for element in page.elements:
        assert element.name not in {"link", "iframe", "object", "embed", "base", "img"}
        assert not {"src", "style", "srcdoc", "action"} & set(element.attributes)
        assert not any(name.startswith("on") for name in element.attributes)
        assert (element.attributes.get("href") or "#").startswith("#")


def test_links_lead_somewhere_and_ids_are_unique(page):
    ids = [e.attributes["id"] for e in page.elements if e.attributes.get("id")]
    assert len(ids) == len(set(ids))
    targets = {e.attributes["href"][1:] for e in page.all("a")}
    labels = {e.attributes["for"] for e in page.all("label")}
    assert targets | labels <= set(ids)


def test_the_page_can_be_read_by_everyone(page):
    assert page.one("html").attributes["lang"] == "en"
    assert page.one("meta", name="viewport")
    assert len(page.all("h1")) == 1
    levels = [int(e.name[1]) for e in page.elements if re.fullmatch("h[1-6]", e.name)]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for control in page.all("input") + page.all("select"):
        assert page.one("label", for_=control.attributes["id"])
    assert "prefers-color-scheme" in page.source
    assert "@media print" in page.source


def test_the_same_clustering_gives_the_same_bytes(clustering, tmp_path):
    one, two = (write_report(clustering, tmp_path / name) for name in ("a.html", "b.html"))
    assert one.read_bytes() == two.read_bytes()
    loaded = tc.load(clustering.save(tmp_path / "model"))
    assert write_report(loaded, tmp_path / "c.html").read_bytes() == one.read_bytes()


@pytest.mark.parametrize("k", [1, 2, 3, 40, 45])
def test_any_number_of_clusters(k, tmp_path):
    clustering = small(k, n=4 * k + 8)
    page = page_of(clustering, tmp_path)
    assert len(page.of_class("card")) == k
    assert len(page.all("circle")) == len(clustering.cards)
    assert ("Borderline documents" in page.source) == (k > 1)
    assert ("What sets it apart" in page.source) == (k > 1)


@pytest.mark.parametrize("distortion", ["euclidean", "kl", "i-divergence"])
def test_any_distortion(distortion, sample, tmp_path):
    page = page_of(tc.cluster(sample, 3, distortion=distortion), tmp_path)
    assert distortion in page.of_class("lede")[0].text


LINKS = tc.Constraints([(0, 1)], [(0, 150)])


@pytest.mark.parametrize(
    ("method", "more", "words"),
    [
        (
            "kernel",
            {},
            "SS-Kernel-KMeans with the graph of 15 nearest neighbours and normalised cut, from ",
        ),
        ("kernel", {"kernel": "rbf"}, "SS-Kernel-KMeans with an rbf kernel, from "),
        ("hmrf", {"constraints": LINKS}, "HMRF-KMeans with cosine distortion, from "),
        (
            "hmrf",
            {"constraints": LINKS, "learn": True},
            "HMRF-KMeans with learned cosine distortion, from ",
        ),
    ],
)
def test_the_page_says_what_was_run(sample, tmp_path, method, more, words):
    page = page_of(tc.cluster(sample, 3, method=method, **more), tmp_path)
    assert f"Found by {words}" in page.of_class("lede")[0].text


DESCRIBED = [
    ("kmeans", {}, "k-means with cosine distortion"),
    ("guided", {}, "guided clustering with cosine distortion"),
    ("seeded", {"distortion": "kl"}, "Seeded-KMeans with kl distortion"),
    ("constrained", {}, "Constrained-KMeans with cosine distortion"),
    ("hmrf", {"distortion": "euclidean"}, "HMRF-KMeans with euclidean distortion"),
    ("pckmeans", {}, "PC-KMeans with cosine distortion"),
    ("mpckmeans", {}, "MPC-KMeans with a learned euclidean metric for all clusters"),
    ("mkmeans", {"metric": "local"}, "M-KMeans with a learned euclidean metric for each cluster"),
    ("cop", {}, "COP-KMeans with cosine distortion"),
    (
        "kernel",
        {"n_neighbors": 9, "cut": "ratio"},
        "SS-Kernel-KMeans with the graph of 9 nearest neighbours and ratio cut",
    ),
    (
        "kernel",
        {"kernel": "polynomial", "n_landmarks": 50},
        "SS-Kernel-KMeans with a polynomial kernel on 50 landmarks",
    ),
    ("adaptive-kernel", {}, "Adaptive-SS-Kernel-KMeans with an rbf kernel of learned width"),
    ("overlapping", {}, "overlapping k-means with cosine distortion"),
    ("vmf", {}, "von Mises-Fisher mixture with cosine distortion"),
    ("hmrf-em", {"distortion": "kl"}, "HMRF-EM with kl distortion"),
    ("hac", {"linkage": "ward"}, "HAC with ward linkage and cosine distortion"),
    (
        "consensus",
        {"n_runs": 9},
        "consensus clustering with 9 runs of k-means and cosine distortion",
    ),
    ("semihard", {}, "SemiHard with cosine distortion"),
    ("semifuzzy", {}, "SemiFuzzy with cosine distortion"),
    ("clue", {}, "CLUE with a learned distance and complete linkage"),
    ("cluedo", {"linkage": "ward"}, "CLUEDO with a learned distance and ward linkage"),
]


@pytest.mark.parametrize(("method", "more", "words"), DESCRIBED)
def test_every_method_says_what_it_is_run_with(method, more, words):
    more = dict(more)
    solver = solver_of(method, 3, more.pop("distortion", None), 0, more)
    assert METHODS[method].describe(solver) == words


def test_no_method_is_left_out():
    assert {method for method, _, _ in DESCRIBED} == set(METHODS)


def test_a_model_of_an_earlier_version_names_its_method(clustering, tmp_path):
    settings = {"method": "kernel"}
    page = page_of(replace(clustering, settings=settings), tmp_path)
    assert "Found by the method kernel, from " in page.of_class("lede")[0].text


def test_the_search_says_what_it_looks_at(clustering, page, tmp_path):
    words = page.one("p", id="searched").text
    assert words == (
        "The search looks at ids, titles, clusters, classes and the first 400 characters of each "
        "text at most, not at whole texts."
    )
    assert page.one("input", id="query").attributes["aria-describedby"] == "searched"
    assert page.one("p", id="searched-for-map").text == words
    assert "searched-for-map" in page.one("input", id="query-map").attributes["aria-describedby"]
    without = page_of(clustering, tmp_path, texts=False).one("p", id="searched").text
    assert without == "The search looks at ids and clusters, not at whole texts."
    assert page_of(
        made(6_000, 2, cards=[Card(str(i), "t", "w " * 300) for i in range(6_000)]), tmp_path
    ).one("p", id="searched").text == (
        "The search looks at ids, titles, clusters and the first 333 characters of each "
        "text at most, not at whole texts."
    )


def test_clusters_of_vectors_are_drawn_by_their_words(sample, tmp_path):
    import numpy as np

    vectors = np.random.default_rng(0).normal(size=(225, 4))
    page = page_of(tc.cluster(sample, 3, vectors=vectors), tmp_path)
    assert "ready-made vectors" in page.of_class("lede")[0].text
    assert len(page.all("circle")) == 225


def test_documents_without_terms_are_reported_and_not_drawn(tmp_path):
    page = page_of(made(50, 3, empty=4), tmp_path)
    assert len(page.all("circle")) == 46
    assert "4 documents without any term" in page.source
    assert len(page.data["ids"]) == 50


def test_one_document_is_a_collection_too(tmp_path):
    page = page_of(made(1, 1), tmp_path)
    assert page.one("h1").text == "1 document in 1 cluster"
    assert page_of(made(3, 2, empty=3), tmp_path).all("circle") == []


def test_a_place_that_cannot_be_written_is_reported(clustering, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_report(clustering, tmp_path / "file" / "report.html")
    assert write_report(clustering, str(tmp_path / "new" / "report.html")).is_file()


def test_the_clustering_writes_the_same_report(clustering, tmp_path):
    path = clustering.report(tmp_path / "report.html")
    assert path.read_bytes() == write_report(clustering, tmp_path / "other.html").read_bytes()


BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.skipif(BROWSER is None, reason="no browser to open the page in")
def test_a_browser_runs_the_search(clustering, tmp_path):
    path = write_report(clustering, tmp_path / "report.html")
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    flags += " --disable-background-networking --disable-component-update --dump-dom"
    command = [BROWSER, *flags.split(), f"--user-data-dir={tmp_path / 'profile'}"]
    command.append(f"{path.as_uri()}#q=Saturn%20sci.astro")
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    if not done.stdout:
        pytest.skip("the browser did not start")
    page = Page(done.stdout.decode("utf-8"))
    wanted = [
        card.id
        for card in clustering.cards
        if "saturn" in f"{card.title} {card.excerpt} {clustering.names[0]}".lower()
        and card.truth == "sci.astro"
    ]
    found = [e.text for e in page.all("td", class_="id")]
    assert wanted
    assert set(wanted) <= set(found)
    assert f"{len(found)} of 225 documents match." in page.one("output").text
    assert "hidden" not in page.one("form", id="search").attributes
