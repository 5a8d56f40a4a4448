"""What was measured, kept between runs: a peer may take an hour."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.problems import CACHE

__all__ = ["Ledger", "Outcome"]

_FILE = CACHE / "quality.json"


@dataclass(frozen=True)
class Outcome:
    """One tool on one collection: agreement with the classes by random state, and its costs."""

    collection: str
    contestant: str
    measured: str  # the day
    nmi: tuple[float, ...] = ()
    clusters: tuple[int, ...] = ()
    seconds: float = 0.0  # the median of the runs, from a cold start
    cpu: float = 0.0  # the same of all processors together
    peak: float = 0.0  # megabytes of the whole process, at most
    megabytes: float = 0.0  # what is installed
    failure: str = ""


@dataclass(frozen=True)
class Ledger:
    """All outcomes, the last of each."""

    outcomes: dict[tuple[str, str], Outcome]
    file: Path = _FILE

    @classmethod
    def read(cls, file: Path = _FILE) -> Ledger:
        """What was kept before."""
        rows = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
        tuples = ({**row, **{n: tuple(row[n]) for n in ("nmi", "clusters")}} for row in rows)
        return cls({(row["collection"], row["contestant"]): Outcome(**row) for row in tuples}, file)

    def knows(self, collection: str, contestant: str) -> bool:
        """Whether this was measured and did not fail."""
        found = self.outcomes.get((collection, contestant))
        return found is not None and not found.failure

    def keep(self, outcome: Outcome) -> None:
        """Write it down at once."""
        self.outcomes[outcome.collection, outcome.contestant] = outcome
        self.file.parent.mkdir(parents=True, exist_ok=True)
        rows = [asdict(each) for each in self.outcomes.values()]
        self.file.write_text(json.dumps(rows, indent=1), encoding="utf-8")
