"""Libraries that only some of the work needs: imported where they are used, or asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from textclust.errors import InputError

__all__ = ["imported"]


def imported(library: str, extra: str, purpose: str) -> Any:
    """The module of a library; an InputError that says how to get it where it is not there."""
    try:
        return import_module(library)
    except ImportError:
        name = library.partition(".")[0]
        raise InputError(
            f"{purpose} needs {name}; get it with: pip install 'textclust[{extra}]'"
        ) from None
