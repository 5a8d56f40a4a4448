"""What may be written over: results of our own, and nothing that the same run reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from textclust.errors import OutputError
from textclust.writing.marks import is_ours, why_not_ours

__all__ = ["Inputs", "any_file", "claim", "is_same", "refuse_input"]

Inputs = Iterable[str | os.PathLike[str]]


def any_file(place: Path) -> bool:
    """True, for files whose content the writer has read and keeps."""
    return True


def claim(
    place: str | os.PathLike[str],
    inputs: Inputs = (),
    replaces: Callable[[Path], bool] = is_ours,
    *,
    shown: str | os.PathLike[str] | None = None,
) -> bool:
    """Whether something at this place will be replaced; an OutputError where it must not be.

    `replaces` says what may be; inputs of the run never are, by whatever name they go.
    """
    name = place if shown is None else shown
    refuse_input(place, inputs, shown=name)
    if not os.path.lexists(place):
        return False
    if not replaces(Path(place)):
        reason = why_not_ours(place) or "of another kind than what would replace it"
        raise OutputError(
            f"{name}: there already, and {reason}; move it away or choose another place"
        )
    return True


def refuse_input(
    place: str | os.PathLike[str],
    inputs: Inputs,
    *,
    shown: str | os.PathLike[str] | None = None,
) -> None:
    """An OutputError if a place is one of the inputs, or a folder that holds one."""
    for given in inputs:
        real = Path(os.path.realpath(given))
        if any(is_same(place, each) for each in (real, *real.parents)):
            raise OutputError(
                f"{place if shown is None else shown}: is read by this run and would be "
                "overwritten; choose another place"
            )


def is_same(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two paths lead to one file: links, hard links and other cases of letters too."""
    try:
        return os.path.samefile(one, other)
    except OSError:  # one is not there
        return os.path.realpath(one) == os.path.realpath(other)
