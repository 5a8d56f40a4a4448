"""A program that answers: one line of JSON for each question, one for each answer.

It is started once and gets ``{"question": "pair", "documents": [{"id": ..., "text": ...}, ...]}``,
to which ``{"answer": true}``, false or null is an answer; or the same with "set", to which
``{"strangers": [0, 3]}`` is one, counted from 0, or null. No shell is involved.
"""

from __future__ import annotations

import json
import subprocess
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import IO, Any, Self

from textclust.errors import InputError

__all__ = ["ProgramOracle"]

_PATIENCE = 2.0  # seconds, for a program to end by itself
_SHOWN = 80  # characters of what it says


class ProgramOracle:
    """An oracle that asks a program; it runs as long as the block lasts.

    Parameters
    ----------
    command : the program and its arguments
    ids, texts : of the documents, in the order of their rows
    timeout : seconds to wait for an answer

    Whatever goes wrong with the program is an InputError.
    """

    def __init__(
        self, command: Sequence[str], ids: Sequence[str], texts: Sequence[str], timeout: float = 60
    ) -> None:
        self._command, self._timeout = list(command), timeout
        self._ids, self._texts = ids, texts
        self._said: deque[str] = deque(maxlen=1)  # the last line on standard error

    def __enter__(self) -> Self:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the program that the user names, without a shell
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C is for us: answers are kept, then it ends
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise InputError(f"{self._name} cannot be started ({why}); check the path") from error
        self._listening = Thread(target=self._listen, daemon=True)
        self._listening.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def __call__(self, left: int, right: int) -> bool | None:
        """Whether two documents belong together."""
        return self._answer("pair", [left, right], "answer", _is_answer, '{"answer": true}')

    def strangers(self, documents: Sequence[int]) -> list[int] | None:
        """The documents that do not belong with the others."""

        def are_places(found: object) -> bool:
            every = found if isinstance(found, list) else [None]
            return all(type(n) is int and 0 <= n < len(documents) for n in every)

        example = '{"strangers": [0, 3]}'
        found = self._answer("set", documents, "strangers", are_places, example)
        return None if found is None else [documents[place] for place in found]

    def _answer(
        self, question: str, rows: Sequence[int], key: str, is_valid: Any, example: str
    ) -> Any:
        documents = [{"id": self._ids[row], "text": self._texts[row]} for row in rows]
        line = self._exchange(json.dumps({"question": question, "documents": documents}) + "\n")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = {}
        if found is None:
            return None
        said = found.get(key, ...) if isinstance(found, dict) else ...
        if said is None or is_valid(said):
            return said
        raise InputError(
            f"{self._name} answered {line.strip()[:_SHOWN]!r} to a question about a {question}; "
            f"it must print one line of JSON such as {example}"
        )

    def _exchange(self, line: str) -> str:
        """Send a line, and the one that comes back; both may take long."""
        replies: SimpleQueue[str] = SimpleQueue()
        Thread(target=self._talk, args=(line, replies), daemon=True).start()
        try:
            reply = replies.get(timeout=self._timeout)
        except Empty:
            self._end(patience=0.0)
            raise InputError(
                f"{self._name} gave no answer within {self._timeout:g} seconds; "
                "look what it waits for, or allow it more time"
            ) from None
        if not reply:
            raise InputError(
                f"{self._name} ended{self._why()}; run it by hand to see what is wrong"
            )
        return reply

    def _talk(self, line: str, replies: SimpleQueue[str]) -> None:
        stdin, stdout = _open(self._process.stdin), _open(self._process.stdout)
        try:
            stdin.write(line)
            stdin.flush()
            replies.put(stdout.readline())
        except (OSError, ValueError):  # it has ended, or was ended
            replies.put("")

    def _listen(self) -> None:
        for line in _open(self._process.stderr):
            if line.strip():
                self._said.append(line.strip())

    def _why(self) -> str:
        """With which exit code it ended, and what it said last."""
        self._end()
        said = f", saying {self._said[0][:_SHOWN]!r}" if self._said else ""
        return f" with exit code {self._process.returncode}{said}"

    def _end(self, patience: float = _PATIENCE) -> None:
        """Let it end by itself, or end it."""
        try:
            with suppress(OSError):  # it does not read any more
                _open(self._process.stdin).close()
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listening.join(_PATIENCE)

    @property
    def _name(self) -> str:
        return f"the program {self._command[0]!r}" if self._command else "the program"


def _is_answer(found: object) -> bool:
    return isinstance(found, bool)


def _open(stream: IO[str] | None) -> IO[str]:
    assert stream is not None  # it is a pipe
    return stream
