"""Stop words by language: English is in this package, the rest in the `stop-words` package."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from textclust.errors import InputError

__all__ = ["language_name", "stop_word_set"]


def stop_word_set(stop_words: str | Iterable[str] | None) -> frozenset[str]:
    """The words of a language given by name or code, or the given words themselves."""
    if stop_words is None:
        return frozenset()
    if not isinstance(stop_words, str):
        return frozenset(stop_words)
    language = language_name(stop_words)
    if language == "english":
        text = files(__package__).joinpath("english.txt").read_text(encoding="utf-8")
        return frozenset(text.split())
    return _other_language(language)


def language_name(language: str) -> str:
    """The English name of a language given by name or code; anything else as it is."""
    language = language.lower()
    if language in ("english", "en"):
        return "english"
    from stop_words import LANGUAGE_MAPPING

    return str(LANGUAGE_MAPPING.get(language, language))


def _other_language(language: str) -> frozenset[str]:
    from stop_words import LANGUAGE_MAPPING, get_stop_words

    if language not in LANGUAGE_MAPPING.values():
        known = ", ".join(sorted(LANGUAGE_MAPPING.values()))
        raise InputError(
            f"no stop words for {language!r}; known languages are {known}; "
            "for any other language give the words themselves, or None for no stop words"
        )
    return frozenset(get_stop_words(language))
