"""The tree above the clusters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from textclust.errors import InputError
from textclust.result.tree import level_sizes, merged, tree_of

# Two families of two clusters each, beside one that shares little with any.
PROTOTYPES = np.array(
    [
        [3.0, 1, 0, 0, 0, 0, 1],
        [3.0, 0, 1, 0, 0, 0, 1],
        [0, 0, 0, 3.0, 1, 0, 1],
        [0, 0, 0, 3.0, 0, 1, 1],
        [0, 0.4, 0, 0, 0.4, 0, 5.0],
    ]
)
SIZES = [40, 30, 20, 10, 5]
NAMES = ["a", "b", "c", "d", "e"]


def named(groups):
    return [f"group {g}" for g in range(len(groups))]


@pytest.fixture(scope="module")
def tree():
    return tree_of(PROTOTYPES, SIZES, NAMES, 2, named)


def test_families_are_merged_first(tree):
    assert {tuple(sorted(pair)) for pair in tree.linkage[:2, :2].astype(int).tolist()} == {
        (0, 1),
        (2, 3),
    }
    assert tree.cut(3).tolist() == [0, 0, 1, 1, 2]


def test_a_node_has_all_that_is_in_its_clusters(tree):
    (top, *_) = tree.levels[0]
    assert (top.size, top.clusters) == (70, (0, 1))
    assert [child.name for child in top.children] == ["a", "b"]
    assert top.height == tree.linkage[1, 2]
    assert [node.clusters for node in tree.levels[-1]] == [(h,) for h in range(5)]
    assert [node.name for node in tree.path(3)] == [tree.levels[0][1].name, "d"]


def test_an_outline_is_printed(tree):
    assert repr(tree).startswith("Tree of 5 clusters, levels of 2, 5\n")
    assert "  a (40)  [0]" in str(tree)
    assert str(tree).index("(70)") < str(tree).index("  a (40)")


def test_plain_data(tree):
    found = tree.to_dict()
    assert found["levels"] == [2, 5]
    assert [node["size"] for node in found["nodes"]] == [70, 35]
    assert "children" not in found["nodes"][0]["children"][0]
    assert len(found["linkage"]) == 4


@given(
    k=st.integers(1, 24),
    levels=st.integers(1, 5),
    seed=st.integers(0, 10**6),
)
def test_levels_are_nested_and_have_everything(k, levels, seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 50, k).tolist()
    names = [f"c{h}" for h in range(k)]
    tree = tree_of(rng.random((k, 6)), sizes, names, levels, named)
    assert len(tree.levels) <= levels
    counts = [len(level) for level in tree.levels]
    assert counts == sorted(set(counts))
    assert counts[-1] == k
    for level in tree.levels:
        assert sorted(h for node in level for h in node.clusters) == list(range(k))
        assert sum(node.size for node in level) == sum(sizes)
        assert len({node.name for node in level}) == len(level)
    for node in tree.nodes:
        if node.children:
            inside = sorted(h for child in node.children for h in child.clusters)
            assert inside == sorted(node.clusters)
            assert all(child.height <= node.height + 1e-12 for child in node.children)
        else:
            assert node.is_cluster
    assert len({id(node) for node in tree.nodes}) == len(tree.nodes)
    for n in range(1, k + 1):
        groups = tree.cut(n)
        assert len(set(groups.tolist())) == n
        finer = tree.cut(min(n + 1, k))
        assert len({*zip(groups.tolist(), finer.tolist(), strict=True)}) == min(n + 1, k)


def test_cuts_are_those_of_scipy():
    from scipy.cluster.hierarchy import fcluster

    rows = np.random.default_rng(0).random((15, 8))
    linkage = merged(rows, [1] * 15)
    tree = tree_of(rows, [1] * 15, list(map(str, range(15))), 1, named)
    for n in (2, 5, 9):
        theirs = fcluster(linkage, n, criterion="maxclust")
        ours = tree.cut(n)
        assert len({*zip(theirs.tolist(), ours.tolist(), strict=True)}) == n


def test_sizes_of_levels_grow_by_even_factors():
    heights = np.arange(1.0, 64.0)
    linkage = np.zeros((63, 4))
    linkage[:, 2] = heights
    found = level_sizes(linkage, 3)
    assert found[-1] == 64
    assert 3 <= found[0] <= 5
    assert 12 <= found[1] <= 22


def test_a_level_is_cut_below_the_largest_gap():
    linkage = np.zeros((15, 4))
    linkage[:, 2] = [*np.linspace(0.1, 0.5, 11), 0.9, 0.91, 0.92, 0.93]
    assert level_sizes(linkage, 2) == [5, 16]


def test_few_clusters_have_few_levels():
    one = tree_of(PROTOTYPES[:1], [3], ["only"], 3, named)
    assert (one.k, one.levels[0][0].name, one.cut(1).tolist()) == (1, "only", [0])
    two = tree_of(PROTOTYPES[:2], [3, 2], ["a", "b"], 3, named)
    assert [len(level) for level in two.levels] == [2]


def test_what_cannot_be_is_said(tree):
    with pytest.raises(InputError, match="n must be from 1 to 5"):
        tree.cut(6)
    with pytest.raises(InputError, match="levels must be at least 1"):
        tree_of(PROTOTYPES, SIZES, NAMES, 0, named)
    with pytest.raises(InputError, match="use at most 5000 clusters"):
        merged(np.zeros((5001, 1)), [1] * 5001)


@pytest.fixture(scope="module")
def clustering(sample):
    return tc.cluster(sample, 8, levels=3)


def test_the_flat_clustering_is_one_cut(clustering):
    tree = clustering.tree()
    assert [node.name for node in tree.levels[-1]] == clustering.names
    assert [node.size for node in tree.levels[-1]] == clustering.sizes
    assert tree.cut(8).tolist() == list(range(8))


def test_groups_find_the_classes_of_the_sample(clustering, sample):
    truth = tc.read_documents(sample).labels
    groups = clustering.tree().cut(3)[clustering.labels]
    assert tc.metrics.nmi(truth, groups) > tc.metrics.nmi(truth, clustering.labels)


def test_a_loaded_model_has_the_same_tree(clustering, tmp_path):
    clustering.save(tmp_path / "m")
    again = tc.load(tmp_path / "m")
    assert repr(again.tree()) == repr(clustering.tree())
    assert again.to_dict()["tree"] == clustering.to_dict()["tree"]


def test_without_levels_nothing_is_written(sample):
    plain = tc.cluster(sample, 3)
    assert plain.levels is None
    assert "tree" not in plain.to_dict()
    assert len(plain.tree().levels) == 2


def test_levels_must_be_a_number(sample):
    with pytest.raises(InputError, match="levels must be a whole number of at least 1"):
        tc.cluster(sample, 3, levels=0)


def test_a_dendrogram_has_every_cluster_and_group(clustering):
    ax = clustering.plot_hierarchy(levels=2)
    labels = [text.get_text() for text in ax.get_yticklabels()]
    assert sorted(labels) == sorted(
        f"{h} {name} ({size})"
        for h, (name, size) in enumerate(zip(clustering.names, clustering.sizes, strict=True))
    )
    groups = [node.name for node in clustering.tree(2).nodes if not node.is_cluster]
    assert sorted(text.get_text() for text in ax.texts) == sorted(groups)
    assert len(ax.lines) == 7
    assert all(text.get_zorder() > ax.lines[0].get_zorder() for text in ax.texts)
    assert ax.get_xlabel() == "distance of the clusters"


def test_a_tree_shows_itself_in_a_notebook(clustering, sample):
    shown = clustering.tree(2)._repr_html_()
    assert shown.startswith("<p>Tree of 8 clusters, levels of ")
    assert all(name in shown for name in clustering.names)
    hostile = clustering.renamed({0: "<script>alert(1)</script>"}).tree(2)
    assert "<script" not in hostile._repr_html_()
    assert repr(tc.cluster(sample, 1).tree()).startswith("Tree of 1 cluster, ")


def test_one_cluster_has_no_dendrogram(sample):
    with pytest.raises(InputError, match="no hierarchy to draw"):
        tc.cluster(sample, 1).plot_hierarchy()
