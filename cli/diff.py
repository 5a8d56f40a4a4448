"""textclust diff: what changed between two runs."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from . import options, output
from .declared import Argument, Option

if TYPE_CHECKING:
    from textclust.comparison.difference import Difference, Move
    from textclust.result.changes import Fate, Part
    from textclust.result.clustering import Clustering

__all__ = ["command", "show"]

_NOWHERE = "fits nowhere"
_Run = "The --out folder of a run, or its model/ folder"


def command(
    old: Annotated[str, Argument(metavar="OLD", help=f"{_Run}: the earlier one.")],
    new: Annotated[str, Argument(metavar="NEW", help=f"{_Run}: the later one.")],
    out: Annotated[
        Path | None,
        Option(metavar="PAGE.html", help="Write a page with a picture of the flow of documents."),
    ] = None,
    moves: Annotated[int, Option(min=0, help="How many of the documents that moved to show.")] = 10,
    json: options.Json = False,
) -> None:
    """Show what became of the clusters of OLD in NEW, and which documents moved, and why.

    The two may be of the same documents or of others.
    """
    from textclust.comparison.difference import diff
    from textclust.errors import InputError

    if out is not None and out.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{out}: --out of diff is a page; name it with .html at its end")
    found = diff(old, new)
    if out is not None:
        found.page(out)
    if json:
        output.print_json(found.to_dict())
    else:
        show(found, moves)
    if out is not None:
        output.note(f"written to {out}")


def show(found: Difference, moves: int) -> None:
    """The clusters of both runs beside each other, and the first documents that moved."""
    rows = [_row(found, fate) for fate in found.fates]
    nowhere = found.changes.nowhere
    if nowhere:
        rows.append((_NOWHERE, _NOWHERE, "", nowhere.old, nowhere.new, nowhere.both or ""))
    header = ("before", "after", "what became of it", "documents", "now", "shared")
    before, after = found.old.n_documents, found.new.n_documents
    title = f"{output.counted(before, 'document')} before, {after} after, {found.shared} in both"
    output.print_table(header, rows, title)
    output.print_line(found.note)
    agreement = found.agreement
    if agreement is not None:
        output.print_line(
            f"Agreement on the documents in both: NMI {agreement['nmi']:.3f}, "
            f"adjusted Rand index {agreement['adjusted_rand_index']:.3f}"
        )
    moved = len(found.moved_rows)
    if found.shared:
        output.print_line(
            f"{moved} of {output.counted(found.shared, 'document')} in both did not go where "
            "their cluster went"
        )
    if moved and moves:
        listed = [_moved(found, move) for move in islice(found.moves(), moves)]
        title = "documents that moved" + (f", the first {moves}" if moved > moves else "")
        output.print_table(("document", "from", "to", "because of"), listed, title)


def _row(found: Difference, fate: Fate) -> tuple[object, ...]:
    old, new = found.old, found.new
    return (
        _named(old, fate.old),
        _named(new, fate.new),
        fate.in_words(_numbers(fate.into), _numbers(fate.of)),
        "" if fate.old is None else old.sizes[fate.old],
        "" if fate.new is None else new.sizes[fate.new],
        fate.shared or "",
    )


def _numbers(parts: tuple[Part, ...]) -> str:
    return ", ".join(f"{part.cluster} ({part.documents})" for part in parts)


def _moved(found: Difference, move: Move) -> tuple[str, str, str, str]:
    why = move.because or ", ".join(move.terms)
    return (
        move.id,
        _named(found.old, move.old),
        _named(found.new, move.new),
        why or ("its cluster is gone" if move.stay is None else ""),
    )


def _named(clustering: Clustering, h: int | None) -> str:
    """The number and name of a cluster."""
    if h is None:
        return ""
    return _NOWHERE if h < 0 else f"{h} {clustering.names[h]}"
