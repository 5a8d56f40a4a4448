"""Names as they were before: the terms with the largest share of the centroid, as they are counted.

The baseline of `textclust reproduce names`; a term is left out where it is no more frequent inside
than outside, or begins as one before it does.
"""

from __future__ import annotations

from itertools import takewhile

import numpy as np

from textclust.result.terms import KINDS, TermWeights, leading_terms

__all__ = ["plain_names"]

_CANDIDATES = 50
_TERMS_IN_NAME = 3


def plain_names(weights: TermWeights, vocabulary: list[str]) -> list[str]:
    """A few terms for each cluster that both describe it and set it apart; no name twice."""
    names: list[str] = []
    for h in range(weights.evidence.k):
        descriptive, discriminating = (weights.row(kind, h) for kind in KINDS)
        naming = np.where(discriminating > 0, descriptive, 0.0)
        candidates = leading_terms(naming if naming.any() else descriptive, vocabulary, _CANDIDATES)
        names.append(_name([candidate.term for candidate in candidates], names))
    return names


def _name(candidates: list[str], taken: list[str]) -> str:
    chosen: list[str] = []
    for term in candidates:
        if any(letter.isalpha() for letter in term) and not any(_akin(term, c) for c in chosen):
            chosen.append(term)
        if len(chosen) >= _TERMS_IN_NAME and ", ".join(chosen) not in taken:
            return ", ".join(chosen)
    name = ", ".join(chosen) or "without terms"
    return name if name not in taken else f"{name} ({len(taken) + 1})"


def _akin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(short, long, strict=False))
    shared = sum(1 for _ in alike)
    whole = shared == len(short) >= 3
    return len(long) - len(short) <= 3 and (whole or shared >= max(4, len(short) - 1))
