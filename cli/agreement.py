"""textclust agreement: whether two people say the same of the same documents."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from . import options, output
from .declared import Argument, Option
from .places import out_file

if TYPE_CHECKING:
    from textclust.comparison.judgements import Agreement, Disagreement, Judgements, Pairs

__all__ = ["command"]

_JOURNAL, _SEEDS, _LINKS = "journal.jsonl", "seeds.csv", "constraints.csv"
_SHOWN = 10  # kinds of disagreement about labels
_TITLE = 80  # letters
_Said = (
    "Answers of textclust ask, constraints, labels, seeds, or a workbench: its journal or folder"
)


def command(
    one: Annotated[str, Argument(metavar="ONE", help=f"{_Said}.")],
    other: Annotated[str, Argument(metavar="OTHER", help="The same of somebody else.")],
    model: Annotated[
        str | None,
        Option(metavar="DIR", help="The --out folder of a run, for titles of the documents."),
    ] = None,
    listed: Annotated[
        bool, Option("--list", help="List everything on which they disagree.")
    ] = False,
    out: Annotated[
        Path | None, Option(metavar="FILE.csv", help="Write that list to a table.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Say how far ONE and OTHER agree on what both judged: Cohen's kappa, and where they differ.

    Links that follow from those given are compared too.
    """
    from textclust.comparison.judgements import agreed
    from textclust.errors import InputError

    with out_file(out, (one, other, model)) as place:
        labels, pairs = agreed(_read(one), _read(other))
        if labels is None and pairs is None:
            raise InputError(
                f"{one} or {other} has neither labels nor links yet; there is nothing to compare"
            )
        _refuse_strangers(labels, pairs, one, other)
        titles = _titles(model)
        disagreements = _all(labels, pairs)
        if place is not None:
            place.write(_table(disagreements, titles))
    if json:
        output.print_json(_as_data(labels, pairs, disagreements, titles))
    else:
        if labels is not None:
            _show_labels(labels, one, other)
        if pairs is not None:
            _show_pairs(pairs, one, other)
        if listed:
            _list(disagreements, titles)
        elif disagreements:
            output.print_line("--list shows everything on which they disagree")
    if place is not None:
        place.note()


def _read(path: str) -> Judgements:
    """What a person said, in whatever form."""
    from textclust.comparison.judgements import Judgements
    from textclust.errors import InputError
    from textclust.supervision.constraint_files import read_links
    from textclust.text.labels import read_labels

    if os.path.isdir(path) or path.lower().endswith(".jsonl"):
        return _of_project(path)
    if not _has_links(path):
        return Judgements(labels=read_labels(path, "label"))
    found = Judgements(links=read_links(path))
    if not found.answers:
        raise InputError(f"{path}: no links in it")
    return found


def _has_links(path: str) -> bool:
    """Whether the first line of a table names the two ends of a link."""
    from textclust.errors import InputError

    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return file.readline().lstrip('"').startswith("left")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error


def _of_project(path: str) -> Judgements:
    """The seeds and links that the journal of a workbench came to, as they are beside it."""
    from textclust.comparison.judgements import Judgements
    from textclust.errors import InputError
    from textclust.supervision.constraint_files import read_links
    from textclust.text.labels import read_labels
    from textclust.workbench.journal import read_journal
    from textclust.writing import summary_beside

    folder = Path(path) if os.path.isdir(path) else Path(path).parent
    if folder != Path(path) and Path(path).name != _JOURNAL:
        raise InputError(
            f"{path}: not called {_JOURNAL}, as that of a workbench is; name the folder of one"
        )
    if not (folder / _JOURNAL).exists() and summary_beside(folder / "clusters.json") is not None:
        raise InputError(f"{path}: the results of a run; textclust diff compares two of these")
    read_journal(folder / _JOURNAL)  # which says what is wrong with it
    seeds, links = folder / _SEEDS, folder / _LINKS
    if not (seeds.is_file() and links.is_file()):
        raise InputError(
            f"{folder}: no {_SEEDS} and {_LINKS} beside {_JOURNAL}; open the workbench once more, "
            "which writes them"
        )
    some = len(seeds.read_bytes().splitlines()) > 1
    return Judgements(read_labels(seeds, "label") if some else {}, read_links(links))


def _refuse_strangers(labels: Agreement | None, pairs: Pairs | None, one: str, other: str) -> None:
    """An InputError where the two have not judged a single document or pair in common."""
    from textclust.errors import InputError

    implied = None if pairs is None else pairs.implied
    asked = [labels, None if pairs is None else pairs.given, implied]
    unknown = 0
    if pairs is not None:
        unknown = pairs.unknown_one + pairs.unknown_other + pairs.unknown_both
    if not unknown and not any(each.both for each in asked if each is not None):
        raise InputError(
            f"{one} and {other} have judged nothing in common; are they of the same documents?"
        )


