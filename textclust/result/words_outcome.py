"""What became of seed words: those that were used, the documents that they named, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from textclust.engine.problem import Solution
from textclust.geometry.affine import Labels
from textclust.supervision.given import Supervision

__all__ = ["WordsOutcome"]

_SHOWN = 10  # words in a note


@dataclass(frozen=True)
class WordsOutcome:
    """The words of each class, and the documents that they named weakly."""

    words: Mapping[str, tuple[str, ...]]  # by class, as they were given
    unknown: tuple[str, ...]  # those of them that are no term of any document
    clusters: Mapping[str, int]  # of the classes
    named: Mapping[int, int]  # rows, each with the cluster of the class that words name it by
    kept: Mapping[str, int]  # how many of them are in the cluster of the class
    rejected: Mapping[str, str] = field(default_factory=dict)  # words that were not used, and why

    @classmethod
    def of(cls, supervision: Supervision, solution: Solution) -> Self | None:
        """What a solution makes of the words that were given, if any were."""
        given, found = supervision.seed_words, solution.by_words
        if given is None or found is None:
            return None
        clusters = dict(zip(given.words, found.clusters, strict=True))
        rows = (found.labels >= 0).nonzero()[0]
        named = dict(zip(rows.tolist(), found.labels[rows].tolist(), strict=True))
        rejected = {each.word: each.reason for each in found.rejected}
        return cls.judged(given.words, given.unknown, clusters, named, solution.labels, rejected)

    @classmethod
    def judged(
        cls,
        words: Mapping[str, tuple[str, ...]],
        unknown: tuple[str, ...],
        clusters: Mapping[str, int],
        named: Mapping[int, int],
        labels: Labels,
        rejected: Mapping[str, str],
    ) -> Self:
        """Documents that words named, beside the clusters that they are in."""
        inside = [cluster for row, cluster in named.items() if labels[row] == cluster]
        kept = {name: inside.count(cluster) for name, cluster in clusters.items()}
        return cls(words, unknown, clusters, named, kept, rejected)

    @property
    def counts(self) -> dict[str, int]:
        """How many documents the words of each class named."""
        every = list(self.named.values())
        return {name: every.count(cluster) for name, cluster in self.clusters.items()}

    def notes(self) -> list[str]:
        """Which words are in no document, and which were set aside, by the reason."""
        found = []
        if self.unknown:
            listed = self._listed(self.unknown)
            found.append(f"{_counted(self.unknown)} no term of the documents: {listed}")
        by_reason: dict[str, list[str]] = {}
        for word, reason in self.rejected.items():
            by_reason.setdefault(reason, []).append(word)
        for reason, words in by_reason.items():
            found.append(f"{_counted(words)} set aside, as {reason}: {self._listed(words)}")
        without = [name for name in self.unused_classes if self.rejected]
        if without:
            noun = "clusters of these classes are" if len(without) > 1 else "cluster of it is"
            found.append(f"No word is used of {', '.join(without)}: the {noun} a guess")
        return found

    @property
    def unused_classes(self) -> list[str]:
        """The classes all of whose words are in no document, or were set aside."""
        left_out = {*self.unknown, *self.rejected}
        return [name for name, words in self.words.items() if left_out.issuperset(words)]

    def _listed(self, words: Sequence[str]) -> str:
        class_of = {word: name for name, each in self.words.items() for word in each}
        listed = [f"{word!r} ({class_of[word]})" for word in words]
        more = len(listed) - _SHOWN
        return ", ".join(listed[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")

    def sentence(self) -> str:
        """How many documents were named, and where they are."""
        counts = self.counts
        each = ", ".join(
            f"{h} is {name}: {self.kept[name]:,} of {counts[name]:,}"
            for name, h in self.clusters.items()
        )
        total = sum(counts.values())
        noun = "document" if total == 1 else "documents"
        return (
            f"Seed words named {total:,} {noun} weakly; "
            f"{sum(self.kept.values()):,} in the cluster of their class ({each})"
        )

    def to_dict(self) -> dict[str, object]:
        """Plain data for clusters.json."""
        counts = self.counts
        return {
            "words": {name: list(words) for name, words in self.words.items()},
            "unknown": list(self.unknown),
            "rejected": dict(self.rejected),
            "clusters": dict(self.clusters),
            "named": counts,
            "kept": dict(self.kept),
        }

    def to_file(self) -> dict[str, object]:
        """The same by row, for a model; what follows from the labels is left out."""
        return {
            "words": {name: list(words) for name, words in self.words.items()},
            "unknown": list(self.unknown),
            "rejected": dict(self.rejected),
            "clusters": dict(self.clusters),
            "named": [list(pair) for pair in self.named.items()],
        }

    @classmethod
    def from_file(cls, data: Mapping[str, Any], labels: Labels, k: int) -> Self:
        """The same about documents in k clusters; ValueError where it does not fit them."""
        words, unknown, clusters = data["words"], data["unknown"], data["clusters"]
        named, rejected = dict(data["named"]), dict(data.get("rejected", {}))
        sound = (
            all(_are_words(given) for given in (*words.values(), unknown))
            and words.keys() == clusters.keys()
            and all(type(h) is int and 0 <= h < k for h in clusters.values())
            and {*unknown, *rejected} <= {word for given in words.values() for word in given}
            and _are_words(list(rejected.values()))
            and all(type(row) is int and 0 <= row < len(labels) for row in named)
            and set(named.values()) <= set(clusters.values())
        )
        if not sound:
            raise ValueError("the seed words do not fit the documents")
        by_class = {name: tuple(given) for name, given in words.items()}
        return cls.judged(by_class, tuple(unknown), clusters, named, labels, rejected)


def _counted(words: Sequence[str]) -> str:
    return f"{len(words):,} seed word{' is' if len(words) == 1 else 's are'}"


def _are_words(given: Sequence[object]) -> bool:
    return isinstance(given, list) and all(isinstance(word, str) for word in given)
