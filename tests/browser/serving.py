"""The real command `textclust open` in a process of its own."""

from __future__ import annotations

import re
import select
import subprocess
import sys
import time
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "corpora" / "newsgroups"
TEXTCLUST = Path(sys.executable).with_name("textclust")
PATIENCE = 120  # seconds, on a busy machine


class Server:
    """A workbench that is being served; the same object starts it again after its end."""

    def __init__(self, collection: Path, project: Path, *options: str, k: int = 3) -> None:
        self.project = project
        self._command = [TEXTCLUST, "open", collection, "-k", str(k), "--no-browser"]
        self._command += ["--project", project, *options]
        self._port, self._killed = 0, False

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the command, on the port of the last time, and read its first line."""
        self._killed = False
        self._errors = open(self.project.with_name(f"{self.project.name}.stderr"), "ab")  # noqa: SIM115
        self._process = subprocess.Popen(
            [*map(str, self._command), "--port", str(self._port)],
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=self.project.parent,
        )
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        line = self._process.stdout.readline().decode() if ready else ""
        found = re.fullmatch(r"(http://127\.0\.0\.1:(\d+))/\?token=(\S+)\n", line)
        if found is None:
            self.kill()
            said = Path(self._errors.name).read_text(encoding="utf-8", errors="replace")
            raise AssertionError(f"no address but {line!r}: {said}")
        self.origin, port, token = found.groups()
        self.address, self._port = line.strip(), int(port)
        self._client = httpx.Client(
            base_url=self.origin, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE
        )

    def stop(self) -> None:
        """End it as Ctrl-C does; an AssertionError where it had ended by itself."""
        ended = self._process.poll()
        if ended is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._close()
        self._killed, killed = True, self._killed
        said = Path(self._errors.name).read_text(encoding="utf-8", errors="replace")
        assert ended is None or killed, f"the server ended with {ended}: {said}"

    def kill(self) -> None:
        """End it in the midst of whatever it does: kill -9."""
        self._killed = True
        self._process.kill()
        self._close()

    def _close(self) -> None:
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._errors.close()
        if hasattr(self, "_client"):
            self._client.close()

    def get(self, path: str, **query: object):
        """The JSON of a GET request."""
        answer = self._client.get(f"/api/{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(self, action: str, **fields: object):
        """Send an action past the page; its state."""
        answer = self._client.post("/api/actions", json={"action": action, **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()["state"]

    @property
    def state(self):
        """Where the work stands."""
        return self.get("state")

    @property
    def ids(self) -> list[str]:
        """The id of every row."""
        return self.get("collection")["ids"]

    def reset(self) -> None:
        """Undo everything, so that the next test finds the beginning."""
        end = time.monotonic() + PATIENCE
        while self.state["busy"] and time.monotonic() < end:
            self._client.post("/api/cancel", json={})
            time.sleep(0.05)
        while self.state["undo"]:
            self.act("undo")
