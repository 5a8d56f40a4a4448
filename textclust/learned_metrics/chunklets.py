"""Metrics in closed form, from scatters: RCA, CLUE's own, and Yeung and Chang's."""

from __future__ import annotations

from collections.abc import Sequence

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.learned_metrics.learner import MetricLearner, power
from textclust.learned_metrics.scatters import across, around_means, of_pairs

__all__ = ["RCA", "CLUEMetric", "YeungChang"]


class RCA(MetricLearner):
    """Relevant component analysis: M = A_ML^-1 (Bar-Hillel et al. 2005).

    The scatter within the examples becomes a ball. That they are whole is not looked at.

    Examples
    --------
    >>> from textclust.learned_metrics import RCA
    >>> X = [[0.0, 0.0], [0.0, 4.0], [1.0, 2.0], [9.0, 2.0]]
    >>> RCA().fit(X, [[0, 1]]).components_.round(2).tolist()[1][1]
    0.5
    """

    def _learned(self, X: Array, examples: Sequence[Labels], links: Matrix | None) -> Array:
        return power(self._must(X, examples, links), -0.5)


class CLUEMetric(MetricLearner):
    """CLUE's own: M = A_ML^-1/2 A_CL A_ML^-1/2 (Hu et al. 2013, eqs. 2 and 3).

    A_CL is the scatter of all other rows around the mean of each example: the examples are
    drawn together, and space is stretched where the others lie.
    """

    def _learned(self, X: Array, examples: Sequence[Labels], links: Matrix | None) -> Array:
        must = power(self._must(X, examples, links), -0.5)
        return must @ power(around_means(X, examples), 0.5)


class YeungChang(MetricLearner):
    """The same form with pairs for chunklets (Yeung and Chang 2006).

    A_ML has all pairs within an example, A_CL all pairs of a row in an example and one
    outside it; they are added up from scatters, not listed.
    """

    def _learned(self, X: Array, examples: Sequence[Labels], links: Matrix | None) -> Array:
        must = power(self._regular(of_pairs(X, examples, links)), -0.5)
        return must @ power(across(X, examples), 0.5)
