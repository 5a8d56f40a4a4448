"""What became of the supervision: what was kept, what was overruled, how much it moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from textclust.engine.problem import Solution
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.plain import plain
from textclust.result.explanation import Push
from textclust.result.sizes_outcome import SizesOutcome
from textclust.result.words_outcome import WordsOutcome
from textclust.supervision.background.outcome import BackgroundOutcome
from textclust.supervision.given import Supervision
from textclust.supervision.links import SEED, Link

__all__ = ["SupervisionOutcome", "clusters_of"]

_SHOWN = 3  # overruled links or seeds in a sentence
_LINE = 300  # characters of a sentence that is shown


@dataclass(frozen=True, repr=False)
class SupervisionOutcome:
    """All that was given, and how the clustering treats it. Falsy where nothing was given."""

    ids: Sequence[str] = ()  # of the documents
    given_links: tuple[Link[int], ...] = ()  # by row, each with its price and whether it is broken
    given_seeds: Mapping[int, int] = field(default_factory=dict)  # rows, with numbers of classes
    classes: tuple[str, ...] = ()  # by number
    numbered: bool = True  # class h is cluster h; else it is the cluster most of its seeds are in
    clusters: tuple[int, ...] = ()  # of the classes
    overruled_seeds: tuple[str, ...] = ()  # ids of those outside the cluster of their class
    moved: int | None = None  # documents that would be elsewhere without supervision, if known
    accuracy: float | None = None  # cross-validated, on what was named
    background: BackgroundOutcome | None = field(default=None, compare=False)
    words: WordsOutcome | None = None  # what became of seed words
    sizes: SizesOutcome | None = None  # of a bound on the sizes of clusters

    @classmethod
    def of(
        cls,
        supervision: Supervision,
        solution: Solution,
        X: Matrix,
        *,
        numbered: bool,
        moved: int | None,
    ) -> Self:
        """What a solution makes of what was given; `X` are the documents among their terms."""
        words = WordsOutcome.of(supervision, solution)
        found = cls.judged(
            supervision.ids or (),
            _given_links(supervision, solution),
            supervision.class_of_row,
            supervision.classes,
            numbered,
            solution.labels,
            solution.memberships,
            words,
        )
        background = solution.background
        if background is not None and supervision.background is not None:
            from textclust.result.drift import with_drift

            features, labels = supervision.features or (), solution.labels
            background = with_drift(background, supervision.background, X, labels, features)
        model = solution.label_model
        accuracy = None if model is None else model.accuracy
        sizes = SizesOutcome.of(solution)
        return replace(found, moved=moved, accuracy=accuracy, background=background, sizes=sizes)

    @classmethod
    def judged(
        cls,
        ids: Sequence[str],
        links: tuple[Link[int], ...],
        seeds: Mapping[int, int],
        classes: tuple[str, ...],
        numbered: bool,
        labels: Labels,
        memberships: Array | None = None,
        words: WordsOutcome | None = None,
        cluster_of: tuple[int, ...] | None = None,
    ) -> Self:
        """Links that were judged, and seeds beside the clusters that documents are in.

        `cluster_of` has the clusters of the classes where they are known.
        """
        by_words = {} if words is None else words.clusters
        if cluster_of is None:
            cluster_of = _clusters_of_classes(seeds, classes, labels, numbered, by_words)
        clusters = clusters_of(labels, memberships)
        several = clusters.ndim == 2
        overruled = tuple(
            ids[row]
            for row, number in seeds.items()
            if not (
                clusters[row, cluster_of[number]]
                if several
                else clusters[row] == cluster_of[number]
            )
        )
        return cls(ids, links, seeds, classes, numbered, cluster_of, overruled, words=words)

    def __repr__(self) -> str:
        found = [plain(sentence, _LINE) for sentence in self.sentences()]
        return "\n".join(["SupervisionOutcome:", *(found or ["nothing was given"])])

    def __bool__(self) -> bool:
        return self.guided or self.background is not None

    @property
    def guided(self) -> bool:
        """Whether a seed, a link or a word was given."""
        return bool(self.mentioned) or self.words is not None

    @cached_property
    def mentioned(self) -> frozenset[int]:
        """The rows that a seed or a link names; those that words name no one has looked at."""
        return frozenset(self.given_seeds) | self._links_of_row.keys()

    @cached_property
    def _links_of_row(self) -> dict[int, list[Link[int]]]:
        found: dict[int, list[Link[int]]] = {}
        for link in self.given_links:
            for row in (link.left, link.right):
                found.setdefault(row, []).append(link)
        return found

    @property
    def seeds(self) -> int:
        """How many seeds were given."""
        return len(self.given_seeds)

    @property
    def kept_seeds(self) -> int:
        """How many seeds are in the cluster of their class."""
        return self.seeds - len(self.overruled_seeds)

    @property
    def cluster_of_class(self) -> dict[str, int]:
        """The cluster of each class of the seeds."""
        return dict(zip(self.classes, self.clusters, strict=True))

    @property
    def links(self) -> int:
        """How many links were given."""
        return len(self.given_links)

    @cached_property
    def overruled_links(self) -> tuple[tuple[str, str, Link[int]], ...]:
        """The links that are broken with the ids of their documents, the most expensive first."""
        broken = [link for link in self.given_links if link.violated]
        broken.sort(key=lambda link: -(link.price or 0.0))
        return tuple((self.ids[link.left], self.ids[link.right], link) for link in broken)

    @property
    def ignored_links(self) -> int:
        """How many links have price 0: of weight 0, unreliable, or for the start alone."""
        return sum(link.price == 0.0 for link in self.given_links)

    @property
    def price(self) -> float:
        """What the overruled links add to the energy."""
        return float(sum(link.price or 0.0 for _, _, link in self.overruled_links))

    def names(self, k: int) -> list[str | None]:
        """The class that each of k clusters has its name of; None where it has none."""
        found: list[list[str]] = [[] for _ in range(k)]
        for name, cluster in zip(self.classes, self.clusters, strict=True):
            found[cluster].append(name)
        names = [" + ".join(names) or None for names in found]
        if self.background is None:
            return names
        return [old or new for old, new in zip(self.background.class_names, names, strict=True)]

    def class_of(self, row: int) -> str | None:
        """The class of a document that is a seed; None for any other."""
        return self.classes[self.given_seeds[row]] if row in self.given_seeds else None

    def pushes(self, row: int, labels: Labels) -> list[Push]:
        """What the links of one document say about it."""
        found = []
        for link in self._links_of_row.get(row, []):
            other = link.right if link.left == row else link.left
            where, kept = int(labels[other]), not link.violated
            found.append(Push(self.ids[other], link.kind, where, link.price, kept))
        return found

    def notes(self) -> list[str]:
        """What had no effect, and may be a typing error."""
        return [] if self.words is None else self.words.notes()

    def sentences(self) -> list[str]:
        """The same in words, a sentence for each kind of supervision."""
        found = self.notes()
        if self.words is not None:
            found.append(self.words.sentence())
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
            found.append(f"{_counted(self.ignored_links, 'link')} had no effect")
        if self.guided and self.moved is not None:
            found.append(f"What you gave moved {_counted(self.moved, 'document')}")
        if self.accuracy is not None:
            found.append(self.confidence)
        if self.sizes is not None:
            found.append(self.sizes.sentence())
        return found

    @property
    def confidence(self) -> str:
        """How well what was given is predicted when it is held out."""
        return f"Cross-validated accuracy {self.accuracy:.2f} on what you gave"

    def to_dict(self) -> dict[str, object]:
        """Plain data for clusters.json; nothing where no document was named."""
        found: dict[str, object] = {}
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
        if self.words is not None:
            found["seed_words"] = self.words.to_dict()
        if self.guided:
            found["moved"] = self.moved
        if self.accuracy is not None:
            found["accuracy"] = self.accuracy
        if self.sizes is not None:
            found["sizes"] = self.sizes.to_dict()
        return found


def clusters_of(labels: Labels, memberships: Array | None) -> Array:
    """The labels; where documents may be in several clusters, which these are, n x k."""
    return labels if memberships is None or memberships.dtype != bool else memberships


def _given_links(supervision: Supervision, solution: Solution) -> tuple[Link[int], ...]:
    """The links given, as the solution judges them; those that stand for seeds left out."""
    if supervision.constraints is None:
        return ()
    judged = solution.links
    if judged is None:  # of a method that breaks none
        judged = supervision.constraints.links.judged(solution.labels)
    return tuple(link for link in judged if link.origin is not SEED)


def _clusters_of_classes(
    seeds: Mapping[int, int],
    classes: Sequence[str],
    labels: Labels,
    numbered: bool,
    by_words: Mapping[str, int],
) -> tuple[int, ...]:
    """The cluster of each class; each has seeds or words."""
    if numbered:
        return tuple(range(len(classes)))
    found = [Counter[int]() for _ in classes]
    for row, number in seeds.items():
        found[number][int(labels[row])] += 1
    return tuple(
        by_words[name] if name in by_words else clusters.most_common(1)[0][0]
        for name, clusters in zip(classes, found, strict=True)
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    """The first few of some names, after a colon."""
    if not names:
        return ""
    more = len(names) - _SHOWN
    return f": {'; '.join(names[:_SHOWN])}" + (f"; and {more:,} more" if more > 0 else "")
