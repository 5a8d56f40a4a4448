"""The workbench, killed amid its work: see `kills`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KILLS = os.environ.get("TEXTCLUST_KILLS", "5")  # `make torture` has more


def test_what_was_acknowledged_survives_every_kill():
    """In a process of its own: it forks, and this one has threads."""
    command = [sys.executable, "-m", "tests.workbench.kills", KILLS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert f"{KILLS} kills" in done.stdout
    assert "nothing lost" in done.stdout
