"""textclust cluster --scheduler: the same past one machine, on the workers of a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import output, places, results
from .interruption import first_keeps_the_best

if TYPE_CHECKING:
    from textclust.distributed import PartitionedClustering
    from textclust.text.splitting import ReadingSettings
    from textclust.text.termspace import TermSpace

__all__ = ["LOCAL", "cluster", "refuse_beside"]

LOCAL = "local"
_NAMES = ("labels", "clusters.json", "model")
_RETIRED = (
    "labels.csv",
    "memberships.csv",
    "over_time.csv",
    "report.html",
)  # of a run on one machine
# Ctrl-C reaches all processes of a terminal; what it means, the driver decides.
_DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
_WAIT = 10.0  # seconds for a scheduler to answer


def cluster(
    path: str,
    k: int | str,
    scheduler: str,
    out: Path | None,
    others: Iterable[object],
    vectorizer: TermSpace,
    settings: ReadingSettings,
    parameters: dict[str, Any],
    *,
    json: bool,
    terms: int,
    keep: bool,
    keep_formulas: bool,
) -> None:
    """Cluster what workers read, write its labels where they lie, and show the clusters."""
    from textclust.errors import InputError
    from textclust.text.splitting import split_source

    if not isinstance(k, int):
        raise InputError("--scheduler needs a number of clusters; give --k")
    if out is not None and out.suffix.lower() == ".csv":
        raise InputError("--scheduler writes a table for each part; name a folder with --out")
    prepared = places.out_folder(out, _NAMES, (path, *others), _RETIRED, keep=keep)
    pieces = split_source(path, leave_out=results.leave_out(path, out))
    with output.showing_progress(), prepared as place, _client(scheduler) as client:
        from textclust import distributed

        with first_keeps_the_best():
            found = distributed.cluster(
                path,
                k,
                client,
                vectorizer=vectorizer,
                settings=settings,
                pieces=pieces,
                **parameters,
            )
        if place is not None:
            found.write(place.stage, keep_formulas=keep_formulas)
    _tell(found, json=json, terms=terms)
    if place is not None:
        place.note("labels/", "clusters.json", "model/")


def refuse_beside(given: Iterable[str]) -> None:
    """Raise an InputError for an option that needs all documents on one machine."""
    from textclust.errors import InputError

    for name in given:
        raise InputError(f"{name} does not go with --scheduler; leave one of them out")


def _tell(found: PartitionedClustering, *, json: bool, terms: int) -> None:
    results.note_before_table(found.kept, list(found.skipped))
    if json:
        output.print_json(found.kept.to_dict())
    else:
        results.show(found.kept, terms)


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    """A client of the cluster at an address, or of one that is made here for the run."""
    from textclust.errors import InputError

    try:
        import distributed
    except ImportError as error:
        raise InputError('--scheduler needs Dask; pip install "textclust[distributed]"') from error
    dask: Any = distributed
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # of questions that are given up
    if scheduler != LOCAL:
        try:
            client = dask.Client(scheduler, timeout=_WAIT)
        except (OSError, ValueError) as error:
            raise InputError(
                f"no Dask scheduler answers at {scheduler} ({error}); give its address, such as "
                "tcp://host:8786, or local"
            ) from error
        with client:
            yield client
        return
    from textclust.threads import available

    with (
        dask.LocalCluster(
            n_workers=available(),
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            preload=_DEAF,
        ) as workers,
        dask.Client(workers) as client,
    ):
        yield client
