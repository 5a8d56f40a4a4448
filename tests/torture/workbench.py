"""The workbench, killed amid its work: see `tests.workbench.kills`."""

from __future__ import annotations

import subprocess
import sys

from tests.torture.slices import ROOT
from tests.torture.trials import Trial, torture

KILLS = 8  # of one project


@torture("kills: workbench", quick=3, share=2.0, seconds=300.0)
def killed(trial: Trial) -> None:
    """What was acknowledged is there when the project is opened again."""
    seed = str(trial.rng.randrange(1 << 30))
    command = [sys.executable, "-m", "tests.workbench.kills", str(KILLS), seed]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "nothing lost" in done.stdout
