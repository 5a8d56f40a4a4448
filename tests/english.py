"""What plain English leaves out: words of our own, and headings that are beginnings of sentences.

`faults` looks at a text, `faults_of_page` at a page in Markdown. codespell looks at the spelling.
"""

from __future__ import annotations

import re

__all__ = ["AVOIDED", "NAMES_AVOIDED", "faults", "faults_of_page", "prose"]

# What is found, and what to say instead.
AVOIDED = {
    r"abreast": "at the same time",
    r"as by chance": "by chance, or: 0 is chance",
    r"dearer": "further away, or: costs more",
    r"grips?": "influence",
    r"it is said (?:whether|of|how)": "say who or what says it",
    r"links? (?:then )?knows?": "links place, or: it follows from links",
    r"numbers? for life": "identity",
    r"restless": "may improve",
    r"runners?-up": "second choice",
    r"speaks? against": "contradict",
    r"surest": "most certain",
    r"weighty": "with a weight",
}
_AVOIDED = {re.compile(rf"\b(?:{each})\b", re.I): instead for each, instead in AVOIDED.items()}
# Names that DESIGN and the papers have better ones for.
NAMES_AVOIDED = {
    *("Apart", "Face", "Ground", "Readable", "abreast", "doubt", "grips", "homes", "restless"),
    *("surest", "told", "turn_", "weighty"),
}

_CODE = re.compile(r"^(```|~~~)(?s:.*?)^\1|^ {4}.*$|<!--(?s:.*?)-->", re.MULTILINE)
_INLINE = re.compile(r"``[^`]*(?:`[^`]+)*``|`[^`]*`")
_HEADING = re.compile(r"^(#+) +(.+?) *#*\n+(.*)", re.MULTILINE)
_OPEN_END = re.compile(r"[,;:\u2026\u2013\u2014-]$|\b(?:a|an|and|but|by|for|if|or|than|the|to)$")
# Begin a sentence in lower case: names of things, not words that go on from a heading.
_NAMES = re.compile(r"(?:textclust|scikit-learn|k-means|numpy|scipy|pandas|joblib|codespell)\b")


def prose(page: str) -> str:
    """A page without code, links' addresses and tags.

    >>> prose("See [it](a.md), or `x`.")
    'See it, or .'
    """
    text = _INLINE.sub("", _CODE.sub("", page))
    return re.sub(
        r"<[^>]+>", "", re.sub(r"\]\([^)\s]*\)", "", text).replace("[", "").replace("]", "")
    )


def faults(text: str) -> list[str]:
    """The words of a text that have a plainer one.

    >>> faults("Cluster 3 is dearer by 0.1")
    ["'dearer': say 'further away, or: costs more'"]
    """
    return [
        f"{found[0]!r}: say {instead!r}"
        for each, instead in _AVOIDED.items()
        for found in each.finditer(text)
    ]


def faults_of_page(page: str) -> list[str]:
    """Those of a page, and its headings that a sentence goes on from.

    >>> faults_of_page("## A file\\n\\nis a table.")
    ["'A file': the heading is the beginning of a sentence, 'is a table.'"]
    >>> faults_of_page("## What you need, and\\n\\nMore.")
    ["'What you need, and': the heading has no end"]
    """
    found = faults(prose(page))
    for _, heading, after in _HEADING.findall(_CODE.sub("``", page)):  # code keeps its place
        if _OPEN_END.search(heading):
            found.append(f"{heading!r}: the heading has no end")
        if re.match("[a-z]", after) and not _NAMES.match(after):
            found.append(f"{heading!r}: the heading is the beginning of a sentence, {after!r}")
    return found
