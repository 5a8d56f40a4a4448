"""Forms of one word, known by their spelling alone: star and stars, galaxy and galaxies.

Nothing is looked up in a list of words, so it may fail either way; it does not decide how a word is
shown, only which are taken for one.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile

__all__ = ["akin", "root"]

_LEAST = 4  # letters that stay of a word where an ending is cut off
_ALIKE = 0.75  # of the shorter word: how much of it two words of one family begin with
_VOWELS = frozenset("aeiouyäöüáàâéèêëíìîïóòôúùûåæø")


@lru_cache(maxsize=1 << 16)
def root(word: str) -> str:
    """What the forms of a word have in common: its plural's ending off, and -ing, -ed and -e.

    >>> [root(word) for word in ("Galaxies", "galaxy", "computing", "compute", "bus", "news")]
    ['galaxy', 'galaxy', 'comput', 'comput', 'bus', 'new']
    """
    word = _singular(word.casefold())
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST and not _VOWELS.isdisjoint(stem):
            doubled = stem[-1] == stem[-2] and stem[-1] not in "lsz"
            word = stem[:-1] if doubled else stem
            break
    return word[:-1] if len(word) > _LEAST and word.endswith("e") else word


def _singular(word: str) -> str:
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > _LEAST:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes")) else word[:-1]


def akin(one: str, other: str) -> bool:
    """True for words of one family, of which a name needs one: religion and religious."""
    if root(one) == root(other):
        return True
    short, long = sorted((one.casefold(), other.casefold()), key=len)
    pairs = zip(short, long, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if shared == len(short) >= 3:
        return len(long) - len(short) <= 3
    return shared >= max(_LEAST, _ALIKE * len(short)) and len(long) - shared <= 4
