"""Documents added to clusters, on the sample, which has dates."""

from __future__ import annotations

import numpy as np
import pytest

from textclust.experiments import adding, experiment, months


@pytest.fixture(scope="module")
def rows():
    """What the experiment finds on the sample, by what is added."""
    months.months_of.cache_clear()
    cases = [{"collection": "newsgroups", "added": case["added"]} for case in CASES]
    return {case["added"]: next(iter(adding.unit(case, 1))) for case in cases}


# The sample has three classes, of which not all can be new.
CASES = [case for case in experiment("adding").cases if "three" not in case["added"]]


def test_everything_is_measured(rows):
    assert len(rows) == 4
    for found in rows.values():
        assert set(found) == set(experiment("adding").measures)
        assert all(np.isfinite(value) for value in found.values())
        assert 0 <= found["two batches"] <= 1


def test_where_nothing_is_new_no_refit_is_due(rows):
    assert rows[adding.RANDOM]["due"] == 0.0


def test_what_is_left_out_at_first_is_added_later():
    old, new = adding.old_and_new("newsgroups", "the rest, with a new class", 0)
    assert set(old.labels) < set(new.labels)
    assert not set(old.ids) & set(new.ids)
    first, later = adding.old_and_new("newsgroups", "the part two later", 1)
    parts = months.months_of("newsgroups")
    assert (first.ids, later.ids) == (parts[1].ids, parts[3].ids)
