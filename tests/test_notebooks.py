"""The notebooks run, and show what is stored in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebooks import cells, outputs, read

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "docs" / "notebooks").glob("*.ipynb"))


def kinds(shown):
    return [sorted(each.get("data", {"text": ""})) for each in shown]


def words(shown):
    """What is shown as plain text: pictures and tables differ from one library to the next."""
    return [each.get("text") or each["data"].get("text/plain") for each in shown]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_every_cell_runs_and_shows_what_is_stored(path):
    notebook = read(path)
    assert notebook["nbformat"] == 4
    stored = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    found = outputs(cells(notebook))
    assert [kinds(shown) for shown in found] == [kinds(shown) for shown in stored]
    assert [words(shown) for shown in found] == [words(shown) for shown in stored]
    assert path.stat().st_size < 200_000


def test_from_a_frame_to_its_course_in_twelve_cells():
    [path] = [path for path in NOTEBOOKS if path.stem == "dataframe"]
    sources = cells(read(path))
    assert len(sources) == 12
    assert "to_frame()" in sources[0]
    assert "plot_over_time" in sources[-1]
