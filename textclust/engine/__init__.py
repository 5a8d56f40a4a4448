"""Everything that alternates: from a `Problem` to the `Solution` of lowest energy found.

`STARTS` and `SUPERVISED_STARTS` are the one list of starts; each is a function of a problem and a
generator, but for those that search a space of their own.
"""

from __future__ import annotations

from textclust.registry import Places

__all__ = ["CUTS", "STARTS", "SUPERVISED_STARTS"]

STARTS = Places(
    "start",
    {
        "lsa": "textclust.engine.latent_starts:latent_starts",
        "k-means++": "textclust.engine.starts:kmeans_plus_plus",
        "perturbed": "textclust.engine.starts:perturbed_centroid",
        "farthest": "textclust.engine.starts:farthest_first",
    },
)
SUPERVISED_STARTS = Places(
    "start from supervision",
    {
        "seeds": "textclust.engine.starts:seed_centroids",
        "neighbourhoods": "textclust.engine.neighbourhood_starts:neighbourhood_centroids",
        "largest": "textclust.engine.neighbourhood_starts:largest_neighbourhoods",
        "random": "textclust.engine.neighbourhood_starts:drawn_documents",
    },
)
CUTS = ("normalised", "ratio")  # of a graph
