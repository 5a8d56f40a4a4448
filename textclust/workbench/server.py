"""The server of a workbench: on this machine alone, until a signal ends it.

What was acknowledged is on the disk, so it can end at any moment; nothing that is being computed,
and no page that listens, holds it up for longer than moments.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType

import uvicorn

from textclust.errors import InputError
from textclust.workbench.application import application
from textclust.workbench.bench import Bench, Busy
from textclust.workbench.events import Feed
from textclust.workbench.security import MAX_BODY, Security
from textclust.workbench.static_files import StaticFiles

__all__ = ["Bench", "Busy", "serve"]

_ADDRESS = "127.0.0.1"
_THREADS = 32
_PATIENCE = 1  # seconds for answers under way when the server ends
_MAX_HEAD = 64 << 10  # bytes of a request before its body
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # some are not known everywhere


def serve(
    bench: Bench,
    port: int,
    token: str,
    ready: Callable[[str], object],
    *,
    static: StaticFiles | None = None,
    max_body: int = MAX_BODY,
) -> None:
    """Serve a workbench on a port of 127.0.0.1, or on any free one for 0, until a signal ends it.

    `ready` is called with the address to open, token and all, once it can be opened. Ctrl-C and
    SIGTERM are the usual end: the function returns. A request of more than `max_body` bytes is
    refused.
    """
    with _listening(port) as listener:
        found = listener.getsockname()[1]
        threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="workbench")
        feed = Feed(bench)
        app = application(bench, feed, threads, static or StaticFiles())
        address = f"http://{_ADDRESS}:{found}/?token={token}"
        end = partial(_end_work, bench, feed)
        server = _Server(Security(app, found, token, max_body), partial(ready, address), end)
        try:
            server.run([listener])
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
        if server.failure is not None:
            raise server.failure


def _end_work(bench: Bench, feed: Feed) -> None:
    """End all streams, and without waiting for it what is being computed."""
    feed.end()
    threading.Thread(target=_cancel, args=(bench,), daemon=True).start()


def _cancel(bench: Bench) -> None:
    with suppress(Exception):  # it may be busy or broken; the end comes all the same
        bench.cancel()


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    """A socket on this machine alone; an InputError where the port cannot be had."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        if sys.platform == "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # a port that was closed a moment ago is free
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((_ADDRESS, port))
            listener.listen(128)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(
                f"port={port} cannot be used ({reason}); choose another one, or 0 for any free one"
            ) from error
        yield listener


class _Server(uvicorn.Server):
    """A server that says when it is ready, and ends quietly and at once."""

    def __init__(self, app: Security, ready: Callable[[], object], end: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=_PATIENCE,
                h11_max_incomplete_event_size=_MAX_HEAD,
            )
        )
        self._ready, self._end_work = ready, end
        self.failure: Exception | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so; in a thread, for a browser may take its time."""
        await super().startup(sockets)
        try:
            await asyncio.get_running_loop().run_in_executor(None, self._ready)
        except Exception as error:
            self.failure, self.should_exit = error, True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams first: their pages would stay forever."""
        self._end_work()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on a signal, and leave it at that: uvicorn would raise it again afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
        wanted = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self._end) for number in wanted}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True
