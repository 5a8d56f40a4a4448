"""What became of the supervision: what was kept, what was overruled, how much it moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textclust.result.evidence import Evidence, Link

__all__ = ["SupervisionOutcome", "outcome_of"]

_SHOWN = 3  # overruled links or seeds in a sentence


@dataclass(frozen=True)
class SupervisionOutcome:
    """Seeds and links given, and how the clustering treats them. Falsy where none were given."""

    seeds: int
    overruled_seeds: tuple[str, ...]  # ids of those outside the cluster of their class
    cluster_of_class: dict[str, int]
    links: int
    overruled_links: tuple[tuple[str, str, Link], ...]  # ids and link, the most expensive first
    ignored_links: int  # of price 0: of weight 0, unreliable, or for the start alone
    moved: int | None  # documents that would be elsewhere without supervision; None if unknown

    def __bool__(self) -> bool:
        return bool(self.seeds or self.links)

    @property
    def kept_seeds(self) -> int:
        """How many seeds are in the cluster of their class."""
        return self.seeds - len(self.overruled_seeds)

    @property
    def price(self) -> float:
        """What the overruled links add to the energy."""
        return float(sum(link.price or 0.0 for _, _, link in self.overruled_links))

    def sentences(self) -> list[str]:
        """The same in words, a sentence for each kind of supervision."""
        found = []
        if self.seeds:
            where = ", ".join(f"{h} is {name}" for name, h in self.cluster_of_class.items())
            kept = f"{self.kept_seeds} of {_counted(self.seeds, 'labelled document')}"
            found.append(
                f"{kept} in the cluster of their class ({where}){_listed(self.overruled_seeds)}"
            )
        if self.links:
            pairs = [
                f"{left} and {right} ({link.kind})" for left, right, link in self.overruled_links
            ]
            overruled = f"{len(pairs)} of {_counted(self.links, 'link')} overruled"
            found.append(f"{overruled}{_listed(pairs)}")
        if self.ignored_links:
            found.append(f"{_counted(self.ignored_links, 'link')} did not bind")
        if self and self.moved is not None:
            found.append(f"What you gave moved {_counted(self.moved, 'document')}")
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data for clusters.json; nothing where nothing was given."""
        found: dict[str, Any] = {}
        if self.links:
            found["constraints"] = {
                "given": self.links,
                "violated": [
                    {"left": left, "right": right, "kind": link.kind, "price": link.price}
                    for left, right, link in self.overruled_links
                ],
                "ignored": self.ignored_links,
            }
        if self.seeds:
            found["seeds"] = {
                "given": self.seeds,
                "kept": self.kept_seeds,
                "overruled": list(self.overruled_seeds),
                "clusters": self.cluster_of_class,
            }
        if self:
            found["moved"] = self.moved
        return found


def outcome_of(
    evidence: Evidence,
    labels: Sequence[int],
    clusters: Sequence[set[int]],
    ids: Sequence[str],
) -> SupervisionOutcome:
    """What became of what was given; documents are in all of `clusters`, first in `labels`."""
    cluster_of = evidence.clusters_of_classes(labels)
    broken = sorted(
        (link for link in evidence.links if link.broken(clusters)),
        key=lambda link: -(link.price or 0.0),
    )
    return SupervisionOutcome(
        seeds=len(evidence.seeds),
        overruled_seeds=tuple(
            ids[row]
            for row, number in evidence.seeds.items()
            if cluster_of[number] not in clusters[row]
        ),
        cluster_of_class=dict(zip(evidence.classes, cluster_of, strict=True)),
        links=len(evidence.links),
        overruled_links=tuple((ids[link.left], ids[link.right], link) for link in broken),
        ignored_links=sum(link.price == 0.0 for link in evidence.links),
        moved=evidence.moved,
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    """The first few of some names, after a colon."""
    if not names:
        return ""
    more = len(names) - _SHOWN
    return f": {'; '.join(names[:_SHOWN])}" + (f"; and {more:,} more" if more > 0 else "")
