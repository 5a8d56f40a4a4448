"""Nothing in the documentation rots: every code block is run, every command is described."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from textclust.cli.main import run
from textclust.cli.method_table import method_table
from textclust.cli.reference import reference

import textclust

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
CHECKER = doctest.OutputChecker()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def beside_the_sample(tmp_path, sample, monkeypatch):
    """A folder corpora/ with the sample in it, as the pages say."""
    place = tmp_path / "corpora"
    shutil.copytree(sample, place / "newsgroups")
    monkeypatch.chdir(place)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    return place


def sessions(block):
    """The commands of a console block, each with the output shown for it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


@pytest.fixture
def printed(capsys):
    """Run a command and return what it prints: in this process, if it needs no shell."""

    def run_command(command):
        if command.startswith("textclust ") and not re.search("[|<>;]", command):
            capsys.readouterr()
            code, (out, err) = run(shlex.split(command)[1:]), capsys.readouterr()
        else:
            done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
            code, out, err = done.returncode, done.stdout, done.stderr
        assert code == 0, (command, err)
        return out

    return run_command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_code_block_runs_and_shows_what_it_says(page, beside_the_sample, printed):
    names = {}
    for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            exec(compile(block, page.name, "exec"), names)
        elif language == "console":
            for command, shown in sessions(block):
                out = printed(command)
                assert CHECKER.check_output(shown, out, FLAGS), (command, out)
        elif language == "sh":
            for target in re.findall(r"^make (\S+)", block, re.MULTILINE):
                assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
        else:
            assert language == "text", f"a block of {language!r} is not run by anything"


def test_the_command_line_reference_is_what_help_says():
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert page == reference(), "run `make docs`"


def test_the_table_of_methods_is_that_of_the_registry():
    page = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    assert page == method_table(), "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_public_name_is_in_the_documentation():
    """As code: after `tc.`, in a call, or between backticks; errors and results by their doings."""
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    quiet = {"Explanation", *(name for name in textclust.__all__ if name.endswith("Error"))}
    missing = [
        name
        for name in textclust.__all__
        if name not in quiet and not re.search(rf"\btc\.{name}\b|\b{name}\(|`{name}`", text)
    ]
    assert not missing


def doctested_modules():
    for module in pkgutil.walk_packages(textclust.__path__, "textclust."):
        if not module.name.endswith("__main__"):
            yield module.name


@pytest.mark.parametrize("name", list(doctested_modules()))
def test_examples_in_docstrings_hold(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0
