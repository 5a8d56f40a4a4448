"""Names that a person gives to clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from textclust.errors import InputError
from textclust.text.decoding import encodable

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["with_names"]


def with_names(clustering: Clustering, names: Mapping[int, str]) -> Clustering:
    """The same with these names of clusters, by their numbers; no name may be there twice."""
    beforehand = tuple(clustering.outcome.names(clustering.k))
    own = clustering.identities or replace(clustering.identity, names=beforehand)
    said = {own.numbers[h]: _one_line(h, name) for h, name in names.items()}
    called = [said.get(n, name) for n, name in zip(own.numbers, clustering.names, strict=True)]
    double = [name for name in said.values() if called.count(name) > 1]
    if double:
        raise InputError(f"two clusters would be called {double[0]!r}; give another name")
    given = {
        **(clustering.settings.get("names") or {}),
        **{str(h): said[own.numbers[h]] for h in names},
    }
    settings = {**clustering.settings, "names": given}
    return replace(clustering, identities=own.renamed(said), settings=settings)


def _one_line(h: int, name: object) -> str:
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"cluster {h} needs a name; got {name!r}")
    return encodable(" ".join(name.split()))
