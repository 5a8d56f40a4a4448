"""The documentation site: every public name is in the reference, formats are those of the code."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import textclust
from docs.making import outside
from textclust import corpora, distributed, learned_metrics, metrics
from textclust.methods import METHODS
from textclust.workbench.actions import ACTIONS
from textclust.writing import LABELS
from textclust.writing.tables import COURSE, DISAGREEMENTS, FITS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FORMATS = (DOCS / "formats.md").read_text(encoding="utf-8")


def reference():
    """What the pages of the API reference are made from."""
    pages = [page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md")]
    return set(re.findall(r"^::: ([\w.]+)$", "".join(pages), re.MULTILINE))


def test_every_public_name_is_in_the_reference():
    modules = {"textclust.metrics", "textclust.learned_metrics", "textclust.distributed", "corpora"}
    names = {f"textclust.{name}" for name in textclust.__all__ if name not in ("corpora",)}
    assert reference() == names | modules


@pytest.mark.parametrize("module", [metrics, learned_metrics, distributed, corpora])
def test_every_public_name_of_a_module_says_what_it_is(module):
    """The reference of a module shows what has a docstring."""
    silent = [name for name in module.__all__ if not getattr(module, name).__doc__]
    assert not silent


ESTIMATORS = sorted({METHODS[name].estimator for name in METHODS})
LEARNERS = (
    "ExploreConsolidate",
    "NaiveBayesLabeller",
    "NearestNeighbourLabeller",
    "TextVectorizer",
)


@pytest.mark.parametrize("name", [*ESTIMATORS, *LEARNERS])
def test_every_method_says_its_formula_its_complexity_and_its_paper(name):
    """In the notes of its docstring, which are a list in the reference."""
    notes = inspect.getdoc(getattr(textclust, name)).partition("Notes\n-----\n")[2]
    said = dict(re.findall(r"^- (\w+): ((?:.+\n(?:  .+\n)*))", notes, re.MULTILINE))
    assert list(said) == ["Formula", "Complexity", "Paper"]
    assert re.search(r"``.+``|that of|those of|above", said["Formula"], re.DOTALL)
    assert "O(" in said["Complexity"]
    assert re.search(r"\b(19|20)\d\d\b", said["Paper"])


@pytest.mark.parametrize("name", metrics.__all__)
def test_every_measure_says_its_formula_and_its_paper(name):
    text = inspect.getdoc(getattr(metrics, name))
    assert " = " in text
    assert re.search(r"\b(19|20)\d\d\b", text)


def columns(heading):
    """The names in the first column of the table below a heading."""
    [section] = re.findall(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", FORMATS, re.MULTILINE | re.DOTALL)
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return tuple(name for cell in cells for name in re.findall(r"`([^`]+)`", cell))


def test_the_columns_of_labels_are_those_of_the_code():
    assert columns("labels.csv") == (*LABELS, "novelty", "identity", "level_1")
    assert f"`{FITS}`" in FORMATS


def test_the_columns_of_other_tables_are_those_of_the_code():
    assert columns("over_time.csv") == COURSE
    assert columns("Where two people disagree") == DISAGREEMENTS


def test_the_actions_of_the_journal_are_those_of_the_code():
    [section] = re.findall(r"^### journal.jsonl\n(.*?)^###", FORMATS, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", section.partition("| action |")[2], re.MULTILINE)
    shown = {name: re.findall(r"`([\w?]+)`", fields) for name, fields in rows}
    assert shown == {name: list(fields) for name, fields in ACTIONS.items()}


def test_the_keys_of_clusters_json_are_those_of_a_run(sample):
    found = textclust.cluster(sample, k=3).to_dict()
    [top] = re.findall(r"^### clusters.json\n(.*?)Further keys", FORMATS, re.MULTILINE | re.DOTALL)
    [each] = re.findall(r"Each cluster has\n(.*?)^###", FORMATS, re.MULTILINE | re.DOTALL)
    first = re.compile(r"^\| (`.*?) \|", re.MULTILINE)
    shown = [set(re.findall(r"`(\w+)`", " ".join(first.findall(part)))) for part in (top, each)]
    assert shown[0] - {"tables"} == found.keys()
    assert shown[1] == found["clusters"][0].keys()


def test_every_page_has_a_place_in_the_navigation():
    """Which a strict build looks at too, as long as its warnings are counted."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    shown = re.findall(r"([\w/-]+\.md)$", settings.partition("\nnav:\n")[2], re.MULTILINE)
    own = {"changelog.md", "contributing.md", "security.md"}  # from the top folder
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert len(shown) == len(set(shown))
    assert set(shown) == pages | own


def test_the_build_of_the_site_is_strict():
    [build] = re.findall(r"mkdocs build.*", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert "--strict" in build
    assert "--quiet" not in build  # which would leave warnings uncounted


def test_what_would_be_loaded_from_elsewhere_is_found(tmp_path, capsys):
    assert doctest.testmod(outside).failed == 0
    (tmp_path / "page.html").write_text('<a href="https://a.org">A</a><img src="a.png">')
    assert outside.main(tmp_path) == 0
    (tmp_path / "page.css").write_text("@font-face { src: url('https://fonts.org/a.woff') }")
    assert outside.main(tmp_path) == 1
    assert "https://fonts.org/a.woff" in capsys.readouterr().err


@pytest.mark.parametrize(
    "tag",
    [
        '<script src="https://a.org/a.js"></script>',
        '<link rel="stylesheet" href="//a.org/a.css">',
        '<link rel="preconnect" href="https://a.org">',
        '<img srcset="a.png 1x, https://a.org/a.png 2x">',
        '<iframe src="http://a.org"></iframe>',
        "<style>a { background: url(https://a.org/a.png) }</style>",
        '<p style="background: url(https://a.org/a.png)">',
    ],
)
def test_each_way_to_load_is_found(tag):
    assert len(outside.loaded_by_page(tag)) == 1


def test_a_folder_without_pages_is_no_site(tmp_path):
    assert outside.main(tmp_path) == 1
