"""Which number the evidence recommends."""

from __future__ import annotations

from tests.model_selection.tables import evidence
from textclust.model_selection.recommendation import recommend


def test_the_most_stable_number_is_chosen():
    found = recommend(evidence([0.6, 0.95, 0.7, 0.6]))
    assert found.k == 3
    assert found.reason == "3 clusters: stability 0.95 (1 = perfect, 0 = chance)"


def test_a_coarser_grouping_that_is_hardly_more_stable_gives_way():
    found = recommend(evidence([0.96, 0.95, 0.6]))
    assert found.k == 3
    assert "2 is more stable (0.96)" in found.reason
    assert "a loss of 0.01 is within the 0.03 accepted" in found.reason
    assert recommend(evidence([0.99, 0.90, 0.6])).k == 2


def test_an_unstable_number_is_not_chosen_where_one_is_stable():
    stability = [0.51] + [0.3] * 17 + [0.49]  # the last would win by its number alone
    assert recommend(evidence(stability)).k == 2
    assert recommend(evidence(stability, kept=[0.5] * 18 + [0.9])).k == 2


def test_links_decide_between_numbers_that_are_as_stable():
    assert recommend(evidence([0.9, 0.9, 0.9], kept=[0.95, 0.7, 0.6])).k == 2
    found = recommend(evidence([0.9, 0.9, 0.9], kept=[0.6, 0.95, 0.6]))
    assert found.k == 3
    assert "95% of the links kept" in found.reason
    assert "without the links it would be 4" in found.reason


def test_uncertain_links_do_not_overrule_a_stable_number():
    rows = [0.6, 0.95, 0.6]
    assert recommend(evidence(rows, kept=[1.0, 0.6, 0.6], error=0.02)).k == 2
    assert recommend(evidence(rows, kept=[1.0, 0.6, 0.6], error=0.2)).k == 3


def test_where_nothing_is_stable_bic_decides_or_the_links():
    found = recommend(evidence([0.2, 0.3, 0.4], bic=[3.0, 1.0, 2.0]))
    assert found.k == 3
    assert "stability 0.30 (1 = perfect, 0 = chance); chosen by BIC alone" in found.reason
    assert "no number has a stability of 0.5 or more (the best is 4 with 0.40)" in found.reason
    found = recommend(evidence([0.2, 0.3, 0.4], kept=[0.5, 0.9, 0.6]))
    assert found.k == 3
    assert "chosen by the share of links kept alone" in found.reason


def test_one_cluster_is_not_chosen_for_its_stability():
    """However the documents are split, one cluster comes back: that says nothing."""
    assert recommend(evidence([None, 0.6, 0.4], first=1, bic=[1, 2, 3])).k == 2
    found = recommend(evidence([None, 0.4, 0.4], first=1, bic=[1, 2, 3]))
    assert found.k == 1
    assert found.reason.startswith("1 cluster; chosen by BIC alone")


def test_a_single_number_is_what_it_is():
    assert recommend(evidence([0.3])).reason == (
        "2 clusters: stability 0.30 (1 = perfect, 0 = chance); no other number was looked at"
    )
    alone = recommend(evidence([None], first=1))
    assert (alone.k, alone.reason) == (1, "1 cluster; no other number was looked at")
    assert "stability" not in alone.picks


def test_the_ends_of_the_range_are_stated():
    assert "it is the largest number looked at" in recommend(evidence([0.5, 0.9])).reason
    cut = recommend(evidence([0.9, 0.5]), range(2, 8)).reason
    assert cut.endswith("; only 2 to 3 looked at, the default is 2 to 7")
    assert "looked at" not in recommend(evidence([0.9, 0.5]), range(2, 4)).reason


def test_each_criterion_says_what_it_would_choose():
    picks = recommend(evidence([0.2, 0.9], kept=[0.9, 0.5])).picks
    assert picks == {"bic": 2, "mdl": 2, "mml": 2, "gap": 2, "stability": 3, "links": 2}
