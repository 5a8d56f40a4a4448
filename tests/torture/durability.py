"""Kills, interruptions, failing calls and full disks while results or answers are written."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
from pathlib import Path
from random import Random

from tests.torture.children import Child, Ended, command
from tests.torture.scenes import (
    COMMANDS,
    Files,
    fresh,
    harmed_at_a_step,
    harmed_by_a_signal,
    hidden,
    require_cleared,
    require_old_or_new,
    work,
    written,
)
from tests.torture.trials import Trial, torture
from tests.writing.steps import interrupt, kill
from textclust.writing import recover


@torture("kills", quick=32, share=2.0)
def kills(trial: Trial) -> None:
    name = trial.rng.choice(sorted(COMMANDS))
    if trial.rng.random() < 0.7:
        ended = harmed_at_a_step(trial, kill, name, trial.rng.random() < 0.5)
        assert ended.code == -signal.SIGKILL, ended
    else:
        ended = harmed_by_a_signal(trial, signal.SIGKILL, name)
    place = trial.place / "place"
    for folder in (place, place / "out"):  # as the next command that comes there does
        recover(folder)
    require_old_or_new(place, name, ended)
    require_cleared(place, name)


@torture("interrupts", quick=22, share=2.0)
def interrupts(trial: Trial) -> None:
    name = trial.rng.choice(sorted(COMMANDS))
    if trial.rng.random() < 0.6:
        ended = harmed_at_a_step(trial, interrupt, name, trial.rng.random() < 0.5)
    else:
        number = trial.rng.choice([signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        ended = harmed_by_a_signal(trial, number, name)
    assert ended.code in (0, 130), ended
    assert "Traceback" not in ended.err, ended
    if "nothing was written" in ended.err and name != "ask":
        assert written(trial.place / "place") == work(name).old | hidden_of(trial.place / "place")
    require_old_or_new(trial.place / "place", name, ended, stopped=True)
    require_cleared(trial.place / "place", name)


def hidden_of(place: Path) -> Files:
    return {each: data for each, data in written(place).items() if hidden(each)}


@torture("failing calls", quick=20, share=2.0)
def failing_calls(trial: Trial) -> None:
    """The n-th mkdir, open, write, rename, link, unlink, rmdir or fsync fails."""
    number = trial.rng.choice([errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS, errno.EACCES])

    def fail() -> None:
        raise OSError(number, os.strerror(number))

    name = trial.rng.choice(sorted(COMMANDS))
    ended = harmed_at_a_step(trial, fail, name, after=False)
    require_one_line(ended)
    require_old_or_new(trial.place / "place", name, ended)
    require_cleared(trial.place / "place", name)


def require_one_line(ended: Ended) -> None:
    assert ended.code in (0, 2), ended
    assert "Traceback" not in ended.err, ended
    assert "fault in textclust" not in ended.err, ended


@torture("full disk", quick=14)
def full_disk(trial: Trial) -> None:
    """A small file system that fills up, or where none can be mounted a limit to each file."""
    name, place = trial.rng.choice(sorted(COMMANDS)), trial.place / "place"
    known = work(name)
    place.mkdir()
    mounted = mount(place, trial.rng)
    try:
        fresh(place)
        limit = resource.RLIM_INFINITY if mounted else trial.rng.randrange(1, 60_000)

        def limited() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            command(*known.arguments)()

        room = fill(place, trial.rng) if mounted else None
        child = Child(limited, place)
        ended = child.wait()
        if room is not None:
            room.unlink()
        require_one_line(ended)
        require_old_or_new(place, name, ended)
        require_cleared(place, name)
    finally:
        if mounted:
            subprocess.run(["umount", "-l", place], check=True)


def mount(place: Path, rng: Random) -> bool:
    """Whether there is a small file system at a place now; in one of five cases it is not tried."""
    if os.geteuid() != 0 or rng.random() < 0.2:
        return False
    order = ["mount", "-t", "tmpfs", "-o", "size=4m", "textclust-torture", str(place)]
    return subprocess.run(order, capture_output=True, check=False).returncode == 0


def fill(place: Path, rng: Random) -> Path:
    """Leave a little room, or none."""
    room = place / "room"
    left = os.statvfs(place)
    free = left.f_bavail * left.f_frsize
    room.write_bytes(bytes(max(0, free - rng.choice([0, 4096 * rng.randrange(40)]))))
    return room
