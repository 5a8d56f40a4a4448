"""How well clusters agree with the classes that their documents came with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from textclust.geometry.affine import Labels

__all__ = ["agreement_of"]


def agreement_of(
    classes: Sequence[str | None], labels: Labels, mentioned: Iterable[int]
) -> dict[str, float] | None:
    """NMI and pairwise F1, and the number of documents: those that no supervision mentions.

    None where a document has no class, or where what is left is of one class. A label of -1 is a
    cluster like any other.
    """
    if not classes or None in classes:
        return None
    from textclust import metrics

    numbers = {name: number for number, name in enumerate(sorted(set(classes), key=str))}
    truth = np.fromiter(map(numbers.__getitem__, classes), np.intp, len(classes))
    scored = np.ones(len(classes), dtype=bool)
    scored[list(mentioned)] = False
    truth, labels = truth[scored], labels[scored]
    if len(np.unique(truth)) < 2:
        return None
    measures = {"nmi": metrics.nmi, "pairwise_f1": metrics.pairwise_f1}
    found = {name: measure(truth, labels) for name, measure in measures.items()}
    return {**found, "documents": len(truth)}
