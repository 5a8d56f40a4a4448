"""Collections that tests make: hostile ones, newer and older ones, a large one."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

from tests.browser.serving import SAMPLE

BIDI = "\u202edesrever\u202c \u2066isolated\u2069 \u200fright"
LONG = "unbreakable" * 400
HOSTILE = [  # ids, and texts whose first lines are titles
    ("<img src=x onerror=alert(1)>", "<img src=x onerror=\"document.title='owned'\"> camera lens"),
    ("<script>alert(1)</script>", "</script><script>document.title='owned'</script> camera film"),
    ('"><svg onload=alert(1)>', "javascript:alert(1) &lt;b&gt; <iframe srcdoc='<script>'> star"),
    (BIDI, f"{BIDI} galaxy star {BIDI} orbit"),
    (LONG, f"{LONG} galaxy orbit star"),
    ("a\x00b", "nothing\x00here \x00 camera \x1b[31m lens film"),
    ("{{7*7}} ${7*7} `x`", "${alert(1)} {{constructor.constructor('alert(1)')()}} star orbit"),
    ("<base href=//example.org>", "<meta http-equiv=refresh content='0;//example.org'> lens film"),
    ("</bdi></li><a href=//example.org>", "<link rel=stylesheet href=//example.org/x.css> galaxy"),
]
_SUBJECTS = ("camera lens film exposure shutter", "galaxy star orbit telescope planet")


def _rows(many: int, subjects: int, seed: int) -> list[list[str]]:
    """Texts of invented words: each subject has its own, beside those that all share."""
    chance = random.Random(seed)
    own = [[f"s{subject}w{n}" for n in range(60)] for subject in range(subjects)]
    common = [f"common{n}" for n in range(400)]
    return [
        chance.choices(own[i % subjects], k=14) + chance.choices(common, k=16) for i in range(many)
    ]


def write_table(place: Path, rows: list[tuple[str, str]]) -> Path:
    """A table of ids and texts, as JSON lines."""
    lines = [json.dumps({"id": name, "text": text}) for name, text in rows]
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


def hostile(place: Path) -> Path:
    """Documents that would like to be markup, among harmless ones."""
    chance = random.Random(0)
    plain = [
        (f"harmless/{n}", " ".join(chance.choices(_SUBJECTS[n % 2].split(), k=12)))
        for n in range(30)
    ]
    return write_table(place, [*HOSTILE, *plain])


def large(place: Path, many: int = 20_000) -> Path:
    """Invented documents of twelve subjects."""
    words = _rows(many, 12, 0)
    return write_table(place, [(f"d{n}", " ".join(each)) for n, each in enumerate(words)])


def old_and_new(folder: Path) -> tuple[Path, Path]:
    """The sample as older documents of two classes, in folders, and newer ones of all three."""
    old, new = folder / "old", folder / "new"
    new.mkdir()
    for post in sorted(SAMPLE.glob("*/*")):
        if post.name[-1] in "56789":
            shutil.copy(post, new / f"{post.parent.name}.{post.name}")
        elif post.parent.name != "sci.astro":
            (old / post.parent.name).mkdir(parents=True, exist_ok=True)
            shutil.copy(post, old / post.parent.name)
    return old, new