def _titles(model: str | None) -> Mapping[str, str]:
    if model is None:
        return {}
    from textclust.plain import plain
    from textclust.result.model import load

    return {card.id: plain(card.title, _TITLE) for card in load(model).cards}


def _all(labels: Agreement | None, pairs: Pairs | None) -> list[Disagreement]:
    parts = [labels] if pairs is None else [labels, pairs.given, pairs.implied]
    return [each for part in parts if part is not None for each in part.disagreements]


def _show_labels(found: Agreement, one: str, other: str) -> None:
    output.print_line(f"{output.counted(found.both, 'document')} labelled by both")
    _show(found, one, other)
    counts = Counter((each.one, each.other) for each in found.disagreements)
    rows = [(*labels, count) for labels, count in counts.most_common(_SHOWN)]
    if rows:
        more = f", the {_SHOWN} most frequent" if len(counts) > _SHOWN else ""
        output.print_table((one, other, "documents"), rows, f"labels that differ{more}")


def _show_pairs(found: Pairs, one: str, other: str) -> None:
    output.print_line(f"{output.counted(found.given.both, 'pair')} judged by both")
    _show(found.given, one, other)
    unknown = {one: found.unknown_one, other: found.unknown_other, "both": found.unknown_both}
    if any(unknown.values()):
        said = ", ".join(f"{output.counted(n, 'pair')} by {who}" for who, n in unknown.items() if n)
        output.print_line(f"  answered with don't know: {said}")
    if found.implied is None:
        output.print_line("Too many pairs follow from these to be compared")
        return
    implied = found.implied
    output.print_line(
        f"{output.counted(implied.both, 'pair')} judged by both, or known by what follows"
    )
    _show(implied, one, other)


def _show(found: Agreement, one: str, other: str) -> None:
    """The numbers of one comparison."""
    if found.both:
        output.print_line(f"  the same: {found.same} of {found.both} ({found.share:.1%})")
        output.print_line(f"  kappa: {_kappa(found)}")
    alone = {one: found.only_one, other: found.only_other}
    said = ", ".join(f"{n} by {who}" for who, n in alone.items() if n)
    if said:
        output.print_line(f"  judged by one alone: {said}")


def _kappa(found: Agreement) -> str:
    if math.isnan(found.kappa):
        return "unknown, as both say one and the same of all"
    if found.interval is None:
        return f"{found.kappa:.3f}"
    low, high = found.interval
    return f"{found.kappa:.3f}, standard error {found.error:.3f}, 95% from {low:.3f} to {high:.3f}"


def _list(disagreements: list[Disagreement], titles: Mapping[str, str]) -> None:
    if not disagreements:
        output.print_line("They agree on everything that both judged")
        return
    rows = [
        (_named(each.left, titles), _named(each.right, titles), each.one, each.other, each.how)
        for each in disagreements
    ]
    header = ("document", "with", "one says", "the other says", "")
    output.print_table(header, rows, output.counted(len(rows), "disagreement"))


def _named(name: str, titles: Mapping[str, str]) -> str:
    return f"{titles[name]} ({name})" if titles.get(name) else name


def _table(disagreements: list[Disagreement], titles: Mapping[str, str]) -> str:
    from textclust.writing import DISAGREEMENTS, csv_text

    rows = [
        (d.left, d.right, d.one, d.other, d.how, titles.get(d.left, ""), titles.get(d.right, ""))
        for d in disagreements
    ]
    return csv_text(DISAGREEMENTS, rows)


def _as_data(
    labels: Agreement | None,
    pairs: Pairs | None,
    disagreements: list[Disagreement],
    titles: Mapping[str, str],
) -> dict[str, object]:
    found: dict[str, object] = {}
    if labels is not None:
        found["labels"] = labels.to_dict()
    if pairs is not None:
        found["pairs"] = pairs.given.to_dict()
        found["following"] = None if pairs.implied is None else pairs.implied.to_dict()
        found["dont_know"] = {
            "one": pairs.unknown_one,
            "other": pairs.unknown_other,
            "both": pairs.unknown_both,
        }
    listed = [
        {
            "documents": [name for name in (each.left, each.right) if name],
            "titles": [titles.get(name, "") for name in (each.left, each.right) if name],
            "one": each.one,
            "other": each.other,
            "how": each.how,
        }
        for each in disagreements
    ]
    return {**found, "disagreements": listed}
