"""Which links to doubt: those that are broken while all around them hold (Basu 2005, 8.2).

A wrong answer stands alone. Its documents are in other links too, and where these hold and
it does not, it fights all its neighbours, and is given little weight.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.supervision.links import Links

__all__ = ["trust"]


def trust(links: Links, labels: Labels) -> Array:
    """How far to trust each link, from 0 to 1, under labels it should have shaped.

    A link that holds is trusted. A broken one is trusted by the share of broken links
    among the others of its two documents, with one of each thrown in.
    """
    broken = (labels[links.left] == labels[links.right]) != links.together
    size = int(max(links.left.max(initial=0), links.right.max(initial=0))) + 1
    ends = np.concatenate([links.left, links.right])
    there = np.bincount(ends, minlength=size)
    amiss = np.bincount(ends, weights=np.tile(broken, 2), minlength=size)
    others = there[links.left] + there[links.right] - 2
    others_broken = amiss[links.left] + amiss[links.right] - 2 * broken
    return np.where(broken, (others_broken + 1) / (others + 2), 1.0)
