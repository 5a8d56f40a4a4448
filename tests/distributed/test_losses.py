"""Workers that are killed, or slow, change nothing but the time."""

from __future__ import annotations

import logging
import os
import signal
import time
from itertools import pairwise

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster

import textclust as tc
import textclust.distributed as td
from tests.distributed.collections import write_jsonl
from tests.distributed.parts import assert_same_matrix, assert_same_run, documents, fitted, in_parts
from textclust.distributed import asking
from textclust.distributed.asking import LostPartError
from textclust.text.splitting import split_source

CUT = (20, 20, 45, 70)
MODEL = tc.SphericalKMeans(3, random_state=0, init="k-means++", n_init=1, max_iter=3)


@pytest.fixture(scope="module")
def workers():
    """The client of two workers that are processes; who is killed is replaced."""
    alone = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}),  # while they restart
        LocalCluster(**alone, silence_logs=logging.CRITICAL) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(autouse=True)
def _workers_are_there(workers):
    workers.wait_for_workers(2, timeout=60)


def kill(client, how_many):
    for pid in list(client.run(os.getpid).values())[:how_many]:
        os.kill(pid, signal.SIGKILL)


@pytest.fixture
def killing(workers, monkeypatch):
    """Kill workers when the tasks of a question have been submitted, and count the questions."""

    def at(question, how_many=1):
        gather, asked = asking._gathered, []

        def killing(client, futures):
            asked.append(len(futures))
            if len(asked) == question:
                kill(client, how_many)
            return gather(client, futures)

        monkeypatch.setattr(asking, "_gathered", killing)
        return asked

    return at


@pytest.mark.parametrize(("question", "how_many"), [(4, 1), (9, 2)])
def test_workers_that_are_killed_during_a_run(workers, killing, question, how_many):
    X = documents()
    parted, asked = in_parts(workers, X, CUT), killing(question, how_many)
    assert_same_run(fitted(MODEL, parted), fitted(MODEL, X))
    assert len(asked) > question, "they were killed in the midst of it"


def test_workers_that_are_killed_between_two_runs(workers):
    X = documents()
    parted = in_parts(workers, X, CUT)
    found = fitted(MODEL, parted)
    kill(workers, 1)
    np.testing.assert_array_equal(found.predict(parted), fitted(MODEL, X).labels_)


def test_workers_that_are_killed_while_they_read(workers, killing, tmp_path):
    lines = write_jsonl(tmp_path) / "0.jsonl"
    asked = killing(1)
    found = td.vectorise(lines, workers, pieces=split_source(lines, size=2000))
    expected = tc.TextVectorizer().fit_transform(tc.read_documents(lines).texts)
    assert_same_matrix(found[np.arange(48)], expected)
    assert len(asked) > 1


def test_a_slow_worker_is_waited_for(workers):
    X = documents()

    def slowly(begin, end):
        time.sleep(1.0 if begin else 0.0)
        return X[begin:end]

    def late(rows):
        time.sleep(0.5 if rows.shape[0] > 40 else 0.0)
        return rows.shape[0]

    slow = [workers.submit(slowly, *each, pure=False) for each in pairwise([0, 45, 90])]
    parted = td.PartitionedMatrix.from_futures(workers, slow)
    assert_same_run(fitted(MODEL, parted), fitted(MODEL, X))
    assert in_parts(workers, X, (60, 75)).each(late) == [60, 15, 15]


def test_parts_that_cannot_be_made_again_are_reported_lost(workers):
    X = documents()
    there = workers.scatter([X[:45], X[45:]], hash=False)
    parted = td.PartitionedMatrix.from_futures(workers, there)
    assert_same_run(fitted(MODEL, parted), fitted(MODEL, X))
    kill(workers, 2)
    with pytest.raises(LostPartError, match=r"make parts with client\.submit, not") as lost:
        fitted(MODEL, parted)
    assert "\n" not in str(lost.value)
