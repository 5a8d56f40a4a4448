"""Nothing in the documentation rots: every code block is run, every command is described."""

from __future__ import annotations

import doctest
import importlib
import json
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
from textclust.cli.model_format import model_format
from textclust.cli.reference import reference

import textclust
from tests.blocks import BLOCK, FLAGS, sessions, shows
from textclust import corpora
from textclust.workbench.collection import Collection
from textclust.workbench.project import Project
from textclust.workbench.workbench import Workbench

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
COLLECTION = re.compile(r'corpora\.path\("([\w-]+)"\)')


@pytest.fixture
def beside_the_sample(tmp_path, sample, monkeypatch):
    """A folder corpora/ with the sample in it, as the pages say."""
    place = tmp_path / "corpora"
    shutil.copytree(sample, place / "newsgroups")
    monkeypatch.chdir(place)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    yield place
    if "matplotlib.pyplot" in sys.modules:  # what a page has drawn
        sys.modules["matplotlib.pyplot"].close("all")


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_code_block_runs_and_shows_what_it_says(page, beside_the_sample, printed):
    names = {}
    for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            if any(corpora.find(name) is None for name in COLLECTION.findall(block)):
                continue  # a collection that is not in the package, and not on this machine
            exec(compile(block, page.name, "exec"), names)
        elif language == "console":
            for command, shown in sessions(block):
                out = printed(command)
                assert shows(shown, out), (command, out)
        elif language == "json":
            json.loads(block)  # and see below
        elif language == "sh":
            for target in re.findall(r"^make (\S+)", block, re.MULTILINE):
                assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
        else:
            assert language == "text", f"a block of {language!r} is not run by anything"


def guides():
    """The pages that the site has under Guides."""
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    [part] = re.findall(r"^  - Guides:\n(.*?)^  - ", navigation, re.MULTILINE | re.DOTALL)
    return re.findall(r"([\w-]+\.md)$", part, re.MULTILINE)


@pytest.mark.parametrize("name", guides())
def test_a_guide_fits_a_sitting(name):
    words = (ROOT / "docs" / name).read_text(encoding="utf-8").split()
    assert len(words) <= 1300, "what was measured belongs in docs/measured, theory in docs/theory"


@pytest.fixture
def bench(tmp_path, sample):
    """A workbench of which every answer has something in it."""
    collection = Collection.read(textclust.read_documents(sample), textclust.TextVectorizer())
    with Project.open(tmp_path / "project") as project:
        bench = Workbench(collection, project, 3)
        a, b, c, d = (collection.documents.ids[row] for row in (0, 1, 2, 100))
        for left, right, kind in (
            *((a, b, "must-link"), (b, c, "must-link"), (a, c, "cannot-link")),  # a contradiction
            (a, d, "must-link"),  # of two subjects
        ):
            bench.act({"action": "link", "left": left, "right": right, "kind": kind})
        wrong = collection.documents.ids[3:8]
        bench.act({"action": "move", "documents": wrong, "cluster": 3})
        yield bench


def require_shape(shown, real, where):
    """An example has the fields of the real thing, all the way down; null fits anything."""
    if isinstance(shown, dict) and real is not None:
        assert isinstance(real, dict), where
        assert shown.keys() == real.keys(), where
        for key in shown:
            require_shape(shown[key], real[key], f"{where}.{key}")
    elif isinstance(shown, list) and real is not None:
        assert isinstance(real, list), where
        for each in shown:
            if isinstance(each, dict):
                alike = [one for one in real if one.get("kind") == each.get("kind")]
                assert alike, f"{where}: nothing to compare with"
                require_shape(each, alike[0], f"{where}[{each.get('kind', '')}]")
    elif None not in (shown, real):
        numbers = (int, float)
        same = isinstance(shown, numbers) and isinstance(real, numbers)
        assert same or type(shown) is type(real), where


def test_the_interface_of_the_workbench_answers_as_shown(bench):
    page = (ROOT / "docs" / "workbench-api.md").read_text(encoding="utf-8")
    answers = {
        "/api/collection": bench.collection,
        "/api/state": bench.state,
        "/api/documents": lambda: bench.documents(1, "typical", "e", False, None, 0, 100),
        "/api/documents/3": lambda: bench.document(0),
        "/api/preview": bench.preview,
        "/api/wizard": lambda: bench.wizard(100),
        "/api/questions": lambda: {
            key: value if key == "reason" else [*value, *each("set"), *each("cluster")]
            for key, value in bench.questions("pair", 3).items()
        },
    }

    def each(kind):
        return bench.questions(kind, 1)["questions"]

    sections = re.findall(r"^### `GET (\S+?)(?:\?\S*)?`\n(.*?)(?=^###|\Z)", page, re.M | re.S)
    shown = {path: BLOCK.findall(text) for path, text in sections}
    assert {path for path, blocks in shown.items() if blocks} == answers.keys()
    for path, answer in answers.items():
        [(_, block)] = shown[path]
        require_shape(json.loads(block), json.loads(json.dumps(answer())), path)


def test_the_keys_of_the_workbench_are_those_of_its_table_of_commands():
    static = ROOT / "textclust" / "workbench" / "static"
    text = (static / "commands.js").read_text(encoding="utf-8")
    call = r'\b(?:look|tell|see)\(\s*"[\w-]+",\s*"([^"]+)",\s*"[^"]*",\s*"([^"]+)"'
    order = r'\border\("\w+", "(.)", "([^"]+)"\)'
    known = {*re.findall(call, text), *re.findall(order, text)}
    page = (ROOT / "docs" / "workbench-keys.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^\| `(\S+)` \| (.+?) \|$", page, re.MULTILINE))
    assert len(known) > 30
    assert shown == known


def test_the_command_line_reference_is_what_help_says():
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert page == reference(), "run `make reference`"


def test_the_table_of_methods_is_that_of_the_registry():
    page = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    assert page == method_table(), "run `make reference`"


def test_the_page_on_model_files_is_that_of_their_schema():
    page = (ROOT / "docs" / "model-format.md").read_text(encoding="utf-8")
    assert page == model_format(), "run `make reference`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
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
