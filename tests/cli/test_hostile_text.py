"""Whatever documents, names and files are called, no terminal obeys it and no line is forged."""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import RUN, finish, start, write_files
from textclust.plain import escaped_json, one_line, visible

ROOT = Path(__file__).resolve().parents[2]
# Without \0, which no argument can hold; texts have it too.
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b6n\u202egpj\u2066\u200f\u061c\u200b\U000e0041\x85"
FORGED = "\nforged line\rforged line\u2028forged line"
# What rich sends to draw and remove a bar, and the styles of `ask`.
OURS = re.compile(r"\x1b\[(?:\?25[lh]|[0-9;]*m|[012]K|1A)")
ENDS = "\r\n\t"


def hostile(name):
    return f"{name}{EVIL}{FORGED}"


OUT = hostile("out")
TEXTS = [
    (hostile(f"{group} {n}"), hostile(group), f"{text} {n}. {EVIL}\0")
    for group, text in (
        ("bikes", "The bike has a chain, a wheel, a tyre and a brake"),
        ("moon", "The moon, a telescope and a planet in the night sky"),
    )
    for n in range(6)
]


def quoted(cell):
    return '"' + cell.replace('"', '""') + '"'


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A collection with hostile ids, classes and texts; so are links, labels and results."""
    folder = tmp_path_factory.mktemp("hostile")
    lines = [json.dumps({"id": i, "label": c, "text": t}) + "\n" for i, c, t in TEXTS]
    ids = [i for i, _, _ in TEXTS]
    links = [(ids[0], ids[1], "must-link"), (ids[1], ids[0], "cannot-link")]
    links += [(ids[0], ids[1], "must-link"), (hostile("nobody"), ids[2], "must-link")]
    truth = [(i, c) for i, c, _ in TEXTS[:-1]] + [(hostile("stranger"), hostile("class"))]
    files = {
        "texts.jsonl": "".join(lines),
        "links.csv": "left,right,kind\n" + "".join(f"{','.join(map(quoted, r))}\n" for r in links),
        "seeds.csv": "id,label\n" + "".join(f"{','.join(map(quoted, r))}\n" for r in truth[:3]),
        "truth.csv": "id,label\n" + "".join(f"{','.join(map(quoted, r))}\n" for r in truth),
    }
    write_files(folder, files)
    for out, seed in ((OUT, 0), ("second", 1)):
        made = ["cluster", "texts.jsonl", "-k", "2", "--seeds", "seeds.csv", "--out", out]
        answer = finish(start(*made, "--random-state", seed, cwd=folder))
        assert answer.code == 0, answer.err
    return folder


def on_a_terminal(*arguments, cwd, typed=b"", term="dumb"):
    """What a command sends to a terminal that is its input, its output and its errors."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": term, "COLUMNS": "100", "LINES": "40"}
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    with subprocess.Popen(command, cwd=cwd, env=environment, **streams) as process:
        os.close(theirs)
        os.write(ours, typed)
        received = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # the other end was closed
                break
            if not part:
                break
            received += part
    os.close(ours)
    return process.returncode, received.decode("utf-8")


def require_harmless(text):
    wrong = {c for c in text if not c.isprintable() and c not in ENDS}
    assert not wrong, (wrong, text)
    assert not re.search(r"^forged line", text.replace("\r", "\n"), re.MULTILINE), text


def commands(out):
    """Each command with hostile text in what it reads, or in what it is given."""
    first = TEXTS[0][0]
    return {
        "cluster": ("cluster", "texts.jsonl", "-k", 2, "--seeds", "seeds.csv", "--levels", 2),
        "cluster --out": ("cluster", "texts.jsonl", "-k", 2, "--out", out),
        "cluster --json": ("cluster", "texts.jsonl", "-k", 2, "--json"),
        "no such seed": ("cluster", "texts.jsonl", "-k", 2, "--seeds", "truth.csv"),
        "predict": ("predict", "second", "texts.jsonl"),
        "predict --json": ("predict", "second", "texts.jsonl", "--json"),
        "predict --out": ("predict", "second", "texts.jsonl", "--out", f"{out}.csv"),
        "explain": ("explain", out, first),
        "diff": ("diff", out, "second"),
        "check": ("check", "links.csv", "texts.jsonl"),
        "check --json": ("check", "links.csv", "texts.jsonl", "--json"),
        "evaluate": ("evaluate", "second", "truth.csv"),
        "rename": ("rename", "second", 0, hostile("name")),
        "replay": ("replay", out),
        "select-k": ("select-k", "texts.jsonl", "--from", 2, "--to", 3),
        "no such file": ("cluster", hostile("nothing"), "-k", 2),
        "no such option": ("cluster", "--" + hostile("x")),
        "no such command": (hostile("x"),),
    }


