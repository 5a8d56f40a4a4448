"""Work beside a block: done when the block is left, its failure raised, never left running."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import threading

import pytest

from textclust.threads import beside, blas_on_one, share


def test_work_is_done_beside_the_block_and_on_another_thread():
    begun, seen = threading.Event(), []

    def work():
        seen.append(threading.current_thread())
        begun.set()

    with beside(work):
        assert begun.wait(10)
    assert seen != [threading.current_thread()]


class Watch:
    """Whether a block was left while the work was still going on."""

    def __init__(self):
        self.left, self.too_early = threading.Event(), None

    def work(self):
        self.too_early = self.left.wait(0.2)  # times out where the block waits, as it should


def test_the_block_is_left_only_when_the_work_has_ended():
    watch = Watch()
    with beside(watch.work):
        pass
    watch.left.set()
    assert watch.too_early is False


def test_a_failure_of_the_work_is_reported():
    def fail():
        raise ValueError("no room")

    with pytest.raises(ValueError, match="no room"), beside(fail):
        pass


def test_a_failure_of_the_block_waits_for_the_work_and_is_the_one_that_is_reported():
    watch = Watch()

    def work():
        watch.work()
        raise ValueError("of the work")

    with pytest.raises(KeyError, match="of the block"), beside(work):
        raise KeyError("of the block")
    watch.left.set()
    assert watch.too_early is False


@pytest.mark.skipif(os.name == "nt", reason="needs a signal for one thread")
def test_ctrl_c_while_waiting_waits_on_until_the_work_has_ended(monkeypatch):
    watch, waiting = Watch(), threading.Event()

    def wait(futures):
        waiting.set()
        return concurrent.futures.wait(futures)

    def work():
        assert waiting.wait(60)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        watch.work()

    monkeypatch.setattr("textclust.threads.wait", wait)
    with pytest.raises(KeyboardInterrupt), beside(work):
        pass
    watch.left.set()
    assert watch.too_early is False


def test_work_that_is_shared_out_may_share_out_its_own():
    done, lock = [], threading.Lock()

    def inner(begin, end):
        with lock:
            done.extend(range(begin, end))

    share(lambda begin, end: share(inner, range(begin, end + 1), 4), range(0, 101, 10), 4)
    assert sorted(done) == list(range(100))


def blas_threads():
    from threadpoolctl import threadpool_info

    found = [library for library in threadpool_info() if library["user_api"] == "blas"]
    return {library["num_threads"] for library in found}


def test_blas_has_one_thread_in_the_block_and_as_many_as_before_after_it(monkeypatch):
    from threadpoolctl import threadpool_limits

    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    with threadpool_limits(2, user_api="blas"):
        if blas_threads() != {2}:
            pytest.skip("no BLAS here whose threads can be set")
        with blas_on_one():
            assert blas_threads() == {1}
        assert blas_threads() == {2}
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
        with blas_on_one():
            assert blas_threads() == {2}


def test_blas_gets_its_threads_back_from_the_last_of_several_blocks(monkeypatch):
    from threadpoolctl import threadpool_limits

    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    with threadpool_limits(2, user_api="blas"):
        if blas_threads() != {2}:
            pytest.skip("no BLAS here whose threads can be set")
        first, second = blas_on_one(), blas_on_one()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert blas_threads() == {1}
        second.__exit__(None, None, None)
        assert blas_threads() == {2}
