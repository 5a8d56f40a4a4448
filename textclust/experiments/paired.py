"""Whether two lines differ in the same runs: a two-tailed paired t-test, as in Basu 2005, 4.5.3."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import fmean
from typing import NamedTuple, TypeVar

__all__ = ["LEVEL", "Paired", "paired"]

Sample = TypeVar("Sample")

LEVEL = 0.005  # of the thesis
_ROUNDING = 1e-12  # of the scores


class Paired(NamedTuple):
    """The mean difference over shared samples, Student's t and the two-tailed p; NaN for none."""

    difference: float = math.nan
    t: float = math.nan
    p: float = math.nan


def paired(own: Mapping[Sample, float], other: Mapping[Sample, float]) -> Paired:
    """Compare scores with those of a baseline by their keys, such as run and fold.

    With one shared sample there is a difference and no test. Scores that are all the same have
    t = 0 and p = 1; where they all differ by the same amount there is no spread to test with.
    """
    shared = [key for key in own if key in other]
    if not shared:
        return Paired()
    ours, theirs = [own[key] for key in shared], [other[key] for key in shared]
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    mean = fmean(differences)
    if len(shared) == 1:
        return Paired(mean)
    nothing = _ROUNDING * max(map(abs, (*ours, *theirs)))
    if max(map(abs, differences)) <= nothing:
        return Paired(0.0, 0.0, 1.0)
    if max(differences) - min(differences) <= nothing:
        return Paired(mean)
    from scipy.stats import ttest_rel

    found = ttest_rel(ours, theirs)
    return Paired(mean, float(found.statistic), float(found.pvalue))
