from __future__ import annotations

from pathlib import Path

import pytest

from tests.writing.results import earlier_results


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A folder with the results of an earlier run, and a file of the user's."""
    return earlier_results(tmp_path)
