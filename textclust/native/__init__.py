"""The compiled core: assignment, the tokeniser-counter and the reader of plain files, where built.

Everything it does exists a second time in readable Python, numpy and scipy with the same
answers. `TEXTCLUST_NATIVE=0` in the environment, or `without()`, does without it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

__all__ = ["described", "module", "without"]

_MODULES = ("assignment", "plain", "rows", "tokens")
_wanted = os.environ.get("TEXTCLUST_NATIVE") != "0"


def module(name: str) -> Any:
    """The compiled module of that name, or None where the readable path must do."""
    return _load(name) if _wanted else None


def described() -> str:
    """What `--version` says of the core."""
    if not _wanted:
        return "native core switched off by TEXTCLUST_NATIVE=0"
    missing = [name for name in _MODULES if _load(name) is None]
    if missing:
        return "no native core: all works, but slower; install a C compiler and textclust anew"
    return f"native core ({_load('assignment').instruction_set()})"


@contextmanager
def without() -> Iterator[None]:
    """Run the block on the readable path alone."""
    global _wanted
    before, _wanted = _wanted, False
    try:
        yield
    finally:
        _wanted = before


def _load(name: str) -> Any:
    try:
        return import_module(f"textclust.native.{name}")
    except ImportError:
        return None
