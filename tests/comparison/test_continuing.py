"""A run that goes on from an earlier one."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import textclust as tc
from tests.report.pages import Page
from textclust.errors import InputError, ModelError
from textclust.result.changes import Changes, Kind


@pytest.fixture(scope="module")
def docs(sample):
    return tc.read_documents(sample)


@pytest.fixture(scope="module")
def may(docs):
    """The older half, without a post on photography."""
    rows = [i for i in range(0, len(docs), 2) if docs.labels[i] != "rec.photo"]
    return tc.cluster(docs.select(rows), 2)


@pytest.fixture(scope="module")
def june(docs, may):
    return tc.cluster(docs.select(range(1, len(docs), 2)), 3, previous=may)


def majority(clustering):
    classes = [card.truth for card in clustering.cards]
    of = [
        [c for c, y in zip(classes, clustering.labels, strict=True) if y == h]
        for h in range(clustering.k)
    ]
    return [max(set(each), key=each.count) for each in of]


def test_clusters_keep_their_place_their_name_and_their_number(may, june):
    assert may.identity.numbers == (1, 2)
    assert june.identity.numbers == (1, 2, 3)
    assert june.names[:2] == may.names
    assert june.names[2].endswith(" (new)")
    assert majority(june)[:2] == majority(may)
    assert majority(june)[2] == "rec.photo"
    assert june.known_names == [*may.names, None]


def test_what_became_of_the_clusters_goes_with_the_result(may, june, tmp_path):
    changes = june.changes
    assert (changes.names, changes.sizes) == (tuple(may.names), tuple(may.sizes))
    assert changes.became == {0: 0, 1: 1}
    assert [fate.kind for fate in changes.fates][-1] is Kind.NEW
    assert (changes.shared, changes.moved, changes.agreement) == (0, 0, None)
    june.save(tmp_path / "m")
    loaded = tc.load(tmp_path / "m")
    assert loaded.identities == june.identities
    assert loaded.changes == changes
    assert loaded.names == june.names
    assert loaded.to_dict() == june.to_dict()
    assert june.to_dict()["clusters"][2]["identity"] == 3
    assert json.loads(json.dumps(june.to_dict()["continued"]))["shared"] == 0


def test_what_is_new_is_called_new_once(docs, june):
    july = tc.cluster(docs.select(range(len(docs))), previous=june)
    assert july.names[2] == june.names[2].removesuffix(" (new)")
    assert july.identity.numbers[:3] == (1, 2, 3)
    assert july.changes.shared == len(june.ids)


def test_the_same_documents_again_change_nothing(docs, june):
    again = tc.cluster(docs.select(range(1, len(docs), 2)), 3, previous=june)
    assert set(again.changes.counted()) == {"kept"}
    assert again.identity.numbers == (1, 2, 3)
    assert again.changes.agreement["nmi"] > 0.9


def test_it_goes_on_from_a_folder(may, june, docs, tmp_path):
    may.save(tmp_path / "may")
    found = tc.cluster(docs.select(range(1, len(docs), 2)), 3, previous=tmp_path / "may")
    np.testing.assert_array_equal(found.labels, june.labels)
    assert found.identities == june.identities


def test_a_number_is_not_given_again(docs, june):
    """Photography ends, the night sky stays, and something else begins."""
    rows = [i for i in range(len(docs)) if docs.labels[i] == "sci.astro"]
    only = tc.cluster(docs.select(rows), previous=june)
    empty = [h for h in range(only.k) if not only.sizes[h]]
    alive = [only.identity.numbers[h] for h in range(only.k) if only.sizes[h]]
    assert set(alive) <= {*june.identity.numbers, *range(june.identity.following, 99)}
    later = tc.cluster(docs.select(range(len(docs))), previous=only)
    gone = {only.identity.numbers[h] for h in empty}
    assert later.identity.following >= only.identity.following
    assert gone.isdisjoint(set(later.identity.numbers) - set(only.identity.numbers))


def test_the_report_has_a_section_and_colours_stay(june, may, tmp_path):
    page = Page(june.report(tmp_path / "r.html").read_text(encoding="utf-8"))
    assert page.one("h2", id="changes").text == "Since the run before"
    assert page.of_class("flow")
    assert "documents it stands for, which the numbers beside it count." in page.source
    (new,) = [each for each in page.all("tr") if "film" in each.text and "new, " in each.text]
    assert re.search(r"new, most of it from [01] .* \(\d+\)", new.text)
    assert not Page(may.report(tmp_path / "m.html").read_text(encoding="utf-8")).of_class("flow")


@pytest.mark.parametrize("as_path", [False, True])
def test_a_background_that_is_a_clustering_is_gone_on_from(docs, may, june, tmp_path, as_path):
    background = may.save(tmp_path / "may") if as_path else may
    found = tc.cluster(docs.select(range(1, len(docs), 2)), 3, background=background)
    np.testing.assert_array_equal(found.labels, june.labels)
    assert (found.names, found.identities) == (june.names, june.identities)
    assert found.changes == june.changes


def test_other_backgrounds_have_no_identities_to_pass_on(docs):
    found = tc.cluster(docs, 3, background=docs.select(range(0, len(docs), 2)))
    assert found.identities is None
    assert found.changes is None


def test_vectors_cannot_be_gone_on_from(docs):
    vectors = np.random.default_rng(0).random((225, 4))
    of_vectors = tc.cluster(docs, 3, vectors=vectors)
    with pytest.raises(InputError, match="made from vectors"):
        tc.cluster(docs, previous=of_vectors)
    assert tc.cluster(docs, 3, background=of_vectors).changes is None


@pytest.mark.parametrize("other", ["background", "background_before"])
def test_a_background_does_not_go_with_it(docs, may, other):
    with pytest.raises(InputError, match="previous= is itself the background"):
        tc.cluster(docs, previous=may, **{other: "1995-04-01"})


@pytest.mark.parametrize(
    "forge",
    [
        lambda content: content["identities"].update(numbers=[1, 1, 2]),
        lambda content: content["identities"].update(numbers=[1, 2]),
        lambda content: content["changes"].update(table=[[1, 2]]),
        lambda content: content["changes"]["fates"][0].update(new=99),
        lambda content: content["changes"]["fates"][0].update(kind="eaten"),
    ],
)
def test_forged_identities_are_refused(june, tmp_path, forge):
    import hashlib

    folder = june.save(tmp_path / "m")
    content = json.loads((folder / "model.json").read_text())
    forge(content)
    (folder / "model.json").write_text(json.dumps(content))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["model.json"] = hashlib.sha256(
        (folder / "model.json").read_bytes()
    ).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="inconsistent"):
        tc.load(folder)


def test_changes_are_plain_data(june):
    content = json.loads(json.dumps(june.changes.to_dict()))
    assert Changes.from_dict(content, june.k) == june.changes


def test_nothing_is_said_of_supervision_that_nobody_gave(june, tmp_path):
    assert june.outcome.accuracy is None
    assert june.outcome.sentences() == []
    page = Page(june.report(tmp_path / "r.html").read_text(encoding="utf-8"))
    assert not page.all("h2", id="supervision")
