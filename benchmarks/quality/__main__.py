"""make bench-quality: NMI, time, memory and size of textclust and of other tools."""

from __future__ import annotations

import argparse
import signal

from benchmarks.quality.contest import COLLECTIONS, measure
from benchmarks.quality.contestants import CONTESTANTS
from benchmarks.quality.ledger import Ledger
from benchmarks.quality.page import PAGE, page


def main() -> None:
    """Measure what has not been measured yet, and write the page."""
    parser = argparse.ArgumentParser(prog="benchmarks.quality", description=__doc__)
    parser.add_argument("--collections", nargs="*", choices=COLLECTIONS, default=COLLECTIONS)
    names = [each.name for each in CONTESTANTS]
    parser.add_argument("--contestants", nargs="*", choices=names, default=names)
    parser.add_argument("--again", action="store_true", help="measure anew what is known already")
    parser.add_argument("--write", action="store_true", help="write docs/quality.md")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that no process is left behind
    ledger = Ledger.read()
    chosen = [each for each in CONTESTANTS if each.name in options.contestants]
    for collection in options.collections:
        for contestant in chosen:
            if options.again or not ledger.knows(collection, contestant.name):
                ledger.keep(measure(collection, contestant))
    text = page(ledger)
    print(text)
    if options.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
