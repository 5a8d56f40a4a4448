"""textclust evaluate: how well labels agree with the truth."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from textclust.measures.names import Measure

from . import options, output
from .declared import Argument
from .ids import MatchedIds, match_ids

__all__ = ["command"]


def command(
    labels: Annotated[
        Path, Argument(metavar="LABELS", help="A labels.csv, or the folder it is in.")
    ],
    truth: Annotated[
        str,
        Argument(
            metavar="TRUTH",
            help="A CSV of id,label, or a collection whose sub-folders are classes.",
        ),
    ],
    json: options.Json = False,
) -> None:
    """Compare LABELS with TRUTH by every external measure."""
    from textclust import metrics
    from textclust.text.labels import read_labels
    from textclust.writing import known_as, recover

    recover(labels)  # a folder in which a run was killed as it replaced its results
    predicted = read_labels(labels / "labels.csv" if os.path.isdir(labels) else labels)
    known = {known_as(name, predicted): label for name, label in _truth(truth).items()}
    ids = match_ids(predicted, known, str(labels), truth)
    _refuse(ids, known)
    _note(ids)
    answers = [known[name] for name in ids.both], [predicted[name] for name in ids.both]
    scores = {name.value: float(getattr(metrics, name)(*answers)) for name in Measure}
    if json:
        counts = {"only_in_labels": len(ids.left.only), "only_in_truth": len(ids.right.only)}
        output.print_json({"documents": len(ids.both), **counts, **scores})
    else:
        rows = [(name.replace("_", " "), round(score, 4)) for name, score in scores.items()]
        compared = f"{output.counted(len(ids.both), 'document')} compared"
        output.print_table(("measure", "value"), rows, compared)


def _refuse(ids: MatchedIds, known: dict[str, str]) -> None:
    """An InputError where there is nothing to compare."""
    from textclust.errors import InputError

    both = f"{ids.left.name} and {ids.right.name}"
    if len(ids.both) < 2:
        few = "no document id" if not ids.both else f"only the document id {ids.both[0]!r}"
        parts = [f"{both} have {few} in common, at least two are needed"]
        hint = ids.slip() or "an id is a path below the folder, or what the id column says"
        raise InputError("; ".join([*parts, *filter(None, [ids.examples()]), hint]))
    classes = {known[name] for name in ids.both}
    if len(classes) < 2:
        raise InputError(
            f"all {len(ids.both)} documents that {both} have in common are of the class "
            f"{classes.pop()!r}; a comparison needs documents of at least two classes"
        )


def _note(ids: MatchedIds) -> None:
    """Which documents are not compared."""
    sides = [
        f"{output.counted(len(side.only), 'document')} only in {side.name} (e.g. {side.example})"
        for side in (ids.left, ids.right)
        if side.only
    ]
    if sides:
        parts = [f"{', '.join(sides)}: not compared"]
        slip = ids.slip() if len(sides) == 2 else None
        output.note("; ".join([*parts, *filter(None, [slip])]))


def _truth(path: str) -> dict[str, str]:
    from textclust.errors import InputError
    from textclust.text.labels import read_labels
    from textclust.text.reading import open_documents

    if path.lower().endswith(".csv"):
        return read_labels(path)
    documents = open_documents(path).catalogue()
    known = zip(documents.ids, documents.labels or [], strict=bool(documents.labels))
    classes = {name: label for name, label in known if label is not None}
    if not classes:
        raise InputError(f"{path}: no classes in it; give a CSV of id,label or sorted sub-folders")
    return classes
