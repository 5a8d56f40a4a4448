"""What the choices before clustering bring: pruning, damping, and keeping quoted lines."""

from __future__ import annotations

from collections.abc import Iterator

from textclust import metrics
from textclust.experiments.collections import NEWS_COLLECTIONS, classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.parameters import Settings
from textclust.pipeline import cluster
from textclust.text.cleaning import AUTO, Cleaning
from textclust.text.termspace import TermSpace

__all__ = ["EXPERIMENTS"]

_CHOICES: dict[str, tuple[Cleaning, Settings]] = {
    "the default": (AUTO, {"sublinear_tf": True}),
    "raw term frequencies (Basu 2005)": (AUTO, {}),
    "min_df=5 (Basu 2005)": (AUTO, {"sublinear_tf": True, "min_df": 5}),
    "stemmed": (AUTO, {"sublinear_tf": True, "stem": True}),
    "quotes removed": (Cleaning(quotes=True), {"sublinear_tf": True}),
}


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI of the default method after one choice."""
    cleaning, parameters = _CHOICES[case["choice"]]
    documents = collection(case["collection"], cleaning)
    truth = classes(documents)
    space = TermSpace(**parameters)
    found = cluster(documents, len(set(truth)), vectorizer=space, random_state=run)
    yield {"NMI": metrics.nmi(truth, found.labels)}


EXPERIMENTS = (
    Experiment(
        name="weighting",
        title="NMI after each choice before clustering, one changed at a time",
        source="Basu 2005, section 2.5",
        unit=unit,
        cases=grid(choice=_CHOICES, collection=NEWS_COLLECTIONS),
        runs=10,
        axes=("choice", "collection"),
        x="collection",
        lines="choice",
    ),
)
