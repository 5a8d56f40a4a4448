"""What clustering a collection leaves behind: a table on the terminal, and a folder of files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from . import output, over_time, places, repeating

if TYPE_CHECKING:
    from textclust.errors import InputError
    from textclust.result.clustering import Clustering
    from textclust.text.catalogue import Skipped
    from textclust.text.folders import LeaveOut

__all__ = [
    "as_json",
    "check",
    "leave_out",
    "note_before_table",
    "note_written",
    "prepared",
    "show",
    "write",
]

_NAMES = ("labels.csv", "clusters.json", "model", "report.html", repeating.FILE)
_MEMBERSHIPS, _OVER_TIME = "memberships.csv", "over_time.csv"
_OUTLIERS_COUNT = "; what fits nowhere counts as one more cluster"
_RETIRED = (_MEMBERSHIPS, _OVER_TIME, "labels")  # the tables of a run on many machines
Place = places.OutFile | places.OutFolder | None


def prepared(
    out: Path | None,
    path: str,
    others: Iterable[object],
    *,
    memberships: bool = False,
    by: bool = False,
    keep: bool = False,
) -> AbstractContextManager[Place]:
    """A place to write results to; what must not be written over is refused before the work.

    `path` has the documents, and what else is read is among `others`. With `keep` what is replaced
    is kept.
    """
    from textclust.errors import InputError
    from textclust.writing import is_same, refuse_input

    inputs = (path, *others)
    if out is None or _is_table(out):
        if keep:
            raise InputError("--keep keeps what is in a folder; name one with --out")
        return places.out_file(out, inputs)
    if is_same(out, path):
        raise _among_the_documents(path)
    refuse_input(out, [given for given in places.given(*inputs) if is_same(out, given)])
    names = (*_NAMES, *[_MEMBERSHIPS] * memberships, *[_OVER_TIME] * by)
    return places.out_folder(out, names, inputs, _RETIRED, keep=keep)


def again(
    folder: Path, inputs: Iterable[object] = (), *, keep: bool = False
) -> AbstractContextManager[places.OutFolder | None]:
    """The folder of a run, to write its results once more; inputs are none of them."""
    from textclust.writing import refuse_input

    for name in _present(folder):
        refuse_input(folder / name, places.named(*inputs))
    return places.out_folder(folder, _present(folder), keep=keep)


def has_course(folder: Path) -> bool:
    """Whether a run wrote the course of its clusters."""
    return (folder / _OVER_TIME).is_file()


def _present(folder: Path) -> list[str]:
    every = (*_NAMES, _MEMBERSHIPS, _OVER_TIME)
    return [name for name in every if os.path.lexists(folder / name)]


class _EndOfCheckError(Exception):
    """Leaves a place without writing to it."""


def check(out: Path | None, path: str, others: Iterable[object], *, keep: bool = False) -> None:
    """Find out whether results could be written, and write nothing."""
    with suppress(_EndOfCheckError), prepared(out, path, others, keep=keep):
        raise _EndOfCheckError


def _is_table(out: Path) -> bool:
    """Whether --out names a file for the labels alone."""
    return out.suffix.lower() == ".csv" and not os.path.isdir(out)


def leave_out(path: str, *places: Path | None) -> LeaveOut | None:
    """What tells results, of this run or an earlier one, from the documents in their folder."""
    from textclust.text.names import readable
    from textclust.writing import PREFIX

    if not os.path.isdir(path):
        return None
    home = os.path.realpath(path)
    below = [os.path.relpath(os.path.realpath(place), home) for place in places if place]
    if "." in below:
        raise _among_the_documents(path)
    names = [readable(os.fsencode(name)).replace(os.sep, "/") for name in below]
    beside = [f"{name.rpartition('/')[0]}/{PREFIX}".lstrip("/") for name in names]
    here = [*(f"{name}/" for name in names), *beside]
    mark = "model/manifest.json"

    def beginnings(names: list[str]) -> tuple[str, ...]:
        earlier = [name.removesuffix(mark) for name in names if name.endswith("/" + mark)]
        return (*here, *earlier)

    return beginnings


def _among_the_documents(path: str) -> InputError:
    from textclust.errors import InputError

    return InputError(f"{path}: the results cannot lie among the documents; name another --out")


def write(
    clustering: Clustering,
    place: Place,
    *,
    texts: bool = True,
    memberships: bool = False,
    keep_formulas: bool = False,
) -> None:
    """Write to a place what belongs there: everything, or the labels alone."""
    if isinstance(place, places.OutFile):
        place.write(_labels(clustering, keep_formulas))
    elif place is not None:
        tables = partial(_tables, clustering, memberships, keep_formulas)
        _write_all(clustering, place.stage, tables, texts=texts)
        repeating.write_record(place.stage, place.out, place.inputs)


def _tables(clustering: Clustering, memberships: bool, keep_formulas: bool) -> dict[str, str]:
    """All tables of a folder, by their names."""
    tables = {"labels.csv": _labels(clustering, keep_formulas)}
    if memberships and clustering.memberships is not None:
        tables[_MEMBERSHIPS] = _memberships(clustering, keep_formulas)
    if "by" in clustering.settings:
        course = over_time.table(clustering, clustering.settings["by"], keep_formulas)
        tables[_OVER_TIME] = course
    return tables


def note_written(place: Place, *, memberships: bool = False, by: bool = False) -> None:
    """Tell where the results are, if anywhere."""
    if isinstance(place, places.OutFile):
        place.note()
    elif place is not None:
        names = ("model/" if name == "model" else name for name in _NAMES)
        more = {_MEMBERSHIPS: memberships, _OVER_TIME: by}
        place.note(*names, *(name for name, written in more.items() if written))


def _memberships(clustering: Clustering, keep_formulas: bool) -> str:
    """A table of how far each document belongs to each cluster."""
    from textclust.writing import csv_text

    assert clustering.memberships is not None
    header = ("id", *(str(h) for h in range(clustering.k)))
    found = clustering.memberships
    shares = (found.astype(int) if found.dtype == bool else found.round(6)).tolist()
    rows = [(card.id, *row) for card, row in zip(clustering.cards, shares, strict=True)]
    return csv_text(header, rows, keep_formulas=keep_formulas)


def as_json(clustering: Clustering) -> dict[str, object]:
    """All of it as one object."""
    header = _columns(clustering)
    labels = [dict(zip(header, row, strict=True)) for row in _rows(clustering)]
    return {**clustering.to_dict(), "labels": labels}


def _write_all(
    clustering: Clustering,
    folder: Path,
    tables_of_run: Callable[[], dict[str, str]],
    *,
    texts: bool,
) -> None:
    import json

    from textclust.threads import beside
    from textclust.writing import record_of, write_whole

    _ = clustering.moments  # once, before both the model and the report ask for them
    with beside(partial(clustering.save, folder / "model")):
        tables = tables_of_run()
        for name, table in tables.items():
            write_whole(folder / name, table)
        clustering.report(folder / "report.html", texts=texts)
        content = {**clustering.to_dict(), **record_of(tables)}
        text = json.dumps(content, ensure_ascii=False, indent=2)
        write_whole(folder / "clusters.json", text + "\n")


def _labels(clustering: Clustering, keep_formulas: bool) -> str:
    from textclust.writing import csv_text

    rows = _rows(clustering)
    if clustering.stability is not None:  # which some documents lack
        rows = (tuple("" if value is None else value for value in row) for row in rows)
    return csv_text(_columns(clustering), rows, keep_formulas=keep_formulas)


def _rows(clustering: Clustering) -> Iterator[tuple[object, ...]]:
    labels, scores = clustering.labels.tolist(), clustering.scores.round(4).tolist()
    name_of = {h: clustering.name_of(h) for h in set(labels)}
    names = [name_of[h] for h in labels]
    columns = [[card.id for card in clustering.cards], labels, names, scores]
    background = clustering.outcome.background
    if background is not None:
        columns.append(background.novelty.round(4).tolist())
    if clustering.stability is not None:
        columns.append(clustering.stability.written())
    if clustering.identities is not None:
        numbers = clustering.identities.numbers
        columns.append([numbers[h] if h >= 0 else "" for h in labels])
    if clustering.levels is not None:
        groups = {h: clustering.levels.path(h) for h in set(labels) if h >= 0}
        for level in range(len(clustering.levels.levels) - 1):
            named = {h: path[level].name for h, path in groups.items()}
            columns.append([named.get(h, name_of[h]) for h in labels])
    return zip(*columns, strict=True)


def _columns(clustering: Clustering) -> tuple[str, ...]:
    """The columns of each document, with how new and stable it is and its groups, where known."""
    from textclust.writing import LABELS, level_columns

    tree = clustering.levels
    more = [
        *([] if clustering.outcome.background is None else ["novelty"]),
        *([] if clustering.stability is None else ["stability"]),
        *([] if clustering.identities is None else ["identity"]),
        *level_columns(0 if tree is None else len(tree.levels) - 1),
    ]
    return (*LABELS, *more)


def note_before_table(clustering: Clustering, skipped: list[Skipped]) -> None:
    """What the reader should know before trusting the table."""
    output.note_skipped(skipped)
    selection = clustering.settings.get("selection")
    if selection is not None:
        output.note(f"chosen: {selection['reason']}")
    embedding = clustering.settings.get("embedding")
    if embedding is not None:
        what = embedding["model"] or "the vectors given"
        output.note(
            f"{what} beside the terms, at weight {embedding['weight']:g}: {embedding['reason']}"
        )
    for sentence in clustering.outcome.notes():
        output.note(sentence)
    empty = clustering.settings["collection"]["without_terms"]
    if empty:
        output.note(f"{output.counted(empty, 'document')} without any term that counts")


def _table(clustering: Clustering, terms: int) -> dict[str, list[object]]:
    """The columns of the table of clusters."""
    every, groups = range(clustering.k), clustering.group_sizes
    columns: dict[str, list[object]] = {"cluster": list(every)}
    if clustering.identities is not None:
        columns["identity"] = list(clustering.identities.numbers)
    columns["name"] = list(clustering.names)
    columns["size"] = list(clustering.sizes)
    if groups is not None:
        columns["groups"] = [int(count) if count.is_integer() else count for count in groups]
    if clustering.stability is not None:
        columns["stability"] = [f"{value:.2f}" for value in clustering.stability.clusters]
    columns["terms"] = [", ".join(clustering.terms(h, terms)) for h in every]
    columns["a typical document"] = [_typical(clustering, h) for h in every]
    return columns


def _typical(clustering: Clustering, h: int) -> str:
    """The title and the id of the document that stands for a cluster most."""
    best = clustering.nearest_rows(h, 1)
    if not best:
        return ""
    card = clustering.cards[best[0]]
    return f"{card.title} ({card.id})"


def show(clustering: Clustering, terms: int) -> None:
    """The clusters as a table, what became of the supervision, and agreement."""
    from textclust.result.placement import FITS_NOWHERE, NOWHERE

    columns = _table(clustering, terms)
    rows = list(zip(*columns.values(), strict=True))
    if clustering.n_outliers:
        last = {"cluster": NOWHERE, "name": FITS_NOWHERE, "size": clustering.n_outliers}
        rows.append(tuple(last.get(name, "") for name in columns))
    output.print_table(
        tuple(columns),
        rows,
        f"{output.counted(clustering.n_documents, 'document')}"
        f"{_in_groups(clustering)} in "
        f"{output.counted(clustering.k, 'cluster')}",
    )
    if clustering.outliers is not None and not clustering.n_outliers:
        output.print_line("No document fits nowhere")
    if clustering.levels is not None:
        output.print_lines(str(clustering.levels))
    if clustering.stopped is not None:
        output.print_line(f"{clustering.stopped.sentence(clustering.objective)}.")
    if clustering.stability is not None:
        output.print_line(f"{clustering.stability}.")
    if "by" in clustering.settings:
        over_time.show_trends(clustering, clustering.settings["by"])
    _show_changes(clustering)
    _show_background(clustering)
    _show_overlap(clustering)
    noted = clustering.outcome.notes()
    for sentence in clustering.outcome.sentences():
        if sentence not in noted:
            output.print_line(f"{sentence}.")
    agreement = clustering.agreement()
    if agreement:
        unmentioned = " without supervision" if clustering.outcome.mentioned else ""
        output.print_line(
            f"Agreement with the known classes: NMI {agreement['nmi']:.3f}, "
            f"pairwise F {agreement['pairwise_f1']:.3f} "
            f"({output.counted(int(agreement['documents']), 'document')}{unmentioned}"
            f"{_OUTLIERS_COUNT if clustering.outliers is not None else ''})"
        )


def _in_groups(clustering: Clustering) -> str:
    """How many groups the documents are of, where they have any."""
    groups = clustering.settings.get("groups")
    return "" if groups is None else f" of {output.counted(groups['number'], 'group')}"


def _show_changes(clustering: Clustering) -> None:
    """What became of the clusters of the run that this one goes on from."""
    changes = clustering.changes
    if changes is None:
        return
    output.print_line(f"Clusters since the run before: {changes}")
    nowhere = changes.nowhere
    if nowhere:
        output.print_line(
            f"  fits nowhere: {output.counted(nowhere.new, 'document')}, {nowhere.old} before, "
            f"{nowhere.both} both times"
        )
    for fate in changes.fates:
        if fate.kind in ("split", "merged", "absorbed", "part", "gone", "new"):
            now = None if fate.new is None else f"{fate.new} {clustering.names[fate.new]}"
            then = None
            if fate.old is not None:
                then = f"{fate.old} {changes.names[fate.old]} (before)"
            into = ", ".join(f"{part.cluster}" for part in fate.into)
            of = ", ".join(f"{part.cluster}" for part in fate.of) + " (before)" * bool(fate.of)
            which = then if fate.kind in ("split", "absorbed", "gone") else now
            output.print_line(f"  {which}: {fate.in_words(into, of)}")


def _show_background(clustering: Clustering) -> None:
    """How much of the collection the background knows."""
    background = clustering.outcome.background
    if background is None:
        return
    unfamiliar = int(background.fits_no_class.sum())
    documents = output.counted(len(clustering.cards), "document")
    what = "class of the background" if clustering.changes is None else "cluster of the run before"
    output.print_line(f"{unfamiliar} of {documents} fit no {what}")


def _show_overlap(clustering: Clustering) -> None:
    """How many documents are in several clusters, where that can be."""
    several = clustering.in_several
    if several is not None:
        documents = output.counted(len(clustering.cards), "document")
        output.print_line(f"{several} of {documents} in several clusters")
