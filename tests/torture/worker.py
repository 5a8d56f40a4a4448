"""A process that makes one try after another of one test, and says so before and after each.

    python -m tests.torture.worker '{"test": ..., "seed": ..., "first": ..., "seconds": ...}'

It is started by `slices`, which reads what it says from a pipe and keeps the inputs of a failure.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.torture.trials import Trial, every


@dataclass(frozen=True)
class Order:
    """What a worker is to do."""

    test: str
    seed: int
    first: int
    seconds: float  # no new try is begun after them
    tries: int | None  # at most
    inputs: str  # the folder for those of the try under way
    mutant: str | None = None
    kept: bool = False  # whether the inputs are those of an earlier failure
    bounded: bool = True  # whether the memory is; sanitizers need all there is

    def as_json(self) -> str:
        return json.dumps(asdict(self))


def obey(order: Order, report: int) -> None:
    """Make the tries; `report` is the handle of a pipe."""

    def say(**said: object) -> None:
        os.write(report, (json.dumps(said) + "\n").encode())

    test = every()[order.test]
    if order.mutant is not None:
        from tests.torture.mutants import MUTANTS

        MUTANTS[order.mutant].put_in()
    if order.bounded:
        resource.setrlimit(resource.RLIMIT_AS, (test.memory, test.memory))
    begun, number = time.monotonic(), order.first
    say(ready=True)
    while True:
        say(begun=number)
        wrong = _tried(order, number)
        say(**({"ended": number} if wrong is None else {"failed": number, "how": wrong}))
        number += 1
        if wrong is not None or time.monotonic() - begun >= order.seconds:
            return
        if order.tries is not None and number - order.first >= order.tries:
            return


def _tried(order: Order, number: int) -> str | None:
    """Make one try; what it raised, if anything."""
    inputs = Path(order.inputs)
    if not order.kept:
        shutil.rmtree(inputs, ignore_errors=True)
        inputs.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="textclust-torture-", ignore_cleanup_errors=True) as at:
        trial = Trial(f"{order.test} {order.seed} {number}", number, Path(at), inputs)
        before = os.getcwd()
        os.chdir(at)
        try:
            every()[order.test].run(trial)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return traceback.format_exc()
        finally:
            os.chdir(before)
    return None


def main() -> None:
    faulthandler.enable()
    warnings.simplefilter("ignore")
    for name in ("SIGINT", "SIGHUP"):  # ignored by what a shell starts in the background
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    obey(Order(**json.loads(sys.argv[1])), int(sys.argv[2]))
    sys.stdout.flush()
    os._exit(0)  # threads may be waiting


if __name__ == "__main__":
    main()
