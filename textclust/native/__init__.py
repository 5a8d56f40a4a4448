"""The compiled core: assignment, tokeniser-counter, .tar reader and cleaner of files, where built.

Everything it does exists a second time in readable Python, numpy and scipy with the same
answers. `TEXTCLUST_NATIVE=0` in the environment, or `without()`, does without it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

__all__ = ["described", "module", "without"]

_MODULES = ("assignment", "cleaning", "products", "rows", "sums", "tars", "tokens")
_declined = os.environ.get("TEXTCLUST_NATIVE") == "0"
_left_out: frozenset[str] = frozenset(_MODULES if _declined else ())


def module(name: str) -> Any:
    """The compiled module of that name, or None where the readable path must do."""
    return None if name in _left_out else _load(name)


def described() -> str:
    """What `--version` says of the core."""
    if _declined:
        return "native core switched off by TEXTCLUST_NATIVE=0"
    missing = [name for name in _MODULES if _load(name) is None]
    if missing:
        return "no native core: all works, but slower; install a C compiler and textclust anew"
    return f"native core ({_load('assignment').instruction_set()})"


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Run the block without these modules, or without any where none is named."""
    global _left_out
    before = _left_out
    _left_out = before | set(names or _MODULES)
    try:
        yield
    finally:
        _left_out = before


@cache
def _load(name: str) -> Any:
    try:
        return import_module(f"textclust.native.{name}")
    except ImportError:
        return None
