"""textclust explain: why a document is in its cluster."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from . import options, output
from .declared import Argument, Option

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering
    from textclust.result.explanation import Explanation
    from textclust.result.terms import Term

__all__ = ["command"]


def command(
    model: options.Model,
    document: Annotated[
        str, Argument(metavar="DOC", help="The id of a clustered document, or a text file.")
    ],
    terms: Annotated[int, Option(min=1, help="How many terms to show each way.")] = 8,
    json: options.Json = False,
) -> None:
    """Show which terms pull a document to its cluster and which to its second choice."""
    from textclust.result.model import load

    clustering = load(model)
    explanation = _explain(clustering, document)
    if json:
        output.print_json(explanation.to_dict())
        return
    if explanation.cluster == explanation.runner_up:
        output.print_line(str(explanation))
    else:
        _show(document, explanation, terms)
    if explanation.seed is not None:
        output.print_line(f"It is a seed of the class {explanation.seed}.")
    if explanation.pushes:
        rows = [
            (
                push.kind,
                push.other,
                push.cluster,
                _price(push.price),
                "kept" if push.kept else "broken",
            )
            for push in explanation.pushes
        ]
        header = ("link", "with", "in cluster", "price", "")
        output.print_table(header, rows, "links of this document")


def _show(document: str, explanation: Explanation, terms: int) -> None:
    where = "is in" if explanation.fits else "fits nowhere; the nearest is"
    output.print_line(f"{document} {where} cluster {explanation.cluster}, {explanation.name}.")
    further = "further away" if explanation.margin >= 0 else "nearer"
    other = f"cluster {explanation.runner_up}, {explanation.runner_up_name}"
    output.print_line(f"Second choice: {other} ({abs(explanation.margin):.4f} {further}).")
    if explanation.label_model is not None:
        opinion = explanation.label_model
        near = explanation.margin - opinion
        output.print_line(f"Of that, nearness gives {near:+.4f}, the label model {opinion:+.4f}.")
    if explanation.vectors is not None:
        output.print_line(f"Of that, the vector beside its terms gives {explanation.vectors:+.4f}.")
    _table(f"pulls to {explanation.name}", explanation.here, terms)
    _table(f"pulls to {explanation.runner_up_name}", explanation.there, terms)


def _explain(clustering: Clustering, document: str) -> Explanation:
    from textclust.errors import InputError

    ids = [card.id for card in clustering.cards]
    if document in set(ids):
        return clustering.explain(document)
    if os.path.isfile(document):
        return clustering.explain_text(_text(document, clustering), document)
    from difflib import get_close_matches

    near = get_close_matches(document, ids, n=3)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    raise InputError(f"{document}: neither a document of this model nor a file{hint}")


def _text(file: str, clustering: Clustering) -> str:
    """The text of a file, cleaned as the clustered documents were."""
    from textclust.errors import InputError
    from textclust.text.cleaning import Cleaning, clean
    from textclust.text.decoding import decode

    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror or error})") from error
    used = clustering.settings.get("collection", {}).get("cleaning", {})
    return clean(decode(data), Cleaning(**used)).text


def _table(title: str, pulls: list[Term], terms: int) -> None:
    rows = [(pull.term, round(pull.weight, 4)) for pull in pulls[:terms]]
    output.print_table(("term", "pull"), rows, title)


def _price(price: float | None) -> str:
    return "none" if price is None else f"{price:.4f}"
