"""What changed between two clusterings of the sample, or of parts of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

import textclust as tc
from tests.report.pages import Page
from textclust.errors import InputError, OutputError
from textclust.result.changes import Changes, Kind
from textclust.result.placement import Placement


@pytest.fixture(scope="module")
def docs(sample):
    return tc.read_documents(sample)


@pytest.fixture(scope="module")
def three(docs):
    return tc.cluster(docs, 3)


@pytest.fixture(scope="module")
def five(docs):
    return tc.cluster(docs, 5)


def renumbered(clustering, order):
    """The same clusters in another order."""
    order = np.array(order)
    found = clustering.placement
    space = replace(clustering.space, prototypes=clustering.space.prototypes[order])
    placement = Placement(np.argsort(order)[found.labels], found.scores, found.costs)
    return replace(clustering, placement=placement, space=space)


def test_nothing_changed_where_only_numbers_did(three):
    found = tc.diff(three, renumbered(three, [2, 0, 1]))
    assert {fate.kind for fate in found.fates} == {Kind.KEPT}
    assert found.became == {0: 1, 1: 2, 2: 0}
    assert (found.shared, len(found.moved_rows), list(found.moves())) == (225, 0, [])
    assert found.agreement == {"nmi": 1.0, "adjusted_rand_index": 1.0}


def test_the_agreement_is_that_of_scikit_learn(three, five):
    found = tc.diff(three, five).agreement
    assert found["nmi"] == pytest.approx(normalized_mutual_info_score(three.labels, five.labels))
    assert found["adjusted_rand_index"] == pytest.approx(
        adjusted_rand_score(three.labels, five.labels)
    )


def test_documents_move_that_do_not_go_with_their_cluster(three, five):
    found = tc.diff(three, five)
    moves = list(found.moves(terms=4))
    assert len(moves) == len(found.moved_rows) > 0
    for move in moves:
        row = three.ids.index(move.id)
        assert (three.labels[row], five.labels[row]) == (move.old, move.new)
        assert move.new not in found.went[move.old]
        assert move.stay == found.went[move.old][0]
        assert 0 < len(move.terms) <= 4
        assert set(move.terms) <= set(five.vectorizer.readable_terms())
        assert move.because is None
    moved = {move.id for move in moves}
    for row, name in enumerate(three.ids):
        if name not in moved:
            assert five.labels[row] in found.went[three.labels[row]]


def test_the_terms_pull_from_where_the_cluster_went_to_where_the_document_is(three, five):
    move = next(tc.diff(three, five).moves())
    row = five.ids.index(move.id)
    words = five.texts[[row]].tocoo().col
    space = five.text_space
    pulls = {
        five.vectorizer.readable_terms()[t]: five.texts[row, t]
        * (space.prototypes[move.new, t] - space.prototypes[move.stay, t])
        for t in words
    }
    assert list(move.terms) == sorted(pulls, key=lambda t: (-pulls[t], t))[: len(move.terms)]


def test_a_seed_that_moved_says_so(docs, three):
    held = next(name for name, h in zip(three.ids, three.labels, strict=True) if h == 0)
    other = next(name for name, h in zip(three.ids, three.labels, strict=True) if h == 1)
    given = tc.cluster(docs, 3, seeds={held: "b", other: "b"})
    because = {move.id: move.because for move in tc.diff(three, given).moves()}
    moved = because.keys() & {held, other}
    assert moved
    assert all(because[name] == "seed of b" for name in moved)


def test_clusterings_without_a_common_document_are_matched_by_their_words(docs):
    rows = np.arange(len(docs))
    one, other = (tc.cluster(docs.select(rows[rows % 2 == part]), 3) for part in (0, 1))
    found = tc.diff(one, other)
    assert (found.shared, found.agreement, len(found.moved_rows)) == (0, None, 0)
    assert "is placed in the other where it fits" in found.note
    assert 0.9 * len(docs) < found.flow.table.sum() <= len(docs)  # a few fit nowhere
    classes = [
        {
            h: max(set(of), key=of.count)
            for h in range(3)
            for of in [[c.truth for c, y in zip(r.cards, r.labels, strict=True) if y == h]]
        }
        for r in (one, other)
    ]
    assert all(classes[0][old] == classes[1][new] for old, new in found.became.items())
    assert len(found.became) == 3


def test_documents_in_any_part_of_a_split_went_with_their_cluster(three, five):
    found = tc.diff(three, five)
    split = [fate for fate in found.fates if fate.kind is Kind.SPLIT]
    assert split
    for fate in split:
        lie = np.flatnonzero(2 * found.flow.table[fate.old] > found.flow.of_new)
        assert {part.cluster for part in fate.into} == set(lie.tolist())
        assert set(lie.tolist()) <= set(found.went[fate.old])
    assert "part of a split" in repr(found)


def test_the_page_of_collections_without_a_common_document_speaks_of_no_moves(docs, tmp_path):
    rows = np.arange(len(docs))
    one, other = (tc.cluster(docs.select(rows[rows % 2 == part]), 3) for part in (0, 1))
    page = Page(tc.diff(one, other).page(tmp_path / "d.html").read_text(encoding="utf-8"))
    assert "none can be said to have moved" in page.source
    assert "0 of 0" not in page.source
    assert "did not go" not in page.source


def test_long_names_fit_beside_the_picture(three, five, tmp_path):
    names = {h: f"boundary layer {h}, flow of a gas, wing, heat" for h in range(3)}
    names |= {3: "WINDS OF THE UPPER AIR, MEASURED", 4: "風洞" * 30}
    found = tc.diff(three, five.renamed(names))
    page = Page(found.page(tmp_path / "d.html").read_text(encoding="utf-8"))
    texts = [text.text for text in page.all("text")]
    assert len(texts) == 8
    assert all(7 * len(text) <= 292 for text in texts)
    assert all(10 * len(text) <= 292 for text in texts if text[2:8] == "WINDS ")
    assert all(14 * text.count("風") <= 146 for text in texts)
    assert all(text.endswith(")") for text in texts)  # with its size


def test_some_documents_come_and_some_go(docs):
    june = tc.cluster(docs.select(range(30, 225)), 3)
    may = tc.cluster(docs.select(range(190)), 3)
    found = tc.diff(may, june)
    assert found.shared == 160
    assert 220 <= found.flow.table.sum() <= 225  # a few fit nowhere
    assert found.to_dict()["documents"] == {
        "old": 190,
        "new": 195,
        "both": 160,
        "moved": len(found.moved_rows),
    }


def test_clusters_of_vectors_are_compared_by_common_documents_alone(docs):
    vectors = np.random.default_rng(0).random((225, 5))
    of_vectors = tc.cluster(docs, 3, vectors=vectors)
    assert tc.diff(of_vectors, of_vectors).flow.table.sum() == 225
    some = tc.cluster(docs.select(range(100)), 2, vectors=vectors[:100])
    assert tc.diff(of_vectors, some).flow.table.sum() == 100
    others = tc.cluster(docs.select(range(100, 225)), 2, vectors=vectors[100:])
    with pytest.raises(InputError, match="no document in common"):
        tc.diff(some, others)


def test_vocabularies_without_a_common_term_are_no_trouble():
    one = tc.cluster(["red bike", "red car", "blue sky", "blue sea"], 2)
    other = tc.cluster(
        tc.Documents.from_texts(
            ["hund katze", "hund maus", "baum haus", "baum wald"], list("abcd")
        ),
        2,
    )
    assert tc.diff(one, other).flow.table.sum() == 0


def test_paths_are_loaded_and_others_refused(three, tmp_path):
    three.save(tmp_path / "m")
    assert tc.diff(tmp_path / "m", three).shared == 225
    with pytest.raises(InputError, match="got int"):
        tc.diff(three, 3)


def test_its_repr_is_a_line(three, five):
    text = repr(tc.diff(three, five))
    assert text.startswith("<Difference of 3 clusters and 5: ")
    assert "\n" not in text


def test_the_page_shows_the_flow_and_the_moves(three, five, tmp_path):
    found = tc.diff(three, five)
    page = Page(found.page(tmp_path / "diff.html").read_text(encoding="utf-8"))
    assert page.one("h1").text == "3 clusters before, 5 after"
    assert not page.all("script")
    picture = page.of_class("flow")[0].text
    assert all(f"({size})" in picture for size in found.flow.of_old)
    table, moves = page.of_class("listing")
    assert all(name in table.text for name in (*three.names, *five.names))
    assert all(move.id in moves.text for move in found.moves())
    ribbons = [e for e in page.all("path") if "ribbons" not in e.inside]
    shared = (found.flow.table >= 0.004 * 225).sum()
    assert len(ribbons) == shared


def test_hostile_names_stay_text(five, three, tmp_path):
    bad = '</title><script>alert(1)</script><img src=x onerror="alert(1)">\u202e'
    cards = [card._replace(id=bad + card.id, title=bad) for card in five.cards]
    olds = [card._replace(id=bad + card.id, title=bad) for card in three.cards]
    found = tc.diff(replace(three, cards=olds), replace(five, cards=cards))
    page = Page(found.page(tmp_path / "diff.html").read_text(encoding="utf-8"))
    assert not page.all("script")
    assert not page.all("img")


def test_a_page_of_somebody_else_is_not_replaced(three, five, tmp_path):
    path = tmp_path / "mine.html"
    path.write_text("<html>mine</html>")
    with pytest.raises(OutputError):
        tc.diff(three, five).page(path)
    assert path.read_text() == "<html>mine</html>"


def without(clustering, rows):
    """The same clustering with the documents of these rows set apart."""
    return replace(clustering, outliers=np.isin(np.arange(len(clustering.ids)), rows))


def test_what_fits_nowhere_is_counted_and_is_its_own_reason(three, five, tmp_path):
    found = tc.diff(without(three, [3, 4]), without(five, [4, 5, 6]))
    changes = found.changes
    assert (changes.nowhere.old, changes.nowhere.new, changes.nowhere.both) == (2, 3, 1)
    assert changes.documents == 225
    assert found.to_dict()["nowhere"] == {"old": 2, "new": 3, "both": 1}
    assert Changes.from_dict(changes.to_dict(), 5) == changes
    because = {move.id: move.because for move in found.moves()}
    ids = three.ids
    assert because[ids[3]] == "fitted nowhere before"
    assert because[ids[5]] == because[ids[6]] == "fits nowhere"
    assert ids[4] not in because
    page = found.page(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<td>fits nowhere</td><td>fits nowhere</td><td></td><td>2</td><td>3</td><td>1</td>" in (
        page.replace("\n", "")
    )
    assert "its cluster is gone" not in page


def test_without_outliers_nothing_is_said_of_them(three, five, tmp_path):
    found = tc.diff(three, five)
    assert not found.changes.nowhere
    assert "nowhere" not in found.to_dict()
    assert "fits nowhere" not in found.page(tmp_path / "page.html").read_text(encoding="utf-8")
