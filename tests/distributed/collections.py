"""Small collections on disk, and what is found of them past one machine and on it."""

from __future__ import annotations

import json

from tests.cli.conftest import TEXTS
from tests.cli.running import write_files

__all__ = ["DOCUMENTS", "rows", "write_jsonl"]

# The texts of the command line's tests, four times over, each time with a few words more.
DOCUMENTS = {
    f"{name}-{n}": text.strip() + " " + " ".join(text.split()[n : 2 * n])
    for n in range(4)
    for name, text in TEXTS.items()
}


def rows(names=tuple(DOCUMENTS)):
    """Documents as lines of JSON."""
    found = [
        {"id": name, "text": DOCUMENTS[name], "label": name.partition("/")[0]} for name in names
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found)


def write_jsonl(folder, files=1):
    """The documents in so many files of lines."""
    names = list(DOCUMENTS)
    share = -(-len(names) // files)
    cut = [names[begin : begin + share] for begin in range(0, len(names), share)]
    return write_files(folder, {f"{n}.jsonl": rows(some) for n, some in enumerate(cut)})
