"""make bench: textclust beside its peers on the same data in one run, as ratios."""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from pathlib import Path

from benchmarks import environment
from benchmarks.measuring import tell
from benchmarks.page import markdown, page
from benchmarks.problems import CACHE
from benchmarks.sections import Scale, Section

PARTS = ("kmeans", "texts", "files", "scaling", "memory")
ON_REQUEST = ("memory",)  # takes half a gigabyte of disk and many minutes
IN_BRIEF = ("kmeans", "texts", "files")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"


def main(arguments: list[str] | None = None) -> None:
    """Measure the parts asked for, print their tables, and write the page if that is asked."""
    options = _parser().parse_args(arguments)
    usual = IN_BRIEF if options.quick else [part for part in PARTS if part not in ON_REQUEST]
    scale = Scale(options.repeats or (3 if options.quick else 5), options.quick)
    kept = CACHE / ("results-quick" if options.quick else "results")
    for part in options.only or usual:
        tell(part)
        begun = time.perf_counter()
        section: Section = import_module(f"benchmarks.{part}").measure(scale)
        section.save(kept)
        for table in section.tables:
            print(markdown(table), end="\n\n", flush=True)
        tell(f"{part}: {time.perf_counter() - begun:.0f} s")
    if options.write:
        found = [Section.load(kept, part) for part in PARTS]
        sections = [section for section in found if section is not None]
        PAGE.write_text(
            page(sections, environment.versions(), environment.machine()), encoding="utf-8"
        )
        tell(f"written: {PAGE}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small problems, few peers")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="these parts alone")
    parser.add_argument("--repeats", type=int, help="rounds; 5, or 3 with --quick")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    return parser


if __name__ == "__main__":
    main()
