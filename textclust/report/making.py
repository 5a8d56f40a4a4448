"""Everything needed to repeat the run: settings of any depth as lists and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textclust.plain import plain
from textclust.report.content import Content
from textclust.report.elements import Markup, joined, tag

__all__ = ["making_section"]

_NAME, _VALUE = 80, 600  # characters of a setting


def making_section(content: Content) -> Markup:
    """The settings in groups, a heading for each."""
    settings = content.settings.items()
    result = {
        "objective": content.objective,
        "documents": content.documents,
        "documents without terms": content.without_terms,
        **{name: value for name, value in settings if not isinstance(value, Mapping)},
    }
    groups = {name: value for name, value in settings if isinstance(value, Mapping)}
    return joined(_group(name, values) for name, values in {"result": result, **groups}.items())


def _group(name: str, values: Mapping[str, object]) -> Markup:
    pairs = [
        tag("div", tag("dt", _words(key)), tag("dd", _shown(value)))
        for key, value in values.items()
    ]
    return joined([tag("h3", _words(name)), tag("dl", *pairs)])


def _shown(value: object) -> Markup:
    """A value; a list of things with parts is a table."""
    if isinstance(value, list | tuple) and value and all(isinstance(v, Mapping) for v in value):
        return _table(value)
    return tag("bdi", plain(_in_words(value), _VALUE))


def _table(rows: Sequence[Mapping[str, object]]) -> Markup:
    heads = list(dict.fromkeys(name for row in rows for name in row))
    head = tag("tr", *(tag("th", _words(name), scope="col") for name in heads))
    lines = [
        tag("tr", *(tag("td", plain(_in_words(row.get(name)), _VALUE)) for name in heads))
        for row in rows
    ]
    table = tag("table", tag("thead", head), tag("tbody", *lines), class_="listing")
    return tag("div", table, class_="scroll", tabindex="0")


def _in_words(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_in_words(part)}" for name, part in value.items()) or "none"
    if isinstance(value, list | tuple):
        between = "; " if any(isinstance(part, Mapping | list | tuple) for part in value) else ", "
        return between.join(map(_in_words, value)) or "none"
    return str(value)


def _words(name: str) -> str:
    words = plain(str(name), _NAME).replace("_", " ")
    return words[:1].upper() + words[1:]
