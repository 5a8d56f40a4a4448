"""What a run needs to be repeated: its command, where it was given, and digests of what it read.

It is in run.json beside the results, which are the same whatever folder they were made in.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise
from pathlib import Path
from typing import Any

from textclust.regular_files import parsed_json, read_regular

from . import places

__all__ = [
    "FILE",
    "digest",
    "has_option",
    "read_added",
    "read_record",
    "running",
    "write_added",
    "write_record",
]

FILE = "run.json"

_arguments: ContextVar[tuple[str, ...]] = ContextVar("textclust_arguments", default=())


@contextmanager
def running(arguments: Sequence[str]) -> Iterator[None]:
    """The command line that is run in the block."""
    token = _arguments.set(tuple(arguments))
    try:
        yield
    finally:
        _arguments.reset(token)


def write_record(stage: Path, out: Path, inputs: Sequence[object]) -> None:
    """Write the record of the command that is run, which read PATH and other inputs.

    Where the results are is no part of it. Where nothing was read, results that are there are
    written once more, and keep their record.
    """
    from textclust import __version__
    from textclust.writing import write_whole

    if inputs:
        read = {name: digest(Path(name)) for name in places.named(*inputs[1:])}
        run = {"arguments": _without_out(), "folder": os.getcwd(), "read": read}
        content = json.dumps({"textclust": __version__, "run": run}, indent=2) + "\n"
        write_whole(stage / FILE, content)
    elif (out / FILE).is_file():
        write_whole(stage / FILE, (out / FILE).read_bytes())


def write_added(
    stage: Path, run: Path | None, model: str, inputs: Sequence[str | None], *, is_new: bool
) -> None:
    """Write the record of a run to which the command that is run adds documents, if any are new.

    The model is no part of it, as the results may be anywhere.
    """
    from textclust import __version__
    from textclust.writing import write_whole

    name, *rest = _without_out()
    rest.remove(model)
    read = {each: digest(Path(each)) for each in places.named(*inputs[1:])}
    step = {"arguments": [name, *rest], "folder": os.getcwd(), "read": read}
    before, steps = (None, []) if run is None else (read_record(run), read_added(run))
    added = [*steps, step] if is_new else steps
    content = {"textclust": __version__, "run": before, "added": added}
    write_whole(stage / FILE, json.dumps(content, indent=2) + "\n")


def read_record(out: Path) -> Any:
    """What `write_record` wrote; None where there is nothing that could be it."""
    return _content(out).get("run")


def read_added(out: Path) -> list[Any]:
    """The commands that added documents after it."""
    found = _content(out).get("added", [])
    return found if isinstance(found, list) else []


def _content(out: Path) -> dict[str, Any]:
    try:
        content = parsed_json(read_regular(out / FILE))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def has_option(run: Path, name: str, value: str | None = None) -> bool:
    """Whether the command of a run had an option, with this value if it takes one."""
    record = read_record(run)
    arguments = record.get("arguments") if isinstance(record, dict) else None
    words = arguments if isinstance(arguments, list) else []
    if value is None:
        return name in words
    return f"{name}={value}" in words or (name, value) in pairwise(words)


def _without_out() -> list[str]:
    """The command line without --out."""
    kept: list[str] = []
    following = iter(_arguments.get())
    for each in following:
        if each == "--out":
            next(following, None)
        elif not each.startswith("--out="):
            kept.append(each)
    return kept


def digest(path: Path) -> str | None:
    """The SHA-256 of a file, a model, or all files of a folder; None where nothing is there."""
    for folder in (path, path / "model"):
        if (folder / "manifest.json").is_file():  # it has the digests of the other files
            return _of_file(folder / "manifest.json")
    if path.is_dir():
        whole = hashlib.sha256()
        for file in sorted(each for each in path.rglob("*") if each.is_file()):
            name = os.fsencode(file.relative_to(path))
            whole.update(len(name).to_bytes(8, "little") + name + _of_file(file).encode())
        return whole.hexdigest()
    return _of_file(path) if path.is_file() else None


def _of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
