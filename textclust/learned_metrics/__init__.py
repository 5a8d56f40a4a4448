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

from typing import TYPE_CHECKING, Any

from textclust.registry import Places, load

if TYPE_CHECKING:
    from textclust.learned_metrics.chunklets import RCA as RCA
    from textclust.learned_metrics.chunklets import CLUEMetric as CLUEMetric
    from textclust.learned_metrics.chunklets import YeungChang as YeungChang
    from textclust.learned_metrics.learner import MetricLearner as MetricLearner
    from textclust.learned_metrics.learner import as_table as as_table
    from textclust.learned_metrics.xing import Xing as Xing

__all__ = ["LEARNERS", "RCA", "CLUEMetric", "MetricLearner", "Xing", "YeungChang", "as_table"]

LEARNERS = Places(
    "learned metric",
    {
        "clue": "textclust.learned_metrics.chunklets:CLUEMetric",
        "rca": "textclust.learned_metrics.chunklets:RCA",
        "xing": "textclust.learned_metrics.xing:Xing",
        "xing-diagonal": "textclust.learned_metrics.xing:diagonal_xing",
        "yeung-chang": "textclust.learned_metrics.chunklets:YeungChang",
    },
)
_PUBLIC = {
    "CLUEMetric": "textclust.learned_metrics.chunklets:CLUEMetric",
    "MetricLearner": "textclust.learned_metrics.learner:MetricLearner",
    "RCA": "textclust.learned_metrics.chunklets:RCA",
    "Xing": "textclust.learned_metrics.xing:Xing",
    "YeungChang": "textclust.learned_metrics.chunklets:YeungChang",
    "as_table": "textclust.learned_metrics.learner:as_table",
}


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return load(_PUBLIC[name])
