from __future__ import annotations

import gc

import pytest


@pytest.fixture(scope="module", autouse=True)
def settled() -> None:
    """A unit of an experiment ends with a collection of garbage: it need not look at ours."""
    gc.collect()
    gc.freeze()
