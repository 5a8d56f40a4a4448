"""textclust curve: what supervision would bring on a labelled collection."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from textclust.experiments.supervisions import SUPERVISIONS
from textclust.measures.names import Measure

from . import options, output, results
from .declared import Option
from .places import out_folder

if TYPE_CHECKING:
    from textclust.experiments.curve import LearningCurve

    Supervision = str
else:
    Supervision = options.choices("Supervision", SUPERVISIONS)

__all__ = ["command"]

_NAMES = ("runs.csv", "summary.csv", "plot.png")


@options.reading
def command(
    path: options.Source,
    supervision: Annotated[
        Supervision, Option(help="What is known of the documents that are not scored.")
    ] = "links",
    amounts: Annotated[
        str | None,
        Option(help="How many links or questions, or which shares of seeds: 0,50,100."),
    ] = None,
    method: Annotated[
        list[str] | None,
        Option(
            help="A method of textclust cluster that takes this supervision, or kmeans to compare "
            "with; can be given several times. If left out hmrf, or seeded and constrained for "
            "seeds."
        ),
    ] = None,
    measure: Annotated[
        Measure, Option(help="How to compare clusters with the known classes.")
    ] = Measure.NMI,
    folds: Annotated[
        int, Option(min=2, help="How many folds to make; every document is scored in one of them.")
    ] = 2,
    runs: Annotated[int, Option(min=1, help="How often to make new folds.")] = 5,
    wrong: Annotated[
        float,
        Option(min=0, max=1, help="The share of the supervision that is made wrong on purpose."),
    ] = 0.0,
    random_state: options.RandomState = 0,
    jobs: Annotated[int, Option(min=1, help="How many processes work at it.")] = 1,
    out: Annotated[
        Path | None, Option(help="A folder for runs.csv, summary.csv and plot.png.")
    ] = None,
    json: options.Json = False,
    *,
    read: options.Read,
) -> None:
    """Score clusterings of documents whose classes are known by the amount of supervision."""
    from textclust.experiments.curve import learning_curve
    from textclust.text.documents import Documents

    chosen = _numbers(amounts)
    with output.showing_progress(), out_folder(out, _NAMES, (path,)) as place:
        curve = learning_curve(
            Documents.from_reading(read(path, results.leave_out(path, out))),
            supervision=str(supervision),
            amounts=chosen,
            methods=method or None,
            measure=measure.value,
            folds=folds,
            runs=runs,
            wrong=wrong,
            random_state=random_state,
            jobs=jobs,
        )
        if place is not None:
            _write(curve, place.stage)
    if json:
        output.print_json({"summary": curve.summary, "rows": curve.rows})
    else:
        table = curve.table()
        output.print_table(table.header, table.with_marks(), table.title)
        for line in table.notes:
            output.print_line(line)
    if place is not None:
        place.note_replaced()


def _numbers(amounts: str | None) -> list[float] | None:
    if amounts is None:
        return None
    from textclust.errors import InputError

    try:
        return [float(word) if "." in word else int(word) for word in amounts.split(",")]
    except ValueError as error:
        raise InputError(f"--amounts {amounts}: give numbers, such as 0,50,100") from error


def _write(curve: LearningCurve, stage: Path) -> None:
    from textclust.experiments.picture import can_draw
    from textclust.writing import csv_text, write_whole

    for name, rows in zip(_NAMES, (curve.rows, curve.summary), strict=False):
        cells = [tuple(row.values()) for row in rows]
        write_whole(stage / name, csv_text(list(rows[0]), cells))
    if can_draw():
        curve.plot(stage / _NAMES[-1])
