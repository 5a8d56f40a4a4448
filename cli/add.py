"""textclust add: new documents into the clusters of a run, whose own documents stay in place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from . import diff, options, output, results
from .declared import Option
from .rewriting import rewriting, run_of

if TYPE_CHECKING:
    from textclust.comparison.difference import Difference
    from textclust.result.adding import Added
    from textclust.result.refit_due import ClusterDrift

__all__ = ["command"]

_SHOWN = 3  # ids in a line


@options.reading
def command(
    model: options.Model,
    path: options.Source,
    vectors: options.Vectors = None,
    out: Annotated[
        Path | None,
        Option(help="A folder for the results; MODEL stays as it is."),
    ] = None,
    keep: options.Keep = False,
    refit_preview: Annotated[
        bool,
        Option(
            "--refit-preview",
            help="Say what textclust refit would change, which takes as long as that.",
        ),
    ] = False,
    json: options.Json = False,
    *,
    read: options.Read,
) -> None:
    """Put the documents of PATH into the clusters of MODEL, and write its results again.

    The documents that are there stay where they are; the clusters move towards the new ones. The
    output says whether these still fit, or a refit is due.
    """
    with output.showing_progress(), rewriting(model, out, (path, vectors), keep=keep) as target:
        from textclust.comparison.difference import diff as difference
        from textclust.refitting import refit
        from textclust.result.adding import add_documents
        from textclust.result.model import load
        from textclust.text.documents import Documents

        clustering = load(model)
        left_out = results.leave_out(path, run_of(model) or Path(model), out)
        documents = Documents.from_reading(options.cleaned_like(clustering, read)(path, left_out))
        array = None if vectors is None else options.load_vectors(vectors, len(documents))
        added = add_documents(clustering, documents, array)
        change = None
        if refit_preview:
            change = difference(added.clustering, refit(added.clustering, stability=False))
        target.write_added(added.clustering, is_new=bool(added.rows))
    output.note_skipped(documents.skipped)
    if json:
        output.print_json(_content(added, change))
    else:
        _show(added, change, str(target.model if out is None else out))
    target.note()


def _content(added: Added, change: Difference | None) -> dict[str, object]:
    found, rows = added.clustering, slice(added.rows.start, added.rows.stop)
    fits = added.fits.tolist()
    columns = (found.labels[rows].tolist(), found.scores[rows].round(4).tolist(), fits)
    labels = [
        {"id": card.id, "cluster": h, "name": found.name_of(h), "score": score, "fits": fit}
        for card, h, score, fit in zip(found.cards[rows], *columns, strict=True)
    ]
    return {
        "labels": labels,
        "already": list(added.already),
        "documents": found.n_documents,
        "drift": found.drift and found.drift.to_dict(),
        "refit": change and change.to_dict(),
    }


def _show(added: Added, change: Difference | None, run: str) -> None:
    found, drift = added.clustering, added.clustering.drift
    if added.already:
        listed = ", ".join(added.already[:_SHOWN]) + (
            ", ..." if len(added.already) > _SHOWN else ""
        )
        verb = "was" if len(added.already) == 1 else "were"
        documents = output.counted(len(added.already), "document")
        output.print_line(f"{documents} {verb} there already: {listed}")
    output.print_line(
        f"{output.counted(len(added.rows), 'document')} added to {run}, which has "
        f"{output.counted(found.n_documents, 'document')} now"
    )
    if drift is None:
        return
    header = ("cluster", "name", "made from", "added since", "fits worse")
    output.print_table(header, [_row(each) for each in drift.clusters])
    output.print_line(
        "Fits worse: how often an added document fits worse than another one there; 50% is no "
        "difference"
    )
    nowhere = round(drift.nowhere.added * drift.documents)
    output.print_line(
        f"Of {output.counted(drift.documents, 'document')} added since the clusters were made "
        f"{nowhere} fit nowhere ({drift.nowhere.added:.1%}; {drift.nowhere.before:.1%} of the "
        f"others); {drift.unknown.added:.1%} of their terms are unknown "
        f"({drift.unknown.before:.1%} of the others)"
    )
    if drift.displaced:
        output.print_line(
            f"{drift.displaced} of {output.counted(drift.fitted, 'document')} of before would be "
            "elsewhere now"
        )
    output.print_line(f"{drift.sentence()}.")
    if change is not None:
        output.print_line("What a refit would change:")
        diff.show(change, moves=0)
    if drift.due:
        output.print_line(f"To make the clusters anew: textclust refit {run}")


def _row(each: ClusterDrift) -> tuple[object, ...]:
    worse = "" if each.worse is None else f"{each.worse:.0%}" + (" !" if each.differs else "")
    return each.cluster, each.name, each.before, each.added, worse
