"""Help: quick, complete, and there when nothing else was asked."""

from __future__ import annotations

import pytest
from textclust.cli.main import app
from textclust.cli.reference import parameters, walk

import textclust as package
from tests.cli.running import finish, start

HEAVY = ("numpy", "scipy", "sklearn", "nltk", "pandas", "joblib", "pyarrow")


COMMANDS = list(walk(app))
IDS = [path for path, _ in COMMANDS]


def test_every_command_of_the_design_is_there():
    found = {path.removeprefix("textclust ") for path in IDS}
    assert found >= {"cluster", "ask", "predict", "explain", "evaluate", "reproduce"}
    assert found >= {"corpora list", "corpora path", "corpora fetch"}


@pytest.mark.parametrize(("path", "call"), COMMANDS, ids=IDS)
def test_every_command_and_option_is_described(textclust, path, call):
    assert (call.__doc__ or "").strip().endswith(".")
    answer = textclust(*path.split()[1:], "--help")
    assert (answer.code, answer.err) == (0, "")
    for parameter in parameters(call):
        assert parameter.help, parameter.name
        assert parameter.name.split()[0].split("/")[0] in answer.out


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
    asked = ["--version", *(f"{path.removeprefix('textclust ')} --help" for path in IDS)]
    answer = finish(start(*asked, program=program))
    assert (answer.code, answer.err.split()) == (0, [])