@pytest.mark.parametrize("name", commands("out"))
def test_no_command_sends_a_terminal_what_it_would_obey(place, name):
    code, text = on_a_terminal(*commands(OUT)[name], cwd=place)
    assert code in (0, 1, 2), text
    assert "Traceback" not in text
    assert "fault in textclust" not in text
    assert code < 2 or name.startswith("no such"), text
    assert len(text) > 20
    require_harmless(text)


@pytest.mark.parametrize("term", ["dumb", "xterm"])
@pytest.mark.parametrize("sets", [(), ("--sets", 4)], ids=["pairs", "sets"])
def test_questions_show_nothing_that_a_terminal_would_obey(place, tmp_path, term, sets):
    typed = b"1\n1\nq" if sets else b"ynyq"
    asked = ("ask", "texts.jsonl", "-k", 2, "--answers", tmp_path / "a.csv", *sets)
    code, text = on_a_terminal(*asked, cwd=place, typed=typed, term=term)
    assert code == 0, text
    assert "\x1b[1m" in text or term == "dumb" or sets
    require_harmless(OURS.sub("", text).replace("\b \b", ""))


def test_json_and_piped_tables_have_the_ids_as_they_are(place):
    ids = [i for i, _, _ in TEXTS]
    answer = finish(start("predict", "second", "texts.jsonl", "--json", cwd=place))
    assert [row["id"] for row in answer.json["labels"]] == ids
    piped = start("predict", "second", "texts.jsonl", cwd=place)
    rows = piped.communicate(timeout=120)[0].decode("utf-8")
    assert all(i in rows for i in ids)


def test_nothing_else_in_the_command_line_prints():
    """Only `output` writes to the streams; `entry` has nothing of others to show."""
    for path in sorted((ROOT / "cli").glob("*.py")):
        if path.name in ("output.py", "entry.py"):
            continue
        assert printing(path.read_text(encoding="utf-8")) == [], path.name


def printing(source):
    """The calls that write to a stream, but for making and flushing one."""
    harmless = ("flush", "isatty", "reconfigure", "fileno", "readline", "encoding", "buffer")
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            last = called.rsplit(".", 1)[-1]
            is_stream = re.match(r"(sys|builtins)\.(__)?(stdout|stderr)", called)
            prints = called in ("print", "os.write") or last in ("echo", "secho", "writelines")
            if prints or (is_stream and last not in harmless):
                found.append(called)
    return found


@pytest.mark.parametrize(
    "source",
    ["print(x)", "typer.echo(x)", "click.secho(x)", "sys.stdout.write(x)", "os.write(1, x)"],
)
def test_that_rule_finds_them(source):
    assert len(printing(source)) == 1


@given(st.text())
def test_any_text_is_made_visible_and_json_stays_the_same_data(text):
    shown = visible(text)
    assert all(c.isprintable() or c in "\n\t" for c in shown)
    assert one_line(text).isprintable()
    assert visible(shown) == shown
    for ensured in (True, False):
        content = json.dumps({text: [text]}, ensure_ascii=ensured, indent=2)
        escaped = escaped_json(content)
        assert json.loads(escaped) == {text: [text]}
        assert all(c.isprintable() or c == "\n" for c in escaped)


@pytest.mark.parametrize("text", ["naïve Äpfel", "日本語", "שלום", "🚲", "a\nb\tc"])
def test_honest_text_is_shown_as_it_is(text):
    assert visible(text) == text
    assert escaped_json(text) == text
