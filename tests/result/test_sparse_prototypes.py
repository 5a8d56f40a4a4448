"""A clustering of so many clusters that its prototypes are kept as CSR."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import textclust as tc
from tests.geometry.test_sparse_sums import kept_sparse
from textclust.geometry.affine import as_table
from textclust.result.arrays import read_table, table_parts

WORDS = ["lens", "star", "orbit", "moon", "comet", "dust", "ring", "tide", "rock", "ice"]
TEXTS = [
    f"{WORDS[i % 10]} {WORDS[i * 3 % 10]} {WORDS[i % 4]} {WORDS[i % 7]} a{i % 5}" for i in range(60)
]


def clustered():
    words = tc.TextVectorizer(min_df=1)
    return tc.cluster(TEXTS, 5, method="kmeans", random_state=0, vectorizer=words)


@pytest.fixture
def both():
    table = clustered()
    with kept_sparse():
        sparse = clustered()
    return table, sparse


def test_it_says_the_same_as_with_a_table(both):
    table, sparse = both
    assert sp.issparse(sparse.space.prototypes)
    np.testing.assert_array_equal(sparse.labels, table.labels)
    np.testing.assert_array_equal(as_table(sparse.space.prototypes), table.space.prototypes)
    np.testing.assert_allclose(sparse.scores, table.scores, atol=1e-9)
    assert sparse.names == table.names
    assert repr(sparse) == repr(table)


def test_it_is_saved_and_loaded_as_it_is(both, tmp_path):
    for clustering, name in zip(both, ("table", "sparse"), strict=True):
        clustering.save(tmp_path / name)
    again = tc.load(tmp_path / "sparse")
    assert sp.issparse(again.space.prototypes)
    assert isinstance(tc.load(tmp_path / "table").space.prototypes, np.ndarray)
    found, expected = again.predict(TEXTS[:9]), both[0].predict(TEXTS[:9])
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-9)


def test_documents_are_explained_and_clusters_have_a_tree(both):
    table, sparse = both
    assert str(sparse.explain(3)) == str(table.explain(3))
    assert repr(sparse.tree()) == repr(table.tree())


def test_the_report_is_that_of_a_table(both, tmp_path):
    pages = []
    for number, clustering in enumerate(both):
        clustering.report(tmp_path / f"{number}.html")
        pages.append((tmp_path / f"{number}.html").read_text(encoding="utf-8"))
    assert len(pages[1]) == pytest.approx(len(pages[0]), rel=0.01)


def test_a_matrix_is_written_and_read_as_it_is():
    matrix = sp.random_array((5, 40), density=0.1, rng=np.random.default_rng(0), format="csr")
    again = read_table("name", table_parts("name", matrix), room=0)
    assert sp.issparse(again)
    np.testing.assert_array_equal(as_table(again), as_table(matrix))
    table = read_table("name", table_parts("name", as_table(matrix)), room=1e6)
    assert isinstance(table, np.ndarray)
    np.testing.assert_array_equal(table, as_table(matrix))
