"""The environment of the benchmarks: its peers, its versions, its machine.

`python -m benchmarks.environment` installs every peer by itself, so that one which
cannot be installed does not stop the others; what pip said of it is kept and reported.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from contextlib import suppress
from importlib import metadata
from pathlib import Path

__all__ = ["is_installed", "machine", "refusal", "versions"]

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
REFUSALS = Path(sys.prefix) / "refused-peers.json"
_MEASURED = ("textclust", "isal", "numpy", "scipy", "scikit-learn")


def peers() -> list[str]:
    """The distributions that requirements.txt names."""
    lines = (line.partition("#")[0].strip() for line in REQUIREMENTS.read_text().splitlines())
    return [line for line in lines if line]


def install() -> dict[str, str]:
    """Install each peer; the last word of pip about those it could not."""
    refused = {}
    for peer in peers():
        command = [sys.executable, "-m", "pip", "install", "-qq", peer]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own
        if done.returncode:
            refused[peer] = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"{peer}: {refused.get(peer, 'installed')}", flush=True)
    REFUSALS.write_text(json.dumps(refused))
    return refused


def is_installed(distribution: str) -> bool:
    """True where pip has it here."""
    with suppress(metadata.PackageNotFoundError):
        return bool(metadata.version(distribution))
    return False


def refusal(peer: str) -> str:
    """Why a distribution is not here."""
    refused = json.loads(REFUSALS.read_text()) if REFUSALS.exists() else {}
    return f"does not install: {refused[peer]}" if peer in refused else "is not installed"


def versions() -> dict[str, str]:
    """What was measured, in which version."""
    return {
        "Python": platform.python_version(),
        **{
            name: metadata.version(name) if is_installed(name) else refusal(name)
            for name in (*_MEASURED, *peers())
        },
    }


def machine() -> str:
    """The processor, its cores, the memory, the system, and how busy all that was."""
    gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = f"{platform.system()} {platform.machine()}"
    load = f"load average of the last quarter of an hour {os.getloadavg()[2]:.1f}"
    return f"{_processor()}, {os.cpu_count()} cores, {gib:.0f} GiB, {system}, {load}"


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for line in facts.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


if __name__ == "__main__":
    install()
