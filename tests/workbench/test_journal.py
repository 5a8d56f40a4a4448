"""The journal: what was acknowledged is there, in its order, whatever happens."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import threading
import time
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.writing.steps import in_another_process
from textclust.errors import InputError
from textclust.workbench.journal import Journal, read_journal

# More of them, as TEXTCLUST_KILLS=1000, take longer.
KILLS = int(os.environ.get("TEXTCLUST_KILLS", "20"))
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)
ACTIONS = st.lists(
    st.builds(
        lambda name, rest: {"action": name, **rest},
        TEXT,
        st.dictionaries(TEXT.filter(lambda key: key not in ("n", "at", "action")), VALUES),
    ),
    max_size=5,
)
MOVE = {"action": "move", "documents": ["ä/1", "b\n2"], "cluster": 3}


def journal_of(path, count):
    """The path of a closed journal with so many lines."""
    with Journal.open(path) as journal:
        for number in range(count):
            journal.append({**MOVE, "cluster": number})
    return path


@given(ACTIONS)
def test_actions_come_back_as_they_were(tmp_path_factory, actions):
    path = tmp_path_factory.mktemp("journal") / "j.jsonl"
    with Journal.open(path) as journal:
        assert [journal.append(action) for action in actions] == [*range(1, len(actions) + 1)]
        assert journal.actions == actions
    with Journal.open(path) as journal:
        assert journal.actions == actions
        assert journal.lines() == read_journal(path)
        assert len(journal) == len(actions)
    text = path.read_bytes().decode("utf-8")
    assert len(text.splitlines()) == text.count("\n") == len(actions)


@pytest.mark.parametrize(
    "letter", ["\u2028", "\u2029", "\x85", "\n", "\r\n", "\0", "\x0b", "😀", "\\"]
)
def test_one_line_whatever_the_text_holds(tmp_path, letter):
    path = tmp_path / "j.jsonl"
    with Journal.open(path) as journal:
        journal.append({"action": "rename", "name": f"a{letter}b"})
    assert len(path.read_bytes().decode("utf-8").splitlines()) == 1
    assert read_journal(path)[0]["name"] == f"a{letter}b"


def test_a_line_has_its_number_its_time_and_the_fields_in_their_order(tmp_path):
    path = journal_of(tmp_path / "j.jsonl", 2)
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith('{"n": 1, "at": "2')
    assert first.endswith('"action": "move", "documents": ["ä/1", "b\\n2"], "cluster": 0}')
    assert datetime.fromisoformat(json.loads(first)["at"]).utcoffset().total_seconds() == 0


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ({}, "needs its name"),
        ({"action": 3}, "needs its name"),
        ({"action": "move", "n": 1}, "'n' is the journal's own"),
        ({"action": "move", "at": ""}, "'at' is the journal's own"),
        ({"action": "move", "x": float("nan")}, "not finite"),
        ({"action": "move", "x": [float("inf")]}, "not finite"),
        ({"action": "move", "x": "\ud800"}, "half of a letter"),
        ({"action": "move", "\udfff": 1}, "half of a letter"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, action, message):
    path = journal_of(tmp_path / "j.jsonl", 1)
    before = path.read_bytes()
    with Journal.open(path) as journal:
        with pytest.raises(InputError, match=message):
            journal.append(action)
        assert path.read_bytes() == before
        assert journal.append(MOVE) == 2


def test_what_is_nested_too_deeply_is_refused(tmp_path):
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with Journal.open(tmp_path / "j.jsonl") as journal:
        with pytest.raises(InputError, match="nested too deeply"):
            journal.append({"action": "move", "x": deep})
        assert journal.append(MOVE) == 1


def test_a_torn_line_is_cut_off_at_every_byte(tmp_path):
    path = journal_of(tmp_path / "j.jsonl", 3)
    data = path.read_bytes()
    start = data.rindex(b"\n", 0, len(data) - 1) + 1
    for end in range(start, len(data) + 1):
        path.write_bytes(data[:end])
        whole = 3 if end >= len(data) - 1 else 2  # it lacks nothing but its end
        assert len(read_journal(path)) == whole
        assert path.read_bytes() == data[:end]
        with Journal.open(path) as journal:
            assert journal.torn == (b"" if whole == 3 else data[start:end])
            assert path.read_bytes() == (data if whole == 3 else data[:start])
            assert journal.append(MOVE) == whole + 1
        assert [line["n"] for line in read_journal(path)] == [*range(1, whole + 2)]


def test_zeros_that_a_crash_of_the_machine_left_are_cut_off(tmp_path):
    path = journal_of(tmp_path / "j.jsonl", 2)
    data = path.read_bytes()
    for rest in (b"\0" * 300, b'{"n": 3, "at"' + b"\0" * 90):
        path.write_bytes(data + rest)
        with Journal.open(path) as journal:
            assert len(journal) == 2
        assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda lines: [lines[0], lines[2]], 2),  # one is missing
        (lambda lines: [lines[1], lines[0], lines[2]], 1),
        (lambda lines: [lines[0], lines[0], lines[2]], 2),
        (lambda lines: [lines[0], b"\n", *lines[1:]], 2),
        (lambda lines: [lines[0], b"nonsense\n", lines[2]], 2),
        (lambda lines: [lines[0], lines[1][:30] + b"\n", lines[2]], 2),
        (lambda lines: [lines[0].replace(b'"n": 1', b'"n": true'), *lines[1:]], 1),
        (lambda lines: [lines[0].replace(b'"n": 1', b'"n": 1.0'), *lines[1:]], 1),
        (lambda lines: [lines[0].replace(b'"action"', b'"akt"'), *lines[1:]], 1),
        (lambda lines: [lines[0].replace(b"+00:00", b""), *lines[1:]], 1),
        (lambda lines: [lines[0].replace(b'"cluster": 0', b'"cluster": NaN'), *lines[1:]], 1),
        (lambda lines: [b"\xff\n"], 1),
        (lambda lines: [b"[]\n"], 1),
        (lambda lines: [b"\xef\xbb\xbf", *lines], 1),
        (lambda lines: [*lines, b"notes of mine"], 4),  # the last one, and not torn off ours
        (lambda lines: [b"notes of mine"], 1),
        (lambda lines: [b'{"n": 2, "at": "'], 1),
    ],
)
def test_anything_else_is_an_error_with_its_line_and_stays(tmp_path, change, line):
    path = journal_of(tmp_path / "j.jsonl", 3)
    changed = b"".join(change(path.read_bytes().splitlines(keepends=True)))
    path.write_bytes(changed)
    for read in (read_journal, Journal.open):
        with pytest.raises(InputError, match=rf"j\.jsonl: line {line}: not a line of a journal"):
            read(path)
    assert path.read_bytes() == changed


def test_a_journal_is_open_once(tmp_path):
    path = tmp_path / "j.jsonl"
    with Journal.open(path) as journal:
        journal.append(MOVE)
        with pytest.raises(
            InputError, match=rf"is in use .*process {os.getpid()}, since .*; close"
        ):
            Journal.open(path)
        assert in_another_process(lambda: exit_with(lambda: Journal.open(path))) >> 8 == 3
        assert len(read_journal(path)) == 1
    Journal.open(path).close()


def exit_with(work):
    try:
        work()
    except InputError:
        os._exit(3)


def test_a_closed_journal_takes_nothing_more(tmp_path):
    journal = Journal.open(tmp_path / "j.jsonl")
    journal.close()
    journal.close()
    with pytest.raises(InputError, match="closed"):
        journal.append(MOVE)


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be opened"):
        Journal.open(tmp_path)
    with pytest.raises(InputError, match="cannot be opened"):
        Journal.open(tmp_path / "nowhere" / "j.jsonl")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a file"):
        Journal.open(tmp_path / "pipe")
    with pytest.raises(InputError, match="cannot be read"):
        read_journal(tmp_path / "nothing.jsonl")


def test_a_file_that_others_move_or_change_is_noticed(tmp_path):
    path = tmp_path / "j.jsonl"
    with Journal.open(path) as journal:
        journal.append(MOVE)
        path.rename(tmp_path / "away")
        with pytest.raises(InputError, match="moved or removed"):
            journal.append(MOVE)
        path.write_bytes(b"")
        with pytest.raises(InputError, match="moved or removed"):
            journal.append(MOVE)
        (tmp_path / "away").rename(path)
        assert journal.append(MOVE) == 2
        with open(path, "ab") as file:
            file.write(b"theirs\n")
        with pytest.raises(InputError, match="changed by another program"):
            journal.append(MOVE)
    assert path.read_bytes().endswith(b"theirs\n")


@pytest.mark.parametrize("name", ["write", "fsync"])
def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path, monkeypatch, name):
    path = journal_of(tmp_path / "j.jsonl", 1)
    before = path.read_bytes()
    real, calls = getattr(os, name), []

    def full(handle, *rest):
        calls.append(handle)
        if name == "write" and len(calls) == 1:
            return real(handle, rest[0][:10])
        if len(calls) < 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, *rest)

    with Journal.open(path) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            with pytest.raises(InputError, match=r"j\.jsonl: .*No space left.*free some space"):
                journal.append(MOVE)
        assert path.read_bytes() == before
        assert journal.append(MOVE) == 2
    assert len(read_journal(path)) == 2


def test_what_could_not_be_cut_off_is_cut_off_before_the_next_line(tmp_path, monkeypatch):
    path = journal_of(tmp_path / "j.jsonl", 1)

    def fail(*_):
        raise OSError(errno.EIO, "Input/output error")

    with Journal.open(path) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fail)
            patch.setattr(os, "ftruncate", fail)
            for _ in range(2):
                with pytest.raises(InputError, match="Input/output error"):
                    journal.append(MOVE)
        assert journal.append({**MOVE, "cluster": 9}) == 2
    assert [line["cluster"] for line in read_journal(path)] == [0, 9]


def test_an_interruption_leaves_the_journal_as_it_was(tmp_path, monkeypatch):
    path = journal_of(tmp_path / "j.jsonl", 1)
    before = path.read_bytes()

    def interrupt(_):
        monkeypatch.undo()
        raise KeyboardInterrupt

    with Journal.open(path) as journal:
        monkeypatch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            journal.append(MOVE)
        assert path.read_bytes() == before
        assert journal.append(MOVE) == 2


def test_a_disk_that_is_really_full(tmp_path):
    resource = pytest.importorskip("resource")
    path = journal_of(tmp_path / "j.jsonl", 2)
    size = path.stat().st_size

    def work():
        with Journal.open(path) as journal:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40, resource.RLIM_INFINITY))
            try:
                journal.append(MOVE)
            except InputError:
                if path.stat().st_size != size:
                    os._exit(4)
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
                os._exit(10 + journal.append(MOVE))

    assert in_another_process(work) >> 8 == 13
    assert len(read_journal(path)) == 3


def test_threads_take_turns(tmp_path):
    path = tmp_path / "j.jsonl"
    with Journal.open(path) as journal:
        numbers: list[int] = []
        work = lambda: numbers.extend(journal.append(MOVE) for _ in range(20))  # noqa: E731
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(numbers) == [*range(1, 81)]
    assert len(read_journal(path)) == 80


def test_the_folder_is_synced_too(tmp_path, monkeypatch):
    synced, real = [], os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino) or real(handle)
    )
    with Journal.open(tmp_path / "j.jsonl") as journal:
        assert synced == [tmp_path.stat().st_ino]
        journal.append(MOVE)
        assert synced[1:] == [(tmp_path / "j.jsonl").stat().st_ino]


def killed(path, seconds, pieces):
    """How many lines a process had acknowledged when it was killed.

    That is so many seconds after its first line; or, as it writes nine bytes at a time, after so
    many pieces.
    """
    source, target = os.pipe()
    child = os.fork()
    if child == 0:
        real, left = os.write, [None] * pieces

        def write(handle, data):
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
            left.pop()
            return real(handle, data[:9])

        try:
            with Journal.open(path) as journal:
                os.write = write
                while True:
                    number = journal.append({**MOVE, "cluster": len(journal)})
                    real(target, number.to_bytes(4, "big"))
        finally:
            os._exit(1)
    os.close(target)
    with os.fdopen(source, "rb") as acknowledged:
        first = acknowledged.read(4)
        if seconds is not None:
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)
        rest = acknowledged.read()
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    return int.from_bytes((first + rest)[-4:], "big")


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_no_acknowledged_line_is_lost_by_a_kill(tmp_path):
    path, rng, torn = tmp_path / "j.jsonl", random.Random(0), 0
    for number in range(KILLS):
        by_itself = number % 2
        pieces = rng.randrange(50, 90) if by_itself else 10**5
        acknowledged = killed(path, None if by_itself else rng.random() * 0.005, pieces)
        lines = read_journal(path)
        with Journal.open(path) as journal:
            torn += bool(journal.torn)
            assert acknowledged <= len(journal) <= acknowledged + 1
            assert journal.lines() == lines
            assert [line["cluster"] for line in lines] == [*range(len(journal))]
        if len(lines) > 2000:
            path.unlink()
    assert torn  # else nothing was tried
