"""docs/quality.md: what the tools found, and what they cost."""

from __future__ import annotations

import statistics
from pathlib import Path

from benchmarks.environment import machine
from benchmarks.page import markdown
from benchmarks.quality.contest import COLLECTIONS
from benchmarks.quality.contestants import CONTESTANTS, Contestant
from benchmarks.quality.ledger import Ledger, Outcome
from textclust.experiments.table import Table

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).resolve().parents[2] / "docs" / "quality.md"

_PAGE = """\
# How good are the clusters beside other tools?

This page is written by

```sh
make bench-quality
```

It installs each tool in an environment of its own, gives all of them the same texts, without the
headers that name a class, and compares the labels with the known classes. *NMI* is normalised
mutual information, 1 for perfect agreement and 0 for none; where a tool ran with three random
states it is the mean, with the least and the greatest in brackets. Documents that a tool assigns to
no cluster count as one more cluster. *CPU seconds* are those of all processors, of a cold process,
from the table of texts to the table of labels: they hardly depend on what else the machine does.
*Memory* is the peak of the process; *installed* is what the tool and all that it needs take on
disk.

{quality}

{costs}

- A dash: this was not run, or failed for the reason that is given.
- textclust is `textclust cluster TEXTS -k K --out labels.csv`, nothing else.
- scikit-learn's terms are `TfidfVectorizer(stop_words="english", min_df=5, max_df=0.95)`; KMeans
  has ten starts; LSA is `TruncatedSVD(100)` and `Normalizer`; NMF and LDA (on counts) have a topic
  for each class, and each document is in its main one.
- MiniLM is the sentence model all-MiniLM-L6-v2, which reads the first 256 word pieces of a text.
- BERTopic uses the same vectors. With KMeans it has as many topics as there are classes; by itself
  it finds a number of its own, and leaves documents out.
- The scripts are in `benchmarks/quality/scripts`.

Measured {measured} on {machine}.
"""


def page(ledger: Ledger) -> str:
    """The page, with what is known."""
    days = sorted({each.measured for each in ledger.outcomes.values()})
    return _PAGE.format(
        quality=markdown(_quality(ledger)),
        costs=markdown(_costs(ledger)),
        measured=" to ".join(dict.fromkeys([days[0], days[-1]])) if days else "never",
        machine=machine(),
    )


def _quality(ledger: Ledger) -> Table:
    """NMI of every tool on every collection."""
    rows = [
        (
            each.name,
            *(_agreement(each, ledger.outcomes.get((name, each.name))) for name in COLLECTIONS),
        )
        for each in CONTESTANTS
    ]
    return Table(
        "Agreement with the known classes: NMI", ("", *COLLECTIONS), rows, _failures(ledger)
    )


def _agreement(contestant: Contestant, outcome: Outcome | None) -> str:
    if outcome is None or not outcome.nmi:
        return "–"
    shown = f"{statistics.mean(outcome.nmi):.3f}"
    if len(outcome.nmi) > 1:
        shown += f" ({min(outcome.nmi):.3f} to {max(outcome.nmi):.3f})"
    return f"{shown}, {outcome.clusters[0]} clusters" if contestant.own_number else shown


def _costs(ledger: Ledger) -> Table:
    """What 20 Newsgroups and the abstracts cost with every tool."""
    rows = []
    for each in CONTESTANTS:
        found = [ledger.outcomes.get((name, each.name)) for name in ("classic4", "20newsgroups")]
        ran = [outcome for outcome in found if outcome is not None and outcome.nmi]
        cells = [f"{o.cpu:.1f}" if o is not None and o.cpu else "–" for o in found]
        peak = f"{max(o.peak for o in ran):.0f}" if ran else "–"
        size = f"{ran[0].megabytes:.0f}" if ran else "–"
        rows.append((each.name, *cells, peak, size))
    header = (
        "",
        "classic4, CPU seconds",
        "20newsgroups, CPU seconds",
        "memory, MB",
        "installed, MB",
    )
    return Table("What it costs", header, rows)


def _failures(ledger: Ledger) -> tuple[str, ...]:
    return tuple(
        f"{each.contestant} on {each.collection}: {each.failure.rstrip('.')}."
        for each in ledger.outcomes.values()
        if each.failure
    )
