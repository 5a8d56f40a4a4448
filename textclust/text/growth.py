"""Terms that are in no vocabulary yet, and when they enter it.

Of texts that come after those a vocabulary was learned from, the terms that it lacks are counted.
One enters when it is in as many texts as the rules of the vocabulary ask of all texts so far. Which
of the earlier ones had it nobody knows any more: they are counted as texts without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from textclust.text.choosing import is_no_number
from textclust.text.termspace import CountedTexts, TermSpace

__all__ = ["WaitingTerms"]

_MOST = 100_000  # terms that wait, the rarest of which are forgotten first


@dataclass(frozen=True)
class WaitingTerms:
    """How many of the later texts have each term that is not in the vocabulary."""

    texts: int = 0
    frequencies: Mapping[str, int] = field(default_factory=dict)

    def counted(self, space: TermSpace, batch: CountedTexts) -> Self:
        """With the texts of one more batch."""
        known, counts = space.vocabulary_, batch.counts
        unknown = Counter(self.frequencies)
        pairs = zip(counts.vocabulary, counts.frequencies.tolist(), strict=True)
        unknown.update({term: n for term, n in pairs if term not in known})
        if len(unknown) > _MOST:
            order = sorted(unknown, key=lambda term: (-unknown[term], term))
            unknown = Counter({term: unknown[term] for term in order[:_MOST]})
        return type(self)(self.texts + counts.matrix.shape[0], dict(unknown))

    def entering(self, space: TermSpace, before: int) -> dict[str, int]:
        """The terms that enter by now, `before` texts having come before the later ones.

        With the number of texts that have each, in alphabetical order. One that nearly all the
        later ones have waits: the vocabulary may lack it as the earlier ones all have it too.
        """
        least, _ = space.limits(before + self.texts)
        _, most = space.limits(self.texts)
        found = {
            term: count
            for term, count in sorted(self.frequencies.items())
            if least <= count <= most and (space.numbers or is_no_number(term))
        }
        if space.max_features is not None:
            left = max(space.max_features - len(space.vocabulary_), 0)
            order = sorted(found, key=lambda term: (-found[term], term))
            found = {term: found[term] for term in sorted(order[:left])}
        return found

    def without(self, terms: Mapping[str, int]) -> Self:
        """Without terms that have entered."""
        left = {term: n for term, n in self.frequencies.items() if term not in terms}
        return type(self)(self.texts, left)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {"texts": self.texts, "frequencies": dict(self.frequencies)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """What `to_dict` gave."""
        found = {str(term): int(n) for term, n in content["frequencies"].items()}
        return cls(int(content["texts"]), found)
