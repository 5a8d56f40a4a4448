"""The command line of the harness: `python -m tests.torture --time 60m --seed 0`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from tests.torture.campaign import Campaign
from tests.torture.failures import again
from tests.torture.trials import every
from textclust.errors import in_words

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def seconds_of(text: str) -> float:
    """A time as one writes it: 90, 90s, 60m, 1.5h."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([smh]?)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; write it like 90s, 60m or 2h")
    return float(found[1]) * UNITS[found[2] or "s"]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--time", type=seconds_of, default=120.0, help="such as 90s, 60m or 2h")
    parser.add_argument(
        "--quick", action="store_true", help="a number of tries of each; --time is a limit"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", default=[""], help="parts of the names of tests")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 4))
    parser.add_argument("--out", type=Path, default=Path(".torture"), help="failures and state")
    parser.add_argument("--afresh", action="store_true", help="do not go on from the last run")
    parser.add_argument("--unbounded", action="store_true", help="no limit to the memory")
    parser.add_argument("--again", type=Path, metavar="FILE", help="repeat a failure that was kept")
    parser.add_argument("--mutants", action="store_true", help="show that faults are found")
    return parser.parse_args()


def main() -> int:
    asked = arguments()
    if asked.again is not None:
        tried = again(asked.again)
        print("it passes" if tried.failure is None else tried.failure.how)
        return int(tried.failure is not None)
    if asked.mutants:
        from tests.torture.mutants import hunt

        return hunt(asked.time, asked.seed, asked.only, asked.jobs)
    tests = [test for name, test in every().items() if any(part in name for part in asked.only)]
    if not tests:
        print(f"no test has {in_words(asked.only)} in its name:", *every(), sep="\n  ")
        return 2
    campaign = Campaign(asked.out, asked.seed, afresh=asked.afresh, bounded=not asked.unbounded)
    missing: list[str] = []
    if asked.quick:
        missing = campaign.quick(tests, asked.time, max(1, asked.jobs))
    else:
        campaign.run(tests, asked.time, max(1, asked.jobs))
    print(campaign.table())
    if missing:
        print("", f"not all was tried within {asked.time:g} seconds:", *missing, sep="\n")
    return int(bool(missing) or any(tally.failures for tally in campaign.tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
