"""With the native core and without it: the same labels, on matrices of odd scales too."""

from __future__ import annotations

import pytest

from tests import both_ways, core


@core.needs_core
@pytest.mark.parametrize("number", range(60))
def test_labels_do_not_depend_on_the_core(number):
    assert both_ways.fit_both(number) is None


def test_most_cases_are_fitted_and_not_refused():
    """Or the comparison would compare messages."""
    fitted = 0
    for number in range(0, 60, 3):
        try:
            both_ways.drawn(number).fit()
            fitted += 1
        except ValueError:
            continue
    assert fitted >= 17
