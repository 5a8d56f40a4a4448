"""What older, labelled documents say of newer ones (Gao, Tan and Cheng 2005).

The labelled documents have a vocabulary of their own, of which only a part is shared. A
`Labeller` learns from them in the shared part and gives its opinion of the new documents;
the methods turn opinions into what the loop minimises.
"""

from __future__ import annotations

from textclust.registry import Places

__all__ = ["LABELLERS"]

LABELLERS = Places(
    "labeller",
    {
        "naive-bayes": "textclust.supervision.background.naive_bayes:NaiveBayesLabeller",
        "nearest": "textclust.supervision.background.nearest:NearestNeighbourLabeller",
    },
)
