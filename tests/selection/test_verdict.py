"""What the evidence is taken to say."""

from __future__ import annotations

from textclust.selection.verdict import Row, verdict


def evidence(stability, kept=None, error=0.03, bic=None):
    """Rows from 2 on; BIC rises unless it is given."""
    kept = kept or [None] * len(stability)
    return [
        Row(
            k=k,
            bic=float(k) if bic is None else bic[k - 2],
            mdl=0.0,
            mml=0.0,
            gap=0.0,
            gap_error=0.0,
            stability=s,
            links_kept=share,
            links_error=None if share is None else error,
            smallest=5,
        )
        for k, (s, share) in enumerate(zip(stability, kept, strict=True), start=2)
    ]


def test_the_number_that_comes_back_is_chosen_and_told():
    found = verdict(evidence([0.6, 0.95, 0.7, 0.6]))
    assert found.k == 3
    assert found.reason.startswith("3 clusters: two halves of the documents agree on them at 0.95")


def test_a_coarser_grouping_that_is_hardly_more_stable_gives_way():
    assert verdict(evidence([0.96, 0.95, 0.6])).k == 3
    assert verdict(evidence([0.99, 0.90, 0.6])).k == 2


def test_links_decide_between_numbers_that_are_as_stable():
    assert verdict(evidence([0.9, 0.9, 0.9], kept=[0.95, 0.7, 0.6])).k == 2
    assert verdict(evidence([0.9, 0.9, 0.9], kept=[0.6, 0.95, 0.6])).k == 3


def test_unsure_links_do_not_overrule_a_stable_number():
    rows = [0.6, 0.95, 0.6]
    assert verdict(evidence(rows, kept=[1.0, 0.6, 0.6], error=0.02)).k == 2
    assert verdict(evidence(rows, kept=[1.0, 0.6, 0.6], error=0.2)).k == 3


def test_where_nothing_comes_back_bic_decides_and_the_doubt_is_told():
    found = verdict(evidence([0.2, 0.3, 0.4], bic=[3.0, 1.0, 2.0]))
    assert found.k == 3
    assert "by BIC alone: no number comes back" in found.reason
    assert verdict(evidence([0.2, 0.3, 0.4], kept=[0.5, 0.6, 0.9])).k == 4


def test_the_end_of_the_range_is_told():
    assert verdict(evidence([0.5, 0.9])).reason.endswith("look further")
    assert "about as stable: 2" in verdict(evidence([0.9, 0.9])).reason


def test_each_criterion_says_what_it_would_choose():
    picks = verdict(evidence([0.2, 0.9], kept=[0.9, 0.5])).picks
    assert picks == {"bic": 2, "mdl": 2, "mml": 2, "gap": 2, "stability": 3, "links": 2}
