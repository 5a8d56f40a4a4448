"""Time, memory and network of an iteration at any size, from a few constants that were measured.

Work is the products of non-zeros with clusters, shared by the cores, and the slopes that every part
lays out for its rows. A non-zero is multiplied with all clusters where these are few; of many, only
with those that have its term, where the term is rare. Each of the two steps is a question to all
parts. What is sent are the slopes that are not zero, from one machine to the next as in a tree;
what comes back are the sums of the documents that moved.

`python -m benchmarks.internet` prints the tables of docs/internet-scale.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2

from textclust.experiments.table import Table

__all__ = ["MEASURED", "Collection", "Constants", "Machines", "forecast", "sizes"]

_ENTRY = 12  # bytes of a stored value and its column
_HERE = 60  # bytes that the driver holds for a document at its peak
_BOUNDS = 28  # bytes that a worker remembers of a document: scores, bounds, labels
_STEPS = 2  # questions in an iteration
_SLOPE = 12  # bytes of a slope on a worker: as it came, and as it is laid out


@dataclass(frozen=True)
class Constants:
    """Seconds that things take."""

    product: float  # of a non-zero with a cluster, on one core
    layout: float  # of a slope, for the rows of a part
    question: float  # to a worker, and its answer
    task: float  # for each part that a question goes to
    byte: float  # from one machine to another


@dataclass(frozen=True)
class Collection:
    """Documents, terms, non-zeros in a document, clusters, and how many of these a non-zero meets.

    `filled` is the share of the slopes that are not zero.
    """

    name: str
    n: float
    d: float
    terms: float
    k: float
    met: float
    filled: float = 1.0
    moved: float = 0.05  # of the documents in an iteration


@dataclass(frozen=True)
class Machines:
    """Workers, cores of each, and parts that each has."""

    workers: int
    cores: int
    parts: int


@dataclass(frozen=True)
class Forecast:
    """Of one iteration: seconds of each kind, and bytes."""

    computing: float
    asking: float
    sending: float
    on_a_worker: float
    on_the_driver: float

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.computing + self.asking + self.sending


# On this machine, by `python -m benchmarks --only past-one-machine`; see docs/performance.md.
MEASURED = Constants(product=1.87e-10, layout=9.3e-10, question=1.1e-2, task=2.06e-3, byte=1.34e-9)

_WIDE = Machines(100, 16, 16)
_SIZES = (
    (Collection("a million", 1e6, 1e5, 60, 100, 100), Machines(4, 4, 4)),
    (Collection("a hundred million", 1e8, 3e5, 60, 1_000, 500, 0.5), Machines(20, 16, 16)),
    (Collection("1,000 million", 1e9, 1e6, 60, 1_000, 500, 0.5), _WIDE),
    (Collection("1,000 million", 1e9, 1e6, 60, 100_000, 10_000, 0.05), _WIDE),
    (Collection("1,000 million, in two levels of 316", 1e9, 1e6, 60, 316, 316, 0.7), _WIDE),
)


def forecast(constants: Constants, of: Collection, on: Machines) -> Forecast:
    """What an iteration takes."""
    entries, slopes = of.n * of.terms, of.k * of.d
    parts = on.workers * on.parts
    sent = min(of.filled * _ENTRY, 8.0) * slopes
    returned = min(sent, of.moved * entries * 2 * _ENTRY)
    products = constants.product * entries * of.met / on.cores
    layouts = constants.layout * slopes * on.parts * on.workers / on.cores
    return Forecast(
        computing=(products + layouts) / on.workers,
        asking=_STEPS * (constants.question + parts * constants.task),
        sending=constants.byte * (sent * ceil(log2(on.workers + 1)) + returned),
        on_a_worker=(entries * _ENTRY + of.n * _BOUNDS) / on.workers
        + slopes * (_SLOPE + 4.0 * (on.parts - 1)),
        on_the_driver=of.n * _HERE + slopes * 8.0,
    )


def sizes(constants: Constants) -> Table:
    """Collections far larger than those that can be tried here."""
    rows = [_row(of, on, forecast(constants, of, on)) for of, on in _SIZES]
    header = (
        "documents",
        "terms",
        "clusters",
        "workers x cores",
        "computing s",
        "asking s",
        "sending s",
        "GB on a worker",
        "GB on the driver",
    )
    return Table("An iteration", header, rows)


def _row(of: Collection, on: Machines, found: Forecast) -> Sequence[str]:
    seconds = (found.computing, found.asking, found.sending)
    return (
        of.name,
        f"{of.d:,.0f}",
        f"{of.k:,.0f}",
        f"{on.workers} x {on.cores}",
        *(_digits(value) for value in seconds),
        _digits(found.on_a_worker / 1e9),
        _digits(found.on_the_driver / 1e9),
    )


def _digits(value: float) -> str:
    """Two digits: no more are known."""
    return f"{float(f'{value:.2g}'):,.0f}" if value >= 10 else f"{value:.2g}"


if __name__ == "__main__":
    from benchmarks.page import markdown

    print(markdown(sizes(MEASURED)))
