"""How well clusters agree with the classes that documents came with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from textclust import metrics

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["agreement"]


def agreement(clustering: Clustering) -> dict[str, float] | None:
    """NMI and pairwise F1, on documents that no supervision mentions; None where some have none.

    What fits nowhere, with its label of -1, is a cluster like any other.
    """
    names = [card.truth for card in clustering.cards]
    if not names or None in names or clustering.whole is not None:
        return None

    numbers = {name: number for number, name in enumerate(sorted(set(names), key=str))}
    truth = np.fromiter(map(numbers.__getitem__, names), np.intp, len(names))
    scored = np.ones(len(names), dtype=bool)
    scored[list(clustering.outcome.mentioned)] = False
    truth, labels = truth[scored], clustering.labels[scored]
    if len(np.unique(truth)) < 2:
        return None
    measures = {"nmi": metrics.nmi, "pairwise_f1": metrics.pairwise_f1}
    found = {name: measure(truth, labels) for name, measure in measures.items()}
    return {**found, "documents": len(truth)}
