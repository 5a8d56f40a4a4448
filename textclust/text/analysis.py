"""From a text to its terms: tokens, without stop words, joined to n-grams, and their stems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol

from textclust.errors import InputError

__all__ = ["TOKEN_PATTERN", "Analyser", "Stemmer", "Stems", "load_stemmer"]

TOKEN_PATTERN = r"(?u)\b\w\w+\b"  # noqa: S105 - tokens of texts


class Analyser:
    """The terms of a text, in order, repetitions included.

    It is plain where every term is a token that the pattern finds.
    """

    def __init__(
        self,
        *,
        tokenize: Callable[[str], Iterable[str]] | None,
        lowercase: bool,
        stop_words: frozenset[str],
        ngram_range: tuple[int, int],
        token_pattern: str = TOKEN_PATTERN,
    ) -> None:
        self.lowercase, self.stop_words = lowercase, stop_words
        usual = tokenize is None and token_pattern == TOKEN_PATTERN
        self.plain = usual and tuple(ngram_range) == (1, 1)
        self._tokenize = tokenize or _tokens_by(token_pattern)
        self._shortest, self._longest = ngram_range

    def __call__(self, text: str) -> Iterable[str]:
        tokens = self._tokenize(text.lower() if self.lowercase else text)
        kept = [token for token in tokens if token not in self.stop_words]
        return kept if self._longest == 1 else list(self._ngrams(kept))

    def _ngrams(self, tokens: list[str]) -> Iterator[str]:
        for size in range(self._shortest, min(self._longest, len(tokens)) + 1):
            for begin in range(len(tokens) - size + 1):
                yield " ".join(tokens[begin : begin + size])


def _tokens_by(pattern: str) -> Callable[[str], Iterable[str]]:
    """What finds all that a pattern matches, or the group in it, and is not empty."""
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(
            f"token_pattern={pattern[:80]!r} is not a regular expression ({error}); correct it"
        ) from error
    except TypeError as error:
        kind = type(pattern).__name__
        raise InputError(f"token_pattern must be a regular expression; got {kind}") from error
    if compiled.groups > 1:
        raise InputError(
            f"token_pattern={pattern[:80]!r} has {compiled.groups} groups, and only one may be "
            "the token; write (?:...) for the others"
        )
    return compiled.findall if pattern == TOKEN_PATTERN else partial(_found, compiled)


def _found(pattern: re.Pattern[str], text: str) -> list[str]:
    return [token for token in pattern.findall(text) if token]


class Stemmer(Protocol):
    """As nltk's are."""

    def stem(self, token: str) -> str: ...


class Stems(dict[str, str]):
    """Word to stem, each distinct word stemmed once."""

    def __init__(self, stemmer: Stemmer) -> None:
        self._stemmer = stemmer

    def __missing__(self, word: str) -> str:
        stem = self[word] = self._stemmer.stem(word)
        return stem

    def of_term(self, term: str) -> str:
        """The term with every word replaced by its stem."""
        return " ".join(self[word] for word in term.split(" "))

    def surface_forms(self) -> dict[str, str]:
        """For each stem the shortest word that had it: what a person would rather read."""
        forms: dict[str, str] = {}
        for word, stem in self.items():
            best = forms.get(stem)
            if best is None or (len(word), word) < (len(best), best):
                forms[stem] = word
        return forms


def load_stemmer(language: str) -> Stemmer:
    """nltk's Snowball stemmer; it needs no data."""
    from nltk.stem.snowball import SnowballStemmer

    if language not in SnowballStemmer.languages:
        known = ", ".join(sorted(SnowballStemmer.languages))
        raise InputError(f"no stemmer for {language!r}; known languages are {known}")
    return SnowballStemmer(language)
