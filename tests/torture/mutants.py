"""Faults put in on purpose, each the fix of one taken out: a test has to find every one of them.

    python -m tests.torture --mutants

A mutant changes the library in the memory of a worker; no file is touched. What is shown is how
many tries it took until the first failure.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.torture.slices import Tried, tries
from tests.torture.trials import every
from tests.torture.worker import Order


@dataclass(frozen=True)
class Mutant:
    """A fault, what puts it in, and the test that has to find it."""

    what: str
    test: str
    put_in: Callable[[], None]


def replaced(place: str, value: object) -> Callable[[], None]:
    """Put a value in the place of a function, everywhere in the library where it was imported."""

    def put_in() -> None:
        room, _, name = place.partition(":")
        *owners, last = name.split(".")
        owner: Any = import_module(room)
        for each in owners:
            owner = getattr(owner, each)
        real = getattr(owner, last)
        setattr(owner, last, value)
        for module in list(sys.modules.values()):
            if module.__name__.startswith("textclust") and getattr(module, last, None) is real:
                setattr(module, last, value)

    return put_in


def nothing(*_: object, **__: object) -> None:
    """In the place of what had to be done."""


def same(value: Any, *_: object, **__: object) -> Any:
    """In the place of what had to make it harmless, or to refuse it."""
    return value


def both(*steps: Callable[[], None]) -> Callable[[], None]:
    def put_in() -> None:
        for step in steps:
            step()

    return put_in


def unlocked() -> None:
    from textclust.writing import locks

    locks.fcntl = None  # type: ignore[assignment]


def parquet_trusted() -> None:
    """Cells of a Parquet table go to Python unguarded."""
    import_module("textclust.text.parquet")._python_rows = lambda batch, *_: batch.to_pylist()


def charsets_trusted() -> None:
    """Headers of a mail are decoded by whatever charset they name."""
    from email.header import decode_header, make_header

    messages = import_module("textclust.text.messages")
    messages._readable = lambda value: str(make_header(decode_header(value)))


MUTANTS = {
    "moves not undone": Mutant(
        "an interruption or a kill amid the moves leaves some of each run",
        "kills",
        replaced("textclust.writing.moves:go_back", lambda *_: True),
    ),
    "interruptions not held": Mutant(
        "Ctrl-C between a move and what notes it; the moves are not undone",
        "interrupts",
        both(
            replaced("textclust.writing.interrupts:interruptions_held", contextlib.nullcontext),
            replaced("textclust.writing.moves:go_back", lambda *_: True),
        ),
    ),
    "leftovers stay": Mutant(
        "hidden folders of runs that were killed are not removed",
        "kills",
        replaced("textclust.writing.leftovers:_remove", nothing),
    ),
    "no locks": Mutant(
        "two processes may work on the same answers",
        "two at once: answers",
        unlocked,
    ),
    "no locks in the workbench": Mutant(
        "two processes may work on the same project", "two at once: workbench", unlocked
    ),
    "raw letters on the terminal": Mutant(
        "ids and names are printed as they are",
        "hostile text: terminal",
        both(
            replaced("textclust.plain:visible", same),
            replaced("textclust.plain:one_line", same),
        ),
    ),
    "formulas": Mutant(
        "ids that a spreadsheet runs are written as they are",
        "hostile text: tables",
        replaced("textclust.writing.formulas:quoted", same),
    ),
    "broken cells": Mutant(
        "cells of Parquet that are no UTF-8, or dates out of range, raise",
        "readers: tables",
        parquet_trusted,
    ),
    "broken charsets": Mutant(
        "a charset in a mail header that is no name raises",
        "readers: mail and pages",
        charsets_trusted,
    ),
    "broken headers": Mutant(
        "the header of a file of vectors that is no Python raises",
        "readers: vectors",
        replaced("textclust.array_files:BROKEN_HEADER", (ValueError,)),
    ),
    "malformed CSR": Mutant(
        "sparse matrices go to the native core unchecked",
        "malformed matrices",
        replaced("textclust.csr:sound", same),
    ),
    "models unchecked": Mutant(
        "a model is not checked against its schema, and taken as it is",
        "damaged models",
        both(
            replaced("textclust.result.fields:Sizes.agree", nothing),
            replaced("textclust.result.fields:Record.check", nothing),
            replaced("textclust.result.fields:Table.check_values", nothing),
            replaced("textclust.result.model:_BROKEN", ()),
        ),
    ),
}


def hunt(seconds: float, seed: int, only: Sequence[str], jobs: int) -> int:
    """Look for every mutant for this long; 1 where one was not found."""
    chosen = [name for name in MUTANTS if any(part in name for part in only)]
    every()
    with ThreadPoolExecutor(jobs) as pool:
        found = dict(pool.map(lambda name: (name, _found(name, seconds, seed)), chosen))
    wide = max(map(len, chosen), default=6)
    print(f"{'mutant':<{wide}}  {'found by':<24}  {'tries':>6}  {'seconds':>7}  how")
    for name, (tried, count, spent) in found.items():
        how = _last_line(tried.failure.how) if _is_found(tried) else "NOT FOUND"
        test = MUTANTS[name].test
        print(f"{name:<{wide}}  {test:<24}  {count:>6,}  {spent:>7.0f}  {how}")
    return int(not all(_is_found(tried) for tried, _, _ in found.values()))


def _is_found(tried: Tried) -> bool:
    """Whether a try failed, and not what comes before the first."""
    return tried.failure is not None and tried.tries > 0


def _found(name: str, seconds: float, seed: int) -> tuple[Tried, int, float]:
    """The tries until a mutant fails, how many they were, and the seconds."""
    test, count, spent = every()[MUTANTS[name].test], 0, 0.0
    with tempfile.TemporaryDirectory(prefix="textclust-torture-") as place:
        inputs = str(Path(place) / "inputs")
        order = Order(test.name, seed, 0, seconds, None, inputs, mutant=name)
        for tried in tries(test, order, seconds):
            count, spent = count + tried.tries, spent + tried.seconds
            if tried.failure is not None:
                break
    return tried, count, spent


def _last_line(how: str) -> str:
    """What a failure says, in short; of a crash its first line."""
    lines = [line for line in how.strip().splitlines() if line.strip()]
    line = lines[-1] if how.startswith("Traceback") else lines[0]
    return line[:90]
