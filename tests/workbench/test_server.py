"""A real server in a process of its own: sockets, streams, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time

import pytest

from tests.workbench.fake import TOKEN, FakeBench, head, read, running, talk
from textclust.errors import InputError
from textclust.workbench.security import MAX_BODY
from textclust.workbench.server import serve


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    with running(tmp_path_factory.mktemp("server")) as (_, port):
        yield port


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def state(port: int) -> dict[str, object]:
    answer = talk(port, head(port, "GET /api/state", "Connection: close"))
    return json.loads(answer.partition(b"\r\n\r\n")[2])


def test_it_answers_and_says_nothing_of_itself(port):
    answer = talk(port, head(port, "GET /api/state", "Connection: close"))
    assert status(answer) == 200
    assert b"uvicorn" not in answer.lower()
    assert b"content-security-policy: default-src 'none'" in answer


def test_it_listens_on_this_machine_alone(port):
    others = {"127.0.0.2", "::1"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # no packet is sent
            others.add(probe.getsockname()[0])
        except OSError:
            pass
    for address in others - {"127.0.0.1"}:
        with pytest.raises(OSError):  # noqa: PT011 - refused, unreachable or unknown
            socket.create_connection((address, port), timeout=2)


def chunk(size: int) -> bytes:
    return f"{size:x}\r\n".encode() + b" " * size + b"\r\n"


def test_a_chunked_body_is_counted(port):
    kind, length = "Content-Type: application/json", "Transfer-Encoding: chunked"
    start = head(port, "POST /api/actions", kind, length)
    whole = start + chunk(1 << 20) * 9 + b"0\r\n\r\n"
    assert status(talk(port, whole)) == 413
    assert state(port)["version"] == 0


def send_on(link: socket.socket) -> None:
    for _ in range(200):
        link.sendall(chunk(1 << 20))


def test_an_endless_body_is_cut_short(port):
    kind, length = "Content-Type: application/json", "Transfer-Encoding: chunked"
    with socket.create_connection(("127.0.0.1", port), timeout=5) as link:
        link.sendall(head(port, "POST /api/actions", kind, length))
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            send_on(link)


@pytest.mark.parametrize("length", [MAX_BODY + 1, 10**15])
def test_a_length_that_is_too_large_is_refused_before_the_body(port, length):
    kind = "Content-Type: application/json"
    answer = talk(port, head(port, "POST /api/actions", kind, f"Content-Length: {length}"))
    assert status(answer) == 413


def test_a_lying_length_smuggles_nothing(port):
    """What follows the body by its length is another request, which needs to be let in itself."""
    kind = "Content-Type: application/json"
    hidden = f"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    data = head(port, "POST /api/cancel", kind, "Content-Length: 2") + b"{}" + hidden.encode()
    first, _, second = talk(port, data).partition(b"HTTP/1.1 401")
    assert status(first) == 200
    assert b"version" not in second
    both = ("Content-Length: 2", "Transfer-Encoding: chunked")
    answer = talk(
        port, head(port, "POST /api/cancel", kind, *both) + b"0\r\n\r\n" + hidden.encode()
    )
    assert b"version" not in answer


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nHost: evil.example\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
        b"GET /?" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
    ],
)
def test_what_no_browser_sends_is_refused(port, data):
    data = data.replace(b"%d", str(port).encode())
    with socket.create_connection(("127.0.0.1", port), timeout=5) as link:
        try:
            link.sendall(data)
            link.shutdown(socket.SHUT_WR)
        except OSError:
            return
        answer = read(link)
    assert not answer or status(answer) in (400, 403)
    assert b"version" not in answer


def test_raw_paths_do_not_leave_the_folder(port):
    paths = ("/static/../secret.js", "/static/..%2fsecret.js", "/../secret.js", "//secret.js")
    for path in (
        *paths,
        "/static/..",
        "/static/.",
        "/static/folder.js/../app.js",
        "/static//app.js",
    ):
        answer = talk(port, head(port, f"GET {path}", "Connection: close"))
        assert status(answer) == 404
        assert b"\r\n\r\nsecret" not in answer


def listener(port: int) -> socket.socket:
    link = socket.create_connection(("127.0.0.1", port), timeout=5)
    link.sendall(head(port, "GET /api/events", "Sec-Fetch-Site: same-origin"))
    found = read(link, until=b"retry: ")
    assert b"content-type: text/event-stream" in found
    assert b"content-security-policy" in found
    return link


def act(port: int) -> None:
    body = b'{"action": "move"}'
    kind = ("Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close")
    assert status(talk(port, head(port, "POST /api/actions", *kind) + body)) == 200


def test_every_page_hears_of_every_state_and_is_forgotten_when_it_goes(tmp_path):
    with running(tmp_path) as (_, port):
        links = [listener(port) for _ in range(5)]
        assert state(port)["listeners"] == 5
        for version in (1, 2):
            act(port)
            for link in links:
                told = f'event: state\ndata: {{"version":{version}}}\n\n'.encode()
                assert told in read(link, until=told)
        for link in links:
            link.close()
        end = time.monotonic() + 5
        while state(port)["listeners"] and time.monotonic() < end:
            time.sleep(0.05)
        assert state(port)["listeners"] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once_whatever_is_under_way(tmp_path, number):
    with running(tmp_path) as (process, port):
        stream = listener(port)
        slow = socket.create_connection(("127.0.0.1", port), timeout=5)
        slow.sendall(head(port, "GET /api/split?cluster=1"))
        idle = socket.create_connection(("127.0.0.1", port), timeout=5)
        act(port)
        began = time.monotonic()
        process.send_signal(number)
        printed, errors = process.communicate(timeout=10)
        assert time.monotonic() - began < 5
        assert (process.returncode, printed, errors) == (0, "ended\n", "")
        assert read(stream).endswith((b"\n\n", b"0\r\n\r\n"))
        for link in (stream, slow, idle):
            link.close()
    with running(tmp_path, port):  # the port is free again
        pass


def test_a_taken_port_is_an_error_in_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port={port} cannot be used .*; choose another"):
            serve(FakeBench(), port, TOKEN, print)
    for port in (-1, 65536):
        with pytest.raises(InputError, match="cannot be used"):
            serve(FakeBench(), port, TOKEN, print)


def test_a_failure_in_telling_the_address_ends_it():
    def fail(address):
        assert address.endswith(f"/?token={TOKEN}")
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        serve(FakeBench(), 0, TOKEN, fail)


def test_heartbeats_come_where_nothing_happens():
    program = """
import asyncio
from tests.workbench.fake import FakeBench
from textclust.workbench.events import Feed

async def main():
    bench = FakeBench()
    feed = Feed(bench, heartbeat=0.01)
    stream = feed.stream()
    parts = [await anext(stream) for _ in range(3)]
    for n in range(1000):  # a slow page misses some, and has the last
        bench.listeners[0]("progress", {"done": n})
    bench.listeners[0]("state", None)
    parts += [await anext(stream) for _ in range(2)]
    feed.end()
    parts += [part async for part in stream]
    print(parts, bench.listeners)

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    told = [b'event: progress\ndata: {"done":999}\n\n', b"event: state\ndata: null\n\n"]
    expected = [b"retry: 1000\n\n", b": here\n\n", b": here\n\n", *told]
    assert done.stdout.strip() == f"{expected} []", done.stderr
