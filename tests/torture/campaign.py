"""The time shared out among the tests, in rounds; what was tried is kept for the next run."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.torture.failures import keep
from tests.torture.slices import tries
from tests.torture.trials import Torture
from tests.torture.worker import Order

ROUND = 600.0  # seconds; each test has its share of every round
STATE = "state.json"
NOTE = (
    "The workbench's attack tests and hostile text in Chromium: make test-browser.\n"
    "The native core under sanitizers: make torture-sanitized."
)


def _longest_first(tests: Iterable[Torture]) -> list[Torture]:
    return sorted(tests, key=lambda test: -test.share)


@dataclass
class Tally:
    """What was tried of a test with a seed, in all runs."""

    tries: int = 0
    failures: int = 0
    seconds: float = 0.0


class Campaign:
    """All runs with one seed, which go on from one another."""

    def __init__(self, out: Path, seed: int, *, afresh: bool, bounded: bool = True) -> None:
        self.out, self.seed, self._bounded = out.resolve(), seed, bounded
        self.tallies: dict[str, Tally] = {}
        self._lock = threading.Lock()
        self.failed: list[Path] = []
        self._file = self.out / f"seed-{seed}-{STATE}"
        if afresh:
            shutil.rmtree(self.out / "failures", ignore_errors=True)
        elif self._file.is_file():
            content = json.loads(self._file.read_text(encoding="utf-8"))
            self.tallies = {name: Tally(**tally) for name, tally in content.items()}
        self.out.mkdir(parents=True, exist_ok=True)

    def run(self, tests: Iterable[Torture], seconds: float, jobs: int) -> None:
        """Torture for this long."""
        tests = _longest_first(tests)
        end = time.monotonic() + seconds
        rounds = max(1, round(seconds / ROUND))
        for number in range(rounds):
            room = (end - time.monotonic()) / (rounds - number) * jobs
            whole = sum(test.share for test in tests)
            with ThreadPoolExecutor(jobs) as pool:
                done = [pool.submit(self._turn, test, room * test.share / whole) for test in tests]
                for each in done:
                    each.result()

    def quick(self, tests: Iterable[Torture], limit: float, jobs: int) -> list[str]:
        """So many tries of each test as it has in a quick run, on every machine the same.

        What was not tried within the limit of time is given back, in words.
        """
        tests = _longest_first(tests)
        end = time.monotonic() + limit
        with ThreadPoolExecutor(jobs) as pool:
            done = [pool.submit(self._quick_turn, test, end) for test in tests]
            for each in done:
                each.result()
        made = {test: self.tallies.get(test.name, Tally()).tries for test in tests}
        return [
            f"{test.name}: {count:,} of {test.quick:,} tries"
            for test, count in made.items()
            if count < test.quick
        ]

    def _quick_turn(self, test: Torture, end: float) -> None:
        left = end - time.monotonic()
        missing = test.quick - self.tallies.get(test.name, Tally()).tries
        if left > 0 and missing > 0:
            self._turn(test, left, missing)

    def _turn(self, test: Torture, seconds: float, count: int | None = None) -> None:
        tally = self.tallies.setdefault(test.name, Tally())
        with tempfile.TemporaryDirectory(prefix="textclust-torture-") as place:
            order = Order(
                test=test.name,
                seed=self.seed,
                first=tally.tries,
                seconds=seconds,
                tries=count,
                inputs=str(Path(place) / "inputs"),
                bounded=self._bounded,
            )
            for tried in tries(test, order, seconds):
                with self._lock:
                    tally.tries += tried.tries
                    tally.seconds += tried.seconds
                    if tried.failure is not None:
                        tally.failures += 1
                        self.failed.append(keep(tried.failure, Path(order.inputs), self.out))
                        print(f"failed: {self.failed[-1]}", file=sys.stderr, flush=True)
                    self._save()

    def _save(self) -> None:
        content = {name: asdict(tally) for name, tally in sorted(self.tallies.items())}
        unfinished = self._file.with_suffix(".new")
        unfinished.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        unfinished.replace(self._file)

    def table(self) -> str:
        """Each test with its tries and failures, those of earlier runs included."""
        wide = max(map(len, self.tallies), default=4)
        lines = [f"{'test':<{wide}}  {'tries':>9}  {'failures':>8}  {'seconds':>8}"]
        for name, tally in sorted(self.tallies.items()):
            lines.append(
                f"{name:<{wide}}  {tally.tries:>9,}  {tally.failures:>8}  {tally.seconds:>8,.0f}"
            )
        total = sum(tally.tries for tally in self.tallies.values())
        failures = sum(tally.failures for tally in self.tallies.values())
        lines.append(f"{'in all':<{wide}}  {total:>9,}  {failures:>8}")
        return "\n".join([*lines, "", NOTE])
