"""Work beside a block: done when the block is left, its failure told, never left running."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from textclust.threads import beside


def test_work_is_done_beside_the_block_and_on_another_thread():
    begun, seen = threading.Event(), []

    def work():
        seen.append(threading.current_thread())
        begun.set()

    with beside(work):
        assert begun.wait(10)
    assert seen != [threading.current_thread()]


def test_the_block_is_left_only_when_the_work_has_ended():
    ended = []

    def work():
        time.sleep(0.2)
        ended.append(True)

    with beside(work):
        pass
    assert ended


def test_a_failure_of_the_work_is_told():
    def fail():
        raise ValueError("no room")

    with pytest.raises(ValueError, match="no room"), beside(fail):
        pass


def test_a_failure_of_the_block_waits_for_the_work_and_is_the_one_that_is_told():
    ended = []

    def work():
        time.sleep(0.2)
        ended.append(True)
        raise ValueError("of the work")

    with pytest.raises(KeyError, match="of the block"), beside(work):
        raise KeyError("of the block")
    assert ended


@pytest.mark.skipif(os.name == "nt", reason="needs a signal for one thread")
def test_ctrl_c_while_waiting_waits_on_until_the_work_has_ended():
    ended = []

    def work():
        time.sleep(0.1)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        time.sleep(0.2)
        ended.append(True)

    with pytest.raises(KeyboardInterrupt), beside(work):
        pass
    assert ended
