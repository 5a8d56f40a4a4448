from __future__ import annotations

import gc
import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Before numpy comes, as on the command line: a second thread of BLAS mostly spins, and with a
# worker of pytest on each core that doubles the time of many tests.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

for profile, examples in (("textclust", 25), ("properties", 500)):  # `make properties`
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "textclust"))

# A shell starts what runs in the background, or under nohup, with signals ignored; what the tests
# start would inherit that, and no interruption would arrive.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """An expected failure is one line; to show its place pytest reads all of scikit-learn."""
    for item in items:
        if item.get_closest_marker("xfail"):
            item.repr_failure = lambda failure: failure.exconly()


def pytest_collection_finish() -> None:
    """What was collected stays to the end: no later collection of garbage has to look at it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


ROOT = Path(__file__).resolve().parents[1]


# No test reads or writes vectors in the user's cache.
os.environ["TEXTCLUST_VECTOR_CACHE"] = "off"


@pytest.fixture(scope="session")
def sample() -> Path:
    """The embedded sample corpus."""
    return ROOT / "corpora" / "newsgroups"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real corpora; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("TEXTCLUST_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("the real corpora are not on this machine: set TEXTCLUST_DATA")
    return folder


@pytest.fixture(scope="module")  # tests of other modules fork, which threads do not bear
def client() -> Iterator[Any]:
    """The client of a Dask cluster of two workers, all in this process."""
    dask = pytest.importorskip("distributed", reason="Dask is not here")
    alone = {"n_workers": 2, "threads_per_worker": 1, "processes": False}
    with (
        dask.LocalCluster(
            **alone, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL
        ) as workers,
        dask.Client(workers) as client,
    ):
        yield client
