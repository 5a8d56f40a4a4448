"""How much memory a process holds, and held at its peak, in bytes.

The kernel's own high-water mark, VmHWM, begins anew when asked; `ru_maxrss`, the fall-back
elsewhere, may include what the parent process held.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

__all__ = ["begin_anew", "now", "peak"]

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def begin_anew() -> int:
    """Forget the peak so far where that can be done; what is held now."""
    if _RESET.exists():
        _RESET.write_text("5")
    return now()


def now() -> int:
    """What is held."""
    return _kilobytes("VmRSS") * 1024 if _STATUS.exists() else peak()


def peak() -> int:
    """What was held at most."""
    if _STATUS.exists():
        return _kilobytes("VmHWM") * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _kilobytes(mark: str) -> int:
    lines = _STATUS.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{mark}:"))
