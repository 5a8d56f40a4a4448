"""Memory that must not grow with what was done: batches that are added, actions of the workbench.

The n-th try is twice as long as the one before, up to 1,280 batches or 10,240 actions.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from random import Random

import textclust as tc
from tests.torture.trials import Trial, torture
from tests.workbench.play import random_line
from textclust.errors import InputError
from textclust.result.adding import add_documents
from textclust.workbench.bench import Busy
from textclust.workbench.collection import Collection
from textclust.workbench.project import Project
from textclust.workbench.workbench import Workbench

WORDS = ["moon", "star", "night", "bike", "chain", "wheel", "bread", "dough", "red", "lens", "film"]
LONGEST = 7  # doublings
BATCH = 2  # documents
FOR_A_DOCUMENT = 30_000  # bytes that one more document may keep
FOR_AN_ACTION = 40_000  # and one more action, which can be undone
SLACK = 4_000_000  # bytes, for what is kept once


def grown(work: Callable[[int], None], warm: int, count: int) -> int:
    """How many bytes more are in use after the work than after its first part."""
    for number in range(warm):
        work(number)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(warm, warm + count):
            work(number)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


@torture("soak: add", quick=6, seconds=1200.0)
def batches(trial: Trial) -> None:
    """Batches that are added: what a clustering keeps of a document, and nothing else."""
    rng, count = trial.rng, 10 * 2 ** min(trial.number, LONGEST)
    clustering = tc.cluster(some(rng, 30), 3, vectorizer=tc.TextVectorizer(min_df=1))

    def add(number: int) -> None:
        nonlocal clustering
        ids = [f"{number}/{n}" for n in range(BATCH)]
        documents = tc.Documents.from_texts(some(rng, BATCH), ids=ids)
        clustering = add_documents(clustering, documents).clustering

    found = grown(add, 5, count)
    assert len(clustering.cards) == 30 + BATCH * (5 + count)
    room = SLACK + FOR_A_DOCUMENT * BATCH * count
    assert found < room, f"{found:,} bytes more after {count} batches; {room:,} are allowed"


@torture("soak: workbench", quick=3, seconds=1200.0)
def actions(trial: Trial) -> None:
    """Random actions, refits and looks at documents in one workbench."""
    rng, count = trial.rng, 20 * 2 ** min(trial.number, LONGEST)
    documents = tc.Documents.from_texts(some(rng, 30))
    collection = Collection.read(documents, tc.TextVectorizer(min_df=1))
    with Project.open(trial.place / "p.textclust") as project:
        bench = Workbench(collection, project, 3)

        def act(number: int) -> None:
            state = bench.state()
            with_refit = rng.random() < 0.02
            line = {"action": "refit"} if with_refit else random_line(rng, state, documents.ids)
            if line["action"] == "refit" and not with_refit:
                line = {"action": "undo"}
            try:
                bench.act(line)
                bench.document(rng.randrange(len(documents)))
            except (InputError, Busy):
                pass

        found = grown(act, 40, count)
    room = SLACK + FOR_AN_ACTION * count
    assert found < room, f"{found:,} bytes more after {count} actions; {room:,} are allowed"


def some(rng: Random, count: int) -> list[str]:
    return [" ".join(rng.choices(WORDS, k=rng.randint(4, 9))) for _ in range(count)]
