"""A workbench without documents, its application, and a server of it in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from textclust.errors import InputError
from textclust.workbench.application import application
from textclust.workbench.bench import Busy
from textclust.workbench.events import Feed
from textclust.workbench.security import MAX_BODY, Security
from textclust.workbench.server import serve
from textclust.workbench.static_files import StaticFiles

if TYPE_CHECKING:
    from starlette.testclient import TestClient

PORT = 8765
TOKEN = "the-token-of-these-tests-ZQ7"
HOME = f"http://127.0.0.1:{PORT}"
FILES = {
    "index.html": "<!DOCTYPE html>\n<title>page</title>",
    "app.js": "let x = 1",
    "style.css": "p {}",
    ".hidden.js": "hidden",
    "notes.py": "python",
}


class FakeBench:
    """Every method answers with what it was asked."""

    def __init__(self) -> None:
        self.actions: list[dict[str, object]] = []
        self.listeners: list[Callable[[str, object], None]] = []
        self.cancelled = threading.Event()

    def collection(self):
        return {"source": "a\u2028b \ud800 <script>", "documents": 2}

    def state(self):
        return {"version": len(self.actions), "listeners": len(self.listeners)}

    def documents(self, cluster, order, search, regex, rows, offset, limit):
        return {"asked": [cluster, order, search, regex, rows, offset, limit]}

    def document(self, row):
        if row > 2:
            raise InputError("no document has\nthis row; take another")
        return {"row": row}

    def act(self, action):
        match action["action"]:
            case "fail":
                raise InputError("this cannot be")
            case "break":
                raise KeyError("something")
            case "nan":
                return {"n": float("nan")}
        self.actions.append(action)
        for tell in self.listeners:
            tell("state", {"version": len(self.actions)})
        return {"line": len(self.actions), "state": self.state()}

    def preview(self):
        raise Busy("a refit is under way; wait for it")

    def wizard(self, n):
        return {"proposals": [], "n": n}

    def questions(self, kind, n):
        return {"questions": [], "kind": kind, "n": n}

    def split(self, cluster):
        """Slow, until it is cancelled."""
        self.cancelled.wait(60)
        return {"rows": [], "cluster": cluster}

    def cancel(self):
        return {"cancelled": False}

    def export(self, report, model):
        return {"written": [report, model]}

    def listen(self, tell):
        self.listeners.append(tell)
        return lambda: self.listeners.remove(tell)


def static_files(folder: Path) -> StaticFiles:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "folder.js").mkdir(exist_ok=True)
    (folder.parent / "secret.js").write_text("secret", encoding="utf-8")
    return StaticFiles(folder)


def client(
    folder: Path,
    *,
    let_in: bool = True,
    bench: FakeBench | None = None,
    max_body: int = MAX_BODY,
) -> TestClient:
    """A browser on the machine of the workbench, with its cookie or without."""
    from starlette.testclient import TestClient

    bench = bench or FakeBench()
    inner = application(bench, Feed(bench), ThreadPoolExecutor(2), static_files(folder / "static"))
    app = Security(inner, PORT, TOKEN, max_body)
    browser = TestClient(app, base_url=HOME, follow_redirects=False)
    if let_in:
        assert browser.get(f"/?token={TOKEN}").status_code == 303
    return browser


@contextmanager
def running(folder: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server in another process, and its port."""
    command = [sys.executable, "-m", "tests.workbench.fake", str(folder), str(port)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        line = process.stdout.readline()
        if not line.startswith("http://127.0.0.1:"):
            process.kill()
            raise AssertionError((line, process.communicate()[1]))
        yield process, int(line.split(":")[2].split("/")[0])
    finally:
        process.kill()
        process.communicate()


def talk(port: int, data: bytes, *, seconds: float = 5.0, until: bytes | None = None) -> bytes:
    """What a server answers to these bytes, until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as link:
        with suppress(BrokenPipeError, ConnectionResetError):  # it has refused before the end
            link.sendall(data)
        return read(link, until)


def read(link: socket.socket, until: bytes | None = None) -> bytes:
    found = b""
    with suppress(ConnectionResetError):
        while (until is None or until not in found) and (part := link.recv(1 << 16)):
            found += part
    return found


def head(port: int, line: str, *headers: str) -> bytes:
    """A request with the token and these headers besides."""
    given = (f"Host: 127.0.0.1:{port}", f"Authorization: Bearer {TOKEN}", *headers)
    return "\r\n".join([f"{line} HTTP/1.1", *given, "", ""]).encode("latin-1")


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    serve(FakeBench(), port, TOKEN, print, static=static_files(folder / "static"))
    print("ended", flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
