"""What new results replace, kept whole: in `history/` of their folder, by the time it was written.

    history/2026-11-19T21-30-05/    labels.csv, clusters.json, model/ and what else there was

The time is that of UTC. A `history` in which something else is, and no such folder, is not ours.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from textclust.errors import OutputError

__all__ = [
    "HISTORY",
    "NAME_FORM",
    "claim_history",
    "free_name",
    "is_kept_name",
    "kept_runs",
    "when_kept",
    "when_written",
]

HISTORY = "history"
NAME_FORM = "%Y-%m-%dT%H-%M-%S"
_NAME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)(?:-(\d+))?")
_SUMMARY = "clusters.json"


def kept_runs(folder: str | os.PathLike[str]) -> list[Path]:
    """The folders of what was replaced, the oldest first."""
    history = Path(folder) / HISTORY
    if not os.path.isdir(history):
        return []
    found = [(_NAME.fullmatch(name), name) for name in os.listdir(history)]
    named = sorted((m[1], int(m[2] or 1), name) for m, name in found if m is not None)
    return [history / name for *_, name in named if (history / name).is_dir()]


def when_kept(run: Path) -> datetime:
    """When what is in one of these folders was written, by its name."""
    found = _NAME.fullmatch(run.name)
    assert found is not None
    return datetime.strptime(found[1], NAME_FORM).replace(tzinfo=UTC)


def when_written(folder: Path) -> datetime:
    """When the results in a folder were written, by the time of their summary."""
    return datetime.fromtimestamp(os.stat(folder / _SUMMARY).st_mtime, UTC)


def is_kept_name(name: str) -> bool:
    """Whether a folder of this name can be one of these."""
    return _NAME.fullmatch(name) is not None


def claim_history(folder: Path) -> None:
    """An OutputError where something else has the place of the history of a folder."""
    place = folder / HISTORY
    if not os.path.lexists(place):
        return
    is_folder = place.is_dir() and not place.is_symlink()
    if not is_folder or (os.listdir(place) and not kept_runs(folder)):
        raise OutputError(
            f"{place}: there already, and not recognised as written by textclust; "
            "move it away or choose another place"
        )


def free_name(folder: Path, names: Iterable[str]) -> str:
    """A name for what these entries of a folder are, by the time that they were written."""
    summary = folder / _SUMMARY
    of = [summary] if summary.is_file() else [folder / name for name in names]
    written = max(os.lstat(place).st_mtime for place in of)
    name = first = datetime.fromtimestamp(written, UTC).strftime(NAME_FORM)
    number = 1
    while os.path.lexists(folder / HISTORY / name):
        number += 1
        name = f"{first}-{number}"
    return name
