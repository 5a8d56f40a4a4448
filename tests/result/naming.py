"""Texts to names, for tests of names."""

from __future__ import annotations

import numpy as np

from textclust.result.naming import Naming
from textclust.result.occurrences import Occurrences
from textclust.result.terms import weigh_terms
from textclust.result.wording import Wording
from textclust.text.termspace import TermSpace


def naming(texts, labels, **settings):
    """What names of these texts are made from; every word is a term unless settings differ."""
    settings = {"min_df": 1, "max_df": 1.0, "stop_words": None, "use_idf": False, **settings}
    space = TermSpace(**settings)
    X, labels = space.fit_transform(texts), np.array(labels)
    k = int(labels.max()) + 1
    evidence = weigh_terms(X, labels, k).evidence
    return Naming(evidence, space.readable_terms(), Wording.of(texts, labels, k))


def names(texts, labels, **settings):
    return naming(texts, labels, **settings).names()


def read(texts, weights, labels=None):
    """The occurrences of words that may name the groups of texts, each its own unless told."""
    labels = np.zeros(len(texts), dtype=np.intp) if labels is None else np.array(labels)
    k = len(weights)
    return Occurrences(Wording.of(texts, labels, k), weights, np.arange(k))
