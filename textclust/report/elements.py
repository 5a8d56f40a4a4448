"""The only way from a string to the page.

Documents are untrusted. Whatever is shown is `plain` first (`textclust.plain`) and is escaped by
`tag`, unless it is `Markup` already, or by `data` on its way to the script.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from functools import partial

__all__ = ["Markup", "data", "joined", "members", "tag"]

_UNSAFE_IN_SCRIPTS = {letter: f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
_VOID = {"br", "input", "meta"}


class Markup(str):
    """HTML that is safe to put into the page as it is."""


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
