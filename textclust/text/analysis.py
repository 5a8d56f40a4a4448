"""From a text to its terms: tokens, without stop words, stemmed, joined to n-grams."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from textclust.errors import InputError

__all__ = ["TOKEN_PATTERN", "Analyser", "Stems", "load_stemmer"]

TOKEN_PATTERN = r"(?u)\b\w\w+\b"


class Stems(dict[str, str]):
    """Token to stem, each distinct token stemmed once."""

    def __init__(self, stemmer: Any) -> None:
        self._stem = stemmer.stem

    def __missing__(self, token: str) -> str:
        stem = self[token] = str(self._stem(token))
        return stem

    def surface_forms(self) -> dict[str, str]:
        """For each stem the shortest word that had it: what a person would rather read."""
        forms: dict[str, str] = {}
        for token, stem in self.items():
            best = forms.get(stem)
            if best is None or (len(token), token) < (len(best), best):
                forms[stem] = token
        return forms


class Analyser:
    """The terms of a text, in order, repetitions included."""

    def __init__(
        self,
        *,
        tokenize: Callable[[str], Iterable[str]] | None,
        lowercase: bool,
        stop_words: frozenset[str],
        stems: Stems | None,
        ngram_range: tuple[int, int],
    ) -> None:
        self._tokenize = tokenize or re.compile(TOKEN_PATTERN).findall
        self._lowercase, self._stop_words, self._stems = lowercase, stop_words, stems
        self._shortest, self._longest = ngram_range

    def __call__(self, text: str) -> Iterable[str]:
        tokens = self._tokenize(text.lower() if self._lowercase else text)
        kept = [token for token in tokens if token not in self._stop_words]
        if self._stems is not None:
            stems = self._stems
            kept = [stems[token] for token in kept]
        return kept if self._longest == 1 else list(self._ngrams(kept))

    def _ngrams(self, tokens: list[str]) -> Iterator[str]:
        for size in range(self._shortest, self._longest + 1):
            for begin in range(len(tokens) - size + 1):
                yield " ".join(tokens[begin : begin + size])


def load_stemmer(language: str) -> Any:
    """nltk's Snowball stemmer; it needs no data."""
    from nltk.stem.snowball import SnowballStemmer

    if language not in SnowballStemmer.languages:
        known = ", ".join(sorted(SnowballStemmer.languages))
        raise InputError(f"no stemmer for {language!r}; known languages are {known}")
    return SnowballStemmer(language)
