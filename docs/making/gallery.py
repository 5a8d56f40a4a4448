"""The pictures of docs/gallery.md, drawn by the code on that page.

The blocks of the page are one program. A block that a picture follows has drawn it: to a file of
that name where it wrote one, else as the figure that it made last. A block about a collection that
is not on this machine is left out, and so is its picture: the one that is there stays.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from PIL import Image  # comes with matplotlib

from textclust import corpora

__all__ = ["main", "needs_more"]

_DOCS = Path(__file__).resolve().parents[1]
_SAMPLE = _DOCS.parent / "corpora" / "newsgroups"
_STEP = re.compile(r"^```python\n(.*?)^```|^!\[[^\]]*\]\(gallery/([\w-]+\.png)\)", re.M | re.S)
_COLLECTION = re.compile(r'corpora\.path\("([\w-]+)"\)')
_DOTS, _COLOURS = 80, 128  # per inch; few enough for a small file


def main() -> int:
    """Run the page and write its pictures to docs/gallery/."""
    place, names = _DOCS / "gallery", dict[str, object]()
    place.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("newsgroups").symlink_to(_SAMPLE)
        missing = False
        for code, picture in _STEP.findall((_DOCS / "gallery.md").read_text(encoding="utf-8")):
            if code:
                missing = needs_more(code)
                if not missing:
                    exec(compile(code, "gallery.md", "exec"), names)
            elif missing:
                print(f"{picture} stays as it is: its collection is not here", file=sys.stderr)
            else:
                _store(Path(picture), place / picture)
        os.chdir(_DOCS)
    return 0


def needs_more(code: str) -> bool:
    """Whether a block is about a collection that is not on this machine."""
    return any(corpora.find(name) is None for name in _COLLECTION.findall(code))


def _store(written: Path, place: Path) -> None:
    """A picture with few colours."""
    if written.exists():
        drawn = Image.open(written)
        drawn.thumbnail((1000, 1000))
    else:
        buffer = io.BytesIO()
        pyplot.gcf().savefig(buffer, dpi=_DOTS)
        drawn = Image.open(buffer)
    drawn.convert("RGB").quantize(_COLOURS).save(place, optimize=True)
    pyplot.close("all")


if __name__ == "__main__":
    sys.exit(main())
