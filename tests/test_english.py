"""Plain English: on every page, in what the command line says, in messages and docstrings."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from pathlib import Path

import pytest
from textclust.cli.main import app
from textclust.cli.reference import parameters, walk

import textclust
from tests import english
from textclust import corpora, distributed, learned_metrics, metrics

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
FOLDERS = sorted(
    {
        path.parent
        for room in ("textclust", "cli", "corpora")
        for path in (ROOT / room).rglob("*.py")
    }
)
LONGEST = 45  # words of a sentence in a help text


def relative(path):
    return str(path.relative_to(ROOT))


def test_the_rules_find_what_they_say():
    assert doctest.testmod(english).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_pages_are_plain_and_their_headings_stand_alone(page):
    assert english.faults_of_page(page.read_text(encoding="utf-8")) == []


COMMANDS = dict(walk(app))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line_speaks_plainly(command):
    """Its sentences are whole: a capital, a full stop, and not too many words between."""
    call = COMMANDS[command]
    helps = [inspect.getdoc(call), *(each.help for each in parameters(call))]
    for text in helps:
        assert english.faults(text) == []
        assert re.match(r"[A-Z.]|\w+(, \w+)+", text), f"no capital at the beginning: {text}"
        assert text.endswith("."), f"no full stop: {text}"
        for sentence in re.split(r"(?<=[.;:]) ", text):
            assert len(sentence.split()) <= LONGEST, f"too long: {sentence}"


def messages(tree):
    """What is raised, in words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for text in ast.walk(node.exc):
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield text.value


@pytest.mark.parametrize("folder", FOLDERS, ids=relative)
def test_messages_speak_plainly(folder):
    """A message is one line without a full stop, to which the command line adds its own."""
    for path in folder.glob("*.py"):
        for text in messages(ast.parse(path.read_text(encoding="utf-8"))):
            assert english.faults(text) == [], path
            assert "\n" not in text, path
            assert not re.search(r"[a-z][.!]$", text), f"{path}: a full stop at the end: {text}"


def public():
    """Every public class and function, and the methods of the classes."""
    for module in (textclust, corpora, distributed, learned_metrics, metrics):
        for name in module.__all__:
            each = getattr(module, name)
            yield f"{module.__name__}.{name}", each
            if inspect.isclass(each):
                for own, method in inspect.getmembers(each, callable):
                    if not own.startswith("_") and (
                        getattr(method, "__module__", None) or ""
                    ).startswith("textclust"):
                        yield f"{module.__name__}.{name}.{own}", method


def test_docstrings_of_public_names_are_plain():
    found = {
        name: english.faults(english.prose(inspect.getdoc(each) or "")) for name, each in public()
    }
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("folder", FOLDERS, ids=relative)
def test_names_are_those_of_the_field(folder):
    found = {path.name: names_in(path) & english.NAMES_AVOIDED for path in folder.glob("*.py")}
    assert {path: names for path, names in found.items() if names} == {}


def names_in(path):
    """Every name that a module gives or uses, and its own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        *(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)),
        *(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)),
        *(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)),
        *(
            node.name
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        ),
        path.stem,
    }
