"""What became of the supervision, by itself."""

from dataclasses import replace

import numpy as np
import pytest

from textclust.result.outcome import SupervisionOutcome
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.supervision.links import QUESTION, SEED, Link, Links

IDS = ["a", "b", "c"]


def judged(labels, links=(), seeds=None, classes=(), sets=None):
    """What becomes of links and seeds where each document is in these sets of clusters."""
    labels, z = np.array(labels), None
    if sets is not None:
        z = np.array([[h in own for h in range(3)] for own in sets])
    flags = Links.of(links).violations(labels if z is None else z)
    found = tuple(replace(link, violated=bool(v)) for link, v in zip(links, flags, strict=True))
    return SupervisionOutcome.judged(IDS, found, seeds or {}, classes, True, labels, z)


def test_a_link_between_documents_of_several_clusters_is_about_shared_ones():
    links = (Link(0, 1, "must-link", price=1.0), Link(0, 2, "cannot-link", price=2.0))
    found = judged([0, 1, 2], links, sets=[{0, 1}, {1}, {0, 2}])
    assert found.overruled_links == (("a", "c", replace(links[1], violated=True)),)
    assert found.price == 2.0


def test_a_seed_in_several_clusters_is_kept_where_one_is_that_of_its_class():
    found = judged([1, 1, 0], seeds={0: 0, 1: 0}, classes=("sport",), sets=[{0, 1}, {1}, {0}])
    assert found.overruled_seeds == ("b",)
    assert found.cluster_of_class == {"sport": 0}


def test_links_that_cost_nothing_did_not_bind():
    found = judged([0, 1, 1], (Link(0, 1, "must-link", price=0.0),))
    assert found.sentences() == [
        "1 of 1 link overruled: a and b (must-link)",
        "1 link had no effect",
    ]


def test_seeds_become_links_in_one_place_and_can_be_told_from_those_given():
    given = Constraints.from_links([Link(0, 2, "cannot-link", 2.0, QUESTION)])
    both = Supervision(seeds=np.array([0, 0, 1]), constraints=given)
    assert both.kinds == {"seeds", "constraints"}
    assert both.for_method(frozenset({"seeds", "constraints"})) is both
    taken = both.for_method(frozenset({"constraints"}))
    assert taken.seeds is None
    assert taken.constraints == given | Constraints.from_labels([0, 0, 1])
    origins = [link.origin for link in taken.constraints.links]
    assert origins == [SEED, QUESTION, SEED]


@pytest.mark.parametrize("method", ["hmrf", "cop"])
def test_the_links_of_an_outcome_are_those_given_with_where_they_came_from(
    sample, tmp_path, method
):
    import textclust as tc

    documents = tc.read_documents(sample)
    path = tmp_path / "links.csv"
    path.write_text(f"left,right,kind,weight\n{documents.ids[0]},{documents.ids[1]},must-link,2\n")
    seeds = {documents.ids[row]: documents.labels[row] for row in (0, 5, 100)}
    r = tc.cluster(documents, 3, constraints=path, seeds=seeds, method=method)
    (link,) = r.outcome.given_links
    assert (link.left, link.right, link.kind, link.weight) == (0, 1, "must-link", 2.0)
    assert str(link.origin) == f"{path}: line 2"
    assert tc.load(r.save(tmp_path / "model")).outcome == r.outcome
