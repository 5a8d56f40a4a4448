"""The native core in the tests: who needs it, and whether this machine must have it."""

from __future__ import annotations

import os
import shlex
import shutil
import sysconfig

import pytest

from textclust import native

MODULES = ("assignment", "cleaning", "products", "rows", "sums", "tars", "tokens")

needs_core = pytest.mark.skipif(
    any(native.module(name) is None for name in MODULES),
    reason="the native core is not built or switched off; see tests/native/test_native.py",
)


def compiler() -> str | None:
    """The C compiler that an extension would be built with, where there is one."""
    command = shlex.split(sysconfig.get_config_var("CC") or "")
    return shutil.which(command[0]) if command else None


def is_due() -> bool:
    """Whether the core must be there: not declined, and buildable."""
    return os.environ.get("TEXTCLUST_BUILD_NATIVE") != "0" and compiler() is not None
