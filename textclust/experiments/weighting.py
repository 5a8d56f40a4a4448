"""What the choices before clustering bring: pruning, damping, and keeping quoted lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust import metrics
from textclust.experiments.collections import NEWS_COLLECTIONS, classes, collection
from textclust.experiments.table import Table
from textclust.pipeline import cluster
from textclust.progress import track
from textclust.text.cleaning import AUTO, Cleaning
from textclust.text.termspace import TermSpace

__all__ = ["run"]

_CHOICES: dict[str, tuple[Cleaning, dict[str, Any]]] = {
    "the default": (AUTO, {"sublinear_tf": True}),
    "raw term frequencies (Basu 2005)": (AUTO, {}),
    "min_df=5 (Basu 2005)": (AUTO, {"sublinear_tf": True, "min_df": 5}),
    "stemmed": (AUTO, {"sublinear_tf": True, "stem": True}),
    "quotes removed": (Cleaning(quotes=True), {"sublinear_tf": True}),
}


def run(runs: int) -> Table:
    """Mean NMI of the default method after each choice, one changed at a time."""
    rows = [
        (choice, *(_mean_nmi(name, *_CHOICES[choice], runs) for name in NEWS_COLLECTIONS))
        for choice in track(_CHOICES, "choices", len(_CHOICES))
    ]
    return Table(
        "Mean NMI after each choice before clustering", ("choice", *NEWS_COLLECTIONS), rows
    )


def _mean_nmi(name: str, cleaning: Cleaning, parameters: dict[str, Any], runs: int) -> str:
    documents = collection(name, cleaning)
    truth = classes(documents)
    k = len(set(truth))
    scores = [
        metrics.nmi(
            truth,
            cluster(documents, k, vectorizer=TermSpace(**parameters), random_state=state).labels,
        )
        for state in range(runs)
    ]
    return f"{np.mean(scores):.3f}"
