"""A clustering as DataFrames of pandas: its clusters, its documents, its terms, its course."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from textclust.extras import imported
from textclust.geometry.affine import Array
from textclust.result.over_time import over_time as course
from textclust.result.placement import FITS_NOWHERE

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["info", "over_time", "terms_frame", "to_frame"]

_KINDS = ("descriptive", "discriminating")


def info(clustering: Clustering, terms: int = 5) -> Any:
    """A pandas DataFrame with a row for each cluster: name, size, mean score, terms.

    The stability too, where it was asked for. `typical` is the id of the document nearest to its
    prototype, and `title` its title.
    """
    each = range(clustering.k)
    typical = [clustering.nearest_rows(h, 1) for h in each]
    sizes, stability = np.array(clustering.sizes), clustering.stability
    ids, cards = clustering.ids, clustering.cards
    return _pandas().DataFrame(
        {
            "cluster": list(each),
            "name": clustering.names,
            "size": sizes,
            "share": sizes / max(sizes.sum(), 1),
            "score": _mean_scores(clustering),
            **({} if stability is None else {"stability": stability.clusters}),
            "terms": [", ".join(clustering.terms(h, terms)) for h in each],
            "typical": [ids[rows[0]] if rows else None for rows in typical],
            "title": [cards[rows[0]].title if rows else "" for rows in typical],
        }
    )


def to_frame(clustering: Clustering) -> Any:
    """A pandas DataFrame with a row for each document: its cluster, score, label and date.

    Its stability too, where that was asked for.

    Its index is that of the Series or DataFrame that was clustered, so that it joins with it;
    of other sources it is the ids.
    """
    pandas, cards, keys = _pandas(), clustering.cards, clustering.keys
    names = np.array([*clustering.names, FITS_NOWHERE], dtype=object)  # which is -1
    index, ids = None if keys is None else keys.index, clustering.ids
    columns = {
        **({} if index is None or list(index) == ids else {"id": ids}),
        "cluster": clustering.labels,
        "name": names[clustering.labels],
        "score": clustering.scores,
        **({} if clustering.stability is None else {"stability": clustering.stability.documents}),
        **({"label": [c.truth for c in cards]} if any(c.truth is not None for c in cards) else {}),
        **({} if clustering.group_sizes is None else {"group": [card.group for card in cards]}),
        **({} if clustering.moments is None else {"date": _utc(clustering.moments)}),
        "title": [card.title for card in cards],
    }
    found = pandas.DataFrame(columns)
    return found.set_index(pandas.Index(ids, name="id") if index is None else index)


def terms_frame(clustering: Clustering, n: int = 10) -> Any:
    """A pandas DataFrame with a row for each leading term of each cluster, of both kinds."""
    rows = [
        (h, clustering.names[h], kind, term.term, term.weight)
        for h in range(clustering.k)
        for kind in _KINDS
        for term in clustering.weighted_terms(h, n, kind)
    ]
    return _pandas().DataFrame(rows, columns=["cluster", "name", "kind", "term", "weight"])


def over_time(clustering: Clustering, freq: str = "auto") -> Any:
    """A pandas DataFrame with a row for each cluster in each period.

    It has the size, the share of the documents of the period, and the terms that rise: see
    docs/pandas.md. `freq` is "day", "week", "month", "quarter" or "year"; "auto" is the finest of
    these, but for quarters, with no more than 31 periods.
    """
    found = course(clustering, freq)
    pandas, totals = _pandas(), found.sizes.sum(axis=0)
    rows = [
        (
            period,
            h,
            clustering.names[h],
            int(found.sizes[h, p]),
            float(found.sizes[h, p] / max(totals[p], 1)),
            ", ".join(found.rising[h][p]),
        )
        for p, period in enumerate(found.periods)
        for h in range(clustering.k)
    ]
    heads = ["period", "cluster", "name", "size", "share", "rising"]
    table = pandas.DataFrame(rows, columns=heads)
    return table.assign(period=pandas.to_datetime(table["period"]))


def _utc(moments: Array) -> Any:
    return _pandas().Series(moments).dt.tz_localize("UTC")


def _mean_scores(clustering: Clustering) -> Any:
    inside = clustering.labels >= 0
    labels, scores = clustering.labels[inside], clustering.scores[inside]
    sums = np.bincount(labels, scores, minlength=clustering.k)
    counts = np.bincount(labels, minlength=clustering.k)
    return sums / np.maximum(counts, 1)


def _pandas() -> Any:
    return imported("pandas", "pandas", "a DataFrame")
