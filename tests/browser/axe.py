"""axe-core, which finds what keeps people from using a page."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def program(folder: Path) -> str:
    """The program text of axe-core, from npm."""
    if shutil.which("npm") is None:
        pytest.skip("needs npm, to get axe-core")
    command = ["npm", "pack", "--silent", "axe-core"]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    except (subprocess.SubprocessError, OSError) as error:
        pytest.skip(f"npm cannot get axe-core: {error}")
    [packed] = folder.glob("axe-core-*.tgz")
    with tarfile.open(packed) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode("utf-8")


def violations(page: Page) -> list[str]:
    """What axe finds; it runs beside the page's own scripts, past its policy."""
    found = page.evaluate(
        "rules => axe.run(document, { runOnly: rules, resultTypes: ['violations'] })", RULES
    )
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]
