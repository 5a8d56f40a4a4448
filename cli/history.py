"""textclust history: the runs that an out folder has had."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from shlex import join
from typing import Annotated, Any

from . import options, output, repeating
from .declared import Argument

__all__ = ["command"]


@dataclass(frozen=True)
class _Run:
    """One of the runs; what cannot be known is None."""

    folder: Path
    written: datetime
    command: str | None
    documents: int
    clusters: int
    nmi: float | None  # with the run after it, on the documents that both have
    shared: int | None

    def to_dict(self) -> dict[str, object]:
        return {**asdict(self), "folder": str(self.folder), "written": self.written.isoformat()}


def command(
    run: Annotated[
        Path, Argument(metavar="DIR", help="An --out folder that was written with --keep.")
    ],
    json: options.Json = False,
) -> None:
    """List the runs that DIR has had: when, how, and how far each agrees with the next.

    Each is a complete folder, which all other commands take in place of DIR.
    """
    runs = _runs(run)
    if json:
        output.print_json({"runs": [each.to_dict() for each in runs]})
        return
    from textclust.writing import HISTORY, NAME_FORM

    rows = [
        (
            f"{each.written:{NAME_FORM}}, now" if each is runs[-1] else each.folder.name,
            each.documents,
            each.clusters,
            "" if each.nmi is None else f"{each.nmi:.3f} on {each.shared}",
            each.command or "",
        )
        for each in runs
    ]
    header = ("written (UTC)", "documents", "clusters", "NMI with the next", "command")
    output.print_table(header, rows, f"{output.counted(len(runs), 'run')} in {run}")
    if len(runs) > 1:
        last = join([str(runs[-2].folder), str(run)])
        output.print_line(
            f"Each is a folder of {run / HISTORY}. What changed last: textclust diff {last}"
        )
    else:
        output.print_line("Nothing was kept; --keep keeps what a run replaces")


def _runs(folder: Path) -> list[_Run]:
    """All runs of a folder, the one that is there now as the last."""
    from textclust.errors import InputError
    from textclust.writing import kept_runs, recover, summary_beside, when_kept, when_written

    recover(folder)
    found: list[tuple[Path, datetime, dict[str, Any]]] = []
    for kept in kept_runs(folder):
        summary = summary_beside(kept / "clusters.json")
        if summary is not None:
            found.append((kept, when_kept(kept), summary))
    now = summary_beside(folder / "clusters.json")
    if now is None:
        raise InputError(
            f"{folder}: not the --out folder of a run, it has no clusters.json of ours"
        )
    found.append((folder, when_written(folder), now))
    labels = [_labels(place) for place, *_ in found]
    agreements = [_agreement(*pair) for pair in zip(labels, [*labels[1:], {}], strict=True)]
    return [
        _Run(place, written, _command(place), summary["documents"], summary["k"], *agreement)
        for (place, written, summary), agreement in zip(found, agreements, strict=True)
    ]


def _command(folder: Path) -> str | None:
    record = repeating.read_record(folder)
    words = record.get("arguments") if isinstance(record, dict) else None
    if not isinstance(words, list) or not all(isinstance(each, str) for each in words):
        return None
    return join(words)


def _labels(folder: Path) -> dict[str, str]:
    """The cluster of each document; none where workers wrote a table for each part."""
    from textclust.text.labels import read_labels

    place = folder / "labels.csv"
    return read_labels(place) if place.is_file() else {}


def _agreement(one: dict[str, str], other: dict[str, str]) -> tuple[float | None, int | None]:
    """NMI on the documents that both have, and their number."""
    from textclust.metrics import nmi

    both = [name for name in one if name in other]
    if not both:
        return None, None
    return nmi([one[name] for name in both], [other[name] for name in both]), len(both)
