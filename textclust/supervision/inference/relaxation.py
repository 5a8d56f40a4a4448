"""The linear programming relaxation of the labelling (Basu 2005, A.2).

    minimise  sum_ih cost_ih u_ih  +  sum over links of w z   with  sum_h u_ih = 1,  u, z >= 0

z is as in (A.4)-(A.8), with what never binds left out. As both sides of a must-link sum
to one, half the sum of |u_ih - u_jh| is the sum of what u_ih is above u_jh, so (A.5) alone
will do, at the whole weight instead of half of it. Seen from the other side, to share cluster
h saves w min(u_ih, u_jh), which is w u_ih less w times what u_ih is above; that holds as well
where w depends on h. And as no z of a cannot-link is ever above the u_ih + u_jh - 1 or 0 that
(A.8) asks for, (A.7) holds by itself. Clusters that cost a document more than its cheapest
one by more than all its links together are not in the program at all: no solution is best that
uses them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels
from textclust.geometry.table import CostTable
from textclust.supervision.couplings import Couplings, Pairs, by_cluster
from textclust.supervision.inference.choice import best_of, payable
from textclust.supervision.inference.folding import Folded
from textclust.supervision.inference.icm import icm

__all__ = ["lower_bound", "lp_relaxation"]

_ROUNDINGS = 8


def lp_relaxation(
    costs: CostTable | Array, couplings: Couplings, labels: Labels, rng: np.random.Generator
) -> Labels:
    """The given labels or one of several roundings, whichever icm makes the cheapest."""
    costs = payable(CostTable.of(costs).exactly(), couplings)
    folded = Folded(costs, couplings)
    shares = _relaxed(folded.costs, folded.couplings).shares
    rounded = (folded.labels(_rounded(shares, rng)) for _ in range(_ROUNDINGS))
    candidates = [labels, *rounded]
    return best_of(costs, couplings, [icm(costs, couplings, each, rng) for each in candidates])


def lower_bound(costs: Array, couplings: Couplings) -> float:
    """The optimum of the relaxation: no labelling has lower costs plus V."""
    folded = Folded(payable(costs, couplings), couplings)
    return folded.total(_relaxed(folded.costs, folded.couplings).value)


@dataclass(frozen=True)
class _Relaxed:
    """The solution of the linear program: u, a row for each document, and its objective."""

    shares: Array
    value: float


def _relaxed(costs: Array, couplings: Couplings) -> _Relaxed:
    """Solve the relaxation; where that fails, without the links, which is a bound still."""
    cheapest = costs.min(axis=1, keepdims=True)
    above = costs - cheapest
    possible = above <= couplings.max_link_influence[:, None]
    pairs = couplings.pairs
    k, least = costs.shape[1], float(cheapest.sum()) + couplings.constant
    strengths = np.broadcast_to(by_cluster(pairs.strengths), (len(pairs.left), k))
    pairs = pairs._replace(strengths=strengths)
    solved = _solved(above, possible, pairs) if strengths.any() else None
    if solved is None:
        shares = (above == 0) / (above == 0).sum(axis=1, keepdims=True)
        return _Relaxed(shares, least + float(strengths.min(axis=1, initial=0.0).sum()))
    return _Relaxed(solved.shares, least + solved.value)


def _solved(above: Array, possible: Array, pairs: Pairs) -> _Relaxed | None:
    """The linear program over the possible clusters, a row (A.5) or (A.8) for each z."""
    from scipy.optimize import linprog

    left, right, attract = pairs.left, pairs.right, pairs.strengths < 0
    saved, weights = above.copy(), np.abs(pairs.strengths)
    np.add.at(saved, left, np.minimum(pairs.strengths, 0.0))
    documents, _ = np.nonzero(possible)
    u = np.cumsum(possible).reshape(possible.shape) - 1  # the column of each possible u_ih
    link, cluster = np.nonzero((weights > 0) & possible[left] & (possible[right] | attract))
    attract = attract[link, cluster]
    z = len(documents) + np.arange(len(link))
    row, seen = np.arange(len(link)), np.flatnonzero(possible[right[link], cluster])
    entries = [
        (row, u[left[link], cluster], np.ones(len(row))),
        (seen, u[right[link], cluster][seen], np.where(attract, -1.0, 1.0)[seen]),
        (row, z, -np.ones(len(row))),
    ]
    rows, columns, values = map(np.concatenate, zip(*entries, strict=True))
    each = (np.ones(len(documents)), (documents, np.arange(len(documents))))
    scale = weights.max()  # the solver's tolerances are absolute
    solution = linprog(
        np.concatenate([saved[possible], weights[link, cluster]]) / scale,
        A_ub=sp.csr_array((values, (rows, columns)), shape=(len(link), len(documents) + len(link))),
        b_ub=np.where(attract, 0.0, 1.0),
        A_eq=sp.csr_array(each, shape=(len(above), len(documents) + len(link))),
        b_eq=np.ones(len(above)),
        method="highs",
    )
    if solution.status != 0:
        return None
    shares = np.zeros(above.shape)
    shares[possible] = solution.x[: len(documents)]
    return _Relaxed(shares, scale * solution.fun)


def _rounded(shares: Array, rng: np.random.Generator) -> Labels:
    """Labels by lot (Kleinberg & Tardos 1999).

    A cluster and a threshold are drawn over and over; whoever has no label yet and that
    much of the cluster takes it. Documents with like shares so tend to be taken at once.
    """
    labels = np.zeros(len(shares), dtype=np.intp)
    waiting = np.arange(len(shares))
    while len(waiting):
        cluster, threshold = rng.integers(shares.shape[1]), 1.0 - rng.random()
        taken = shares[waiting, cluster] >= threshold
        labels[waiting[taken]] = cluster
        waiting = waiting[~taken]
    return labels
