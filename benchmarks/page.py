"""docs/performance.md: what was measured, when, and on what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.measuring import ENOUGH, PATIENCE
from benchmarks.sections import Section
from textclust.experiments.table import Table

__all__ = ["markdown", "page"]

_PAGE = """\
# How fast is it?

This page is written by

```sh
make bench
```

which installs the peers in an environment of their own, and runs them and textclust on the same
data, in turns. A shorter look, in under two minutes and without writing anything:

```sh
make bench-quick
```

*Seconds* are medians of the runs; *times as long* is the ratio of a contestant's median to that
of the first in the table, and in brackets the least and the greatest ratio of a single round. The
*objective* is computed by one function for all, from the labels alone: the squared distances of the
documents to the means of their clusters; an *objective reported* is the energy that a run states,
which is another function. *NMI* is agreement with the known classes. *Peak MB* is
the memory a run took at its worst, beyond what the process held before it. Each contestant lives
in its own process, and one that does not install, import or finish is named with the reason. A
contestant that has taken more than {enough:.0f} seconds in all is not run again, nor after
{patience:.0f} seconds one of those that the headlines compare: *runs* says how often each one ran.

Three parts take many minutes each and are measured alone; the page keeps what they found:

```sh
python -m benchmarks --only memory ten-thousand million-ten-thousand
```

{headlines}

{sections}

## What it was measured on

{measured}
"""


def page(sections: Sequence[Section], versions: dict[str, str], machine: str) -> str:
    """The whole page."""
    lines = [line for section in sections for line in section.headlines]
    rows = [(line.what, line.peer, line.ratio, line.remark) for line in lines]
    short = Table("In short", ("", "peer", "times as long", ""), rows)
    return _PAGE.format(
        enough=ENOUGH,
        patience=PATIENCE,
        headlines=markdown(short) if rows else "",
        sections="\n\n".join(markdown(table) for s in sections for table in s.tables),
        measured=_measured(sections, versions, machine),
    )


def markdown(table: Table) -> str:
    """A table under its title, with its notes."""
    lines = [_line(table.header), _line(["---"] * len(table.header))]
    lines += [_line(row) for row in table.rows]
    notes = [f"- {note}" for note in table.notes]
    return "\n".join([f"## {table.title}", "", *lines, *([""] if notes else []), *notes])


def _line(cells: Iterable[Any]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _measured(sections: Sequence[Section], versions: dict[str, str], machine: str) -> str:
    dates = ", ".join(f"{section.name} on {section.measured}" for section in sections)
    parts = ", ".join(f"{name} {version}" for name, version in versions.items())
    return "\n".join([f"- {machine}", f"- {parts}", f"- {dates}"])
