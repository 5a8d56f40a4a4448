"""The evidence for the number of clusters as a picture."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from textclust.errors import InputError
from textclust.writing import PICTURE_METADATA, write_whole

if TYPE_CHECKING:
    from textclust.model_selection.choice import Selection

__all__ = ["check_place", "draw", "picture"]

_KINDS = (".png", ".svg", ".pdf")


def check_place(path: Path) -> None:
    """An InputError where no picture could be drawn to this file."""
    if path.suffix.lower() not in _KINDS:
        raise InputError(f"{path}: a picture is one of {', '.join(_KINDS)}; name it so")
    if find_spec("matplotlib") is None:
        raise InputError("a picture needs matplotlib; get it with: pip install 'textclust[plot]'")


def draw(selection: Selection, path: Path) -> Path:
    """Draw the evidence to a file; only such a picture may be replaced there."""
    check_place(path)
    return write_whole(path, picture(selection, path))


def picture(selection: Selection, path: Path) -> bytes:
    """One panel for each kind of evidence, the number chosen marked in each; as `path` ends."""
    from matplotlib.figure import Figure

    with_links = selection.table[0].links_kept is not None
    panels = 4 if with_links else 3
    figure = Figure(figsize=(3.4 * panels, 3.0), layout="constrained")
    axes = figure.subplots(1, panels)
    k = [row.k for row in selection.table]
    axes[0].plot(k, _column(selection, "stability"), "o-")
    axes[0].set(title="Agreement of two halves", ylim=(0, 1.03))
    for name in ("bic", "mdl", "mml"):
        values = _column(selection, name)
        span = (max(values) - min(values)) or 1.0
        axes[1].plot(k, [(value - min(values)) / span for value in values], label=name.upper())
    axes[1].set(title="Description length (low is good)", yticks=[])
    axes[1].legend(frameon=False)
    errors = _column(selection, "gap_error")
    axes[2].errorbar(k, _column(selection, "gap"), errors, fmt="o-")
    axes[2].set(title="Gap (high is good)")
    if with_links:
        shares, off = _column(selection, "links_kept"), _column(selection, "links_error")
        axes[3].errorbar(k, shares, off, fmt="o-")
        axes[3].set(title="Links kept", ylim=(0, 1.03))
    for each in axes:
        each.axvline(selection.k, color="0.6", linestyle=":", zorder=0)
        each.set(xlabel="k")
        each.xaxis.get_major_locator().set_params(integer=True)
    buffer, kind = io.BytesIO(), path.suffix.lower().lstrip(".")
    figure.savefig(buffer, format=kind, dpi=150, metadata=PICTURE_METADATA[kind])
    return buffer.getvalue()


def _column(selection: Selection, name: str) -> list[float]:
    return [getattr(row, name) for row in selection.table]
