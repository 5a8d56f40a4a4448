"""What a page may load and run: its own style and script, and nothing else."""

from __future__ import annotations

import base64
import hashlib

__all__ = ["content_security_policy"]


def content_security_policy(script: str, style: str) -> str:
    """A policy that lets this very style and script run; no script where there is none."""
    may_run = f"'{_hash(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; script-src {may_run}; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(part: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
