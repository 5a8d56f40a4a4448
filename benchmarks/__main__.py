"""make bench: textclust beside its peers on the same data in one run, as ratios."""

from __future__ import annotations

import argparse
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import (
    abstracts,
    background,
    busy,
    curves,
    default_links,
    environment,
    files,
    kernels,
    kmeans,
    links,
    many,
    memory,
    past_one_machine,
    reading,
    scaling,
    seeds,
    texts,
)
from benchmarks.measuring import tell
from benchmarks.page import markdown, page
from benchmarks.problems import CACHE, MissingDataError
from benchmarks.sections import Scale, Section

PARTS: dict[str, Callable[[Scale], Section]] = {
    **{name: partial(kmeans.measure, name) for name in kmeans.FULL},
    "many": many.measure,
    "links": links.measure,
    "default-links": default_links.default_links,
    "cannot-links": default_links.cannot_links,
    "seeds": seeds.measure,
    "background": background.measure,
    "kernels": kernels.measure,
    "texts": texts.measure,
    "reading": reading.measure,
    "files": files.measure,
    "abstracts": abstracts.measure,
    "busy": busy.measure,
    "scaling": scaling.measure,
    "curves": curves.measure,
    "past-one-machine": past_one_machine.measure,
    "memory": memory.million,
    "ten-thousand": memory.ten_thousand,
    "million-ten-thousand": memory.million_in_ten_thousand,
}
ALONE = ("memory", "ten-thousand", "million-ten-thousand")  # each takes many minutes by itself
USUAL = [part for part in PARTS if part not in ALONE]
IN_BRIEF = ["N", "C", "refined", "texts", "files"]
PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"


def main(arguments: list[str] | None = None) -> None:
    """Measure the parts asked for, print their tables, and write the page if that is asked."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that no worker is left behind
    scale = Scale(options.repeats or (3 if options.quick else 5), options.quick)
    kept = CACHE / ("results-quick" if options.quick else "results")
    usual = IN_BRIEF if options.quick else USUAL
    for part in usual if options.only is None else options.only:
        tell(part)
        started = time.perf_counter()
        section = _measured(part, scale)
        section.save(kept)
        for table in section.tables:
            print(markdown(table), end="\n\n", flush=True)
        tell(f"{part}: {time.perf_counter() - started:.0f} s")
    if options.write:
        found = [Section.load(kept, part) for part in PARTS]
        sections = [section for section in found if section is not None]
        PAGE.write_text(
            page(sections, environment.versions(), environment.machine()), encoding="utf-8"
        )
        tell(f"written: {PAGE}")


def _measured(part: str, scale: Scale) -> Section:
    """A part, or nothing of it where its data is missing."""
    try:
        return PARTS[part](scale)
    except MissingDataError as missing:
        tell(f"  left out: {missing}")
        return Section(part, [], [])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small problems, few peers")
    parser.add_argument("--only", nargs="*", choices=PARTS, help="these parts alone, or none")
    parser.add_argument("--repeats", type=int, help="rounds; 5, or 3 with --quick")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    return parser


if __name__ == "__main__":
    main()
