"""Stop words by language: English is in this package, the rest in the `stop-words` package."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.resources import files

from textclust.errors import InputError
from textclust.text.decoding import decode

__all__ = ["StopWords", "language_name", "plain_stop_words", "stop_word_set"]

StopWords = str | os.PathLike[str] | Iterable[str] | None


def plain_stop_words(stop_words: StopWords) -> str | list[str] | None:
    """The same as plain data: a language by its name as it was given, any other words as a list."""
    if stop_words is None or (isinstance(stop_words, str) and not _is_file(stop_words)):
        return stop_words
    if isinstance(stop_words, str | os.PathLike):
        return _words_of_file(stop_words)
    words = list(stop_words) if isinstance(stop_words, Iterable) else [stop_words]
    if not all(isinstance(word, str) for word in words):
        raise InputError(
            "stop_words must be a language, the path of a file, a list of words or None"
        )
    return sorted(words)


def stop_word_set(stop_words: StopWords) -> frozenset[str]:
    """The words of a language given by name or code, of a file, or the given words themselves."""
    plain = plain_stop_words(stop_words)
    if plain is None:
        return frozenset()
    if not isinstance(plain, str):
        return frozenset(plain)
    language = language_name(plain)
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


def _is_file(name: str) -> bool:
    """Whether a name that is no language is that of a file."""
    if name.lower() in ("english", "en"):
        return False
    return os.path.isfile(name) and not _is_language(language_name(name))


def _is_language(name: str) -> bool:
    from stop_words import LANGUAGE_MAPPING

    return name in LANGUAGE_MAPPING.values()


def _words_of_file(path: str | os.PathLike[str]) -> list[str]:
    """The words of a file, one in a line; lines that begin with # are comments."""
    where = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{where}: cannot be read ({error.strerror})") from error
    lines = decode(data).splitlines()
    words = {word for line in lines if not line.startswith("#") for word in line.split()}
    if not words:
        raise InputError(f"{where}: no stop words in it; give one in a line")
    return sorted(words)


def _other_language(language: str) -> frozenset[str]:
    from stop_words import LANGUAGE_MAPPING, get_stop_words

    if not _is_language(language):
        known = ", ".join(sorted(LANGUAGE_MAPPING.values()))
        raise InputError(
            f"no stop words for {language!r}: no file of this name, and no language that is known, "
            f"as {known}; for any other language give the words themselves, or None for no stop "
            "words"
        )
    return frozenset(get_stop_words(language))
