"""Two models of words learn what the pool says of all documents, and then from each other.

Naive Bayes and a linear classifier learn from every document with the class that the pool gives it;
what they say together takes the pool's place, and they learn again from that (Blum and Mitchell
1998 let two classifiers teach each other so).
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.calibration import log_probabilities
from textclust.methods.label_models.documents import Documents, memberships
from textclust.methods.label_models.linear import LinearModel, telling_classifier
from textclust.methods.label_models.opinions import opinion
from textclust.methods.label_models.words import naive_bayes
from textclust.progress import track
from textclust.stopping import due

__all__ = ["retrained"]

_ROUNDS = 2
_SURER = 1.5  # two models that agree may be so much surer than each is


def retrained(documents: Documents, y: Labels, pooled: Array) -> LinearModel:
    """The linear model that has learned from the pool, and from what both made of it.

    In fewer rounds, or from the pool alone, where the search is to stop.
    """
    seeded, known = memberships(y, documents.k), y >= 0
    counts = documents.counts
    logs, model = pooled, None
    for _ in track(range(_ROUNDS), "learning", _ROUNDS):
        if due():
            break
        shares = np.where(known[:, None], seeded, np.exp(logs))
        model = telling_classifier(documents, y, shares, model)
        found = opinion(model.scores(documents))
        if counts is not None:
            found = 0.5 * (found + opinion(naive_bayes(counts, shares)))
        logs = log_probabilities(_SURER * found)
    shares = np.where(known[:, None], seeded, np.exp(logs))
    return telling_classifier(documents, y, shares, model)
