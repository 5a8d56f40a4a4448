"""Events for the pages that listen, as a stream of text (server-sent events)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from textclust.workbench.answers import as_json
from textclust.workbench.bench import Bench

__all__ = ["Feed"]

_HEARTBEAT = 15.0  # seconds; a page notices by it that the server is gone, and the server a page


class _Mailbox:
    """The latest event of each kind that a page has not seen: a slow one misses some, no more."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str, object] = {}
        self._arrival = asyncio.Event()
        self.is_closed = False

    def tell(self, event: str, content: object) -> None:
        """Put in an event, from any thread."""
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self._put, event, content)

    def close(self) -> None:
        """Let nobody wait any longer."""
        self.is_closed = True
        self._arrival.set()

    async def next(self, seconds: float) -> dict[str, object]:
        """The events that have come, as soon as there is one; none after these seconds."""
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._arrival.wait(), seconds)
        self._arrival.clear()
        found, self._waiting = self._waiting, {}
        return found

    def _put(self, event: str, content: object) -> None:
        self._waiting.pop(event, None)
        self._waiting[event] = content
        self._arrival.set()


class Feed:
    """All streams of one server, which end together."""

    def __init__(self, bench: Bench, heartbeat: float = _HEARTBEAT) -> None:
        self._bench, self._heartbeat = bench, heartbeat
        self._open: set[_Mailbox] = set()
        self._has_ended = False

    def end(self) -> None:
        """End every stream that is open, or will be."""
        self._has_ended = True
        for mailbox in self._open:
            mailbox.close()

    async def stream(self) -> AsyncIterator[bytes]:
        """What one page is sent, until it or the server ends."""
        mailbox = _Mailbox()
        remove = self._bench.listen(mailbox.tell)
        self._open.add(mailbox)
        try:
            yield b"retry: 1000\n\n"
            while not (self._has_ended or mailbox.is_closed):
                events = await mailbox.next(self._heartbeat)
                for name, content in events.items():
                    yield (
                        b"event: " + name.encode("ascii") + b"\ndata: " + as_json(content) + b"\n\n"
                    )
                if not events:
                    yield b": here\n\n"
        finally:
            self._open.discard(mailbox)
            remove()
