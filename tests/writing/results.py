"""Results of an earlier run, as small as they can be."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.writing.steps import listing

NAMES = ("labels.csv", "model", "report.html")
MANIFEST = json.dumps({"format": "textclust model", "version": 2, "files": {"arrays.npz": ""}})
SUMMARY = json.dumps(
    {
        "k": 1,
        "documents": 1,
        "objective": 0.0,
        "clusters": [],
        "settings": {"versions": {"textclust": "0.1.0"}},
    }
)
PAGE = '<!DOCTYPE html>\n<meta name="generator" content="textclust">'
WRITTEN = datetime(2026, 11, 19, 21, 30, 5, tzinfo=UTC).timestamp()


def table(name: str) -> str:
    return f"id,cluster,name,score\na,0,{name},0.5\n"


def earlier_results(folder: Path) -> Path:
    """Put the results of an earlier run, and a file of the user's, into a folder."""
    (folder / "model").mkdir()
    (folder / "mine.txt").write_text("mine")
    (folder / "labels.csv").write_text(table("old"))
    (folder / "clusters.json").write_text(SUMMARY)
    (folder / "memberships.csv").write_text("id,0\na,1\n")
    (folder / "model" / "manifest.json").write_text(MANIFEST)
    (folder / "model" / "arrays.npz").write_text("old")
    return dated(folder)


def dated(folder: Path) -> Path:
    """Say that the results in a folder were written at that time."""
    os.utime(folder / "clusters.json", (WRITTEN, WRITTEN))
    return folder


def copy_of(folder: Path, tmp_path_factory: Any) -> Path:
    new = tmp_path_factory.mktemp("copy")
    for name, content in listing(folder).items():
        if content is None:
            (new / name).mkdir()
        else:
            (new / name).write_bytes(content)
    return dated(new)
