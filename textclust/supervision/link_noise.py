"""Which answers are likely wrong, and how many are (Basu 2005, 8.2).

Every answer is taken to be wrong with the same chance, and a document to be in a cluster
with one that falls with what it costs there. Belief propagation over the links (the
sum-product rule; Pearl 1988) tells where both documents of a link would be without it, by
their own costs and by all other links, and so how likely its answer is. The mean of all
doubts is the chance of a wrong answer, and so on until they agree (Dempster, Laird and
Rubin 1977). How far the costs are to be believed is learned too: as far as makes the
answers most likely, each predicted without itself. No wrong answer vouches for itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels
from textclust.supervision.links import Links

__all__ = ["LinkNoise", "estimate_link_noise"]

_WRONG, _RIGHT = 1.0, 9.0  # answers that are thrown in, so that a few say little
_TEMPERATURES = 2.0 ** np.arange(2.0, -3.0, -0.5)  # of the spread of the costs, hot to cold
_SWEEPS = 25  # at each temperature
_STILL = 1e-3  # a change of a message, in nats, that is none
_MOST = 0.45  # of the answers; beyond, they would say nothing, or the reverse
_LARGEST = 30.0  # log-odds of the link of largest weight


@dataclass(frozen=True, eq=False)
class LinkNoise:
    """What to think of some links."""

    wrong: Array  # the chance of each that it is wrong
    share: float  # of them that are wrong
    temperature: float  # the cost that makes a cluster e times less likely
    likelihood: float  # the logarithm of that of all answers, each without itself
    labels: Labels  # the most likely cluster of each linked document

    @property
    def link_reliability(self) -> Array:
        """What each link is to count: nothing where it is more likely wrong than right."""
        return np.where(self.wrong < 0.5, 1.0 - self.wrong, 0.0)

    @property
    def price(self) -> float:
        """What breaking a right link is to cost: as much as it makes its answer likelier."""
        return float(self.temperature * np.log((1.0 - self.share) / self.share))


def estimate_link_noise(costs: Array, links: Links) -> LinkNoise:
    """What to think of each link, given what each cluster costs each of `links.documents`.

    A link of weight 2 is as sure as two.
    """
    spread = float(costs.std(axis=1).mean()) or 1.0
    beliefs = _Beliefs(costs, links)
    found = [beliefs.settled(spread * step) for step in _TEMPERATURES]
    return max(found, key=lambda each: each.likelihood)


class _Beliefs:
    """Messages both ways along every link: first all from left to right, then back."""

    def __init__(self, costs: Array, links: Links) -> None:
        within, self.count = links.within(), len(links)
        self.sources = np.concatenate([within.left, within.right])
        targets = np.concatenate([within.right, within.left])
        ways = np.arange(2 * self.count)
        shape = (len(costs), 2 * self.count)
        self.incoming = sp.csr_array((np.ones(len(ways)), (targets, ways)), shape=shape)
        self.together, self.weights, self.costs = links.together, links.weights, costs
        self.messages = np.zeros((2 * self.count, costs.shape[1]))
        self.share = _WRONG / (_WRONG + _RIGHT)

    def settled(self, temperature: float) -> LinkNoise:
        """What to think where costs count by this temperature; it starts from the one before."""
        for _ in range(_SWEEPS):
            prior, there = self._prior(), self._without(temperature)
            same = (there[: self.count] * there[self.count :]).sum(axis=1)
            holds = np.where(self.together, same, 1.0 - same)
            likely = prior * (1.0 - holds) + (1.0 - prior) * holds
            wrong = prior * (1.0 - holds) / likely
            self.share = float(wrong.sum() + _WRONG) / (len(wrong) + _WRONG + _RIGHT)
            self.share = min(_MOST, self.share)
            if self._pass_on(there, prior) < _STILL:
                break
        thrown_in = _WRONG * np.log(self.share) + _RIGHT * np.log(1.0 - self.share)
        likelihood = float(np.log(likely).sum() + thrown_in)
        labels = self._total(temperature).argmax(axis=1)
        return LinkNoise(wrong, self.share, temperature, likelihood, labels)

    def _prior(self) -> Array:
        """The chance of each link to be wrong as far as its weight tells."""
        log_odds = np.log((1.0 - self.share) / self.share)
        return np.asarray(1.0 / (1.0 + np.exp(np.minimum(self.weights * log_odds, _LARGEST))))

    def _pass_on(self, there: Array, prior: Array) -> float:
        """Send every message anew, halfway to what it would be; the largest change."""
        wrong = np.tile(prior, 2)[:, None]
        agree = wrong + (1.0 - 2.0 * wrong) * there
        sent = np.log(np.where(np.tile(self.together, 2)[:, None], agree, 1.0 - agree))
        step = (sent - sent.mean(axis=1, keepdims=True) - self.messages) / 2
        self.messages += step
        return float(np.abs(step).max())

    def _without(self, temperature: float) -> Array:
        """The chance of each cluster for the source of each message, without its link."""
        back = np.roll(self.messages, self.count, axis=0)
        logs = self._total(temperature)[self.sources] - back
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def _total(self, temperature: float) -> Array:
        return np.asarray(self.incoming @ self.messages - self.costs / temperature)
