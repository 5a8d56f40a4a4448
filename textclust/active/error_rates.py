"""Answers that are wrong with some probability: what one is worth, and how to find that out.

An answer of an oracle that errs at a rate e multiplies the odds of what it says by (1 - e) / e, and
so does each further one that agrees. The weight of a link is the logarithm of these odds over that
of 99 to 1, at which it is as good as certain.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, log

import numpy as np

__all__ = [
    "ERROR_RATE_PRIOR",
    "answer_weight",
    "answers_to_believe",
    "estimated_error_rate",
    "inference_weight",
]

ERROR_RATE_PRIOR = (1.0, 9.0)  # Beta; wrong and right answers that are thrown in
_CERTAIN = log(99.0)  # log-odds of weight 1, at which nothing is asked once more
_RATES = np.linspace(0.0, 0.5, 502)[1:-1]


def log_odds(error_rate: float) -> float:
    """How much an answer says, in nats."""
    return log((1.0 - error_rate) / error_rate)


def answer_weight(error_rate: float, lead: int = 1) -> float:
    """The weight of a link for which there are so many more answers than against it.

    >>> [round(answer_weight(rate), 2) for rate in (0.01, 0.1, 0.2, 0.3)]
    [1.0, 0.48, 0.3, 0.18]
    >>> round(answer_weight(0.3, lead=2), 2)
    0.37
    """
    return min(1.0, lead * log_odds(error_rate) / _CERTAIN)


def inference_weight(error_rate: float, answers: int) -> float:
    """The weight of a link that holds if all of some answers are right; 0 if that is unlikely.

    >>> [round(inference_weight(0.1, answers), 2) for answers in (1, 2, 9)]
    [0.48, 0.32, 0.0]
    """
    right = (1.0 - error_rate) ** answers
    return 0.0 if right <= 0.5 else min(1.0, log_odds(1.0 - right) / _CERTAIN) if answers else 1.0


def answers_to_believe(error_rate: float) -> int:
    """How many more answers for a placement than against it make it certain: 99 to 1.

    >>> [answers_to_believe(rate) for rate in (0.0, 0.01, 0.05, 0.1, 0.2)]
    [1, 1, 2, 3, 4]
    """
    return ceil(_CERTAIN / log_odds(error_rate) - 1e-9) if error_rate else 1


def estimated_error_rate(repeats: Mapping[tuple[int, bool], int]) -> float:
    """The mean of the posterior of the error rate, from answers that were to be expected.

    An answer that follows from m others is other than expected if an odd number of these m + 1 are
    wrong: with probability (1 - (1 - 2 e)^(m + 1)) / 2. The prior is Beta(1, 9): one in ten.

    Parameters
    ----------
    repeats : how often an answer that follows from so many others was as expected, or was not

    Examples
    --------
    >>> round(estimated_error_rate({}), 2)
    0.1
    >>> round(estimated_error_rate({(1, True): 200}), 3)
    0.003
    >>> round(estimated_error_rate({(1, True): 136, (1, False): 64}), 2)
    0.2
    """
    wrong, right = ERROR_RATE_PRIOR
    logs = (wrong - 1.0) * np.log(_RATES) + (right - 1.0) * np.log1p(-_RATES)
    for (answers, expected), count in repeats.items():
        other = (1.0 - (1.0 - 2.0 * _RATES) ** (answers + 1)) / 2.0
        logs += count * np.log(1.0 - other if expected else other)
    chances = np.exp(logs - logs.max())
    return float(_RATES @ chances / chances.sum())
