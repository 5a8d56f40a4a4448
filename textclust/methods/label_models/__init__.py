"""Label models: from some labelled documents and all others to scores of every class.

Each is a function of `Documents` and of a label for each of them, -1 where there is none, and gives
a score of each class for each document, higher for what is likelier; only differences within a row
mean something. `LABEL_MODELS` is the one list of them, with the weight that each has in a pool
before there is evidence.
"""

from __future__ import annotations

from textclust.registry import Places

__all__ = ["LABEL_MODELS", "PRIOR_WEIGHTS"]

LABEL_MODELS = Places(
    "label model",
    {
        "clusters": "textclust.methods.label_models.spherical:named_clusters",
        "centroids": "textclust.methods.label_models.spherical:seeded_centroids",
        "neighbours": "textclust.methods.label_models.neighbours:spread_labels",
        "gaussians": "textclust.methods.label_models.gaussians:latent_gaussians",
        "discriminant": "textclust.methods.label_models.gaussians:linear_discriminant",
        "words": "textclust.methods.label_models.words:naive_bayes_em",
        "classifier": "textclust.methods.label_models.linear:ridge_classifier",
    },
)
PRIOR_WEIGHTS = {
    "clusters": 1.0,
    "centroids": 0.6,
    "neighbours": 0.4,
    "gaussians": 0.4,
    "discriminant": 0.2,
    "words": 0.4,
    "classifier": 0.2,
}
