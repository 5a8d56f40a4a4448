"""The page of results, from finished experiments: python -m textclust.experiments.page.

`python -m textclust.experiments.page OUT docs/results.md` reads what `textclust reproduce --out
OUT` left, draws its pictures into docs/results, and writes the page. An experiment that is not
finished in OUT keeps the section and the picture it has on the page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from textclust.experiments import experiments
from textclust.experiments.declared import Experiment
from textclust.experiments.picture import picture
from textclust.experiments.runner import Reproduction, finished
from textclust.experiments.summary import MARKED
from textclust.experiments.table import Table
from textclust.writing import any_file, write_whole

__all__ = ["page", "write"]

_HEAD = """# How textclust stands to the papers

Every figure and table below is one command: `textclust reproduce NAME` runs it, `textclust
reproduce --list` lists them, and [Experiments](experiments.md) says how that works. The figures of
the papers are pictures without numbers, so for those only what their text says can be compared;
where a number is printed, it stands below ours. "thesis", "paper" and "as published" are the
methods as they were published, from their own starts; "default" is what textclust does when it is
not set otherwise. Figures that differ by the measure alone come from the same runs.

This page is made from finished runs by `python -m textclust.experiments.page`; how many samples
are behind the means stands below each table. A star marks a mean that differs from that of the line
named below its table, by a two-tailed paired t-test over the same runs.

A section keeps the figures of the code that it was last run with; CHANGELOG.md says what has
changed since.
"""
_MISSING = """## Not reproduced

- Of Gao et al. 2005, table 2, the data sets Web (sessions of web users) and Physiological (a
  contest of 2004) cannot be had any more.
- The thesis drew random samples of each newsgroup, of Digits and Letters, and of Classic3. Ours are
  other samples of the same size; the posts are those of the well-known mini_newsgroups.
"""
_SOURCES = {
    "basu2005": "Basu 2005, *Semi-supervised Clustering: Probabilistic Models, Algorithms and "
    "Experiments*",
    "basu2003": "Basu, Bilenko and Mooney 2003",
    "gao2005": "Gao, Tan and Cheng 2005",
    "yan2006": "Yan and Domeniconi 2006",
    "hu2013": "Hu, Vens, Verstrynge and Blockeel 2013",
}


def page(out: Path, pictures: Path | None = None, existing: str = "") -> str:
    """The page, of the experiments that are finished in a folder, else as the existing one has it.

    Pictures are drawn of those that are finished.
    """
    kept = _sections(existing)
    parts, source = [_HEAD], ""
    for experiment in experiments().values():
        if not _is_of_a_paper(experiment.name):
            continue
        own, _, _ = experiment.name.partition("-")
        if own != source:
            source = own
            parts.append(f"## {_SOURCES.get(own, own)}\n")
        made = finished(experiment, out)
        if made is None and experiment.name in kept:
            parts.append(kept[experiment.name])
        else:
            parts.append("\n".join(_section(experiment, made, pictures)))
    parts.append(_MISSING)
    return "\n".join(parts)


def write(out: Path, place: Path) -> None:
    """Write the page, with what it has already, and its pictures in the folder of its name."""
    existing = place.read_text(encoding="utf-8") if place.exists() else ""
    content = page(out, place.with_suffix(""), existing)
    write_whole(place, content, replaces=any_file)  # what it had is kept where it is not new


def _sections(existing: str) -> dict[str, str]:
    """The sections of a page by the name of their experiment."""
    parts = re.split(r"^(?=###? )", existing, flags=re.MULTILINE)
    found = ((re.match(r"### (\S+)\n", part), part) for part in parts)
    return {head[1]: part.removesuffix("\n") for head, part in found if head is not None}


def _is_of_a_paper(name: str) -> bool:
    """True for an author, a year, and a figure or table."""
    return re.match(r"[a-z]+\d{4}-", name) is not None


def _section(
    experiment: Experiment, made: Reproduction | None, pictures: Path | None
) -> Iterator[str]:
    name = experiment.name
    yield f"### {name}\n"
    yield f"{experiment.source}. {experiment.title}.\n"
    if experiment.says:
        yield f"The paper: {experiment.says}\n"
    if made is None:
        yield f"Not run for this page; `textclust reproduce {name}` runs it.\n"
        return
    yield from _markdown(made.table())
    yield f"\n{_samples(made)}\n"
    if experiment.differs:
        yield f"Ours: {experiment.differs}\n"
    if pictures is not None:
        drawn = picture(experiment, made.cells)
        write_whole(pictures / f"{name}.png", drawn, replaces=any_file)
        yield f"![{experiment.title}](results/{name}.png)\n"


def _markdown(table: Table) -> Iterator[str]:
    yield "| " + " | ".join(table.header) + " |"
    yield "|" + "---|" * len(table.header)
    for row in table.with_marks():
        yield "| " + " | ".join(map(str, row)) + " |"


def _samples(made: Reproduction) -> str:
    counts = sorted({cell.n for cell in made.cells if cell.n})
    shown = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    notes = made.table().notes
    spread = [note.removeprefix("means") for note in notes if note.startswith("means;")]
    marks = [f" \\{note}." for note in notes if note.startswith(MARKED)]
    return f"Means of {shown} samples{''.join(spread)}.{''.join(marks)}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--names"]:
        print(*filter(_is_of_a_paper, experiments()), sep="\n")
    else:
        write(*map(Path, sys.argv[1:]))
