"""textclust open: its address, its end, and what it refuses."""

from __future__ import annotations

import json
import signal
import socket
import time
from urllib.request import Request, urlopen

import pytest

from tests.cli.running import finish, snapshot, start

# The command on a machine without a library that the workbench needs.
WITHOUT = """
import sys

missing = sys.argv.pop(1)

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=missing)

sys.meta_path.insert(0, Missing())
from textclust.cli.main import main
main()
"""


def first_line(process):
    line = process.stdout.readline().decode()
    assert line.startswith("http://127.0.0.1:"), (line, process.stderr.read())
    return line.strip()


def ask(address, path, content=None):
    home, _, token = address.partition("/?token=")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    body = None if content is None else json.dumps(content).encode()
    with urlopen(Request(f"{home}{path}", body, headers), timeout=30) as answer:
        return json.load(answer)


def test_a_session_and_its_end(textclust, place):
    opened = start("open", "texts", "--k", 3, "--no-browser", cwd=place)
    address = first_line(opened)
    assert len(address.partition("/?token=")[2]) >= 32
    state = ask(address, "/api/state")
    assert state["version"] == 1
    assert len(state["clusters"]) == 3
    said = ask(address, "/api/actions", {"action": "rename", "cluster": 1, "name": "mine"})
    assert said["line"] == 2

    # The same project is open already, and the port is taken.
    second = textclust("open", "texts", "--no-browser")
    assert (second.code, second.out) == (2, "")
    assert second.err.count("\n") == 1
    assert f"is in use by another textclust (process {opened.pid}, since" in second.err
    port = address.split(":")[2].split("/")[0]
    other = ("--k", 3, "--no-browser", "--project", "b", "--port", port)
    taken = textclust("open", "texts", *other)
    assert taken.code == 2
    assert taken.err.count("\n") == 1
    assert f"--port {port} cannot be used" in taken.err

    begun = time.monotonic()
    opened.send_signal(signal.SIGINT)
    ended = finish(opened)
    assert time.monotonic() - begun < 5
    assert ended.code == 0
    assert ended.out == ""
    assert "The work is kept in texts.textclust." in ended.err
    assert "Closed. Everything is in texts.textclust; the same command continues." in ended.err
    assert sorted(snapshot(place / "texts.textclust")) == [
        "clusters.csv",
        "constraints.csv",
        "files.json",
        "journal.jsonl",
        "labels.csv",
        "seeds.csv",
    ]


@pytest.mark.parametrize("library", ["starlette", "uvicorn"])
def test_without_what_the_workbench_needs(place, library):
    done = finish(start(library, "open", "texts", "--no-browser", program=WITHOUT, cwd=place))
    assert done.code == 2
    assert done.err == (
        f"textclust: the workbench needs {library}, which is not installed; "
        "install it with: pip install 'textclust[workbench]'\n"
    )
    assert sorted(path.name for path in place.iterdir()) == ["texts"]


def test_what_is_refused_before_anything_is_served(textclust, place):
    (place / "other").mkdir()
    (place / "other" / "notes.txt").write_text("mine")
    before = snapshot(place)

    def refused(*arguments):
        answer = textclust("open", *arguments, "--no-browser")
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.count("\n") == 1
        assert snapshot(place) == before
        return answer.err

    assert "no project of a workbench because of notes.txt" in refused(
        "texts", "--project", "other"
    )
    assert "cannot be opened as a folder" in refused("texts", "--project", "texts/moon/1")
    assert "name its folder with --project DIR" in refused("-")
    assert "name its folder with --project DIR" in refused(".")
    assert "--k" in refused("texts", "--k", "0", "--project", "x")


def test_what_cannot_be_read_leaves_no_project(textclust, place):
    (place / "seeds.csv").write_text("id,label\nno/such,x\n")
    for arguments in (["nowhere"], ["texts", "--seeds", "seeds.csv", "--k", 3]):
        answer = textclust("open", *arguments, "--no-browser")
        assert answer.code == 2
        assert "no" in answer.err
        assert sorted(path.name for path in place.iterdir()) == ["seeds.csv", "texts"]


def test_other_documents_are_refused(textclust, place):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        options = ("--k", 3, "--no-browser", "--port", port, "--project", "p")
        textclust("open", "texts", *options)
        (place / "texts" / "moon" / "9").write_text("One more text about the moon.\n")
        answer = textclust("open", "texts", *options)
    assert answer.code == 2
    assert "12 documents then, 13 now" in answer.err
