"""Ids, classes, names and texts of letters that do harm, on a terminal and in tables."""

from __future__ import annotations

import csv
import json
import os
import re
import select
from pathlib import Path
from random import Random

from tests.cli.running import write_files
from tests.cli.test_hostile_text import OURS, require_harmless
from tests.torture.children import command, forked, import_all, run
from tests.torture.trials import Trial, torture
from textclust.text.labels import read_labels

ALPHABET = [
    *("\x1b]0;owned\x07", "\x1b[2J", "\x1b[31m", "\x1b", "\x9b6n", "\x9d0;x\x9c", "\x90", "\x07"),
    *("\u202e", "\u2066", "\u2069", "\u200f", "\u061c", "\u200b", "\ufeff", "\u00ad", "\u034f"),
    *("\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\t", "\x08", "\x7f", "\x01"),
    *("\U000e0041", "\ufff9", "\ue000", "\ufdd0", "\uffff", "\U0010ffff", "\u0378", "\u3000"),
    *("a", "b", "moon", " ", "/", "é", "日本", "שלום", "e\u0301", "🚲", '"', "'", ",", "\\", "<b>"),
    *("=1+1", "+1", "-1", "@x", "=cmd|' /C calc'!A0", "\uff1d1", "'=1", "''", "%s", "{0}", "[red]"),
    *("\nforged line", "\rforged line", "\u2028forged line", "\x85forged line"),
]
TEXTS = {
    "bikes": "The bike has a chain, a wheel, a tyre and a brake",
    "moon": "The moon, a telescope and a planet in the night sky",
}
FORMULA = re.compile("[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
NUMBER = re.compile(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?")
PATIENCE = 60.0  # seconds without a letter


def hostile(rng: Random) -> str:
    return "".join(rng.choice(ALPHABET) for _ in range(rng.randint(1, 12)))


def named(rng: Random) -> str:
    """A hostile name that is more than blanks: those would be no label."""
    while not (name := hostile(rng)).strip():
        pass
    return name


def rows(rng: Random) -> bytes:
    """A table of documents whose ids, classes and texts are hostile; the ids are different."""
    classes = {group: named(rng) for group in TEXTS}
    lines = [
        {
            "id": f"{hostile(rng)}{group}{n}",
            "label": classes[group],
            "text": f"{text} {n}. {hostile(rng)}",
        }
        for group, text in TEXTS.items()
        for n in range(5)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def collection(trial: Trial) -> list[str]:
    """Texts, seeds and links, with results in `out`; the ids."""
    data = trial.given("texts.jsonl", rows)
    every = [json.loads(line) for line in data.decode().splitlines()]
    ids = [row["id"].strip() for row in every]
    write_files(trial.place, {"texts.jsonl": data})
    with open(trial.place / "seeds.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "label"), *((row["id"], row["label"]) for row in every)])
    with open(trial.place / "links.csv", "w", encoding="utf-8", newline="") as file:
        links = [(ids[0], ids[1], "must-link"), (ids[1], ids[0], "cannot-link")]
        links.append((ids[0], hostile(trial.rng) + "nobody", "must-link"))
        csv.writer(file).writerows([("left", "right", "kind"), *links])
    return ids


def on_a_terminal(*arguments: object, cwd: Path, typed: bytes = b"") -> tuple[int, str]:
    """How a command ended whose streams are a terminal, and what that was sent."""
    ours, theirs = os.openpty()

    def work() -> None:
        os.environ.update(TERM="dumb", LINES="40")
        command(*arguments)()

    import_all()
    child = forked(work, cwd, [theirs, theirs, theirs])
    os.close(theirs)
    os.write(ours, typed)
    received = b""
    while select.select([ours], [], [], PATIENCE)[0]:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # the other end was closed
            break
        if not part:
            break
        received += part
    os.close(ours)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), received.decode("utf-8")


@torture("hostile text: terminal", quick=24, share=2.0)
def terminal(trial: Trial) -> None:
    """No command sends a terminal what it would obey, nor a line that is not ours."""
    ids = collection(trial)
    ended = run(trial.place, "cluster", "texts.jsonl", "-k", 2, "--out", "out")
    assert ended.code == 0, ended
    name = hostile(trial.rng)
    asked = {
        "cluster": ("cluster", "texts.jsonl", "-k", 2, "--seeds", "seeds.csv"),
        "predict": ("predict", "out", "texts.jsonl"),
        "predict --json": ("predict", "out", "texts.jsonl", "--json"),
        "explain": ("explain", "out", trial.rng.choice(ids)),
        "check": ("check", "links.csv", "texts.jsonl"),
        "check --json": ("check", "links.csv", "texts.jsonl", "--json"),
        "evaluate": ("evaluate", "out", "seeds.csv"),
        "rename": ("rename", "out", 0, name),
        "no such path": ("cluster", name, "-k", 2),
        "no such option": ("cluster", f"--{name}"),
        "ask": ("ask", "texts.jsonl", "-k", 2, "--answers", "a.csv"),
    }
    chosen = trial.rng.sample(sorted(asked), 3)
    for each in chosen:
        code, text = on_a_terminal(*asked[each], cwd=trial.place, typed=b"ynyq")
        assert code in (0, 1, 2), (each, code, text)
        assert "Traceback" not in text, (each, text)
        assert "fault in textclust" not in text, (each, text)
        require_harmless(OURS.sub("", text).replace("\b \b", ""))


@torture("hostile text: tables", quick=5)
def tables(trial: Trial) -> None:
    """No cell of a table is run by a spreadsheet, and our readers find the ids as they were."""
    collection(trial)
    answers = ("ask", "texts.jsonl", "-k", 2, "--oracle", "folders", "--answers", "a.csv")
    for arguments in (
        ("cluster", "texts.jsonl", "-k", 2, "--seeds", "seeds.csv", "--out", "out.csv"),
        (*answers, "--queries", 5),
        ("cluster", "texts.jsonl", "-k", 2, "--constraints", "a.csv", "--out", "out"),
        ("evaluate", "out.csv", "texts.jsonl"),
        ("predict", "out", "texts.jsonl", "--out", "p.csv"),
    ):
        ended = run(trial.place, *arguments)
        assert ended.code == 0, (arguments, ended)
    for name in ("out.csv", "a.csv", "out/labels.csv", "p.csv"):
        with open(trial.place / name, encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                assert not [cell for cell in row if runs(cell)], (name, row)
    found = set(read_labels(trial.place / "out.csv", "cluster"))
    assert found == set(read_labels(trial.place / "out/labels.csv", "cluster"))
    assert len(found) == 10


def runs(cell: str) -> bool:
    """Whether a spreadsheet would take a cell for a formula."""
    return FORMULA.match(cell) is not None and NUMBER.fullmatch(cell) is None
