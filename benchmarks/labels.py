"""Whether two versions of textclust give the same labels, to the bit.

Run it with the Python of each version, then compare:

    python benchmarks/labels.py write before.json
    python benchmarks/labels.py write after.json
    python benchmarks/labels.py compare before.json after.json

Every method runs with its defaults and as published, on the sample, the 3-News collections and
20 Newsgroups, each with the supervision it takes, drawn from the known classes. A run that takes
longer than the limit is recorded as such. It uses public names only, and is a script rather than
a part of `make bench`, so that it can run an older checkout.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import textclust as tc

SUPERVISION = {  # what each method is given
    **dict.fromkeys(("kmeans", "hac"), "nothing"),
    **dict.fromkeys(("seeded", "constrained", "vmf"), "seeds"),
    **dict.fromkeys(("hmrf", "pckmeans", "mpckmeans", "mkmeans", "cop"), "constraints"),
    **dict.fromkeys(("kernel", "adaptive-kernel", "hmrf-em", "overlapping"), "constraints"),
    **dict.fromkeys(("semihard", "semifuzzy"), "background"),
    **dict.fromkeys(("clue", "cluedo"), "examples"),
}
EXTRA: dict[str, dict[str, Any]] = {  # further settings worth a run each
    "kmeans": {"distortion": "kl"},
    "hmrf": {"learn": True},
    "mpckmeans": {"metric": "local"},
    "cop": {"distortion": "euclidean"},
    "semihard": {"labeller": "naive-bayes"},
}
COLLECTIONS = ("sample", "3-news-different-100", "3-news-related-100", "3-news-similar-100")
LARGE = ("3-news-related-1000", "20newsgroups")


@lru_cache(maxsize=1)
def documents_of(name: str) -> tc.Documents:
    """A collection with its classes."""
    if name == "sample":
        return tc.read_documents(tc.corpora.path("newsgroups"))
    from textclust.experiments.collections import collection

    return collection(name)


def supervision_of(kind: str, documents: tc.Documents, rng: np.random.Generator) -> dict[str, Any]:
    """The arguments of `tc.cluster` for one kind of supervision, and the documents to cluster."""
    labels = np.array(documents.labels)
    n = len(labels)
    if kind == "nothing":
        return {"source": documents}
    if kind == "background":
        old = rng.random(n) < 0.2
        return {
            "source": documents.select(np.flatnonzero(~old)),
            "background": documents.select(np.flatnonzero(old)),
        }
    if kind == "constraints":
        pairs = [tuple(map(int, rng.choice(n, 2, replace=False))) for _ in range(200)]
        must = [(i, j) for i, j in pairs if labels[i] == labels[j]]
        cannot = [(i, j) for i, j in pairs if labels[i] != labels[j]]
        return {"source": documents, "constraints": tc.Constraints(must, cannot)}
    seeds: dict[str, list[str]] = {}
    for name in np.unique(labels):
        rows = rng.choice(np.flatnonzero(labels == name), 5, replace=False)
        seeds[str(name)] = [documents.ids[row] for row in rows]
    if kind == "examples":
        return {"source": documents, "examples": seeds}
    return {"source": documents, "seeds": {row: name for name in seeds for row in seeds[name]}}


def runs() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every run: the collection, the method, and its settings."""
    for collection in (*COLLECTIONS, *LARGE):
        for method in SUPERVISION:
            yield collection, method, {}
            yield collection, method, {"as_published": True}
            if method in EXTRA:
                yield collection, method, EXTRA[method]


def result_of(collection: str, method: str, settings: dict[str, Any]) -> dict[str, Any]:
    """A digest of the labels, the objective and the prototypes of one run."""
    documents = documents_of(collection)
    given = supervision_of(SUPERVISION[method], documents, np.random.default_rng(7))
    k = None if SUPERVISION[method] == "examples" else len(set(documents.labels or ()))
    started = perf_counter()
    found = tc.cluster(k="auto" if k is None else k, method=method, **given, **settings)
    labels = np.asarray(found.labels, dtype=np.int64)
    return {
        "labels": hashlib.sha256(labels.tobytes()).hexdigest()[:16],
        "objective": repr(float(found.objective)),
        "names": hashlib.sha256("\n".join(found.names).encode()).hexdigest()[:16],
        "seconds": round(perf_counter() - started, 2),
    }


def within(limit: float, work: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
    """What `work` returns, run in a process of its own that is stopped at the limit."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_reported, args=(theirs, work, arguments))
    process.start()
    theirs.close()
    found: dict[str, Any] = {"unfinished": limit}
    if ours.poll(limit):
        found = ours.recv()
    process.terminate()
    process.join()
    return found


def write(path: Path, limit: float, only: list[str]) -> None:
    """Run everything that the file does not have yet."""
    found = json.loads(path.read_text()) if path.exists() else {}
    for collection, method, settings in runs():
        name = " ".join([collection, method, *(f"{key}={settings[key]}" for key in settings)])
        if name in found or (only and collection not in only):
            continue
        documents_of(collection)  # read once, before the processes part
        found[name] = within(limit, result_of, collection, method, settings)
        path.write_text(json.dumps(found, indent=1))
        print(name, found[name], flush=True)


def compare(before: Path, after: Path) -> int:
    """Print the runs that differ; 1 if any does."""
    old, new = json.loads(before.read_text()), json.loads(after.read_text())
    common = [name for name in old if name in new]
    parts = ("labels", "objective", "names", "error")
    both = [name for name in common if "unfinished" not in {**old[name], **new[name]}]
    differing = [
        name for name in both if any(old[name].get(part) != new[name].get(part) for part in parts)
    ]
    for name in differing:
        print("differs:", name, old[name], new[name], sep="\n  ")
    print(
        f"{len(both)} runs compared, {len(differing)} differ; {len(common) - len(both)} unfinished"
    )
    return int(bool(differing))


def _reported(pipe: Any, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        pipe.send(work(*arguments))
    except tc.InputError as error:
        pipe.send({"error": str(error)})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("write", "compare"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one run")
    parser.add_argument("--only", nargs="*", default=[], help="collections")
    given = parser.parse_args()
    if given.what == "compare":
        return compare(*given.files)
    write(given.files[0], given.limit, given.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
