"""The course of the clusters as plain data, and as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from textclust.result.over_time import OverTime, over_time, terms_over_time

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["course_as_data", "course_rows"]

_BETWEEN = ", "  # terms in a cell


def course_as_data(clustering: Clustering, freq: str) -> dict[str, object]:
    """Sizes, shares and terms of each cluster in each period, and what becomes of each.

    Trends and halves are those of the periods that are shown, see `OverTime.shown`.
    """
    found = over_time(clustering, freq)
    shown, terms, shares = found.shown, terms_over_time(clustering, found), _shares(found)
    names = clustering.names
    return {
        "by": found.freq,
        "undated": found.undated,
        "later_half_from": None if shown.middle is None else shown.middle.isoformat(),
        "trends": [{**each.to_dict(), "name": names[each.cluster]} for each in shown.trends],
        "clusters": [
            {
                "cluster": h,
                "periods": [
                    {
                        "period": period.isoformat(),
                        "documents": int(found.sizes[h, p]),
                        "share": round(float(shares[h, p]), 6),
                        "terms": list(terms[h][p]),
                        "rising": list(found.rising[h][p]),
                    }
                    for p, period in enumerate(found.periods)
                ],
            }
            for h in range(clustering.k)
        ],
    }


def course_rows(clustering: Clustering, freq: str) -> Iterator[tuple[object, ...]]:
    """The same as rows of the columns of `textclust.writing.COURSE`."""
    found = over_time(clustering, freq)
    terms, shares = terms_over_time(clustering, found), _shares(found).round(6)
    for p, period in enumerate(found.periods):
        for h in range(clustering.k):
            yield (
                period.isoformat(),
                h,
                clustering.names[h],
                int(found.sizes[h, p]),
                float(shares[h, p]),
                _BETWEEN.join(terms[h][p]),
                _BETWEEN.join(found.rising[h][p]),
            )


def _shares(found: OverTime) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Of the documents of each period."""
    return found.sizes / np.maximum(found.sizes.sum(axis=0), 1)
