"""Distances learned from example clusters, each a map of the rows to where they lie under it.

    d_M(x, y) = sqrt((x - y)' M (x - y)) = |T x - T y|   with   M = T T

A learner has `fit(X, examples)` and `transform(X)`, after the manner of scikit-learn. An
example is a list of row numbers that are a whole cluster: its rows must link with one
another and with no others. `links` are further pairs that belong together, as an n x n matrix
with something in row i, column j where i and j do.

A_ML, the scatter of what belongs together, has no inverse where the examples have fewer
rows than features, so `regularisation` times its mean eigenvalue is added to its
diagonal. With little of it the example clusters are pressed to points and nothing is
learned about others; with much of it little is learned at all.

All take d x d numbers and O(n d^2) steps; pairs are never listed but for Xing's, which
draws some if there are many.

References: Hu, Vens, Verstrynge and Blockeel 2013, section 2; Bar-Hillel et al. 2005; Yeung
and Chang 2006; Xing et al. 2002.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textclust.learned_metrics.chunklets import RCA, CLUEMetric, YeungChang
from textclust.learned_metrics.learner import MetricLearner, as_table
from textclust.learned_metrics.xing import Xing

__all__ = ["LEARNERS", "RCA", "CLUEMetric", "MetricLearner", "Xing", "YeungChang", "as_table"]

LEARNERS: dict[str, Callable[..., MetricLearner]] = {
    "clue": CLUEMetric,
    "rca": RCA,
    "xing": Xing,
    "xing-diagonal": partial(Xing, diagonal=True),
    "yeung-chang": YeungChang,
}
