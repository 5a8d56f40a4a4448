"""Hostile text made harmless: the only way from a string to the page.

Documents are untrusted. Whatever is shown first becomes `plain` (no control characters, no
lone surrogates, no marks that turn the writing direction, a bounded length) and is escaped
by `tag`, unless it is `Markup` already, or by `data` on its way to the script.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

__all__ = [
    "Markup",
    "cleaned",
    "count",
    "data",
    "joined",
    "members",
    "passage",
    "plain",
    "plain_all",
    "tag",
    "tidied",
    "unwrapped",
]

_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_UNSAFE_IN_SCRIPTS = {letter: f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
_WRAPPED = re.compile(r"\n(?<=[^\n]{45}\n)(?=[^\W_])")  # after a long line, before a word
_SEEN = bytes(range(32, 127)) + b"\n"  # in ASCII
_VOID = {"br", "input", "meta"}
_BATCH = 64  # texts looked at together, as nearly all are harmless
_BETWEEN = "\n\0\n"  # two texts of a batch; `cleaned` leaves no \0, and no line goes across


class Markup(str):
    """HTML that is safe to put into the page as it is."""


def plain(text: str, longest: int) -> str:
    """One line of at most `longest` letters that any page can hold."""
    return _shortened(" ".join(cleaned(text[: 4 * longest + 4]).split()), longest)


def plain_all(texts: Sequence[str], longest: int) -> list[str]:
    """Each of many texts made `plain`."""
    done: list[str] = []
    for batch in _batches(texts):
        done += batch if _are_plain(batch, longest) else [plain(text, longest) for text in batch]
    return done


def passage(text: str, longest: int) -> str:
    """The same for text of several lines, which keeps them."""
    return _shortened(cleaned(text[: 4 * longest + 4]).strip(), longest)


def cleaned(text: str) -> str:
    """Text without letters that do harm on a page; its lines end in the same way."""
    text = text.replace("\t", " ")
    if _is_harmless(text):  # as nearly all are
        return text
    text = _LINE_ENDS.sub("\n", text)
    return _UNSEEN.sub("\ufffd", _DIRECTIONS.sub("", text))


def unwrapped(text: str) -> str:
    """Lines broken for their length joined again; lists, verses and quotations stay."""
    return _WRAPPED.sub(" ", text)


def tidied(texts: Sequence[str]) -> list[str]:
    """Each of many texts of several lines `cleaned`, stripped and `unwrapped`."""
    done: list[str] = []
    for batch in _batches(texts):
        whole = _BETWEEN.join([text.strip() for text in batch]).replace("\t", " ")
        if _is_harmless(whole.replace(_BETWEEN, "")):
            done += unwrapped(whole).split(_BETWEEN)
        else:
            done += [unwrapped(cleaned(text).strip()) for text in batch]
    return done


def tag(name: str, *children: str, **attributes: str | int | float | bool | None) -> Markup:
    """An element: text is escaped, a trailing _ of attribute names dropped, None left out."""
    opening = name + "".join([_attribute(key, value) for key, value in attributes.items()])
    if name in _VOID:
        return Markup(f"<{opening}>")
    return Markup(f"<{opening}>{''.join(map(_escaped, children))}</{name}>")


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Elements and texts in a row."""
    return Markup(_escaped(between).join(map(_escaped, parts)))


def members(parts: dict[str, Markup]) -> Markup:
    """An object made of `data` that is ready."""
    return Markup("{" + ",".join(f"{data(name)}:{part}" for name, part in parts.items()) + "}")


def data(content: object) -> Markup:
    """JSON that can stand inside a script element and cannot end it."""
    written = partial(json.dumps, content, separators=(",", ":"), allow_nan=False)
    text = written()  # all ASCII: quicker, and no longer while few letters are escaped
    if text.count("\\u") > len(text) // 60:
        text = written(ensure_ascii=False)
    for letter, harmless in _UNSAFE_IN_SCRIPTS.items():
        text = text.replace(letter, harmless)
    return Markup(text.replace("://", ":\\/\\/"))


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[begin : begin + _BATCH] for begin in range(0, len(texts), _BATCH))


def _are_plain(texts: Sequence[str], longest: int) -> bool:
    """Whether each text is what `plain` would make of it."""
    lines = "\n".join(["", *texts, ""])
    has_gaps = "  " in lines or " \n" in lines or "\n " in lines
    is_short = max(map(len, texts)) <= longest
    return is_short and not has_gaps and lines.count("\n") == len(texts) + 1 and _is_harmless(lines)


def _is_harmless(text: str) -> bool:
    """Whether each of its letters can be seen, or ends a line."""
    if text.isascii():  # the same, several times as fast
        return not text.encode("ascii").translate(None, _SEEN)
    return text.replace("\n", "").isprintable()


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _attribute(key: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{_escaped(str(value))}"'


def _escaped(text: str) -> str:
    """Escaped once; addresses are broken up so that nothing takes them for links."""
    if isinstance(text, Markup) or text.isalnum():
        return text
    return html.escape(text).replace("://", ":&#47;/")


def count(number: int, thing: str) -> str:
    """1 document, 1,200 documents."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
