"""Help: quick, complete, and there when nothing else was asked."""

from __future__ import annotations

import pytest
import typer
from textclust.cli.main import app

import textclust as package
from tests.cli.running import finish, start

HEAVY = ("numpy", "scipy", "sklearn", "nltk", "pandas", "joblib", "pyarrow")


def walk(command, *words):
    """Every command with the words that call it, groups included."""
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from walk(below, *words, name)


COMMANDS = list(walk(typer.main.get_command(app)))
IDS = [" ".join(words) or "textclust" for words, _ in COMMANDS]


def test_every_command_of_the_design_is_there():
    found = {" ".join(words) for words, _ in COMMANDS}
    assert found >= {"cluster", "predict", "explain", "evaluate", "reproduce"}
    assert found >= {"corpora list", "corpora path", "corpora fetch"}


@pytest.mark.parametrize(("words", "command"), COMMANDS, ids=IDS)
def test_every_command_and_option_is_described(textclust, words, command):
    assert (command.help or "").strip().endswith(".")
    answer = textclust(*words, "--help")
    assert (answer.code, answer.err) == (0, "")
    for parameter in command.params:
        assert (getattr(parameter, "help", None) or "").strip(), parameter.name
        for spelt in parameter.opts if parameter.opts[0].startswith("-") else ():
            assert spelt in answer.out


@pytest.mark.parametrize("words", [(), ("corpora",)])
def test_nothing_asked_is_answered_with_help(textclust, words):
    answer = textclust(*words)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == textclust(*words, "--help").out


def test_the_version_is_that_of_the_package(textclust):
    answer = textclust("--version")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"textclust {package.__version__}")


def test_help_and_version_import_nothing_heavy():
    program = (
        "import sys; from textclust.cli.main import run\n"
        "for words in sys.argv[1:]: assert run(words.split()) == 0\n"
        f"print(*set(sys.modules) & set({HEAVY}), file=sys.stderr)"
    )
    asked = ["--version", *(" ".join((*words, "--help")) for words, _ in COMMANDS)]
    answer = finish(start(*asked, program=program))
    assert (answer.code, answer.err.split()) == (0, [])
