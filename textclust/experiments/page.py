"""The page of results, from finished experiments: python -m textclust.experiments.page.

`python -m textclust.experiments.page OUT docs/results > docs/results.md` reads what `textclust
reproduce --out OUT` left, draws every picture into docs/results, and prints the page.
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
from textclust.experiments.table import Table
from textclust.writing import any_file, write_whole

__all__ = ["page"]

_HEAD = """# How textclust stands to the papers

Every figure and table below is one command: `textclust reproduce NAME` runs it, `textclust
reproduce --list` lists them, and [Experiments](experiments.md) says how that works. The figures of
the papers are pictures without numbers, so for those only what their text says can be compared;
where a number is printed, it stands below ours. "thesis", "paper" and "as published" are the
methods as they were published, from their own starts; "default" is what textclust does when it is
not told otherwise. Figures that differ by the measure alone come from the same runs.

This page is made from finished runs by `python -m textclust.experiments.page`; how many samples
are behind the means is told with each table.
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


def page(out: Path, pictures: Path | None = None) -> str:
    """The page, of the experiments that are finished in a folder."""
    parts, source = [_HEAD], ""
    for experiment in experiments().values():
        if not _is_of_a_paper(experiment.name):
            continue
        own, _, _ = experiment.name.partition("-")
        if own != source:
            source = own
            parts.append(f"## {_SOURCES.get(own, own)}\n")
        parts.append("\n".join(_section(experiment, out, pictures)))
    parts.append(_MISSING)
    return "\n".join(parts)


def _is_of_a_paper(name: str) -> bool:
    """True for an author, a year, and a figure or table."""
    return re.match(r"[a-z]+\d{4}-", name) is not None


def _section(experiment: Experiment, out: Path, pictures: Path | None) -> Iterator[str]:
    name = experiment.name
    yield f"### {name}\n"
    yield f"{experiment.source}. {experiment.title}.\n"
    if experiment.says:
        yield f"The paper: {experiment.says}\n"
    made = finished(experiment, out)
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
    for row in table.rows:
        yield "| " + " | ".join(map(str, row)) + " |"


def _samples(made: Reproduction) -> str:
    counts = sorted({cell.n for cell in made.cells if cell.n})
    told = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    errors = [note for note in made.table().notes if note.startswith("means;")]
    return (
        f"Means of {told} samples; {errors[0].removeprefix('means; ')}."
        if errors
        else (f"Means of {told} samples.")
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--names"]:
        print(*filter(_is_of_a_paper, experiments()), sep="\n")
    else:
        print(page(*map(Path, sys.argv[1:])), end="")
