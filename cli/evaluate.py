"""textclust evaluate: how well labels agree with the truth."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from textclust.measures.names import Measure

from . import options, output

__all__ = ["command"]


def command(
    labels: Annotated[
        Path, typer.Argument(metavar="LABELS", help="A labels.csv, or the folder it is in.")
    ],
    truth: Annotated[
        str,
        typer.Argument(
            metavar="TRUTH",
            help="A CSV of id,label, or a collection whose sub-folders are classes.",
        ),
    ],
    json: options.Json = False,
) -> None:
    """Compare LABELS with TRUTH by every external measure."""
    from textclust import metrics
    from textclust.errors import InputError
    from textclust.text.labels import read_labels

    predicted = read_labels(labels / "labels.csv" if os.path.isdir(labels) else labels)
    known = _truth(truth)
    shared = [name for name in predicted if name in known]
    if not shared:
        raise InputError(f"{labels} and {truth} have no document id in common; compare their ids")
    missing = len(predicted) + len(known) - 2 * len(shared)
    if missing:
        output.note(f"{output.counted(missing, 'document')} in only one of the two, not counted")
    answers = [known[name] for name in shared], [predicted[name] for name in shared]
    scores = {name.value: float(getattr(metrics, name)(*answers)) for name in Measure}
    if json:
        output.print_json({"documents": len(shared), **scores})
    else:
        rows = [(name.replace("_", " "), round(score, 4)) for name, score in scores.items()]
        output.print_table(("measure", "value"), rows, output.counted(len(shared), "document"))


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
