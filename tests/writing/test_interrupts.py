"""Signals wait for the end of a step, and none of them is lost."""

from __future__ import annotations

import signal

import pytest

from textclust.writing.interrupts import interruptions_held

HANGUP = getattr(signal, "SIGHUP", signal.SIGTERM)


@pytest.fixture
def heard():
    """The signals that came through; Ctrl-C raises KeyboardInterrupt besides."""
    arrived = []

    def interrupt(number, frame):
        arrived.append(number)
        raise KeyboardInterrupt

    def note(number, frame):
        arrived.append(number)

    handlers = {signal.SIGTERM: note, HANGUP: note, signal.SIGINT: interrupt}
    before = {number: signal.signal(number, handlers[number]) for number in handlers}
    yield arrived
    now = {number: signal.signal(number, before[number]) for number in before}
    assert now == handlers


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_every_signal_that_waited_is_delivered(heard, first):
    with pytest.raises(KeyboardInterrupt), interruptions_held():  # noqa: PT012
        for number in dict.fromkeys((first, signal.SIGINT, signal.SIGTERM, HANGUP)):
            signal.raise_signal(number)
        assert heard == []
    assert sorted(heard) == sorted({signal.SIGINT, signal.SIGTERM, HANGUP})


def test_ctrl_c_while_handlers_are_put_back_loses_none_of_them(heard, monkeypatch):
    real, own = signal.signal, signal.getsignal(signal.SIGINT)

    def interrupted(number, handler):
        before = real(number, handler)
        if handler is own:
            signal.raise_signal(number)
        return before

    monkeypatch.setattr(signal, "signal", interrupted)
    with pytest.raises(KeyboardInterrupt), interruptions_held():
        signal.raise_signal(signal.SIGTERM)
    monkeypatch.undo()
    assert heard == [signal.SIGINT, signal.SIGTERM]


def test_an_ignored_signal_stays_ignored(heard):
    before = signal.signal(HANGUP, signal.SIG_IGN)  # as nohup does
    try:
        with interruptions_held():
            signal.raise_signal(HANGUP)
        assert signal.getsignal(HANGUP) is signal.SIG_IGN
    finally:
        signal.signal(HANGUP, before)
    assert heard == []
