"""What became of the supervision, by itself."""

from textclust.result.evidence import Evidence, Link
from textclust.result.outcome import outcome_of

IDS = ["a", "b", "c"]


def test_a_link_between_documents_of_several_clusters_is_about_shared_ones():
    links = (Link(0, 1, "must-link", 1.0), Link(0, 2, "cannot-link", 2.0))
    found = outcome_of(Evidence(links), [0, 1, 2], [{0, 1}, {1}, {0, 2}], IDS)
    assert found.overruled_links == (("a", "c", links[1]),)
    assert found.price == 2.0


def test_a_seed_in_several_clusters_is_kept_where_one_is_that_of_its_class():
    evidence = Evidence(seeds={0: 0, 1: 0}, classes=("sport",))
    found = outcome_of(evidence, [1, 1, 0], [{0, 1}, {1}, {0}], IDS)
    assert found.overruled_seeds == ("b",)
    assert found.cluster_of_class == {"sport": 0}


def test_links_that_cost_nothing_did_not_bind():
    found = outcome_of(Evidence((Link(0, 1, "must-link", 0.0),)), [0, 1, 1], [{0}, {1}, {1}], IDS)
    assert found.sentences() == [
        "1 of 1 link overruled: a and b (must-link)",
        "1 link did not bind",
    ]
