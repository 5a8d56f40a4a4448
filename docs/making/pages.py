"""Pages of the site that are not files of docs/, and what a screen reader needs on every page.

mkdocs calls `on_files` before it reads the pages, and `on_post_page` with each page it has made.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT = Path(__file__).resolve().parents[2]
_SEARCH = '<div class="md-search" data-md-component="search" role="dialog"'
_EMPTY_HEADER = re.compile(r"<th( [^>]*)?></th>")
_AT_THE_TOP = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of docs/ and those of the top folder, with links as they are in docs/."""
    for name in _AT_THE_TOP:
        text = (_ROOT / name).read_text(encoding="utf-8")
        content = text.replace("](docs/", "](").replace("[docs/", "[")
        files.append(File.generated(config, name.lower(), content=content))
    return files


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """The page with a name for its search, and no empty cell that claims to be a header."""
    assert _SEARCH in output, "the theme has another search now; see whether it has a name"
    named = output.replace(_SEARCH, f'{_SEARCH} aria-label="Search"')
    return _EMPTY_HEADER.sub(r"<td\1></td>", named)
