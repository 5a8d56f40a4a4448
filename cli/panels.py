"""How options are grouped in the help of a command, and in the reference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

__all__ = ["METHOD", "PANELS", "REST", "in_panels", "panel_of"]

T = TypeVar("T")

REST = "Options"
METHOD = "Method"  # what methods declare for themselves

# The parameters of the commands, by what they are about, in the order of the help.
PANELS: dict[str, frozenset[str]] = {
    REST: frozenset(),
    "Clusters": frozenset(
        {"k", "method", "distortion", "smoothing", "min_size", "max_seconds", "random_state"}
        | {"scheduler", "levels", "outliers", "by", "stability"}
    ),
    "Supervision": frozenset(
        {"seeds", "seed_words", "constraints", "background", "background_before", "examples"}
        | {"journal", "groups", "previous"}
    ),
    "Input": frozenset(
        {"text_column", "id_column", "label_column", "date_column", "group_column", "vectors"}
        | {"headers", "signatures", "quotes", "html", "entities", "latex", "embed", "embed_weight"}
        | {"largest_document", "expansion", "name_length"}
    ),
    "Terms": frozenset(
        {"language", "stop_words", "token_pattern", "stem", "ngrams", "min_df", "max_df"}
        | {"max_features", "numbers", "weighting"}
    ),
    "Output": frozenset(
        {"out", "keep", "csv_formulas", "json", "terms", "no_text", "memberships", "help"}
    ),
    METHOD: frozenset(),
}


def panel_of(parameter: str, rest: str = REST) -> str:
    """Where the option of a parameter stands."""
    return next((panel for panel, names in PANELS.items() if parameter in names), rest)


def in_panels(options: Iterable[tuple[str, T]], rest: str = REST) -> dict[str, list[T]]:
    """What belongs to each panel of options given by parameter; panels without any left out.

    >>> in_panels([("out", 1), ("k", 2), ("json", 3), ("queries", 4)])
    {'Options': [4], 'Clusters': [2], 'Output': [1, 3]}
    """
    found: dict[str, list[T]] = {panel: [] for panel in PANELS}
    for parameter, option in options:
        found[panel_of(parameter, rest)].append(option)
    return {panel: those for panel, those in found.items() if those}
