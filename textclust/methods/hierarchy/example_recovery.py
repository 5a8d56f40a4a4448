"""How many clusters there are, by whether the examples are found again without being known.

A dendrogram under a metric that was learned from the examples flatters them: the cut that
rebuilds them best comes too early, and on text, where clusters are not compact, CORI is highest
where there are few. So k is tried: k-means of all rows, which knows no examples, and the
pairwise F of the examples among its clusters. Too few clusters mix an example with others, too
many split it. Each k is tried several times, and those beside it have a say, as one try says
little.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textclust.engine.batched_restarts import best_labels
from textclust.geometry.affine import Array, Labels
from textclust.progress import track
from textclust.stopping import while_allowed
from textclust.supervision.example_rows import example_labels

__all__ = ["pairwise_f_of_examples", "select_k_by_example_recovery"]

_SAMPLE = 4_000  # rows looked at
_TIMES = 3  # that each k is tried,
_TRIES = 3  # each the best of so many starts
_STEPS = 20
_IN_A_ROW, _FAR_WORSE = (
    4,
    0.7,
)  # so many numbers in a row that do so much worse than the best: enough
_MOST = 100  # clusters
_ROWS_PER_CLUSTER = 5  # at least
_STEP = 1.15  # from one k to the next, once they are many
_WIDTH = 0.12  # of what hardly differs, as the log of a ratio


def select_k_by_example_recovery(
    vectors: Array,
    examples: Sequence[Labels],
    rng: np.random.Generator,
    threads: int | None = None,
) -> int:
    """The number of clusters among which the examples are found again best, by their cosine."""
    example = example_labels(examples, len(vectors))
    if len(vectors) > _SAMPLE:
        rows = np.sort(rng.choice(len(vectors), _SAMPLE, replace=False))
        vectors, example = vectors[rows], example[rows]
    weights = np.ones(len(vectors))
    least = len(examples) + 1  # they are whole clusters, and the rest is something else
    numbers = _numbers(least, max(least, min(_MOST, len(vectors) // _ROWS_PER_CLUSTER)))
    found: list[float] = []
    for k in track(while_allowed(numbers), "trying numbers of clusters", len(numbers)):
        tries = [
            best_labels(vectors, weights, k, rng, tries=_TRIES, max_iter=_STEPS, threads=threads)
            for _ in range(_TIMES)
        ]
        found.append(float(np.mean([pairwise_f_of_examples(each, example) for each in tries])))
        if max(found[-_IN_A_ROW:]) < _FAR_WORSE * max(found):
            break
    return numbers[int(_smooth(numbers[: len(found)], found).argmax())]


def pairwise_f_of_examples(labels: Labels, example: Labels) -> float:
    """Pairwise F over the pairs that have a row of an example: 1 where each is a cluster.

    `example` is the number of the example of each row, -1 for none.
    """
    k, known = int(labels.max()) + 1, example >= 0
    cells = np.bincount(labels[known] * (int(example.max()) + 1) + example[known])
    joined = _pairs(cells)
    together = _pairs(np.bincount(labels, minlength=k)) - _pairs(np.bincount(labels[~known]))
    belong = _pairs(np.bincount(example[known]))
    return 2 * joined / (together + belong) if together + belong else 1.0


def _pairs(sizes: Array) -> float:
    return float((sizes * (sizes - 1)).sum()) / 2


def _numbers(least: int, most: int) -> list[int]:
    """Every number at first, then ever fewer of them."""
    numbers = [least]
    while (larger := max(numbers[-1] + 1, round(numbers[-1] * _STEP))) <= most:
        numbers.append(larger)
    return numbers


def _smooth(numbers: list[int], values: list[float]) -> Array:
    """Each value with those of numbers that hardly differ: 20 and 21 do, 3 and 4 do not."""
    logs = np.log(numbers)
    near = np.exp(-(((logs[:, None] - logs) / _WIDTH) ** 2) / 2)
    return np.asarray(near @ values / near.sum(axis=1))
